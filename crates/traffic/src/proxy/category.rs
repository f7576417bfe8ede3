//! Which endpoints a node uses for a service port (reference: `CategorizeEndpoints`), and why.
//!
//! There are two lists: one for traffic under the policy `Cluster`, where hints may keep it close, and one under
//! `Local`. Each falls back to terminating endpoints that still serve if there is no ready one. Hints apply to all
//! endpoints or to none: if one ready endpoint has no hint, or none is hinted to this node or zone, they are ignored.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::model::order::sort_by;

use super::endpoint::PortEndpoint;
use super::service_port::ServicePortInfo;

/// Where a proxy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProxyLocation<'n> {
    /// Its node.
    pub node: &'n str,
    /// The node's zone; empty if it has none.
    pub zone: &'n str,
    /// Are hints for nodes used (feature gate `PreferSameTrafficDistribution`)?
    pub with_node_hints: bool,
}

/// How hints keep traffic close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum Topology {
    /// No preference: all ready endpoints are used.
    None,
    /// The endpoints hinted to the node's zone.
    PreferSameZone,
    /// The endpoints hinted to the node.
    PreferSameNode,
}

/// The result for one kind of hints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HintRule {
    /// They were not evaluated: the feature is off, or hints for nodes were followed.
    Skipped,
    /// They are followed.
    Followed,
    /// A ready endpoint, which is named, has no hint.
    Missing(String),
    /// No ready endpoint is hinted to this node, or to its zone.
    NoneForUs,
}

/// The result for one of the two policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyRule {
    /// No traffic uses this policy.
    Unused,
    /// Ready endpoints are used.
    Ready,
    /// There are no ready ones; terminating endpoints that still serve are used.
    ServingTerminating,
    /// There is no usable endpoint: traffic is refused or dropped.
    NoEndpoint,
}

/// The endpoints of a service port, as one node uses them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Categories<'p> {
    /// For traffic under the policy `Cluster`.
    pub cluster: Vec<PortEndpoint<'p>>,
    /// For traffic under the policy `Local`.
    pub local: Vec<PortEndpoint<'p>>,
    /// All endpoints of both lists, sorted by name.
    pub reachable: Vec<PortEndpoint<'p>>,
    /// Does any node have an endpoint that could be used?
    pub has_any: bool,
    /// How hints keep traffic close, under the policy `Cluster`.
    pub topology: Topology,
    /// The rules behind the result.
    pub why: Why,
}

/// The rules that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Why {
    /// The policy `Cluster`.
    pub cluster: PolicyRule,
    /// The policy `Local`.
    pub local: PolicyRule,
    /// Hints for nodes; `None` if hints were not evaluated.
    pub node_hints: Option<HintRule>,
    /// Hints for zones, likewise.
    pub zone_hints: Option<HintRule>,
}

/// Categorizes the endpoints of a port, which are sorted by name.
pub fn categorize<'p>(
    endpoints: &[PortEndpoint<'p>],
    port: &ServicePortInfo,
    place: ProxyLocation<'_>,
) -> Categories<'p> {
    let mut categories = Categories::new();
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
        // It includes all ready endpoints, also those of this node.
        categories.cluster.clone()
    } else {
        merged(&categories.cluster, &categories.local)
    };
    categories
}

impl<'p> Categories<'p> {
    const fn new() -> Self {
        Self {
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
        }
    }

    fn take_cluster(&mut self, endpoints: &[PortEndpoint<'p>], place: ProxyLocation<'_>) {
        self.take_topology(endpoints, place);
        let topology = self.topology;
        let is_used = |endpoint: &PortEndpoint<'_>| {
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

    fn take_local(&mut self, endpoints: &[PortEndpoint<'p>]) {
        // Endpoints elsewhere are not used here, but it matters that they exist.
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
    fn take_topology(&mut self, endpoints: &[PortEndpoint<'p>], place: ProxyLocation<'_>) {
        let ready = || endpoints.iter().filter(|endpoint| endpoint.is_ready());
        if ready().next().is_none() {
            return;
        }
        let rule = |hints: fn(&PortEndpoint<'p>) -> &'p [Box<str>], own: &str| match ready()
            .find(|endpoint| hints(endpoint).is_empty())
        {
            Some(without) => HintRule::Missing(without.to_string()),
            None if ready().any(|endpoint| has(hints(endpoint), own)) => HintRule::Followed,
            None => HintRule::NoneForUs,
        };
        let of_nodes = if place.with_node_hints {
            rule(PortEndpoint::node_hints, place.node)
        } else {
            HintRule::Skipped
        };
        let of_zones = if of_nodes == HintRule::Followed {
            HintRule::Skipped
        } else {
            rule(PortEndpoint::zone_hints, place.zone)
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

const fn is_serving_terminating(endpoint: &PortEndpoint<'_>) -> bool {
    endpoint.is_serving() && endpoint.is_terminating()
}

/// The preferred endpoints; if there are none, the acceptable ones.
fn first_of<'p>(
    endpoints: &[PortEndpoint<'p>],
    preferred: impl Fn(&PortEndpoint<'p>) -> bool,
    will_do: impl Fn(&PortEndpoint<'p>) -> bool,
) -> (Vec<PortEndpoint<'p>>, PolicyRule) {
    let of = |is_used: &dyn Fn(&PortEndpoint<'p>) -> bool| -> Vec<PortEndpoint<'p>> {
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

/// Both lists merged, without duplicates and sorted by name.
fn merged<'p>(one: &[PortEndpoint<'p>], other: &[PortEndpoint<'p>]) -> Vec<PortEndpoint<'p>> {
    let mut all: Vec<PortEndpoint<'p>> = one.iter().chain(other).copied().collect();
    sort_by(&mut all, PortEndpoint::by_name);
    all.dedup_by(|later, kept| later.host == kept.host && later.port == kept.port);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proxy::endpoint::ConditionBits;
    use crate::proxy::host::Host;

    /// An endpoint with the flags `r`eady, `s`erving, `t`erminating and `l`ocal.
    fn endpoint(address: &str, port: i32, flags: &str) -> PortEndpoint<'static> {
        let [ready, serving, terminating, local] =
            ['r', 's', 't', 'l'].map(|flag| flags.contains(flag));
        PortEndpoint {
            host: Host::read(address),
            port,
            state: ConditionBits::new(ready, serving, terminating, local),
            hints: None,
        }
    }

    fn names(endpoints: &[PortEndpoint<'_>]) -> Vec<String> {
        endpoints.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn endpoints_of_both_lists_are_reachable_once_each_by_host_and_port() {
        let of = |ports: &[(&str, i32)]| -> Vec<PortEndpoint<'_>> {
            let endpoint = |(address, port): &(&str, i32)| endpoint(address, *port, "rs");
            ports.iter().map(endpoint).collect()
        };
        let (one, other) = (("10.0.0.1", 80), ("10.0.0.2", 80));
        let of_both = merged(&of(&[one, other]), &of(&[one, ("10.0.0.1", 81)]));
        assert_eq!(
            names(&of_both),
            ["10.0.0.1:80", "10.0.0.1:81", "10.0.0.2:80"]
        );
    }

    #[test]
    fn local_traffic_goes_to_local_endpoints_only() {
        for (flags, local, has_any) in [
            ("rsl", 1, true),
            ("rs", 0, true),
            ("stl", 1, true),
            ("st", 0, true),
            ("sl", 0, false),
            ("tl", 0, false),
        ] {
            let mut categories = Categories::new();
            categories.take_local(&[endpoint("10.0.0.1", 80, flags)]);
            let found = (categories.local.len(), categories.has_any);
            assert_eq!(found, (local, has_any), "{flags}");
        }
    }
}
