//! What explanations read beyond what plans do: of pods conditions with their reasons, readiness gates, containers; of
//! Services what their proxies look at.

use alloc::vec::Vec;

use crate::model::object::slim_object;
use crate::model::{NamespacedName, SortedMap, Text};
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
        /// What a deletion waits for.
        "finalizers" pub finalizers: Vec<Text<'a>>;
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
    }
}

/// Details of pods and Services.
#[derive(Debug, Default)]
pub struct Details<'a> {
    pods: SortedMap<NamespacedName, PodDetail<'a>>,
    services: SortedMap<NamespacedName, Service<'a>>,
}

impl<'a> Details<'a> {
    /// Those of the pods and Services given; of equal names the first counts.
    pub fn new(
        pods: impl IntoIterator<Item = PodDetail<'a>>,
        services: impl IntoIterator<Item = Service<'a>>,
    ) -> Self {
        let pods = pods.into_iter().map(|pod| {
            let key = NamespacedName {
                namespace: pod.metadata.namespace.as_str().into(),
                name: pod.metadata.name.as_str().into(),
            };
            (key, pod)
        });
        let services = services
            .into_iter()
            .map(|service| (NamespacedName::of(&service), service));
        Self {
            pods: SortedMap::merged(pods, |_, _| ()),
            services: SortedMap::merged(services, |_, _| ()),
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
