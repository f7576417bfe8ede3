//! Hints for `spec.trafficDistribution`: every ready endpoint is hinted to its own zone, or zone and node.
//!
//! Reference: `k8s.io/endpointslice/trafficdist` (KEP-4444 `PreferClose`, KEP-3015 the other two).

use crate::model::{Endpoint, NameRef, Service};

/// A `trafficDistribution` this planner acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrafficDistribution {
    /// The first name of `PreferSameZone`.
    PreferClose,
    /// Zone hints.
    PreferSameZone,
    /// Zone and node hints.
    PreferSameNode,
}

impl TrafficDistribution {
    /// What the Service asks for, if it counts: the two newer values only when they are allowed
    /// (feature gate `PreferSameTrafficDistribution`), and none while an annotation asks for `Auto`.
    pub fn of(service: &Service<'_>, allow_prefer_same: bool) -> Option<Self> {
        if service.wants_topology_hints() {
            return None;
        }
        match service.spec.traffic_distribution.as_deref()? {
            "PreferClose" => Some(Self::PreferClose),
            "PreferSameZone" if allow_prefer_same => Some(Self::PreferSameZone),
            "PreferSameNode" if allow_prefer_same => Some(Self::PreferSameNode),
            _ => None,
        }
    }

    /// Does it hint to nodes, too?
    pub const fn hints_nodes(self) -> bool {
        matches!(self, Self::PreferSameNode)
    }

    /// Does a ready endpoint lack its hint, or have another (reference: `needsUpdate`)?
    pub fn is_hint_wrong(self, endpoint: &Endpoint<'_>) -> bool {
        if !endpoint.is_ready() {
            return false;
        }
        let (zones, nodes) = endpoint.hints.as_ref().map_or((&[][..], &[][..]), |hints| {
            (&hints.for_zones, &hints.for_nodes)
        });
        let node_name = endpoint.node_name.as_deref().filter(|_| self.hints_nodes());
        !names_only(zones, endpoint.zone.as_deref()) || !names_only(nodes, node_name)
    }
}

fn names_only(names: &[NameRef<'_>], wanted: Option<&str>) -> bool {
    match (names, wanted) {
        ([], None) => true,
        ([name], Some(wanted)) => name.name == *wanted,
        _ => false,
    }
}
