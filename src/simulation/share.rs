//! Where the traffic of a Service goes at some time, as kube-proxy routes it by the existing slices.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::seen::seen;
use super::traffic::pod_of;
use super::world::World;
use crate::model::{self, AddressType, EndpointSlice, NamespacedName};
use crate::proxy::{self, Host};
use crate::routing::{Budget, Client, PortTraffic, Situation, matrix_within};

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
#[cfg(feature = "schema")]
pub(super) fn or_null(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let shares = generator.subschema_for::<TrafficShares>();
    schemars::json_schema!({"oneOf": [shares, {"type": "null"}]})
}

/// The maximum number of evaluations in one step of a run: kinds of nodes times endpoints.
const MOST_LOOKS: usize = 1 << 22;

impl World {
    /// The traffic of a Service; `None` if no proxy routes it, or if it would take too much work.
    pub(super) fn shares(&self, service: &NamespacedName) -> Option<TrafficShares> {
        let number = self.cluster.find(service)?;
        let workload = self.cluster.workloads.get(number)?;
        let workload = Some(workload).filter(|workload| workload.exists)?;
        let slices: Vec<&EndpointSlice<'_>> = self.server.slices_of(service).collect();
        let nodes = self.cluster.nodes.iter();
        let clients: Vec<Client<'_>> = nodes
            .filter(|node| node.exists && node.is_alive)
            .map(|node| Client {
                node: &node.name,
                zone: &node.zone,
                weight: 1.0,
            })
            .collect();
        let service = proxied(&workload.service);
        let family = first_family(&workload.service);
        let settings = self.controller.session().options().settings();
        let situation = Situation::of_kube_proxy(&service, &slices, family, &settings);
        let mut budget = Budget {
            steps: MOST_LOOKS,
            ..Budget::default()
        };
        let ports = matrix_within(&situation, &clients, &mut budget).ok()?;
        let count = Some(ports.len()).filter(|count| *count > 0 && !clients.is_empty())?;
        let pods = pods(&slices);
        let mut shares = TrafficShares {
            misdirected: 0.0,
            cross_zone: 0.0,
            unserved: 0.0,
        };
        for port in &ports {
            let part = |share: f64| share / count as f64;
            shares.misdirected += part(self.misdirected(port, &pods));
            shares.cross_zone += part(port.cross_zone.unwrap_or_default());
            shares.unserved += part(port.unserved);
        }
        Some(shares)
    }

    fn misdirected(&self, port: &PortTraffic, pods: &BTreeMap<String, u32>) -> f64 {
        let is_wanted = |endpoint: &str| {
            let pod = endpoint
                .rsplit_once(':')
                .and_then(|(host, _)| pods.get(host));
            pod.is_some_and(|pod| self.measured.traffic.is_wanted(*pod))
        };
        let wrong = port
            .endpoints
            .iter()
            .filter(|load| !is_wanted(&load.endpoint));
        wrong.map(|load| load.share).sum()
    }
}

/// Pods by their addresses, which name endpoints.
fn pods(slices: &[&EndpointSlice<'_>]) -> BTreeMap<String, u32> {
    let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    let addressed = endpoints.filter_map(|endpoint| Some((pod_of(endpoint)?, endpoint)));
    addressed
        .flat_map(|(pod, endpoint)| {
            let addresses = endpoint.addresses.iter();
            addresses.map(move |address| (Host::read(address).to_string(), pod))
        })
        .collect()
}

/// The family that clients use.
fn first_family(service: &model::Service<'_>) -> AddressType {
    match service.spec.ip_families.first() {
        Some(family) if *family == "IPv6" => AddressType::IPv6,
        _ => AddressType::IPv4,
    }
}

/// The Service as a proxy sees it. Ports are numbered from 80; no decision depends on them.
fn proxied<'s>(service: &'s model::Service<'_>) -> proxy::Service<'s> {
    let ports = service.spec.ports.iter().zip(80..);
    let ports = ports.map(|(port, number)| proxy::service::ServicePort {
        name: port.name.as_str().into(),
        protocol: port.protocol.as_str().into(),
        port: number,
        node_port: 0,
    });
    let address = service.spec.cluster_ip.as_str();
    proxy::Service {
        metadata: proxy::service::ServiceMeta {
            name: service.metadata.name.as_str().into(),
            namespace: service.metadata.namespace.as_str().into(),
            ..proxy::service::ServiceMeta::default()
        },
        spec: proxy::service::ServiceSpec {
            service_type: service.spec.service_type.as_str().into(),
            cluster_ip: address.into(),
            cluster_ips: Vec::from([address.into()]),
            ports: ports.collect(),
            ..proxy::service::ServiceSpec::default()
        },
        ..proxy::Service::default()
    }
}
