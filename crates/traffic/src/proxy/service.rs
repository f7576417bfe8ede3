//! Service (`v1`) as a proxy reads it: its addresses and ports, and how traffic is routed.

use alloc::string::ToString;
use alloc::vec::Vec;

use slicewise::model::object::slim_object;
use slicewise::model::own::own_themselves;
use slicewise::model::service::{or_in, or_tcp};
use slicewise::model::{Named, NamespacedName, StringMap, Text};

slim_object! {
    /// The part of a Service that a proxy depends on.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ProxiedService<'a>("Service") own {
        /// Name and namespace.
        "metadata" pub metadata: ProxiedServiceMeta<'a> = required;
        /// Addresses, ports, policies.
        "spec" pub spec: ProxiedServiceSpec<'a>;
        /// Addresses of its load balancer.
        "status" pub status: ServiceStatus<'a>;
    }
}

slim_object! {
    /// Metadata of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ProxiedServiceMeta<'a>("ObjectMeta") own {
        /// Name.
        "name" pub name: Text<'a> = required;
        /// Namespace.
        "namespace" pub namespace: Text<'a>;
        /// Only the API server gives one.
        "uid" pub uid: Text<'a>;
        /// The version, which identifies events without news.
        "resourceVersion" pub resource_version: Text<'a>;
        /// Labels.
        "labels" pub labels: StringMap<'a>;
        /// Annotations, such as the topology mode, which some other readers of slices use.
        "annotations" pub annotations: StringMap<'a>;
    }
}

slim_object! {
    /// Specification of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ProxiedServiceSpec<'a>("ServiceSpec") own {
        /// `ExternalName` Services are not proxied.
        "type" pub service_type: Text<'a>;
        /// If it is absent or `None`, there is nothing to proxy.
        "clusterIP" pub cluster_ip: Text<'a>;
        /// One address per family.
        "clusterIPs" pub cluster_ips: Vec<Text<'a>>;
        /// The families of `clusterIPs`, in the same order.
        "ipFamilies" pub ip_families: Vec<Text<'a>>;
        /// Ports.
        "ports" pub ports: Vec<ProxiedServicePort<'a>>;
        /// More addresses, of any family.
        "externalIPs" pub external_ips: Vec<Text<'a>>;
        /// `Local` keeps external traffic on the node where it arrives.
        "externalTrafficPolicy" pub external_traffic_policy: Text<'a>;
        /// `Local` keeps internal traffic on its node.
        "internalTrafficPolicy" pub internal_traffic_policy: Text<'a>;
        /// Where a load balancer asks whether a node has endpoints.
        "healthCheckNodePort" pub health_check_node_port: i32;
        /// Who may connect through the load balancer.
        "loadBalancerSourceRanges" pub load_balancer_source_ranges: Vec<Text<'a>>;
        /// Makes planners assign hints; some other readers of slices use it directly.
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// Makes planners publish all endpoints as ready; Istio's readers use it directly.
        "publishNotReadyAddresses" pub publish_not_ready_addresses: bool;
        /// `ClientIP` or `None`.
        "sessionAffinity" pub session_affinity: Text<'a>;
        /// How long affinity lasts.
        "sessionAffinityConfig" pub session_affinity_config: AffinityConfig;
    }
}

own_themselves!(AffinityConfig);

slim_object! {
    /// Configuration of affinity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct AffinityConfig("SessionAffinityConfig") {
        /// The configuration of `ClientIP`.
        "clientIP" pub client_ip: ClientIp;
    }
}

slim_object! {
    /// Configuration of `ClientIP` affinity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ClientIp("ClientIPConfig") {
        /// In seconds.
        "timeoutSeconds" pub timeout_seconds: Option<i32>;
    }
}

slim_object! {
    /// One port of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ProxiedServicePort<'a>("ServicePort") own {
        /// Name; may be empty if the Service has a single port.
        "name" pub name: Text<'a>;
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" pub protocol: Text<'a>;
        /// The port that clients send to.
        "port" pub port: i32;
        /// The port on every node, if there is one.
        "nodePort" pub node_port: i32;
    }
}

slim_object! {
    /// Status of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ServiceStatus<'a>("ServiceStatus") own {
        /// Its load balancer.
        "loadBalancer" pub load_balancer: LoadBalancer<'a>;
    }
}

slim_object! {
    /// The status of a load balancer.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct LoadBalancer<'a>("LoadBalancerStatus") own {
        /// Where it takes traffic.
        "ingress" pub ingress: Vec<Ingress<'a>>;
    }
}

slim_object! {
    /// Where a load balancer takes traffic.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Ingress<'a>("LoadBalancerIngress") own {
        /// Its address, if it has one.
        "ip" pub ip: Text<'a>;
        /// `VIP`, the default, or `Proxy`.
        "ipMode" pub ip_mode: Option<Text<'a>>;
    }
}

slicewise::model::describe::schema_of! {
    ProxiedService<'_> => slicewise::model::describe::KubernetesObject;
}

impl Named for ProxiedService<'_> {
    const KIND: &'static str = "Service";

    fn full_name(&self) -> (&str, &str) {
        (&self.metadata.namespace, &self.metadata.name)
    }

    fn version(&self) -> &str {
        &self.metadata.resource_version
    }
}

impl ProxiedService<'_> {
    /// Fills in what `kubectl` and the API server would in a manifest; `namespace` is that of a Service that names none. An
    /// address stands for one that is still to be assigned. With a version, the Service is as it was read; with a `uid`
    /// alone, it was stored, and has the address that it will have.
    pub fn complete(&mut self, namespace: &str) {
        or_in(&mut self.metadata.namespace, namespace);
        if !self.metadata.resource_version.is_empty() {
            return;
        }
        let spec = &mut self.spec;
        let is_manifest = self.metadata.uid.is_empty();
        if is_manifest && spec.cluster_ip.is_empty() && spec.service_type != "ExternalName" {
            let is_v6 = spec
                .ip_families
                .first()
                .is_some_and(|family| *family == "IPv6");
            let (address, other) = match is_v6 {
                true => ("fd00::1", "10.96.0.1"),
                false => ("10.96.0.1", "fd00::1"),
            };
            spec.cluster_ip = address.into();
            if spec.ip_families.len() > 1 {
                spec.cluster_ips = [address.into(), other.into()].into();
            }
        }
        if spec.cluster_ips.is_empty() && !spec.cluster_ip.is_empty() {
            spec.cluster_ips.push(spec.cluster_ip.clone());
        }
        if spec.service_type.is_empty() {
            spec.service_type = "ClusterIP".into();
        }
        for port in &mut spec.ports {
            or_tcp(&mut port.protocol);
        }
    }

    /// Namespace and name.
    pub fn key(&self) -> NamespacedName {
        NamespacedName {
            namespace: self.metadata.namespace.to_string(),
            name: self.metadata.name.to_string(),
        }
    }
}
