//! Which nodes kube-proxy sends elsewhere, port by port.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::model::{AddressType, EndpointSlice};
use slicewise::plan::request::Options;
use slicewise_traffic::proxy::ProxiedService;
use slicewise_traffic::routing::{
    Budget, Client, NodeGroup, PortTraffic, Situation, TooMuch, matrix_within,
};

/// A port whose traffic goes elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PortUpgrade {
    /// `namespace/name:port/PROTOCOL`.
    pub service_port: String,
    /// The family of the traffic.
    pub address_type: AddressType,
    /// The figures before.
    pub before: PortFigures,
    /// The figures after.
    pub after: PortFigures,
    /// The nodes that use other endpoints, or the same for another reason; those that change alike are together.
    pub nodes: Vec<NodesUpgrade>,
}

/// The traffic of a port, as in the answer about traffic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PortFigures {
    /// The share that goes to a different zone; `null` if no zones are known.
    pub cross_zone: Option<f64>,
    /// The share that finds no endpoint.
    pub unserved: f64,
    /// How far the busiest endpoint is above its fair share.
    pub overload: f64,
}

/// Nodes that change alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct NodesUpgrade {
    /// Their names.
    pub nodes: Vec<String>,
    /// What they use before.
    pub before: UsedEndpoints,
    /// What they use after.
    pub after: UsedEndpoints,
}

/// The endpoints that nodes use, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct UsedEndpoints {
    /// Their addresses and ports, sorted by name.
    pub endpoints: Vec<String>,
    /// Why.
    pub rule: String,
}

/// Nobody waits for more than this.
const MOST: Budget = {
    let mut most = Budget::UNLIMITED;
    most.entries = 1 << 20;
    most.steps = 1 << 24;
    most
};

/// Why the traffic of a Service is not compared.
pub(super) const TOO_MUCH: &str = "it goes from so many nodes to so many endpoints that it is too much to compare; give one node of each kind";

/// The ports of a Service whose traffic differs between two lists of slices, each under its options.
pub(super) fn traffic(
    service: &ProxiedService<'_>,
    [old, new]: [&[EndpointSlice<'_>]; 2],
    [before, after]: &[Options<'_>; 2],
    clients: &[Client<'_>],
) -> Result<Vec<PortUpgrade>, TooMuch> {
    let is_same_proxy = |before: &Options<'_>, after: &Options<'_>| {
        let [before, after] = [before.settings(), after.settings()];
        before.prefer_same_traffic_distribution == after.prefer_same_traffic_distribution
    };
    if clients.is_empty() || old == new && is_same_proxy(before, after) {
        return Ok(Vec::new());
    }
    let mut changed = Vec::new();
    for family in AddressType::ALL {
        let ports = |slices: &[EndpointSlice<'_>], options: &Options<'_>| {
            let slices: Vec<&EndpointSlice<'_>> = slices.iter().collect();
            let settings = options.settings();
            let situation = Situation::of_kube_proxy(service, &slices, family, &settings);
            matrix_within(&situation, clients, &mut MOST.clone())
        };
        let [before, after] = [ports(old, before)?, ports(new, after)?];
        // Both are those of the Service, in the same order.
        let pairs = before.iter().zip(&after);
        changed.extend(pairs.filter_map(|(before, after)| port(before, after, family, clients)));
    }
    Ok(changed)
}

fn port(
    before: &PortTraffic,
    after: &PortTraffic,
    address_type: AddressType,
    clients: &[Client<'_>],
) -> Option<PortUpgrade> {
    let later: BTreeMap<usize, &NodeGroup> = by_node(after).collect();
    let mut changed: BTreeMap<(UsedEndpoints, UsedEndpoints), Vec<String>> = BTreeMap::new();
    for (node, group) in by_node(before) {
        let (Some(later), Some(client)) = (later.get(&node), clients.get(node)) else {
            continue;
        };
        let pair = (used(before, group), used(after, later));
        if pair.0 != pair.1 {
            changed
                .entry(pair)
                .or_default()
                .push(client.node.to_string());
        }
    }
    if changed.is_empty() {
        return None;
    }
    let nodes = changed
        .into_iter()
        .map(|((before, after), nodes)| NodesUpgrade {
            nodes,
            before,
            after,
        });
    Some(PortUpgrade {
        service_port: before.service_port.clone(),
        address_type,
        before: PortFigures::of(before),
        after: PortFigures::of(after),
        nodes: nodes.collect(),
    })
}

/// Each node, by its index, with its group.
fn by_node(port: &PortTraffic) -> impl Iterator<Item = (usize, &NodeGroup)> {
    let groups = port.groups.iter();
    groups.flat_map(|group| group.nodes.iter().map(move |node| (*node, group)))
}

fn used(port: &PortTraffic, group: &NodeGroup) -> UsedEndpoints {
    let endpoints = group.uses.iter();
    let endpoints = endpoints.filter_map(|place| port.endpoints.get(*place));
    UsedEndpoints {
        endpoints: endpoints.map(|one| one.endpoint.clone()).collect(),
        rule: group.rule.clone(),
    }
}

impl PortFigures {
    const fn of(port: &PortTraffic) -> Self {
        Self {
            cross_zone: port.cross_zone,
            unserved: port.unserved,
            overload: port.overload,
        }
    }
}
