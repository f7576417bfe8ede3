//! How a proxy treats one port of a Service (reference: `BaseServicePortInfo`).

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::model::{AddressType, Cidr, Text, ip, keys};

use super::service::{ProxiedService, ProxiedServicePort};
use super::slice::PortKey;
use super::source_ranges::source_ranges;

/// One port of a Service, in one address family.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServicePortInfo {
    /// The Service's address; `None` if it is invalid.
    pub cluster_ip: Option<IpAddr>,
    /// Its port at that address, and at all others except those of nodes.
    pub port: i32,
    /// `TCP`, `UDP` or `SCTP`, or any other value of the field.
    pub protocol: String,
    /// Its port on nodes; 0 if it has none.
    pub node_port: i32,
    /// Addresses of its load balancer that packets keep as their destination.
    pub load_balancer_vips: Vec<IpAddr>,
    /// More addresses.
    pub external_ips: Vec<IpAddr>,
    /// Who may connect through the load balancer: `None` if the list is absent, empty if everyone may.
    pub source_ranges: Option<Vec<Cidr>>,
    /// `ClientIP` or `None`.
    pub session_affinity: String,
    /// How long affinity lasts, in seconds; 0 without it.
    pub sticky_max_age_seconds: i32,
    /// Where a load balancer asks for the number of ready endpoints on the node; 0 if nowhere.
    pub health_check_node_port: i32,
    /// Does external traffic stay on its node?
    pub external_policy_local: bool,
    /// Does internal traffic stay on its node?
    pub internal_policy_local: bool,
}

/// The ports of a Service; `None` if it is not proxied.
pub(super) type Ports = Option<BTreeMap<PortKey, ServicePortInfo>>;

/// The API server's default for `ClientIP` without a timeout, which the reference relies on.
const DEFAULT_AFFINITY_SECONDS: i32 = 10_800;
const LOCAL: &str = "Local";
const VIP: &str = "VIP";

/// The ports of a Service in a family (reference: `serviceToServiceMap`). If ports have the same name and protocol, the
/// last one counts.
pub(super) fn ports(service: &ProxiedService<'_>, family: AddressType) -> Ports {
    let spec = &service.spec;
    let has_ip = !spec.cluster_ip.is_empty() && spec.cluster_ip != keys::CLUSTER_IP_NONE;
    if !has_ip || spec.service_type == "ExternalName" {
        return None;
    }
    let cluster_ip = cluster_ip(service, family).filter(|ip| !ip.is_empty())?;
    let info = common(service, cluster_ip, family);
    let of_port = |port: &ProxiedServicePort<'_>| {
        let key = PortKey {
            name: port.name.as_str().into(),
            protocol: port.protocol.as_str().into(),
        };
        let info = ServicePortInfo {
            port: port.port,
            protocol: port.protocol.to_string(),
            node_port: port.node_port,
            ..info.clone()
        };
        (key, info)
    };
    Some(spec.ports.iter().map(of_port).collect())
}

/// Is a Service served in a family, provided it has ports?
pub(crate) fn is_served(service: &ProxiedService<'_>, family: AddressType) -> bool {
    ports(service, family).is_some()
}

/// The Service's address in a family (reference: `GetClusterIPByFamily`).
fn cluster_ip<'s>(service: &'s ProxiedService<'_>, family: AddressType) -> Option<&'s str> {
    let spec = &service.spec;
    if spec.ip_families.is_empty() {
        // For the reference, an invalid address is not IPv6.
        let is_ipv6 = family_of(&spec.cluster_ip) == Some(AddressType::IPv6);
        let is_it = is_ipv6 == (family == AddressType::IPv6);
        return is_it.then_some(&*spec.cluster_ip);
    }
    let pairs = spec.ip_families.iter().zip(&spec.cluster_ips);
    pairs
        .filter(|(of, _)| **of == family.as_str())
        .map(|(_, ip)| ip.as_str())
        .next()
}

fn family_of(text: &str) -> Option<AddressType> {
    ip::parse(text).as_ref().map(ip::address_type)
}

/// The settings that all ports of a Service share.
fn common(service: &ProxiedService<'_>, cluster_ip: &str, family: AddressType) -> ServicePortInfo {
    let spec = &service.spec;
    let of_family = |text: &Text<'_>| {
        let address = ip::parse(text);
        address.filter(|address| ip::address_type(address) == family)
    };
    let ingress = service.status.load_balancer.ingress.iter();
    let vips = ingress.filter(|ingress| ingress.ip_mode.as_ref().is_none_or(|mode| *mode == VIP));
    let external_policy_local =
        is_externally_accessible(service) && spec.external_traffic_policy == LOCAL;
    let needs_health_check = spec.service_type == "LoadBalancer" && external_policy_local;
    let has_affinity = spec.session_affinity == "ClientIP";
    let timeout = spec.session_affinity_config.client_ip.timeout_seconds;
    ServicePortInfo {
        cluster_ip: ip::parse(cluster_ip),
        port: 0,
        protocol: String::new(),
        node_port: 0,
        load_balancer_vips: vips.filter_map(|ingress| of_family(&ingress.ip)).collect(),
        external_ips: spec.external_ips.iter().filter_map(of_family).collect(),
        source_ranges: source_ranges(&spec.load_balancer_source_ranges, family),
        session_affinity: spec.session_affinity.to_string(),
        sticky_max_age_seconds: if has_affinity {
            timeout.unwrap_or(DEFAULT_AFFINITY_SECONDS)
        } else {
            0
        },
        health_check_node_port: if needs_health_check {
            spec.health_check_node_port
        } else {
            0
        },
        external_policy_local,
        internal_policy_local: spec.internal_traffic_policy == LOCAL,
    }
}

/// Does the Service's type make it reachable from outside (reference: `apiservice.ExternallyAccessible`)?
fn is_externally_accessible(service: &ProxiedService<'_>) -> bool {
    match &*service.spec.service_type {
        "LoadBalancer" | "NodePort" => true,
        "ClusterIP" => !service.spec.external_ips.is_empty(),
        _ => false,
    }
}

impl ServicePortInfo {
    /// Can it be reached by anything but the Service's own address?
    pub const fn is_externally_accessible(&self) -> bool {
        self.node_port != 0 || !self.load_balancer_vips.is_empty() || !self.external_ips.is_empty()
    }

    /// Does any of its traffic go to endpoints on all nodes? External traffic under the policy `Local` does if it comes
    /// from within the cluster.
    pub const fn uses_cluster_endpoints(&self) -> bool {
        !self.internal_policy_local || self.is_externally_accessible()
    }

    /// Does any of its traffic stay on its node?
    pub const fn uses_local_endpoints(&self) -> bool {
        self.internal_policy_local
            || (self.external_policy_local && self.is_externally_accessible())
    }
}
