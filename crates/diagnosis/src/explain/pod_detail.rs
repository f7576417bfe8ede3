//! What explanations read of a Pod beyond plans: conditions with their reasons, readiness gates, containers.

use alloc::vec::Vec;

use slicewise::model::{NamespacedName, Text};
use slicewise::slim_object;

slim_object! {
    /// The part of a Pod that shows why it is not ready.
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
        /// Grows with each write.
        "resourceVersion" pub resource_version: Text<'a>;
        /// When it was created.
        "creationTimestamp" pub creation_timestamp: Text<'a>;
        /// The finalizers that its deletion waits for.
        "finalizers" pub finalizers: Vec<Text<'a>>;
        /// The owners.
        "ownerReferences" pub owner_references: Vec<PodOwner<'a>>;
    }
}

slim_object! {
    /// The owner of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct PodOwner<'a>("owner reference") own {
        /// The kind, such as `ReplicaSet`.
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
        /// Conditions that are set by components other than the kubelet, and must be true.
        "readinessGates" pub readiness_gates: Vec<Gate<'a>>;
    }
}

slim_object! {
    /// A readiness gate.
    #[derive(Clone, Debug, Default)]
    pub struct Gate<'a>("readiness gate") own {
        /// The condition that must be true.
        "conditionType" pub condition_type: Text<'a>;
    }
}

slim_object! {
    /// Status of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct DetailStatus<'a>("PodStatus") own {
        /// A reason such as `Evicted` or `NodeLost`.
        "reason" pub reason: Text<'a>;
        /// The message.
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
        /// The message.
        "message" pub message: Text<'a>;
        /// When its status last changed.
        "lastTransitionTime" pub last_transition_time: Text<'a>;
    }
}

slim_object! {
    /// The kubelet's report about a container.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerStatus<'a>("container status") own {
        /// Its name.
        "name" pub name: Text<'a>;
        /// Does its readiness probe succeed? True without a probe.
        "ready" pub ready: bool;
        /// Has its startup probe succeeded? True without a probe.
        "started" pub started: Option<bool>;
        /// Its current state.
        "state" pub state: ContainerState<'a>;
        /// Its state before the last restart.
        "lastState" pub last_state: ContainerState<'a>;
        /// How often it was restarted.
        "restartCount" pub restart_count: i32;
    }
}

slim_object! {
    /// The state of a container; only one of these is set.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerState<'a>("container state") own {
        /// It is not running yet, or not again.
        "waiting" pub waiting: Option<StateReason<'a>>;
        /// It is running.
        "running" pub running: Option<StateReason<'a>>;
        /// It has ended.
        "terminated" pub terminated: Option<StateReason<'a>>;
    }
}

slim_object! {
    /// Why a container is in its state.
    #[derive(Clone, Debug, Default)]
    pub struct StateReason<'a>("container state") own {
        /// A CamelCase reason.
        "reason" pub reason: Text<'a>;
        /// The message.
        "message" pub message: Text<'a>;
        /// The exit code of its process.
        "exitCode" pub exit_code: i32;
        /// When it ended.
        "finishedAt" pub finished_at: Text<'a>;
    }
}

impl DetailMeta<'_> {
    pub(super) fn full_name(&self) -> (&str, &str) {
        (&self.namespace, &self.name)
    }

    pub(super) fn key(&self) -> NamespacedName {
        NamespacedName {
            namespace: self.namespace.as_str().into(),
            name: self.name.as_str().into(),
        }
    }
}

impl<'a> PodDetail<'a> {
    /// The same without what no explanation mentions: there are many pods, and most are fine.
    ///
    /// Of the true conditions only `Ready` matters, for its time. Containers that are ready and have not restarted are
    /// dropped.
    pub(crate) fn without_what_is_well(mut self) -> Self {
        let is_true = |condition: &DetailCondition<'_>| condition.status == "True";
        let mut gates = core::mem::take(&mut self.spec.readiness_gates);
        gates.retain(|gate| !self.condition(&gate.condition_type).is_some_and(is_true));
        self.spec.readiness_gates = gates;
        let status = &mut self.status;
        status
            .conditions
            .retain(|condition| condition.condition_type == "Ready" || !is_true(condition));
        for containers in [&mut status.init_containers, &mut status.containers] {
            containers
                .retain(|container| !container.ready || container.last_state.terminated.is_some());
        }
        self.metadata
            .owner_references
            .retain(|owner| owner.controller);
        self
    }

    /// The condition of a type.
    pub fn condition(&self, condition_type: &str) -> Option<&DetailCondition<'a>> {
        self.status
            .conditions
            .iter()
            .find(|condition| condition.condition_type == *condition_type)
    }
}
