//! Endpoints → EndpointSlices: what the EndpointSliceMirroring controller decides for Endpoints that people or other
//! controllers write, of Services without a selector (KEP-752).
//!
//! The input is an Endpoints object, its Service and the existing slices; the output is a plan as for pods. There is
//! one slice for each family and list of ports; endpoints that do not fit are left out, with an event. Reference:
//! `pkg/controller/endpointslicemirroring`.

mod changes;
mod desired;
pub mod request;
mod slices;

use alloc::vec::Vec;

use serde::Serialize;
use slicewise::model::{EndpointSlice, Endpoints, Service, Text, keys};
use slicewise::plan::Plan;
use slicewise::reconcile::EndpointsPerSlice;

/// The maximum number of addresses that are mirrored from each subset: 1 to 1000 (reference:
/// `--mirroring-max-endpoints-per-subset`).
///
/// ```
/// use slicewise_sources::mirroring::EndpointsPerSubset;
///
/// assert_eq!(EndpointsPerSubset::default().get(), 1000);
/// assert!(EndpointsPerSubset::new(0).is_none());
/// assert!(EndpointsPerSubset::new(1001).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EndpointsPerSubset(u32);

impl EndpointsPerSubset {
    /// One slice holds them all, so that the API's limit for slices applies.
    pub const MAX: u32 = EndpointsPerSlice::MAX;

    /// A maximum of `number`; `None` if no slice can have that size.
    pub const fn new(number: u32) -> Option<Self> {
        match number {
            1..=Self::MAX => Some(Self(number)),
            _ => None,
        }
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl Default for EndpointsPerSubset {
    /// The reference's default.
    fn default() -> Self {
        Self(Self::MAX)
    }
}

/// The input of a plan.
#[derive(Debug)]
#[non_exhaustive]
pub struct MirrorInput<'a> {
    /// Their namespace.
    pub namespace: Text<'a>,
    /// Their name.
    pub name: Text<'a>,
    /// The Endpoints, if there are any.
    pub endpoints: Option<&'a Endpoints<'a>>,
    /// The Service, if there is one.
    pub service: Option<&'a Service<'a>>,
    /// Existing slices; those of other Services or managers are ignored. Slices that wait for their finalizers are not:
    /// the reference writes them, too.
    pub slices: Vec<&'a EndpointSlice<'a>>,
    /// The maximum number of addresses that are mirrored from each subset.
    pub max_endpoints_per_subset: EndpointsPerSubset,
}

impl<'a> MirrorInput<'a> {
    /// A name of which there is nothing yet.
    pub fn new(namespace: impl Into<Text<'a>>, name: impl Into<Text<'a>>) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
            endpoints: None,
            service: None,
            slices: Vec::new(),
            max_endpoints_per_subset: EndpointsPerSubset::default(),
        }
    }
}

/// The plan for the slices of one Endpoints object. Its `hints` and `state` are empty, because mirrored slices have no
/// hints.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct MirrorPlan<'a> {
    /// The plan; `service` names the Endpoints.
    #[serde(flatten)]
    pub plan: Plan<'a>,
    /// Why nothing is mirrored; existing mirrored slices are then deleted. `null` if the Endpoints are mirrored.
    pub skipped: Option<SkippedReason>,
}

/// Why Endpoints are not mirrored. If several reasons apply, the first in this order is given, as in the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum SkippedReason {
    /// The Endpoints do not exist.
    EndpointsNotFound,
    /// They have the label `endpointslice.kubernetes.io/skip-mirror: "true"`.
    SkipMirrorLabel,
    /// They are the lock of a leader election.
    LeaderElection,
    /// There is no Service with that name.
    ServiceNotFound,
    /// The Service has a selector, possibly empty, so another controller manages its slices.
    ServiceHasSelector,
}

/// Plans the slices of one Endpoints object.
pub fn mirror<'a>(input: &MirrorInput<'a>) -> MirrorPlan<'a> {
    let mut slices = input.slices.clone();
    slices.retain(|slice| is_mirrored(slice, &input.namespace, &input.name));
    slicewise::model::order::sort_by(&mut slices, EndpointSlice::by_name);
    match mirrored(input) {
        Ok(endpoints) => MirrorPlan {
            plan: changes::plan(input, endpoints, &slices),
            skipped: None,
        },
        Err(reason) => MirrorPlan {
            plan: changes::clean_up(input, &slices),
            skipped: Some(reason),
        },
    }
}

/// The Endpoints if they should be mirrored, or why not.
fn mirrored<'a>(input: &MirrorInput<'a>) -> Result<&'a Endpoints<'a>, SkippedReason> {
    let endpoints = input.endpoints.ok_or(SkippedReason::EndpointsNotFound)?;
    let metadata = &endpoints.metadata;
    let skips = metadata.labels.get(keys::SKIP_MIRROR_LABEL);
    if skips.is_some_and(|value| *value == "true") {
        return Err(SkippedReason::SkipMirrorLabel);
    }
    if metadata.annotations.contains_key(keys::LEADER_ANNOTATION) {
        return Err(SkippedReason::LeaderElection);
    }
    let service = input.service.ok_or(SkippedReason::ServiceNotFound)?;
    match service.spec.selector {
        Some(_) => Err(SkippedReason::ServiceHasSelector),
        None => Ok(endpoints),
    }
}

/// The Service and Endpoints that a mirrored slice belongs to; `None` for other slices.
pub fn mirrored_of<'s>(slice: &'s EndpointSlice<'_>) -> Option<&'s str> {
    let labels = &slice.metadata.labels;
    let manager = labels.get(keys::MANAGED_BY_LABEL)?;
    let name = labels.get(keys::SERVICE_NAME_LABEL)?;
    (*manager == keys::MIRRORING_MANAGED_BY).then_some(name)
}

fn is_mirrored(slice: &EndpointSlice<'_>, namespace: &str, name: &str) -> bool {
    slice.metadata.namespace == *namespace && mirrored_of(slice) == Some(name)
}
