//! The input of a plan, as JSON: a Service, pods, nodes, the existing slices, and options.

use alloc::vec::Vec;

use super::State;
use crate::kubernetes::KubernetesVersion;
use crate::model::object::slim_object;
use crate::model::{
    EndpointConditions, EndpointPort, EndpointSlice, Node, ObjectReference, Pod, Service, Text,
    Timestamp, keys,
};
use crate::reconcile::packing::Packing;
use crate::reconcile::{EndpointsPerSlice, ManagedBy, Settings};

slim_object! {
    /// One Service and everything that its plan depends on.
    #[derive(Default, Debug)]
    pub struct PlanRequest<'a>("plan request") refuse {
        /// The Service.
        "service" pub service: Service<'a> = required;
        /// The pods; those that the selector does not match are ignored.
        "pods" pub pods: Vec<Pod<'a>>;
        /// All nodes of the cluster.
        "nodes" pub nodes: Vec<Node<'a>>;
        /// The existing slices; those of other Services or managers are ignored.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<crate::model::describe::KubernetesObject>;
        /// Endpoints that are not pods. If the list is given, even if empty, a Service without a selector gets slices
        /// as well.
        "endpoints" pub endpoints: Option<Vec<RequestEndpoint<'a>>>;
        /// When the change happened; written to changed slices. Without it their annotation is removed.
        "triggerTime" pub trigger_time: Option<Timestamp>;
        /// The `state` of this Service's previous plan.
        "state" pub state: State;
        /// Options of the plan.
        "options" pub options: Options<'a>;
    }
}

slim_object! {
    /// An endpoint that is not a pod.
    #[derive(Default, Debug)]
    pub struct RequestEndpoint<'a>("endpoint") refuse {
        /// The IP addresses; each goes to the slices of its family.
        "addresses" pub addresses: Vec<Text<'a>> = required;
        /// The conditions. Default: ready and serving.
        "conditions" pub conditions: Option<EndpointConditions<'a>> as alloc::collections::BTreeMap<Text<'a>, bool>;
        /// The name of the node.
        "nodeName" pub node_name: Option<Text<'a>>;
        /// The zone. Default: the zone of the node.
        "zone" pub zone: Option<Text<'a>>;
        /// The hostname.
        "hostname" pub hostname: Option<Text<'a>>;
        /// The object behind the endpoint.
        "targetRef" pub target_ref: Option<ObjectReference<'a>> as crate::model::describe::KubernetesPart;
        /// The ports. Default: the ports of the Service with a numeric target port.
        "ports" pub ports: Option<Vec<EndpointPort<'a>>> as Vec<crate::model::describe::KubernetesPart>;
    }
}

slim_object! {
    /// How plans are made. Options that are left out have the defaults of the reference.
    #[derive(Debug, Clone, Default)]
    pub struct Options<'a>("options") kept {
        /// The value of the managed-by label. Default `endpointslice-controller.k8s.io`.
        "managedBy" pub managed_by: Option<ManagedBy<'a>> as Option<Text<'a>> where "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$";
        /// The maximum number of endpoints per slice, 1 to 1000. Default 100.
        "maxEndpointsPerSlice" pub max_endpoints_per_slice: Option<EndpointsPerSlice> as Option<u32> where 1..=EndpointsPerSlice::MAX;
        /// Whether to assign `Auto` hints. Default true; false is the reference without a topology cache.
        "topologyHints" pub topology_hints: Option<bool>;
        /// The version of Kubernetes whose controller decides. Default `1.37`, the newest release.
        "kubernetes" pub kubernetes: Option<KubernetesVersion> as Option<Text<'a>> where KubernetesVersion::ALL.map(|version| version.name());
        /// Whether to honor `PreferSameZone` and `PreferSameNode`. Default true; Kubernetes 1.38 always does, and
        /// refuses false.
        "preferSameTrafficDistribution" pub prefer_same_traffic_distribution: Option<bool>;
        /// How endpoints are packed into slices. Default `upstream`.
        "packing" pub packing: Option<Packing> as Option<Text<'a>> where Packing::ALL.map(|packing| packing.name());
        /// Whether to include `explanations` in the plan. Default false; the main entry of the npm package refuses
        /// `true`.
        "explain" pub explain: Option<bool>;
        /// The kinds of patches to include for the updates: `json`, `merge`, `apply`. Default none.
        "patches" pub patches: Vec<Text<'a>> as Vec<super::patches::PatchKind>;
    }
}

impl<'a> Options<'a> {
    /// These options, overridden by those that `overrides` sets.
    #[must_use]
    pub fn overridden_by(self, overrides: &Self) -> Self {
        let overrides = overrides.clone();
        Self {
            managed_by: overrides.managed_by.or(self.managed_by),
            max_endpoints_per_slice: overrides
                .max_endpoints_per_slice
                .or(self.max_endpoints_per_slice),
            topology_hints: overrides.topology_hints.or(self.topology_hints),
            kubernetes: overrides.kubernetes.or(self.kubernetes),
            prefer_same_traffic_distribution: overrides
                .prefer_same_traffic_distribution
                .or(self.prefer_same_traffic_distribution),
            packing: overrides.packing.or(self.packing),
            explain: overrides.explain.or(self.explain),
            patches: if overrides.patches.is_empty() {
                self.patches
            } else {
                overrides.patches
            },
        }
    }

    /// The requested kinds of patches; unknown ones are left out.
    #[doc(hidden)]
    pub fn patch_kinds(&self) -> Vec<super::patches::PatchKind> {
        let kinds = self.patches.iter();
        kinds
            .filter_map(|name| name.as_str().parse().ok())
            .collect()
    }

    /// The settings for these options.
    pub fn settings(&self) -> Settings<'_> {
        let kubernetes = self.kubernetes.unwrap_or_default();
        Settings {
            managed_by: self
                .managed_by
                .as_ref()
                .map_or(keys::DEFAULT_MANAGED_BY, ManagedBy::as_str),
            max_endpoints_per_slice: self.max_endpoints_per_slice.unwrap_or_default(),
            topology_hints: self.topology_hints.unwrap_or(true),
            kubernetes,
            prefer_same_traffic_distribution: kubernetes
                .prefers_same(self.prefer_same_traffic_distribution),
            packing: self.packing.unwrap_or_default(),
        }
    }
}
