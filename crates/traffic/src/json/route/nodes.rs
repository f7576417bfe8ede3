//! Where clients are: nodes, as far as routes and traffic depend on them.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use slicewise::model::describe::KubernetesPart;
use slicewise::model::node::{NodeMeta, NodeStatus};
use slicewise::model::object::slim_object;
use slicewise::model::{Named, Node, Quantity, StringMap, Text, keys};
use slicewise::topology::nodes::NodeFacts;

slim_object! {
    /// A node: either a `v1` Node with `metadata`, or an object with `name` and `labels`.
    #[derive(Debug, Default)]
    pub struct RouteNode<'a>("Node") published {
        /// The metadata of a Node.
        "metadata" pub metadata: Option<NodeMeta<'a>> as Option<KubernetesPart>;
        /// The status of a Node.
        "status" pub status: NodeStatus as KubernetesPart;
        /// The node's name, if there is no `metadata`.
        "name" pub name: Text<'a>;
        /// The node's labels, if there is no `metadata`.
        "labels" pub labels: StringMap<'a>;
    }
}

/// A node and its zone; empty if it has none.
#[derive(Default, PartialEq)]
pub(in crate::json) struct NodePlace {
    pub(in crate::json) name: String,
    pub(in crate::json) zone: String,
    cpu: Quantity,
    is_ready: bool,
    is_control_plane: bool,
    /// Its `resourceVersion`, if it is an object of a cluster.
    version: String,
}

impl Named for NodePlace {
    const KIND: &'static str = "Node";

    fn full_name(&self) -> (&str, &str) {
        ("", &self.name)
    }

    fn version(&self) -> &str {
        &self.version
    }
}

impl NodePlace {
    pub(in crate::json) fn of(node: RouteNode<'_>) -> Self {
        let mut whole = Node::default();
        whole.metadata.name = node.name;
        whole.metadata.labels = node.labels;
        if let Some(metadata) = node.metadata {
            whole.metadata = metadata;
        }
        whole.status = node.status;
        Self::of_cluster(&whole)
    }

    pub(in crate::json) fn of_cluster(node: &Node<'_>) -> Self {
        Self {
            name: node.metadata.name.to_string(),
            zone: zone_of(&node.metadata.labels),
            cpu: node.status.allocatable.cpu,
            is_ready: node.is_ready(),
            is_control_plane: node.is_control_plane(),
            version: node.metadata.resource_version.to_string(),
        }
    }

    /// What the shares of CPU depend on.
    pub(in crate::json) fn facts(&self) -> NodeFacts<'_> {
        NodeFacts {
            zone: Some(&*self.zone).filter(|zone| !zone.is_empty()),
            cpu: self.cpu,
            is_ready: self.is_ready,
            is_control_plane: self.is_control_plane,
        }
    }
}

fn zone_of(labels: &StringMap<'_>) -> String {
    let zone = labels.get(keys::ZONE_LABEL);
    zone.map_or_else(String::new, |zone| zone.as_str().to_owned())
}
