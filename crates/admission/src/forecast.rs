//! The hints a Service would get, decided by the rules that assign them.

use alloc::string::String;
use alloc::vec::Vec;

use super::context::ClusterView;
use slicewise::model::{AddressType, Service};
use slicewise::reconcile::desired::desired;
use slicewise::reconcile::hints::DecidingRule;
use slicewise::reconcile::{address_types, reconcile};
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::NodeIndex;
use slicewise_live::session::imagined::PodToBe;

/// The hints of one family of a Service.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub(crate) struct HintForecast {
    /// The family.
    pub address_type: AddressType,
    /// What the Service asks for.
    pub asked: RequestedRouting,
    /// Does it get hints?
    pub is_given: bool,
    /// Why not, in the reference's words.
    pub why_not: Option<String>,
    /// The number of slices if it were planned from scratch.
    pub slices: usize,
    /// Ready endpoints.
    pub ready: usize,
    /// Ready endpoints whose zone is unknown.
    pub without_zone: usize,
    /// The share of traffic that would cross zones without hints: clients in proportion to the CPU of their zone, all
    /// endpoints used equally. `None` if the zones are unknown.
    pub unhinted_cross_zone: Option<f64>,
}

/// What a Service asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestedRouting {
    /// No hints.
    Nothing,
    /// The topology annotation.
    Auto,
    /// `trafficDistribution`.
    Traffic,
}

impl HintForecast {
    /// Plans the Service over the existing pods and the given nodes.
    pub(crate) fn of(
        service: &Service<'_>,
        cluster: &ClusterView<'_>,
        nodes: &NodeIndex<'_>,
    ) -> Vec<Self> {
        cluster.imagine(service, nodes, &|_| PodToBe::Same, |input| {
            let desired = desired(input, &address_types(service));
            let outcome = reconcile(input, &desired, ServiceHints::default());
            let families = outcome.families.iter();
            families
                .map(|family| {
                    let drafts = family.create.iter();
                    let views = drafts.flat_map(|draft| draft.views());
                    let ready = views.filter(|view| view.ready);
                    let zones: Vec<Option<&str>> = ready.map(|view| view.zone).collect();
                    let asked = match family.hints.mode {
                        DecidingRule::None => RequestedRouting::Nothing,
                        DecidingRule::Auto => RequestedRouting::Auto,
                        DecidingRule::Traffic(_) => RequestedRouting::Traffic,
                    };
                    Self {
                        address_type: family.address_type,
                        asked,
                        is_given: asked != RequestedRouting::Nothing
                            && family.hints.disabled.is_none(),
                        why_not: family.hints.disabled.map(|disabled| disabled.message()),
                        slices: family.create.len(),
                        ready: zones.len(),
                        without_zone: zones.iter().filter(|zone| zone.is_none()).count(),
                        unhinted_cross_zone: cross_zone(&zones, nodes),
                    }
                })
                .collect()
        })
    }
}

fn cross_zone(endpoints: &[Option<&str>], nodes: &NodeIndex<'_>) -> Option<f64> {
    let shares = nodes.zone_shares()?;
    if endpoints.is_empty() {
        return None;
    }
    let at_home = |zone: &str| {
        endpoints
            .iter()
            .filter(|other| **other == Some(zone))
            .count()
    };
    let stays = shares
        .iter()
        .map(|share| share.cpu_ratio * at_home(share.zone) as f64 / endpoints.len() as f64);
    Some(1.0 - stays.sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{node, text};
    use slicewise::model::Node;

    #[test]
    fn traffic_that_crosses_zones_is_weighed_by_the_cpu_of_each() {
        let nodes = [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b")];
        let nodes = nodes.map(|(name, zone)| {
            serde_json::from_str::<Node<'_>>(text(&node(name, Some(zone)))).unwrap()
        });
        let nodes = NodeIndex::new(&nodes);
        for (endpoints, expected) in [
            (&[Some("a"), Some("a"), Some("b"), None][..], Some(0.5625)),
            (&[Some("a")], Some(0.25)),
            (&[Some("b")], Some(0.75)),
            (&[None], Some(1.0)),
            (&[], None),
        ] {
            assert_eq!(cross_zone(endpoints, &nodes), expected, "{endpoints:?}");
        }
    }
}
