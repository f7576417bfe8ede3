//! Endpoints before and after, found again wherever they are.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::Serialize;

use super::Pair;
use super::fields::{FieldDiff, field_diffs};
use crate::model::port_map::PortMapKey;
use crate::model::{Endpoint, EndpointSlice, ObjectReference, Text};

/// An endpoint that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EndpointDiff<'a> {
    /// What has become of it.
    pub change: EndpointChange,
    /// Its addresses.
    pub addresses: Vec<Text<'a>>,
    /// What it stands for, usually a Pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_ref: Option<ObjectReference<'a>>,
    /// The slice it is in, or was in if it is gone.
    pub slice: Text<'a>,
    /// The slice it was in, if it has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Text<'a>>,
    /// The fields that differ of one that was there and is there.
    pub fields: Vec<FieldDiff>,
}

/// What has become of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EndpointChange {
    /// It was not in that slice, and comes from no other.
    Added,
    /// It is not in that slice any more, and in no other instead.
    Removed,
    /// It is where it was, with other fields.
    Changed,
    /// It is in another slice, perhaps with other fields, too.
    Moved,
}

/// An endpoint in a slice.
#[derive(Debug, Clone, Copy)]
struct Place<'s, 'a> {
    endpoint: &'s Endpoint<'a>,
    slice: &'s EndpointSlice<'a>,
}

/// The places of one endpoint.
#[derive(Debug, Default)]
struct Places<'s, 'a> {
    before: Vec<Place<'s, 'a>>,
    after: Vec<Place<'s, 'a>>,
}

/// What makes two endpoints the same one (reference: `endpointHash`): addresses, hostname, and the target's namespace
/// and name.
type Identity<'s> = (Vec<&'s str>, &'s str, Option<(&'s str, &'s str)>);

/// The endpoints that differ between slices of one Service and one family.
pub(super) fn changes<'a>(pairs: &[Pair<'_, 'a>]) -> Vec<EndpointDiff<'a>> {
    let mut places: BTreeMap<Identity<'_>, Places<'_, 'a>> = BTreeMap::new();
    for pair in pairs {
        // The most there are, and none of their endpoints is elsewhere.
        if pair.before.map(|slice| &slice.endpoints) == pair.after.map(|slice| &slice.endpoints) {
            continue;
        }
        for (endpoint, slice) in all(pair.before) {
            let places = places.entry(identity(endpoint)).or_default();
            places.before.push(Place { endpoint, slice });
        }
        for (endpoint, slice) in all(pair.after) {
            let places = places.entry(identity(endpoint)).or_default();
            places.after.push(Place { endpoint, slice });
        }
    }
    places.into_values().flat_map(of_one).collect()
}

fn all<'s, 'a>(
    slice: Option<&'s EndpointSlice<'a>>,
) -> impl Iterator<Item = (&'s Endpoint<'a>, &'s EndpointSlice<'a>)> {
    let slices = slice.into_iter();
    slices.flat_map(|slice| {
        slice
            .endpoints
            .iter()
            .map(move |endpoint| (endpoint, slice))
    })
}

fn identity<'s>(endpoint: &'s Endpoint<'_>) -> Identity<'s> {
    let addresses = endpoint.addresses.iter().map(Text::as_str).collect();
    let target = endpoint.target_ref.as_ref();
    (
        addresses,
        endpoint.hostname(),
        target.map(|target| (target.namespace.as_str(), target.name.as_str())),
    )
}

/// First those that stayed in their slice, then those that went to one with the same ports; the rest went, or came.
fn of_one<'a>(places: Places<'_, 'a>) -> Vec<EndpointDiff<'a>> {
    let Places {
        before: mut old,
        after: mut new,
    } = places;
    let mut diffs = Vec::new();
    let mut pair_up = |is_it: fn(&Place<'_, 'a>, &Place<'_, 'a>) -> bool| {
        old.retain(|before| {
            let Some(found) = new.iter().position(|after| is_it(before, after)) else {
                return true;
            };
            diffs.extend(of_both(*before, new.remove(found)));
            false
        });
    };
    pair_up(|before, after| before.slice.name() == after.slice.name());
    pair_up(|before, after| {
        PortMapKey::new(&before.slice.ports) == PortMapKey::new(&after.slice.ports)
    });
    diffs.extend(
        old.iter()
            .map(|place| of_place(EndpointChange::Removed, *place)),
    );
    diffs.extend(
        new.iter()
            .map(|place| of_place(EndpointChange::Added, *place)),
    );
    diffs
}

fn of_both<'a>(before: Place<'_, 'a>, after: Place<'_, 'a>) -> Option<EndpointDiff<'a>> {
    let from = &before.slice.metadata.name;
    let has_moved = *from != after.slice.metadata.name;
    if !has_moved && before.endpoint == after.endpoint {
        return None;
    }
    let change = if has_moved {
        EndpointChange::Moved
    } else {
        EndpointChange::Changed
    };
    Some(EndpointDiff {
        from: has_moved.then(|| from.clone()),
        fields: field_diffs(before.endpoint, after.endpoint),
        ..of_place(change, after)
    })
}

fn of_place<'a>(change: EndpointChange, place: Place<'_, 'a>) -> EndpointDiff<'a> {
    EndpointDiff {
        change,
        addresses: place.endpoint.addresses.to_vec(),
        target_ref: place.endpoint.target_ref.clone(),
        slice: place.slice.metadata.name.clone(),
        from: None,
        fields: Vec::new(),
    }
}
