//! Which endpoints a node uses for a service port (reference: `CategorizeEndpoints`), and why.
//!
//! Two lists: for traffic under the policy `Cluster`, where hints may keep it close, and under `Local`. Each falls back
//! to endpoints that terminate but still answer when it has no ready one. Hints hold for all or for none: one ready
//! endpoint without a hint, or none for this node or zone, and they are ignored.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::endpoint::Endpoint;
use super::service_port::ServicePortInfo;
use crate::model::order::sort_by;

/// Where a proxy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place<'n> {
    /// Its node.
    pub node: &'n str,
    /// The node's zone; empty if it has none.
    pub zone: &'n str,
    /// Are hints for nodes looked at (feature gate `PreferSameTrafficDistribution`)?
    pub with_node_hints: bool,
}

/// How hints keep traffic close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Topology {
    /// Not at all: all ready endpoints are used.
    None,
    /// Those hinted to the node's zone.
    PreferSameZone,
    /// Those hinted to the node.
    PreferSameNode,
}

/// The result of one kind of hints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HintRule {
    /// They were not looked at: the feature is off, or hints for nodes had been followed.
    Skipped,
    /// They are followed.
    Followed,
    /// A ready endpoint, which is named, has none.
    Missing(String),
    /// No ready endpoint is hinted to this node, or to its zone.
    NoneForUs,
}

/// The result of one of the two policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyRule {
    /// No traffic comes under it.
    Unused,
    /// Ready endpoints are used.
    Ready,
    /// There is no ready one; those that terminate and still answer are used.
    ServingTerminating,
    /// There is no usable endpoint: traffic is refused or dropped.
    NoEndpoint,
}

/// The endpoints of a service port, as one node uses them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Categories<'p> {
    /// For traffic under the policy `Cluster`.
    pub cluster: Vec<Endpoint<'p>>,
    /// For traffic under the policy `Local`.
    pub local: Vec<Endpoint<'p>>,
    /// All of both, in the order of their names.
    pub reachable: Vec<Endpoint<'p>>,
    /// Does any node have an endpoint that could be used?
    pub has_any: bool,
    /// How hints keep traffic close, under the policy `Cluster`.
    pub topology: Topology,
    /// Why it has the endpoints it has.
    pub why: Why,
}

/// Which rules have decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Why {
    /// The policy `Cluster`.
    pub cluster: PolicyRule,
    /// The policy `Local`.
    pub local: PolicyRule,
    /// Hints for nodes; `None` if no hint was to be looked at.
    pub node_hints: Option<HintRule>,
    /// Hints for zones, likewise.
    pub zone_hints: Option<HintRule>,
}

/// Sorts the endpoints of a port, which are given in the order of their names.
pub fn categorize<'p>(
    endpoints: &[Endpoint<'p>],
    port: &ServicePortInfo,
    place: Place<'_>,
) -> Categories<'p> {
    let mut categories = Categories {
        cluster: Vec::new(),
        local: Vec::new(),
        reachable: Vec::new(),
        has_any: false,
        topology: Topology::None,
        why: Why {
            cluster: PolicyRule::Unused,
            local: PolicyRule::Unused,
            node_hints: None,
            zone_hints: None,
        },
    };
    let (uses_cluster, uses_local) = (port.uses_cluster_endpoints(), port.uses_local_endpoints());
    if uses_cluster {
        categories.take_cluster(endpoints, place);
    }
    if uses_local {
        categories.take_local(endpoints);
    }
    let is_local_terminating = categories.why.local == PolicyRule::ServingTerminating;
    categories.reachable = if !uses_local {
        categories.cluster.clone()
    } else if !uses_cluster {
        categories.local.clone()
    } else if categories.topology == Topology::None && !is_local_terminating {
        // All ready endpoints are in it, those of this node too.
        categories.cluster.clone()
    } else {
        merged(&categories.cluster, &categories.local)
    };
    categories
}

impl<'p> Categories<'p> {
    fn take_cluster(&mut self, endpoints: &[Endpoint<'p>], place: Place<'_>) {
        self.take_topology(endpoints, place);
        let topology = self.topology;
        let is_used = |endpoint: &Endpoint<'_>| {
            endpoint.is_ready()
                && match topology {
                    Topology::None => true,
                    Topology::PreferSameNode => has(endpoint.node_hints(), place.node),
                    Topology::PreferSameZone => has(endpoint.zone_hints(), place.zone),
                }
        };
        (self.cluster, self.why.cluster) = first_of(endpoints, is_used, is_serving_terminating);
        self.has_any |= !self.cluster.is_empty();
    }

    fn take_local(&mut self, endpoints: &[Endpoint<'p>]) {
        // Of endpoints elsewhere nothing is used here, but that there are any is known.
        self.has_any |= endpoints
            .iter()
            .any(|endpoint| endpoint.is_ready() || is_serving_terminating(endpoint));
        (self.local, self.why.local) = first_of(
            endpoints,
            |endpoint| endpoint.is_local() && endpoint.is_ready(),
            |endpoint| endpoint.is_local() && is_serving_terminating(endpoint),
        );
    }

    /// Reference: `topologyModeFromHints`.
    fn take_topology(&mut self, endpoints: &[Endpoint<'p>], place: Place<'_>) {
        let ready = || endpoints.iter().filter(|endpoint| endpoint.is_ready());
        if ready().next().is_none() {
            return;
        }
        let rule = |hints: fn(&Endpoint<'p>) -> &'p [Box<str>], own: &str| match ready()
            .find(|endpoint| hints(endpoint).is_empty())
        {
            Some(without) => HintRule::Missing(without.to_string()),
            None if ready().any(|endpoint| has(hints(endpoint), own)) => HintRule::Followed,
            None => HintRule::NoneForUs,
        };
        let of_nodes = if place.with_node_hints {
            rule(Endpoint::node_hints, place.node)
        } else {
            HintRule::Skipped
        };
        let of_zones = if of_nodes == HintRule::Followed {
            HintRule::Skipped
        } else {
            rule(Endpoint::zone_hints, place.zone)
        };
        if of_nodes == HintRule::Followed {
            self.topology = Topology::PreferSameNode;
        } else if of_zones == HintRule::Followed {
            self.topology = Topology::PreferSameZone;
        }
        self.why.node_hints = Some(of_nodes);
        self.why.zone_hints = Some(of_zones);
    }
}

fn has(names: &[Box<str>], name: &str) -> bool {
    names.iter().any(|other| **other == *name)
}

const fn is_serving_terminating(endpoint: &Endpoint<'_>) -> bool {
    endpoint.is_serving() && endpoint.is_terminating()
}

/// Those that are preferred; if there are none, those that will do.
fn first_of<'p>(
    endpoints: &[Endpoint<'p>],
    preferred: impl Fn(&Endpoint<'p>) -> bool,
    will_do: impl Fn(&Endpoint<'p>) -> bool,
) -> (Vec<Endpoint<'p>>, PolicyRule) {
    let of = |is_used: &dyn Fn(&Endpoint<'p>) -> bool| -> Vec<Endpoint<'p>> {
        let used = endpoints.iter().filter(|endpoint| is_used(endpoint));
        used.copied().collect()
    };
    let used = of(&preferred);
    if !used.is_empty() {
        return (used, PolicyRule::Ready);
    }
    let used = of(&will_do);
    let rule = if used.is_empty() {
        PolicyRule::NoEndpoint
    } else {
        PolicyRule::ServingTerminating
    };
    (used, rule)
}

/// Both lists, each endpoint once, in the order of their names.
fn merged<'p>(one: &[Endpoint<'p>], other: &[Endpoint<'p>]) -> Vec<Endpoint<'p>> {
    let mut all: Vec<Endpoint<'p>> = one.iter().chain(other).copied().collect();
    sort_by(&mut all, Endpoint::by_name);
    all.dedup_by(|later, kept| later.host == kept.host && later.port == kept.port);
    all
}
