//! The objects of a review, limited to what policies look at.
//!
//! Every write of a slice causes a review of the whole slice, so fields that no policy looks at are skipped unread.

use alloc::vec::Vec;

use slicewise::model::object::slim_object;
use slicewise::model::read::{Both, Repeatable};
use slicewise::model::service::{ServiceMeta, ServiceSpec};
use slicewise::model::{EndpointPort, Few, Service, StringMap, Text, keys};

/// Annotations that ask load balancers for addresses: MetalLB, kube-vip, Cilium.
pub(crate) const ADDRESS_ANNOTATIONS: [&str; 5] = [
    "metallb.io/loadBalancerIPs",
    "metallb.universe.tf/loadBalancerIPs",
    "kube-vip.io/loadbalancerIPs",
    "lbipam.cilium.io/ips",
    "io.cilium/lb-ipam-ips",
];

slim_object! {
    /// The slice of a review.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedSlice<'r>("EndpointSlice") {
        /// `EndpointSlice`, or empty if the context implies it.
        "kind" pub kind: Text<'r>;
        /// Name and labels.
        "metadata" pub metadata: ReviewedMeta<'r> = required;
        /// `IPv4`, `IPv6` or `FQDN`.
        "addressType" pub address_type: Text<'r>;
        /// The endpoints.
        "endpoints" pub endpoints: Repeatable<'r, ReviewedEndpoint<'r>>;
        /// The ports.
        "ports" pub ports: Vec<EndpointPort<'r>>;
    }
}

slim_object! {
    /// Metadata of a slice, or of Endpoints.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedMeta<'r>("ObjectMeta") {
        /// Name.
        "name" pub name: Text<'r>;
        /// Namespace.
        "namespace" pub namespace: Text<'r>;
        /// Labels, for the Service's name and the manager.
        "labels" pub labels: StringMap<'r>;
    }
}

slim_object! {
    /// An endpoint of a slice.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ReviewedEndpoint<'r>("Endpoint") {
        /// Its addresses.
        "addresses" pub addresses: Few<Text<'r>>;
        /// Its conditions.
        "conditions" pub conditions: ReviewedConditions;
        /// Its target.
        "targetRef" pub target: Option<ReviewedTarget<'r>>;
        /// Its node.
        "nodeName" pub node_name: Option<Text<'r>>;
        /// Its zone.
        "zone" pub zone: Option<Text<'r>>;
        /// The zones and nodes that should use it.
        "hints" pub hints: ReviewedHints<'r>;
    }
}

slim_object! {
    /// Conditions of an endpoint.
    #[derive(Default, Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ReviewedConditions("EndpointConditions") {
        /// It takes traffic; absent counts as true.
        "ready" pub ready: Option<bool>;
        /// It serves.
        "serving" pub serving: Option<bool>;
        /// It is being deleted.
        "terminating" pub terminating: Option<bool>;
    }
}

slim_object! {
    /// The target of an endpoint.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ReviewedTarget<'r>("ObjectReference") {
        /// Usually `Pod`.
        "kind" pub kind: Text<'r>;
        /// Its namespace.
        "namespace" pub namespace: Text<'r>;
        /// Its name.
        "name" pub name: Text<'r>;
    }
}

slim_object! {
    /// Hints of an endpoint.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ReviewedHints<'r>("EndpointHints") {
        /// Zones.
        "forZones" pub for_zones: Vec<ReviewedName<'r>>;
        /// Nodes.
        "forNodes" pub for_nodes: Vec<ReviewedName<'r>>;
    }
}

slim_object! {
    /// A zone or a node by name.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ReviewedName<'r>("hint") {
        /// Its name.
        "name" pub name: Text<'r>;
    }
}

slim_object! {
    /// The Service of a review, as read.
    #[derive(Default)]
    pub struct WholeService<'r>("Service") {
        /// Name and labels.
        "metadata" pub metadata: ServiceMeta<'r> = required;
        /// The desired state.
        "spec" pub spec: Both<ServiceSpec<'r>, ExposureSpec<'r>>;
        /// The current state.
        "status" pub status: ExposureStatus<'r>;
    }
}

/// The Service of a review: what plans depend on, and the other addresses it takes traffic from.
#[derive(Default, Clone, Debug)]
#[non_exhaustive]
pub struct ReviewedService<'r> {
    /// What plans depend on.
    pub service: Service<'r>,
    /// The other addresses it takes traffic from.
    pub exposure: Exposure<'r>,
}

impl<'r> From<WholeService<'r>> for ReviewedService<'r> {
    fn from(whole: WholeService<'r>) -> Self {
        let WholeService {
            metadata,
            spec: Both(spec, exposed),
            status,
        } = whole;
        let mut service = Service::default();
        service.metadata = metadata;
        service.spec = spec;
        Self {
            service,
            exposure: Exposure {
                spec: exposed,
                status,
            },
        }
    }
}

/// The fields of a Service that traffic depends on but no plan does.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exposure<'r> {
    /// The desired state.
    pub spec: ExposureSpec<'r>,
    /// The current state.
    pub status: ExposureStatus<'r>,
}

slim_object! {
    /// The desired state.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ExposureSpec<'r>("ServiceSpec") {
        /// Addresses for which nodes route traffic to this Service, whoever owns them.
        "externalIPs" pub external_ips: Vec<Text<'r>>;
        /// `Local` keeps traffic from pods on their node.
        "internalTrafficPolicy" pub internal_traffic_policy: Text<'r>;
        /// `Local` drops external traffic at nodes without an endpoint.
        "externalTrafficPolicy" pub external_traffic_policy: Text<'r>;
        /// The address that a load balancer is asked for.
        "loadBalancerIP" pub load_balancer_ip: Text<'r>;
    }
}

slim_object! {
    /// The current state.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ExposureStatus<'r>("ServiceStatus") {
        /// The status of its load balancer.
        "loadBalancer" pub load_balancer: LoadBalancerStatus<'r>;
    }
}

slim_object! {
    /// The status of a load balancer.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct LoadBalancerStatus<'r>("LoadBalancerStatus") {
        /// Where it takes traffic.
        "ingress" pub ingress: Vec<LoadBalancerIngress<'r>>;
    }
}

slim_object! {
    /// One place where a load balancer takes traffic.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct LoadBalancerIngress<'r>("LoadBalancerIngress") {
        /// An address for which nodes route traffic, as for `externalIPs`.
        "ip" pub ip: Text<'r>;
    }
}

slim_object! {
    /// The Endpoints of a review.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedEndpoints<'r>("Endpoints") {
        /// `Endpoints`, or empty if the context implies it.
        "kind" pub kind: Text<'r>;
        /// Its name is the Service's.
        "metadata" pub metadata: ReviewedMeta<'r> = required;
        /// Addresses by ports.
        "subsets" pub subsets: Vec<ReviewedSubset<'r>>;
    }
}

slim_object! {
    /// Addresses with the same ports.
    #[derive(Default, Clone, Debug, PartialEq)]
    pub struct ReviewedSubset<'r>("EndpointSubset") {
        /// Ready addresses.
        "addresses" pub addresses: Vec<ReviewedAddress<'r>>;
        /// Addresses that are not ready.
        "notReadyAddresses" pub not_ready_addresses: Vec<ReviewedAddress<'r>>;
        /// The ports of all of them.
        "ports" pub ports: Vec<EndpointPort<'r>>;
    }
}

slim_object! {
    /// One address of Endpoints.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ReviewedAddress<'r>("EndpointAddress") {
        /// The address.
        "ip" pub ip: Text<'r>;
        /// Its node.
        "nodeName" pub node_name: Option<Text<'r>>;
        /// Its target.
        "targetRef" pub target: Option<ReviewedTarget<'r>>;
    }
}

impl ReviewedMeta<'_> {
    /// Namespace and name.
    pub fn full_name(&self) -> (&str, &str) {
        (&self.namespace, &self.name)
    }
}

impl ReviewedSlice<'_> {
    /// The Service named in its label.
    pub fn service_name(&self) -> Option<&str> {
        self.label(keys::SERVICE_NAME_LABEL)
    }

    /// The value of the managed-by label.
    pub fn managed_by(&self) -> Option<&str> {
        self.label(keys::MANAGED_BY_LABEL)
    }

    fn label(&self, key: &str) -> Option<&str> {
        let value = self.metadata.labels.get(key)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }

    /// Is everything that policies look at the same? A controller reconciles all labels of its slices, so all count.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        self.metadata.labels == other.metadata.labels
            && self.address_type == other.address_type
            && self.ports == other.ports
            && *self.endpoints == *other.endpoints
    }

    /// Do both belong to the same Service, with the same family, endpoints and ports, regardless of hints?
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.service_name() == other.service_name()
            && self.address_type == other.address_type
            && self.ports == other.ports
            && self.endpoints.len() == other.endpoints.len()
            && self
                .endpoints
                .iter()
                .zip(&*other.endpoints)
                .all(|(one, other)| one.has_shape_of(other))
    }
}

impl ReviewedService<'_> {
    /// Is everything that policies look at the same?
    pub(super) fn is_as(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|of| &of.service.metadata);
        let modes = [
            keys::TOPOLOGY_MODE_ANNOTATION,
            keys::TOPOLOGY_AWARE_HINTS_ANNOTATION,
        ];
        let mut annotations = modes.iter().chain(&ADDRESS_ANNOTATIONS);
        let proxy = keys::SERVICE_PROXY_NAME_LABEL;
        self.service.spec == other.service.spec
            && self.exposure == other.exposure
            && annotations.all(|key| own.annotations.get(*key) == others.annotations.get(*key))
            && own.labels.get(proxy) == others.labels.get(proxy)
    }
}

impl ReviewedEndpoints<'_> {
    /// Is everything that policies look at the same?
    pub(super) fn is_as(&self, other: &Self) -> bool {
        self.skips_mirroring() == other.skips_mirroring() && self.subsets == other.subsets
    }

    /// Do its labels keep the controller from mirroring it to slices?
    pub fn skips_mirroring(&self) -> bool {
        let label = self.metadata.labels.get(keys::SKIP_MIRROR_LABEL);
        label.is_some_and(|value| *value == *"true")
    }
}

impl ReviewedEndpoint<'_> {
    fn has_shape_of(&self, other: &Self) -> bool {
        self.conditions == other.conditions && self.leads_where(other)
    }

    /// Does it lead to the same place as the other one, regardless of its conditions?
    pub fn leads_where(&self, other: &Self) -> bool {
        self.addresses == other.addresses
            && self.target == other.target
            && self.node_name == other.node_name
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{cart_slice, slice};

    #[test]
    fn the_shape_of_a_slice_is_its_service_family_ports_and_endpoints_without_hints() {
        let endpoint = json!({
            "addresses": ["10.1.0.1"], "conditions": {"ready": true}, "nodeName": "n", "zone": "a",
            "targetRef": {"kind": "Pod", "name": "cart-1"},
        });
        let before = cart_slice("cart-x", &json!([endpoint]));
        for (path, value, is_same) in [
            ("/metadata/name", json!("cart-y"), true),
            ("/endpoints/0/zone", json!("b"), true),
            (
                "/endpoints/0/hints",
                json!({"forZones": [{"name": "b"}]}),
                true,
            ),
            (
                "/metadata/labels",
                json!({"kubernetes.io/service-name": "till"}),
                false,
            ),
            ("/addressType", json!("IPv6"), false),
            ("/ports", json!([]), false),
            ("/endpoints", json!([]), false),
            ("/endpoints", json!([endpoint, endpoint]), false),
            ("/endpoints/0/addresses", json!(["10.1.0.2"]), false),
            ("/endpoints/0/conditions", json!({"ready": false}), false),
            ("/endpoints/0/nodeName", json!("m"), false),
            ("/endpoints/0/targetRef/name", json!("cart-2"), false),
        ] {
            let mut after = before.clone();
            after["endpoints"][0]["hints"] = json!(null);
            *after.pointer_mut(path).unwrap() = value;
            let (before, after) = (slice(&before), slice(&after));
            assert_eq!(after.has_shape_of(&before), is_same, "{path}");
            assert_eq!(before.has_shape_of(&after), is_same, "{path}");
        }
    }

    #[test]
    fn a_reviewed_object_has_its_namespace_and_name() {
        let text = r#"{"metadata": {"namespace": "shop", "name": "by-hand"}}"#;
        let slice: super::ReviewedSlice<'_> = serde_json::from_str(text).unwrap();
        assert_eq!(slice.metadata.full_name(), ("shop", "by-hand"));
    }
}
