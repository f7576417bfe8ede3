//! The traffic of a Service, port by port.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::model;

use super::group::{Budget, NodeGroup, TooMuch, groups};
use super::unread::is_own;
use super::words::share_in_words;
use super::{Backend, Client, Situation};
use crate::proxy::{Host, PortEndpoint, Proxier, ProxierSettings, ServicePortName, chosen};

/// The traffic of one port. All shares are of the port's total traffic, 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PortTraffic {
    /// `namespace/name:port/PROTOCOL`.
    pub service_port: String,
    /// How much traffic crosses zones and how much finds no endpoint, as a sentence.
    pub message: String,
    /// The nodes, grouped by the endpoints they use and the reason; in the order of their first nodes.
    pub groups: Vec<NodeGroup>,
    /// The load of each endpoint that a client could use, sorted by name.
    pub endpoints: Vec<EndpointLoad>,
    /// The traffic between zones, sorted by name; the empty name stands for nodes and endpoints without a zone.
    pub zones: Vec<ZoneTraffic>,
    /// The traffic that the endpoints of each zone receive from all clients, sorted by name.
    pub received: Vec<ZoneTrafficShare>,
    /// The share that goes to a different zone, of the served traffic whose zones are known at both ends; `null` if
    /// there is none.
    pub cross_zone: Option<f64>,
    /// The share that finds no endpoint.
    pub unserved: f64,
    /// The highest `overload` of the endpoints: 0 if no endpoint is above its fair share, 1 if one has twice its fair
    /// share.
    pub overload: f64,
}

/// The load of one endpoint.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EndpointLoad {
    /// The address and port.
    pub endpoint: String,
    /// The node it is on; empty if it has none.
    pub node: String,
    /// The zone it is in; empty if it has none.
    pub zone: String,
    /// Its share of the traffic.
    pub share: f64,
    /// How far its share is above the fair share, which is the served traffic divided by the number of ready endpoints,
    /// or of used ones if none is ready: 0.5 is half as much again, -1 is no traffic. 0 for an endpoint that is neither
    /// ready nor used.
    pub overload: f64,
}

/// The traffic from clients in one zone.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ZoneTraffic {
    /// The zone of the clients.
    pub from: String,
    /// The share of the traffic that they send.
    pub share: f64,
    /// The part of it that finds no endpoint.
    pub unserved: f64,
    /// The rest, by the zone of the endpoints.
    pub to: Vec<ZoneTrafficShare>,
}

/// The traffic to one zone.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
#[schemars(rename = "ZoneShare")]
pub struct ZoneTrafficShare {
    /// The zone of the endpoints.
    pub zone: String,
    /// Its share of the traffic.
    pub share: f64,
}

/// The traffic of each port of a Service, sorted by name; empty if it is not proxied in the family.
pub fn matrix(situation: &Situation<'_>, clients: &[Client<'_>]) -> Vec<PortTraffic> {
    let mut budget = Budget::UNLIMITED;
    // Nothing exceeds that.
    matrix_within(situation, clients, &mut budget).unwrap_or_default()
}

/// Like [`matrix()`], within a budget for one or several Services: the relations between the nodes and endpoints of a
/// large input grow with the product of both.
///
/// # Errors
/// When the budget is exceeded.
pub fn matrix_within(
    situation: &Situation<'_>,
    clients: &[Client<'_>],
    budget: &mut Budget,
) -> Result<Vec<PortTraffic>, TooMuch> {
    let mut proxier = Proxier::new(ProxierSettings {
        address_type: situation.address_type,
        prefer_same_traffic_distribution: situation.with_node_hints,
        is_selective: situation.reader.is_selective(),
        ..ProxierSettings::on_node("")
    });
    proxier.set_service(situation.service);
    let own = situation.slices.iter().filter(|slice| {
        slice.address_type == situation.address_type.as_str() && is_own(slice, situation.service)
    });
    // If slices have the same name the last one counts, for the proxy and here.
    let mut said = EndpointsByHost::new();
    for slice in own {
        proxier.set_slice(slice);
        said.insert(slice.metadata.name.as_str(), chosen(slice));
    }
    proxier.sync();
    let ports = proxier.service_ports();
    let traffic = ports.map(|(name, port)| {
        let backends = backends(&proxier, &name, &said);
        let groups = groups(situation, port, &backends, clients, budget)?;
        Ok(of_port(&name, groups, &backends, clients))
    });
    traffic.collect()
}

/// Endpoints by host, by the name of their slice.
type EndpointsByHost<'s> = BTreeMap<&'s str, BTreeMap<Host, &'s model::Endpoint<'s>>>;

/// The endpoints of a port, each as in the slice that the proxy uses for it.
fn backends<'s>(
    proxier: &'s Proxier,
    name: &ServicePortName,
    said: &EndpointsByHost<'s>,
) -> Vec<Backend<'s>> {
    let backend = |(slice, endpoint): (&str, PortEndpoint<'s>)| {
        let said = said
            .get(slice)
            .and_then(|said| said.get(&endpoint.host()).copied());
        let node = said.and_then(|said| said.node_name.as_deref());
        let zone = said.and_then(|said| said.zone.as_deref());
        Backend {
            endpoint,
            node: node.unwrap_or_default(),
            zone: zone.unwrap_or_default(),
        }
    };
    let endpoints = proxier.endpoints_by_slice(name);
    endpoints.into_iter().map(backend).collect()
}

fn of_port(
    name: &ServicePortName,
    mut groups: Vec<NodeGroup>,
    backends: &[Backend<'_>],
    clients: &[Client<'_>],
) -> PortTraffic {
    let whole: f64 = clients.iter().map(|client| client.weight).sum();
    let part = |weight: f64| if whole > 0.0 { weight / whole } else { 0.0 };
    let mut loads = vec![0.0; backends.len()];
    let mut zones: BTreeMap<&str, SentTraffic<'_>> = BTreeMap::new();
    let mut unserved = 0.0;
    for group in &mut groups {
        let members = group.nodes.iter().filter_map(|place| clients.get(*place));
        let mut weight = 0.0;
        let mut from: BTreeMap<&str, f64> = BTreeMap::new();
        for client in members {
            weight += client.weight;
            *from.entry(client.zone).or_default() += client.weight;
        }
        group.share = part(weight);
        let uses = group.uses.len().max(1) as f64;
        let mut to: BTreeMap<&str, usize> = BTreeMap::new();
        for place in &group.uses {
            if let Some((load, backend)) = loads.get_mut(*place).zip(backends.get(*place)) {
                *load += group.share / uses;
                *to.entry(backend.zone).or_default() += 1;
            }
        }
        if group.uses.is_empty() {
            unserved += group.share;
        }
        for (zone, weight) in from {
            let sent = zones.entry(zone).or_default();
            sent.share += part(weight);
            if group.uses.is_empty() {
                sent.unserved += part(weight);
            }
            for (zone, count) in &to {
                *sent.to.entry(zone).or_default() += part(weight) * *count as f64 / uses;
            }
        }
    }
    let counted = counted(backends, &loads);
    let fair = (1.0 - unserved) / counted.max(1) as f64;
    let endpoints = endpoints(backends, &loads, fair);
    let overload = endpoints.iter().map(|endpoint| endpoint.overload);
    let mut traffic = PortTraffic {
        service_port: name.to_string(),
        message: String::new(),
        groups,
        overload: overload.fold(0.0, f64::max),
        endpoints,
        cross_zone: cross_zone(&zones),
        received: received(&zones),
        zones: zones.into_iter().map(zone).collect(),
        unserved,
    };
    traffic.message = in_words(&traffic);
    traffic
}

/// How many endpoints share the traffic: the ready ones or, if there are none, the used ones.
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

/// The traffic from the clients of a zone.
#[derive(Default)]
struct SentTraffic<'z> {
    share: f64,
    unserved: f64,
    to: BTreeMap<&'z str, f64>,
}

fn cross_zone(zones: &BTreeMap<&str, SentTraffic<'_>>) -> Option<f64> {
    let (mut crossing, mut all) = (0.0, 0.0);
    for (from, sent) in zones.iter().filter(|(from, _)| !from.is_empty()) {
        for (zone, share) in sent.to.iter().filter(|(zone, _)| !zone.is_empty()) {
            all += share;
            if zone != from {
                crossing += share;
            }
        }
    }
    (all > 0.0).then(|| crossing / all)
}

fn received(zones: &BTreeMap<&str, SentTraffic<'_>>) -> Vec<ZoneTrafficShare> {
    let mut received: BTreeMap<&str, f64> = BTreeMap::new();
    for (zone, share) in zones.values().flat_map(|sent| &sent.to) {
        *received.entry(zone).or_default() += share;
    }
    shares(received)
}

fn zone((from, sent): (&str, SentTraffic<'_>)) -> ZoneTraffic {
    ZoneTraffic {
        from: from.to_owned(),
        share: sent.share,
        unserved: sent.unserved,
        to: shares(sent.to),
    }
}

fn shares(by_zone: BTreeMap<&str, f64>) -> Vec<ZoneTrafficShare> {
    let share = |(zone, share): (&str, f64)| ZoneTrafficShare {
        zone: zone.to_owned(),
        share,
    };
    by_zone.into_iter().map(share).collect()
}

/// How much traffic crosses zones, and how much finds no endpoint.
fn in_words(traffic: &PortTraffic) -> String {
    const ALL: f64 = 1.0 - 1e-9;
    if traffic.unserved >= ALL {
        return "No client finds an endpoint.".into();
    }
    let lost = if traffic.unserved > 1e-9 {
        format!(
            ", and {} finds no endpoint",
            share_in_words(traffic.unserved)
        )
    } else {
        String::new()
    };
    match traffic.cross_zone {
        None => format!("The zones are not known at both ends{lost}."),
        Some(share) => format!(
            "{} of the traffic crosses zones{lost}.",
            share_in_words(share)
        ),
    }
}
