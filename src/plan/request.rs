//! The input of a plan, as JSON: a Service, pods, nodes, the existing slices, and options.

use alloc::vec::Vec;

use super::State;
use crate::model::object::slim_object;
use crate::model::{
    EndpointConditions, EndpointPort, EndpointSlice, Node, ObjectReference, Pod, Service, Text,
    Timestamp, keys,
};
use crate::reconcile::packing::Packing;
use crate::reconcile::{EndpointsPerSlice, ManagedBy, Settings};

slim_object! {
    /// One Service and everything its plan depends on.
    #[derive(Default, Debug)]
    pub struct PlanRequest<'a>("plan request") refuse {
        /// The Service.
        "service" pub service: Service<'a> = required;
        /// Pods; those the selector does not match are ignored.
        "pods" pub pods: Vec<Pod<'a>>;
        /// All nodes of the cluster.
        "nodes" pub nodes: Vec<Node<'a>>;
        /// Slices that exist; those of other Services or managers are ignored.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<crate::model::describe::KubernetesObject>;
        /// Endpoints that are not pods. With a list, even an empty one, a Service without selector has slices, too.
        "endpoints" pub endpoints: Option<Vec<RequestEndpoint<'a>>>;
        /// Written to changed slices; the annotation is cleared when there is none.
        "triggerTime" pub trigger_time: Option<Timestamp>;
        /// `state` of this Service's previous plan.
        "state" pub state: State;
        /// Options.
        "options" pub options: Options<'a>;
    }
}

slim_object! {
    /// An endpoint that is not a pod.
    #[derive(Default, Debug)]
    pub struct RequestEndpoint<'a>("endpoint") refuse {
        /// IP addresses; each goes to the slices of its family.
        "addresses" pub addresses: Vec<Text<'a>> = required;
        /// Conditions; without any the endpoint is ready and serving.
        "conditions" pub conditions: Option<EndpointConditions<'a>> as alloc::collections::BTreeMap<Text<'a>, bool>;
        /// Node.
        "nodeName" pub node_name: Option<Text<'a>>;
        /// Zone; else that of the node.
        "zone" pub zone: Option<Text<'a>>;
        /// Hostname.
        "hostname" pub hostname: Option<Text<'a>>;
        /// What it stands for.
        "targetRef" pub target_ref: Option<ObjectReference<'a>> as crate::model::describe::KubernetesObject;
        /// Its ports; else the Service's ports with a numeric target.
        "ports" pub ports: Option<Vec<EndpointPort<'a>>> as Vec<crate::model::describe::KubernetesObject>;
    }
}

slim_object! {
    /// How plans are made. Each option left out has the reference's default.
    #[derive(Debug, Clone, Default)]
    pub struct Options<'a>("options") kept {
        /// Value of the managed-by label. Default `endpointslice-controller.k8s.io`.
        "managedBy" pub managed_by: Option<ManagedBy<'a>> as Option<Text<'a>> where "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$";
        /// Endpoints per slice, 1 to 1000. Default 100.
        "maxEndpointsPerSlice" pub max_endpoints_per_slice: Option<EndpointsPerSlice> as Option<u32> where 1..=EndpointsPerSlice::MAX;
        /// Give `Auto` hints. Default true; false is the reference without a topology cache.
        "topologyHints" pub topology_hints: Option<bool>;
        /// Act on `PreferSameZone` and `PreferSameNode`. Default true.
        "preferSameTrafficDistribution" pub prefer_same_traffic_distribution: Option<bool>;
        /// How slices are packed. Default `upstream`.
        "packing" pub packing: Option<Packing> as Option<Text<'a>> where Packing::ALL.map(|packing| packing.name());
        /// Put `explanations` into the plan. Default false; the main entry of the npm package refuses `true`.
        "explain" pub explain: Option<bool>;
        /// Kinds of patches the updates are given as, too: `json`, `merge`, `apply`. Default none.
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
    #[cfg(feature = "patches")]
    pub fn patch_kinds(&self) -> Vec<super::patches::PatchKind> {
        let kinds = self.patches.iter();
        kinds
            .filter_map(|name| name.as_str().parse().ok())
            .collect()
    }

    /// The settings for these options.
    pub fn settings(&self) -> Settings<'_> {
        Settings {
            managed_by: self
                .managed_by
                .as_ref()
                .map_or(keys::DEFAULT_MANAGED_BY, ManagedBy::as_str),
            max_endpoints_per_slice: self.max_endpoints_per_slice.unwrap_or_default(),
            topology_hints: self.topology_hints.unwrap_or(true),
            prefer_same_traffic_distribution: self.prefer_same_traffic_distribution.unwrap_or(true),
            packing: self.packing.unwrap_or_default(),
        }
    }
}
