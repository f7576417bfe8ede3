//! Node (`v1`): zone, readiness and allocatable CPU.

use super::conditions::ReadyCondition;
use super::keys;
use super::object::slim_object;
use super::quantity::Quantity;
use super::text::{StringMap, Text};

slim_object! {
    /// The part of a Node that endpoints and hints depend on.
    #[derive(Clone, Debug, Default)]
    pub struct Node<'a>("Node") {
        /// Name, labels.
        "metadata" pub metadata: NodeMeta<'a> = required;
        /// CPU, readiness.
        "status" pub status: NodeStatus;
    }
}

slim_object! {
    /// Metadata of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct NodeMeta<'a>("ObjectMeta") {
        /// Name.
        "name" pub name: Text<'a> = required;
        /// Zone and roles.
        "labels" pub labels: StringMap<'a>;
    }
}

slim_object! {
    /// Status of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct NodeStatus("NodeStatus") {
        /// What pods may use.
        "allocatable" pub allocatable: Allocatable;
        /// The `Ready` condition, when there is one.
        "conditions" pub ready: Option<ReadyCondition>;
    }
}

slim_object! {
    /// Allocatable resources of a Node; only CPU is read.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Allocatable("quantities") {
        /// CPU, in cores.
        "cpu" pub cpu: Quantity;
    }
}

impl<'a> Node<'a> {
    /// The zone it is in; `None` also for an empty label.
    pub fn zone(&self) -> Option<&Text<'a>> {
        self.metadata
            .labels
            .get(keys::ZONE_LABEL)
            .filter(|zone| !zone.is_empty())
    }

    /// Is it ready?
    pub fn is_ready(&self) -> bool {
        self.status.ready.is_some_and(|condition| condition.status)
    }

    /// Does a role keep it out of topology hints (reference: `hasExcludedLabels`)?
    pub fn is_control_plane(&self) -> bool {
        let labels = &self.metadata.labels;
        labels.contains_key(keys::CONTROL_PLANE_LABEL) || labels.contains_key(keys::MASTER_LABEL)
    }
}
