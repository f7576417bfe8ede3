//! Where the traffic of a Service goes at some time, as kube-proxy routes it by the existing slices.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::model::order::gathered;
use slicewise::model::{self, AddressType, EndpointSlice, NamespacedName};
use slicewise_traffic::proxy::{self, Host};
use slicewise_traffic::routing::{
    Budget, Client, EndpointLoad, PortTraffic, Situation, matrix_within,
};

use super::seen::seen;
use super::traffic::pod_of;
use super::world::World;

seen! {
    /// Where the traffic of a Service goes if every running node sends the same amount to each of its ports. Values are
    /// shares, 0 to 1.
    #[non_exhaustive]
    pub struct TrafficShares {
        /// The share that goes to pods that should not get traffic: not ready, being deleted, or gone.
        pub misdirected: f64,
        /// The share that goes to a different zone, of the served traffic whose zones are known at both ends.
        pub cross_zone: f64,
        /// The share that finds no endpoint.
        pub unserved: f64,
    }
}

/// The schema of shares that have changed; they may have become unknown.
pub(super) fn or_null(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let shares = generator.subschema_for::<TrafficShares>();
    schemars::json_schema!({"oneOf": [shares, {"type": "null"}]})
}

/// The maximum number of evaluations in one step of a run: kinds of nodes times endpoints.
const MOST_LOOKS: usize = 1 << 22;

/// The routes of a Service's traffic, as long as its slices do not change.
pub(super) struct Routed {
    service: model::Service<'static>,
    /// Running nodes and their zones.
    clients: Vec<(String, String)>,
    ports: Vec<RoutedPort>,
}

struct RoutedPort {
    cross_zone: f64,
    unserved: f64,
    /// The pods that endpoints target, and their shares.
    loads: Vec<(Option<u32>, f64)>,
}

impl World {
    /// The traffic of a Service; `None` if no proxy routes it, or if it would take too much work. `routed` are the routes
    /// of the last call; the caller drops them when the Service's slices change.
    pub(super) fn shares(
        &self,
        service: &NamespacedName,
        routed: &mut Option<Routed>,
    ) -> Option<TrafficShares> {
        *routed = self.route(service, routed.take());
        let ports = &routed.as_ref()?.ports;
        let mut shares = TrafficShares {
            misdirected: 0.0,
            cross_zone: 0.0,
            unserved: 0.0,
        };
        for port in ports {
            let part = |share: f64| share / ports.len() as f64;
            shares.misdirected += part(self.misdirected(port));
            shares.cross_zone += part(port.cross_zone);
            shares.unserved += part(port.unserved);
        }
        Some(shares)
    }

    fn misdirected(&self, port: &RoutedPort) -> f64 {
        let is_wanted = |pod: u32| self.measured.traffic.is_wanted(pod);
        let wrong = port
            .loads
            .iter()
            .filter(|(pod, _)| !pod.is_some_and(is_wanted));
        wrong.map(|(_, share)| share).sum()
    }

    /// The routes of a Service; those that are known if they still hold.
    fn route(&self, key: &NamespacedName, known: Option<Routed>) -> Option<Routed> {
        let workload = self.cluster.workloads.get(self.cluster.find(key)?)?;
        let workload = Some(workload).filter(|workload| workload.exists)?;
        let nodes = self.cluster.nodes.iter();
        let clients: Vec<Client<'_>> = nodes
            .filter(|node| node.exists && node.is_alive)
            .map(|node| Client::new(&node.name, &node.zone))
            .collect();
        let is_same = |(known, client): (&(String, String), &Client<'_>)| {
            known.0 == client.node && known.1 == client.zone
        };
        let holds = |known: &Routed| {
            known.service == workload.service
                && known.clients.len() == clients.len()
                && known.clients.iter().zip(&clients).all(is_same)
        };
        if let Some(known) = known.filter(holds) {
            return Some(known);
        }
        let slices: Vec<&EndpointSlice<'_>> = self.server.slices_of(key).collect();
        let service = proxied(&workload.service);
        let family = first_family(&workload.service);
        let settings = self.controller.session().options().settings();
        let situation = Situation::of_kube_proxy(&service, &slices, family, &settings);
        let mut budget = Budget::default();
        budget.steps = MOST_LOOKS;
        let ports = matrix_within(&situation, &clients, &mut budget).ok()?;
        if ports.is_empty() || clients.is_empty() {
            return None;
        }
        let pods = pods(&slices);
        Some(Routed {
            service: workload.service.clone(),
            clients: clients
                .iter()
                .map(|client| (client.node.into(), client.zone.into()))
                .collect(),
            ports: ports
                .iter()
                .map(|port| RoutedPort::of(port, &pods))
                .collect(),
        })
    }
}

impl RoutedPort {
    fn of(port: &PortTraffic, pods: &BTreeMap<Host, u32>) -> Self {
        let load = |load: &EndpointLoad| (pod(&load.endpoint, pods), load.share);
        Self {
            cross_zone: port.cross_zone.unwrap_or_default(),
            unserved: port.unserved,
            loads: port.endpoints.iter().map(load).collect(),
        }
    }
}

/// The pod of an endpoint, by its name.
fn pod(endpoint: &str, pods: &BTreeMap<Host, u32>) -> Option<u32> {
    let (host, _) = endpoint.rsplit_once(':')?;
    pods.get(&Host::read(host.trim_matches(['[', ']'])))
        .copied()
}

/// Pods by their addresses.
fn pods(slices: &[&EndpointSlice<'_>]) -> BTreeMap<Host, u32> {
    let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    let addressed = endpoints.filter_map(|endpoint| Some((pod_of(endpoint)?, endpoint)));
    gathered(addressed.flat_map(|(pod, endpoint)| {
        let addresses = endpoint.addresses.iter();
        addresses.map(move |address| (Host::read(address), pod))
    }))
}

/// The family that clients use.
fn first_family(service: &model::Service<'_>) -> AddressType {
    match service.spec.ip_families.first() {
        Some(family) if *family == "IPv6" => AddressType::IPv6,
        _ => AddressType::IPv4,
    }
}

/// The Service as a proxy sees it. Ports are numbered from 80; no decision depends on them.
fn proxied<'s>(service: &'s model::Service<'_>) -> proxy::ProxiedService<'s> {
    let ports = service.spec.ports.iter().zip(80..);
    let ports = ports.map(|(port, number)| {
        let mut proxied = proxy::service::ProxiedServicePort::default();
        proxied.name = port.name.as_str().into();
        proxied.protocol = port.protocol.as_str().into();
        proxied.port = number;
        proxied
    });
    let address = service.spec.cluster_ip.as_str();
    let mut proxied = proxy::ProxiedService::default();
    proxied.metadata.name = service.metadata.name.as_str().into();
    proxied.metadata.namespace = service.metadata.namespace.as_str().into();
    proxied.spec.service_type = service.spec.service_type.as_str().into();
    proxied.spec.cluster_ip = address.into();
    proxied.spec.cluster_ips = Vec::from([address.into()]);
    proxied.spec.ports = ports.collect();
    proxied
}
