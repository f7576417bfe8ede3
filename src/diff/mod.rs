//! Compares slices before and after: what differs for consumers that route by them.
//!
//! Slices are compared by Service and address family, and endpoints by their identity, not their position: an endpoint
//! that is in another slice than before has moved, which changes no traffic. Order does not matter, nor do fields that
//! every write changes (`resourceVersion`, `generation`, `managedFields`).

mod endpoints;
mod fields;
mod pairing;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::iter;

use serde::Serialize;

pub use endpoints::{EndpointChange, EndpointDiff};
pub use fields::FieldDiff;
pub use pairing::partners;

use crate::model::order::gathered;
use crate::model::{EndpointSlice, Text, keys};
use crate::plan::ServiceRef;

/// The differences between the slices of one Service and one family.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ServiceDiff<'a> {
    /// The Service that the slices name; its name is empty if they name none.
    pub service: ServiceRef<'a>,
    /// `IPv4`, `IPv6` or `FQDN`.
    pub address_type: Text<'a>,
    /// The number of endpoints in all its slices. An endpoint in several slices counts several times.
    pub endpoints: Count,
    /// The number of ready endpoints; an endpoint without the condition counts as ready.
    pub ready: Count,
    /// The slices that differ, sorted by name.
    pub slices: Vec<SliceDiff<'a>>,
    /// The endpoints that differ, sorted by address.
    pub changes: Vec<EndpointDiff<'a>>,
}

/// A number before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "two numbers")]
pub struct Count {
    /// The number before.
    pub before: usize,
    /// The number after.
    pub after: usize,
}

/// A slice that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SliceDiff<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// How the slice has changed.
    pub change: SliceChange,
    /// The number of its endpoints.
    pub endpoints: Count,
    /// The fields of an updated slice that differ, apart from its endpoints.
    pub fields: Vec<FieldDiff>,
}

/// How a slice has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_enums,
    reason = "it is there before, after, or both"
)]
pub enum SliceChange {
    /// It did not exist before, or named another Service.
    Created,
    /// It exists before and after, and differs.
    Updated,
    /// It no longer exists, or names another Service.
    Deleted,
}

/// A slice before and after; at least one of them exists.
#[derive(Debug, Clone, Copy)]
struct Pair<'s, 'a> {
    before: Option<&'s EndpointSlice<'a>>,
    after: Option<&'s EndpointSlice<'a>>,
}

/// Namespace, Service, family.
type SliceGroup<'s> = (&'s str, &'s str, &'s str);

/// Compares slices, whose names must be unique in their namespaces. Equal slices are left out.
///
/// ```
/// use slicewise::diff::{EndpointChange, diff};
/// use slicewise::model::EndpointSlice;
///
/// let slice = |name: &str, addresses: &[&str]| {
///     let endpoints = addresses.iter().map(|address| format!(r#"{{"addresses": ["{address}"]}}"#));
///     let endpoints = endpoints.collect::<Vec<_>>().join(",");
///     format!(r#"{{"metadata": {{"name": "{name}", "labels": {{"kubernetes.io/service-name": "cart"}}}},
///         "addressType": "IPv4", "ports": [], "endpoints": [{endpoints}]}}"#)
/// };
/// let texts = [slice("a", &["10.0.0.1", "10.0.0.2"]), slice("b", &["10.0.0.2", "10.0.0.3"])];
/// let slices = texts.each_ref().map(|text| serde_json::from_str::<EndpointSlice<'_>>(text).unwrap());
///
/// let services = diff(&slices[..1], &slices[1..]);
/// let changes = services[0].changes.iter().map(|endpoint| endpoint.change);
/// assert!(changes.eq([EndpointChange::Removed, EndpointChange::Moved, EndpointChange::Added]));
/// assert_eq!(diff(&slices, &slices), []);
/// ```
pub fn diff<'a>(before: &[EndpointSlice<'a>], after: &[EndpointSlice<'a>]) -> Vec<ServiceDiff<'a>> {
    let before: Vec<&EndpointSlice<'_>> = before.iter().collect();
    compare(&before, &after.iter().collect::<Vec<_>>())
}

/// Compares slices as [`diff()`] does, by reference.
pub fn compare<'a>(
    before: &[&EndpointSlice<'a>],
    after: &[&EndpointSlice<'a>],
) -> Vec<ServiceDiff<'a>> {
    let mut groups: BTreeMap<SliceGroup<'_>, BTreeMap<&str, Pair<'_, 'a>>> = BTreeMap::new();
    for (slices, is_after) in [(before, false), (after, true)] {
        for &slice in slices {
            let pairs = groups.entry(group(slice)).or_default();
            let pair = pairs.entry(slice.name()).or_insert(Pair {
                before: None,
                after: None,
            });
            if is_after {
                pair.after = Some(slice);
            } else {
                pair.before = Some(slice);
            }
        }
    }
    let diffs = groups.values().filter_map(|pairs| {
        let pairs: Vec<_> = pairs.values().copied().collect();
        of_service(&pairs)
    });
    diffs.collect()
}

/// The Service that a slice names; its name is empty if it names none.
pub fn service_of<'a>(slice: &EndpointSlice<'a>) -> ServiceRef<'a> {
    let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
    ServiceRef {
        namespace: slice.metadata.namespace.clone(),
        name: service.cloned().unwrap_or_default(),
    }
}

fn group<'s>(slice: &'s EndpointSlice<'_>) -> SliceGroup<'s> {
    let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
    let service = service.map_or("", |name| name.as_str());
    (&slice.metadata.namespace, service, &slice.address_type)
}

/// The differences between slices of one Service and one family.
fn of_service<'a>(pairs: &[Pair<'_, 'a>]) -> Option<ServiceDiff<'a>> {
    let changes = endpoints::changes(pairs);
    let touched = changes
        .iter()
        .flat_map(|change| iter::once(&change.slice).chain(&change.from));
    let touched: BTreeSet<&str> = gathered(touched.map(Text::as_str));
    let slices: Vec<_> = pairs
        .iter()
        .filter_map(|pair| of_slice(*pair, &touched))
        .collect();
    let any = pairs.first().and_then(|pair| pair.before.or(pair.after))?;
    let count = |of: fn(&EndpointSlice<'_>) -> usize| Count {
        before: pairs.iter().filter_map(|pair| pair.before).map(of).sum(),
        after: pairs.iter().filter_map(|pair| pair.after).map(of).sum(),
    };
    (!slices.is_empty()).then(|| ServiceDiff {
        service: service_of(any),
        address_type: any.address_type.clone(),
        endpoints: count(|slice| slice.endpoints.len()),
        ready: count(|slice| {
            let endpoints = slice.endpoints.iter();
            endpoints
                .filter(|endpoint| endpoint.conditions.ready != Some(false))
                .count()
        }),
        slices,
        changes,
    })
}

/// What each write changes, or what is compared separately.
const PASSED_OVER: [&str; 6] = [
    "/apiVersion",
    "/kind",
    "/endpoints",
    "/metadata/generation",
    "/metadata/managedFields",
    "/metadata/resourceVersion",
];

fn of_slice<'a>(pair: Pair<'_, 'a>, touched: &BTreeSet<&str>) -> Option<SliceDiff<'a>> {
    let name = &pair.before.or(pair.after)?.metadata.name;
    let (change, fields) = match (pair.before, pair.after) {
        (Some(before), Some(after)) => (SliceChange::Updated, slice_fields(before, after)),
        (None, _) => (SliceChange::Created, Vec::new()),
        (_, None) => (SliceChange::Deleted, Vec::new()),
    };
    let differs =
        change != SliceChange::Updated || !fields.is_empty() || touched.contains(name.as_str());
    let count = |slice: Option<&EndpointSlice<'_>>| slice.map_or(0, |slice| slice.endpoints.len());
    differs.then(|| SliceDiff {
        name: name.clone(),
        change,
        endpoints: Count {
            before: count(pair.before),
            after: count(pair.after),
        },
        fields,
    })
}

fn slice_fields(before: &EndpointSlice<'_>, after: &EndpointSlice<'_>) -> Vec<FieldDiff> {
    if before == after {
        return Vec::new();
    }
    let mut fields = fields::field_diffs(&without_endpoints(before), &without_endpoints(after));
    fields.retain(|field| {
        let is_same_set = field.path == "/ports" && field.is_reordered();
        !is_same_set && !PASSED_OVER.contains(&&*field.path)
    });
    fields
}

fn without_endpoints<'a>(slice: &EndpointSlice<'a>) -> EndpointSlice<'a> {
    EndpointSlice {
        api_version: slice.api_version.clone(),
        kind: slice.kind.clone(),
        metadata: slice.metadata.clone(),
        address_type: slice.address_type.clone(),
        endpoints: Vec::new(),
        ports: slice.ports.clone(),
        unknown: slice.unknown.clone(),
    }
}
