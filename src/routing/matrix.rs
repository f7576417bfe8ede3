//! The traffic of a Service, port by port.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;

use super::choice::{Choice, choose};
use super::{Backend, Client, Situation};
use crate::model::keys;
use crate::proxy::{Endpoint, Host, Proxier, ServicePortInfo, ServicePortName, Settings, Topology};

/// The traffic of one port. All shares are of the port's whole traffic, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PortTraffic {
    /// `namespace/name:port/PROTOCOL`.
    pub service_port: String,
    /// From each node, in the order given.
    pub nodes: Vec<NodeTraffic>,
    /// To each endpoint that a client could use, by its name.
    pub endpoints: Vec<EndpointLoad>,
    /// From zone to zone, by name; what has no zone is under the empty one.
    pub zones: Vec<ZoneTraffic>,
    /// The part of what is served that goes from one zone to another, of what has zones at both ends.
    pub cross_zone: f64,
    /// The part that finds no endpoint.
    pub unserved: f64,
    /// How far the busiest endpoint is above its fair share: 0 is not at all, 1 is twice the share.
    pub overload: f64,
}

/// What one node sends.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeTraffic {
    /// The node.
    pub node: String,
    /// Its zone.
    pub zone: String,
    /// Its part of the traffic.
    pub share: f64,
    /// How close it stays.
    pub topology: Topology,
    /// Why it uses the endpoints that it uses.
    pub rule: String,
    /// The endpoints it uses, as places in [`PortTraffic::endpoints`].
    pub uses: Vec<usize>,
}

/// What one endpoint gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndpointLoad {
    /// Address and port.
    pub endpoint: String,
    /// The node it is on; empty for none.
    pub node: String,
    /// The zone it is in; empty for none.
    pub zone: String,
    /// Its part of the traffic.
    pub share: f64,
    /// How far that is above the fair share, one part of as many as there are ready endpoints: 0.5 is half as much again,
    /// -1 nothing at all. 0 of one that is not ready.
    pub overload: f64,
}

/// What clients of one zone send.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZoneTraffic {
    /// The clients' zone.
    pub from: String,
    /// Where it goes, by zone.
    pub to: Vec<ZoneShare>,
}

/// What goes to one zone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZoneShare {
    /// The endpoints' zone.
    pub zone: String,
    /// Its part of the traffic.
    pub share: f64,
}

/// The traffic of each port of a Service, by name; none if it is not proxied in the family.
pub fn matrix(situation: &Situation<'_>, clients: &[Client<'_>]) -> Vec<PortTraffic> {
    let mut proxier = Proxier::new(Settings {
        address_type: situation.address_type,
        prefer_same_traffic_distribution: situation.with_node_hints,
        ..Settings::on_node("")
    });
    proxier.set_service(situation.service);
    let own = situation.slices.iter().filter(|slice| {
        let service = &situation.service.metadata;
        let name = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
        slice.metadata.namespace == service.namespace
            && name.is_some_and(|name| *name == *service.name)
    });
    for slice in own.clone() {
        proxier.set_slice(slice);
    }
    proxier.sync();
    let mut places: BTreeMap<Host, (&str, &str)> = BTreeMap::new();
    for slice in own.filter(|slice| slice.address_type == situation.address_type.as_str()) {
        for endpoint in &slice.endpoints {
            if let Some(address) = endpoint.addresses.first() {
                let node = endpoint.node_name.as_deref().unwrap_or_default();
                let zone = endpoint.zone.as_deref().unwrap_or_default();
                places.entry(Host::read(address)).or_insert((node, zone));
            }
        }
    }
    let ports = proxier.service_ports();
    let traffic = ports.map(|(name, port)| {
        let backends = backends(proxier.endpoints(&name), &places);
        of_port(situation, (&name, port), &backends, clients)
    });
    traffic.collect()
}

fn backends<'s>(
    endpoints: Vec<Endpoint<'s>>,
    places: &BTreeMap<Host, (&'s str, &'s str)>,
) -> Vec<Backend<'s>> {
    let backend = |endpoint: Endpoint<'s>| {
        let (node, zone) = places.get(&endpoint.host()).copied().unwrap_or_default();
        Backend {
            endpoint,
            node,
            zone,
        }
    };
    endpoints.into_iter().map(backend).collect()
}

fn of_port(
    situation: &Situation<'_>,
    (name, port): (&ServicePortName, &ServicePortInfo),
    backends: &[Backend<'_>],
    clients: &[Client<'_>],
) -> PortTraffic {
    let whole: f64 = clients.iter().map(|client| client.weight).sum();
    let mut loads = vec![0.0; backends.len()];
    let mut zones: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    let (mut nodes, mut unserved) = (Vec::with_capacity(clients.len()), 0.0);
    for client in clients {
        let share = if whole > 0.0 {
            client.weight / whole
        } else {
            0.0
        };
        let Choice {
            used,
            topology,
            rule,
        } = choose(situation, port, backends, client);
        if used.is_empty() {
            unserved += share;
        }
        let each = share / used.len().max(1) as f64;
        let from = zones.entry(client.zone).or_default();
        for place in &used {
            if let Some((load, backend)) = loads.get_mut(*place).zip(backends.get(*place)) {
                *load += each;
                *from.entry(backend.zone).or_default() += each;
            }
        }
        nodes.push(NodeTraffic {
            node: client.node.to_owned(),
            zone: client.zone.to_owned(),
            share,
            topology,
            rule,
            uses: used,
        });
    }
    let counted = counted(backends, &loads);
    let fair = (1.0 - unserved) / counted.max(1) as f64;
    let endpoints = endpoints(backends, &loads, fair);
    let overload = endpoints.iter().map(|endpoint| endpoint.overload);
    PortTraffic {
        service_port: name.to_string(),
        nodes,
        overload: overload.fold(0.0, f64::max),
        endpoints,
        cross_zone: cross_zone(&zones),
        zones: zones.into_iter().map(zone).collect(),
        unserved,
    }
}

/// How many endpoints share the traffic: those that are ready, or if none is, those that are used.
fn counted(backends: &[Backend<'_>], loads: &[f64]) -> usize {
    let ready = backends
        .iter()
        .filter(|backend| backend.endpoint.is_ready());
    let used = loads.iter().filter(|load| **load > 0.0);
    match ready.count() {
        0 => used.count(),
        ready => ready,
    }
}

fn endpoints(backends: &[Backend<'_>], loads: &[f64], fair: f64) -> Vec<EndpointLoad> {
    let load = |(backend, share): (&Backend<'_>, &f64)| EndpointLoad {
        endpoint: backend.endpoint.to_string(),
        node: backend.node.to_owned(),
        zone: backend.zone.to_owned(),
        share: *share,
        overload: if fair > 0.0 && (backend.endpoint.is_ready() || *share > 0.0) {
            share / fair - 1.0
        } else {
            0.0
        },
    };
    backends.iter().zip(loads).map(load).collect()
}

fn cross_zone(zones: &BTreeMap<&str, BTreeMap<&str, f64>>) -> f64 {
    let (mut crossing, mut all) = (0.0, 0.0);
    for (from, to) in zones.iter().filter(|(from, _)| !from.is_empty()) {
        for (zone, share) in to.iter().filter(|(zone, _)| !zone.is_empty()) {
            all += share;
            if zone != from {
                crossing += share;
            }
        }
    }
    if all > 0.0 { crossing / all } else { 0.0 }
}

fn zone((from, to): (&str, BTreeMap<&str, f64>)) -> ZoneTraffic {
    let share = |(zone, share): (&str, f64)| ZoneShare {
        zone: zone.to_owned(),
        share,
    };
    ZoneTraffic {
        from: from.to_owned(),
        to: to.into_iter().map(share).collect(),
    }
}
