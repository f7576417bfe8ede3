//! What explanations read beyond what plans do: of pods conditions with their reasons, readiness gates, containers; of
//! Services what their proxies look at.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::extras::{Event, Extra, Lease, NodeDetail, ServiceDetail, Taint};
use crate::model::object::slim_object;
use crate::model::order::sort_by;
use crate::model::{Endpoints, NamespacedName, SortedMap, Text};
use crate::proxy::Service;

slim_object! {
    /// The part of a Pod that tells why it is not ready.
    #[derive(Clone, Debug, Default)]
    pub struct PodDetail<'a>("pod") own {
        /// Name, finalizers.
        "metadata" pub metadata: DetailMeta<'a>;
        /// Readiness gates.
        "spec" pub spec: DetailSpec<'a>;
        /// Conditions and containers.
        "status" pub status: DetailStatus<'a>;
    }
}

slim_object! {
    /// Metadata of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct DetailMeta<'a>("ObjectMeta") own {
        /// Name.
        "name" pub name: Text<'a>;
        /// Namespace.
        "namespace" pub namespace: Text<'a>;
        /// When the API server took it.
        "creationTimestamp" pub creation_timestamp: Text<'a>;
        /// What a deletion waits for.
        "finalizers" pub finalizers: Vec<Text<'a>>;
        /// What made it.
        "ownerReferences" pub owner_references: Vec<Owner<'a>>;
    }
}

slim_object! {
    /// What made a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct Owner<'a>("owner reference") own {
        /// `ReplicaSet` and the like.
        "kind" pub kind: Text<'a>;
        /// Its name.
        "name" pub name: Text<'a>;
        /// Is it the one that manages the pod?
        "controller" pub controller: bool;
    }
}

slim_object! {
    /// Specification of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct DetailSpec<'a>("PodSpec") own {
        /// Conditions that others than the kubelet set, and that must be true.
        "readinessGates" pub readiness_gates: Vec<Gate<'a>>;
    }
}

slim_object! {
    /// A readiness gate.
    #[derive(Clone, Debug, Default)]
    pub struct Gate<'a>("readiness gate") own {
        /// The condition it waits for.
        "conditionType" pub condition_type: Text<'a>;
    }
}

slim_object! {
    /// Status of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct DetailStatus<'a>("PodStatus") own {
        /// `Evicted`, `NodeLost` and the like.
        "reason" pub reason: Text<'a>;
        /// In words.
        "message" pub message: Text<'a>;
        /// Conditions.
        "conditions" pub conditions: Vec<DetailCondition<'a>>;
        /// Init containers.
        "initContainerStatuses" pub init_containers: Vec<ContainerStatus<'a>>;
        /// Containers.
        "containerStatuses" pub containers: Vec<ContainerStatus<'a>>;
    }
}

slim_object! {
    /// A condition of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct DetailCondition<'a>("condition") own {
        /// Its type.
        "type" pub condition_type: Text<'a>;
        /// `True`, `False`, `Unknown`.
        "status" pub status: Text<'a>;
        /// A CamelCase reason.
        "reason" pub reason: Text<'a>;
        /// In words.
        "message" pub message: Text<'a>;
        /// When its status changed last.
        "lastTransitionTime" pub last_transition_time: Text<'a>;
    }
}

slim_object! {
    /// What the kubelet says of a container.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerStatus<'a>("container status") own {
        /// Its name.
        "name" pub name: Text<'a>;
        /// Does its readiness probe succeed, or has it none?
        "ready" pub ready: bool;
        /// Has its startup probe succeeded, or has it none?
        "started" pub started: Option<bool>;
        /// Where it is.
        "state" pub state: ContainerState<'a>;
        /// Where it was before it was started again.
        "lastState" pub last_state: ContainerState<'a>;
        /// How often it was started again.
        "restartCount" pub restart_count: i32;
    }
}

slim_object! {
    /// Where a container is; one of them.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerState<'a>("container state") own {
        /// It does not run yet, or not again.
        "waiting" pub waiting: Option<StateReason<'a>>;
        /// It runs.
        "running" pub running: Option<StateReason<'a>>;
        /// It ended.
        "terminated" pub terminated: Option<StateReason<'a>>;
    }
}

slim_object! {
    /// Why a container is where it is.
    #[derive(Clone, Debug, Default)]
    pub struct StateReason<'a>("container state") own {
        /// A CamelCase reason.
        "reason" pub reason: Text<'a>;
        /// In words.
        "message" pub message: Text<'a>;
        /// What its process ended with.
        "exitCode" pub exit_code: i32;
        /// When it ended.
        "finishedAt" pub finished_at: Text<'a>;
    }
}

/// What explanations read beyond what plans do.
#[derive(Debug, Default)]
pub struct Details<'a> {
    pods: SortedMap<NamespacedName, PodDetail<'a>>,
    services: SortedMap<NamespacedName, Service<'a>>,
    topology_keys: SortedMap<NamespacedName, Vec<Text<'a>>>,
    taints: SortedMap<String, Vec<Taint<'a>>>,
    extras: Vec<Extra<'a>>,
}

/// The same as it is read.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Read<'a> {
    /// Of pods.
    pub pods: Vec<PodDetail<'a>>,
    /// Of Services, what proxies look at.
    pub services: Vec<Service<'a>>,
    /// Fields of Services that only explanations use.
    pub service_details: Vec<ServiceDetail<'a>>,
    /// Of nodes.
    pub nodes: Vec<NodeDetail<'a>>,
    /// Other objects.
    pub extras: Vec<Extra<'a>>,
}

impl<'a> Details<'a> {
    /// Details by name; of equal names the first counts.
    pub fn new(read: Read<'a>) -> Self {
        let pods = read.pods.into_iter().map(|pod| (pod.metadata.key(), pod));
        let services = read
            .services
            .into_iter()
            .map(|service| (NamespacedName::of(&service), proxied(service)));
        let old = read.service_details.into_iter();
        let old = old.map(|service| (service.metadata.key(), service.spec.topology_keys));
        let taints = read.nodes.into_iter();
        let taints = taints.map(|node| (node.metadata.name.to_string(), node.spec.taints));
        Self {
            // Of objects that come again the last counts.
            pods: pods.collect(),
            services: services.collect(),
            topology_keys: old.collect(),
            taints: taints.collect(),
            extras: read.extras,
        }
    }

    /// What a proxy looks at of a Service.
    pub fn service(&self, key: &NamespacedName) -> Option<&Service<'a>> {
        self.services.get(key)
    }

    /// Those of a pod.
    pub fn pod(&self, key: &NamespacedName) -> Option<&PodDetail<'a>> {
        self.pods.get(key)
    }

    /// The `topologyKeys` of a Service.
    pub fn topology_keys(&self, key: &NamespacedName) -> &[Text<'a>] {
        self.topology_keys.get(key).map_or(&[], Vec::as_slice)
    }

    /// The taints of a node.
    pub fn taints(&self, node: &str) -> &[Taint<'a>] {
        self.taints.get(node).map_or(&[], Vec::as_slice)
    }

    /// The Events about an object, by their last time.
    pub fn events(&self, kind: &str, namespace: &str, name: &str) -> Vec<&Event<'a>> {
        let events = self.extras.iter().filter_map(|extra| match extra {
            Extra::Event(event) => Some(event),
            Extra::Endpoints(_) | Extra::Lease(_) => None,
        });
        let mut found: Vec<&Event<'_>> = events
            .filter(|event| {
                let about = event.about();
                about.kind == *kind && about.namespace == *namespace && about.name == *name
            })
            .collect();
        sort_by(&mut found, |one, other| {
            let key =
                |event: &Event<'_>| (event.time().to_string(), event.metadata.name.to_string());
            key(one).cmp(&key(other))
        });
        found
    }

    /// The Endpoints of a name.
    pub fn endpoints(&self, key: &NamespacedName) -> Option<&Endpoints<'a>> {
        self.extras.iter().find_map(|extra| match extra {
            Extra::Endpoints(endpoints)
                if endpoints.metadata.namespace == *key.namespace
                    && endpoints.metadata.name == *key.name =>
            {
                Some(endpoints)
            }
            _ => None,
        })
    }

    /// The lease of a controller in `kube-system`.
    pub fn lease(&self, name: &str) -> Option<&Lease<'a>> {
        self.extras.iter().find_map(|extra| match extra {
            Extra::Lease(lease) if lease.metadata.name == *name => Some(lease),
            _ => None,
        })
    }
}

/// What an API server would have filled in: a Service written by hand has no cluster IP yet, and gets one.
fn proxied(mut service: Service<'_>) -> Service<'_> {
    let spec = &mut service.spec;
    if spec.cluster_ip.is_empty() && spec.service_type != "ExternalName" {
        let is_v6 = spec
            .ip_families
            .first()
            .is_some_and(|family| *family == "IPv6");
        let address = if is_v6 { "fd00::1" } else { "10.96.0.1" };
        spec.cluster_ip = address.into();
        if spec.ip_families.len() > 1 {
            let other = if is_v6 { "10.96.0.1" } else { "fd00::1" };
            spec.cluster_ips = [address.into(), other.into()].into();
        }
    }
    if spec.cluster_ips.is_empty() && !spec.cluster_ip.is_empty() {
        spec.cluster_ips.push(spec.cluster_ip.clone());
    }
    service
}

impl DetailMeta<'_> {
    fn key(&self) -> NamespacedName {
        NamespacedName {
            namespace: self.namespace.as_str().into(),
            name: self.name.as_str().into(),
        }
    }
}

impl<'a> PodDetail<'a> {
    /// The condition of a type.
    pub fn condition(&self, condition_type: &str) -> Option<&DetailCondition<'a>> {
        self.status
            .conditions
            .iter()
            .find(|condition| condition.condition_type == *condition_type)
    }
}
