//! Decides which slices a Service should have: `reconcile(input, desired) -> outcome`.
//!
//! Pure: no I/O, no clock, no generated names, no state. What the reference keeps between syncs is passed in as `hints`
//! and returned as [`Outcome::hints`]. Every choice among equals is by name or address, so the order of the input does
//! not matter. Reference: `k8s.io/endpointslice/reconciler.go`.

mod address_types;
mod by_address_type;
mod by_port_map;
#[doc(hidden)]
pub mod candidate;
pub mod desired;
#[doc(hidden)]
pub mod draft;
#[doc(hidden)]
pub mod existing;
#[doc(hidden)]
pub mod hint_facts;
pub mod hints;
pub mod packing;
#[doc(hidden)]
pub mod ports;
mod settings;
#[doc(hidden)]
pub mod slice;
#[cfg(test)]
mod testing;

use alloc::vec::Vec;

pub use address_types::address_types;
pub use by_address_type::{Efficiency, FamilyOutcome};
pub use candidate::Candidate;
pub use draft::Draft;
pub use existing::{Open, SettledGroups};
pub use settings::{EndpointsPerSlice, ManagedBy, NoLabelValue, Settings};

use crate::model::{ByFamily, EndpointSlice, Service};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;
use desired::{Desired, StaticEndpoint};

/// Everything a decision depends on.
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct Input<'a> {
    /// The Service.
    pub service: &'a Service<'a>,
    /// The pods that its selector selects, in its namespace; settled ones may be left out.
    pub pods: Vec<Candidate<'a>>,
    /// Endpoints that are not pods.
    pub endpoints: &'a [StaticEndpoint<'a>],
    /// All nodes of the cluster.
    pub nodes: &'a NodeIndex<'a>,
    /// The open slices of this Service and this manager that are not being deleted, sorted by name.
    pub slices: Vec<Open<'a>>,
    /// What an earlier sync has settled; `None` from scratch.
    pub settled: Option<&'a SettledPart<'a>>,
    /// The settings.
    pub settings: Settings<'a>,
}

impl<'a> Input<'a> {
    /// A Service that has neither pods nor slices yet.
    pub const fn new(
        service: &'a Service<'a>,
        nodes: &'a NodeIndex<'a>,
        settings: Settings<'a>,
    ) -> Self {
        Self {
            service,
            pods: Vec::new(),
            endpoints: &[],
            nodes,
            slices: Vec::new(),
            settled: None,
            settings,
        }
    }
}

/// The part of a Service that has not changed since it was last found to match.
#[derive(Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct SettledPart<'a> {
    /// The distinct ways in which the pods of the Service resolve its ports. Those of [`Input::pods`] need not be
    /// listed.
    pub ports: Vec<&'a [Option<i32>]>,
    /// Slices.
    pub slices: ByFamily<SettledGroups<'a>>,
}

/// The result of a decision.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<'d, 'a> {
    /// By family, IPv4 first.
    pub families: Vec<FamilyOutcome<'d, 'a>>,
    /// Slices of families that the Service does not have.
    pub unwanted: Vec<&'a EndpointSlice<'a>>,
    /// The state of hints to keep.
    pub hints: ServiceHints,
}

/// Compares the existing slices with the desired endpoints, the [`desired::desired`] of the same input and all families
/// of its Service.
pub fn reconcile<'d, 'a>(
    input: &Input<'a>,
    desired: &'d Desired<'a>,
    mut hints: ServiceHints,
) -> Outcome<'d, 'a> {
    let families = address_types(input.service);
    let is_wanted = |open: &Open<'_>| {
        families
            .iter()
            .any(|family| open.slice.address_type == family.as_str())
    };
    let (wanted, unwanted): (Vec<_>, Vec<_>) = input.slices.iter().copied().partition(is_wanted);
    let unwanted: Vec<_> = unwanted.into_iter().map(|open| open.slice).collect();
    if input.settings.topology_hints {
        for slice in &unwanted {
            forget_hints(&mut hints, slice);
        }
    }
    let families = families
        .into_iter()
        .map(|family| {
            let existing: Vec<_> = wanted
                .iter()
                .copied()
                .filter(|open| open.slice.address_type == family.as_str())
                .collect();
            by_address_type::reconcile(input, family, &existing, desired, &mut hints)
        })
        .collect();
    Outcome {
        families,
        unwanted,
        hints,
    }
}

/// A slice of a family that the Service does not have clears that family's hints, and the flag of both.
fn forget_hints(hints: &mut ServiceHints, slice: &EndpointSlice<'_>) {
    use crate::model::AddressType::{IPv4, IPv6};
    match slice.address_type.as_str() {
        "IPv4" => hints.remove(IPv4),
        "IPv6" => hints.remove(IPv6),
        _ => hints.populated = false,
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{input, kept, nodes, read};
    use super::*;
    use crate::model::AddressType;
    use serde_json::json;

    /// There is state for the hints of both families; a Service of one family has a slice of another.
    #[track_caller]
    fn check(family: &str, other: &str, expected: &str) {
        let mut input = input(
            &json!({"spec": {"ipFamilies": [family]}}),
            nodes(&[("a", "2")]),
        );
        let slice: EndpointSlice<'_> = read(&json!({"addressType": other}));
        input.slices = vec![Open::from(kept(slice))];
        let mut hints = ServiceHints::default();
        for family in [AddressType::IPv4, AddressType::IPv6] {
            hints.set(family, [("a".into(), 1)].into_iter().collect());
        }
        let outcome = reconcile(&input, kept(Desired::default()), hints);
        assert_eq!(outcome.unwanted.len(), 1);
        assert_eq!(serde_json::to_string(&outcome.hints).unwrap(), expected);
        // The flag is cleared before the family of the Service is processed: no event says that hints have ended.
        assert!(outcome.families[0].hints.events.is_empty());
    }

    #[test]
    fn a_slice_of_another_family_ends_the_hints_of_its_family() {
        check("IPv4", "IPv6", r#"{"populated":false}"#);
        check("IPv6", "IPv4", r#"{"populated":false}"#);
        check("IPv4", "FQDN", r#"{"populated":false,"IPv6":{"a":1}}"#);
    }
}
