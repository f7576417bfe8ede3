//! Node (`v1`): zone, readiness and allocatable CPU.

use super::conditions::ReadyCondition;
use super::keys;
use super::named::Named;
use super::object::slim_object;
use super::own::own_themselves;
use super::quantity::Quantity;
use super::text::{StringMap, Text};

slim_object! {
    /// The part of a Node that endpoints and hints depend on.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Node<'a>("Node") own {
        /// Name, labels.
        "metadata" pub metadata: NodeMeta<'a> = required;
        /// CPU, readiness.
        "status" pub status: NodeStatus;
    }
}

slim_object! {
    /// Metadata of a Node.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct NodeMeta<'a>("ObjectMeta") own {
        /// Name.
        "name" pub name: Text<'a> = required;
        /// The version, which identifies late events.
        "resourceVersion" pub resource_version: Text<'a>;
        /// Zone and roles.
        "labels" pub labels: StringMap<'a>;
    }
}

slim_object! {
    /// Status of a Node.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct NodeStatus("NodeStatus") {
        /// The resources available to pods.
        "allocatable" pub allocatable: Allocatable;
        /// The `Ready` condition, if there is one.
        "conditions" pub ready: Option<ReadyCondition>;
    }
}

slim_object! {
    /// Allocatable resources of a Node; only CPU is read.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
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

    /// Do its labels exclude it from topology hints (reference: `hasExcludedLabels`)?
    pub fn is_control_plane(&self) -> bool {
        let labels = &self.metadata.labels;
        labels.contains_key(keys::CONTROL_PLANE_LABEL) || labels.contains_key(keys::MASTER_LABEL)
    }
}

own_themselves!(NodeStatus);

impl Named for Node<'_> {
    const KIND: &'static str = "Node";

    fn full_name(&self) -> (&str, &str) {
        ("", &self.metadata.name)
    }

    fn version(&self) -> &str {
        &self.metadata.resource_version
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn with<T>(labels: &Value, status: &Value, ask: impl FnOnce(&Node<'_>) -> T) -> T {
        let node = json!({"metadata": {"name": "n", "labels": labels}, "status": status});
        ask(&serde_json::from_str(&node.to_string()).unwrap())
    }

    #[test]
    fn an_empty_zone_is_none() {
        let check = |labels: Value, expected: Option<&str>| {
            let found = with(&labels, &json!({}), |node| node.zone().map(Text::to_string));
            assert_eq!(found.as_deref(), expected);
        };
        check(json!({"topology.kubernetes.io/zone": "a"}), Some("a"));
        check(json!({"topology.kubernetes.io/zone": ""}), None);
        check(json!({"failure-domain.beta.kubernetes.io/zone": "a"}), None);
        check(Value::Null, None);
    }

    #[test]
    fn either_role_label_makes_a_control_plane() {
        let check = |labels: Value, expected| {
            assert_eq!(
                with(&labels, &json!({}), |node| node.is_control_plane()),
                expected
            );
        };
        check(json!({}), false);
        check(json!({"node-role.kubernetes.io/worker": ""}), false);
        check(json!({"node-role.kubernetes.io/control-plane": ""}), true);
        check(
            json!({"node-role.kubernetes.io/control-plane": "false"}),
            true,
        );
        check(json!({"node-role.kubernetes.io/master": ""}), true);
    }

    #[test]
    fn a_node_that_says_nothing_is_not_ready() {
        let check = |conditions: Value, expected| {
            let status = json!({"conditions": conditions});
            assert_eq!(with(&json!({}), &status, |node| node.is_ready()), expected);
        };
        check(Value::Null, false);
        check(json!([{"type": "Ready", "status": "True"}]), true);
        check(json!([{"type": "Ready", "status": "Unknown"}]), false);
        check(json!([{"type": "MemoryPressure", "status": "True"}]), false);
    }

    #[test]
    fn only_cpu_is_read_of_what_is_allocatable() {
        let status = json!({"allocatable": {"memory": "16Gi", "cpu": "1500m", "pods": "110"}});
        let cpu = with(&json!({}), &status, |node| {
            node.status.allocatable.cpu.milli_value()
        });
        assert_eq!(cpu, 1500);
    }
}
