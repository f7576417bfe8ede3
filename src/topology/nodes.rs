//! The facts about the cluster's nodes: the zone of each, and the distribution of CPU over the zones.
//!
//! Reference: `TopologyCache.SetNodes`. Control-plane and not-ready nodes do not count; any other node without a zone
//! or CPU disables hints for the whole cluster, and so do fewer than two zones.

use alloc::vec::Vec;

use crate::model::index::Index;
use crate::model::order::hash;
use crate::model::text::same;
use crate::model::{Node, Quantity, SortedMap, Text};

/// The share of the cluster's CPU in one zone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a zone and a number")]
pub struct ZoneShare<'a> {
    /// The zone.
    pub zone: &'a str,
    /// Between 0 and 1.
    pub cpu_ratio: f64,
}

/// Nodes by name, and CPU by zone. Built once per cluster, borrowed by every plan.
pub struct NodeIndex<'a> {
    zones: ZoneLookup<'a>,
    shares: Option<Vec<ZoneShare<'a>>>,
}

enum ZoneLookup<'a> {
    Listed {
        /// Name and zone of each; there are far more lookups by pods than nodes.
        nodes: Vec<(&'a str, Option<&'a str>)>,
        by_name: Index,
    },
    Kept(&'a dyn NodeZones),
}

/// Provides the zones of nodes by name.
pub trait NodeZones: Sync {
    /// The zone of the node with that name, if it has one; `None` if the node does not exist.
    fn zone(&self, name: &str) -> Option<Option<&str>>;
}

/// The facts about one node that shares of CPU depend on.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct NodeFacts<'a> {
    /// Its zone.
    pub zone: Option<&'a str>,
    /// Its allocatable CPU.
    pub cpu: Quantity,
    /// Is it ready?
    pub is_ready: bool,
    /// Do its labels exclude it from hints?
    pub is_control_plane: bool,
}

impl<'a> NodeFacts<'a> {
    /// Reads them from the Node.
    #[doc(hidden)]
    #[must_use]
    pub fn of(node: &'a Node<'_>) -> Self {
        Self {
            zone: node.zone().map(Text::as_str),
            cpu: node.status.allocatable.cpu,
            is_ready: node.is_ready(),
            is_control_plane: node.is_control_plane(),
        }
    }

    /// Does the node count for hints?
    pub const fn counts(&self) -> bool {
        !self.is_control_plane && self.is_ready
    }

    /// The zone in which its CPU counts; a node that counts and has none disables hints.
    pub fn place(&self) -> Option<&'a str> {
        self.zone.filter(|_| !self.cpu.is_zero())
    }
}

impl<'a> NodeIndex<'a> {
    /// Indexes nodes; if names are equal, the first one counts.
    pub fn new(nodes: &'a [Node<'a>]) -> Self {
        Self {
            zones: ZoneLookup::Listed {
                nodes: nodes
                    .iter()
                    .map(|node| (node.metadata.name.as_str(), node.zone().map(Text::as_str)))
                    .collect(),
                by_name: Index::new(
                    nodes
                        .iter()
                        .map(|node| hash(&[node.metadata.name.as_bytes()])),
                ),
            },
            shares: zone_shares(nodes.iter().map(NodeFacts::of)),
        }
    }

    /// Nodes that the caller stores, with the shares computed by [`zone_shares`].
    pub const fn kept(nodes: &'a dyn NodeZones, shares: Option<Vec<ZoneShare<'a>>>) -> Self {
        Self {
            zones: ZoneLookup::Kept(nodes),
            shares,
        }
    }

    /// The zone of the node with that name, if it has one; `None` if the node does not exist.
    pub fn zone(&self, name: &'a str) -> Option<Option<&'a str>> {
        self.find(name).map(|(_, zone)| zone)
    }

    /// The name and the zone of the node with that name: one text for all of its pods, which is then cached when they are
    /// compared.
    pub fn find(&self, name: &'a str) -> Option<(&'a str, Option<&'a str>)> {
        let (nodes, by_name) = match &self.zones {
            ZoneLookup::Listed { nodes, by_name } => (nodes, by_name),
            ZoneLookup::Kept(nodes) => return Some((name, nodes.zone(name)?)),
        };
        let is_named = |index: u32| {
            let node = nodes.get(index as usize);
            node.is_some_and(|(own, _)| same(own, name))
        };
        let index = by_name.find(hash(&[name.as_bytes()]), is_named)?;
        nodes.get(index as usize).copied()
    }

    /// Zones sorted by name with their shares; `None` if the nodes do not provide enough information for hints.
    pub fn zone_shares(&self) -> Option<&[ZoneShare<'a>]> {
        self.shares.as_deref()
    }
}

/// Shares of CPU, sorted by zone; `None` if the nodes do not provide enough information for hints.
pub fn zone_shares<'a>(
    nodes: impl IntoIterator<Item = NodeFacts<'a>>,
) -> Option<Vec<ZoneShare<'a>>> {
    let mut amounts: Vec<(&'a str, Quantity)> = Vec::new();
    let mut total = Quantity::default();
    for node in nodes.into_iter().filter(NodeFacts::counts) {
        let zone = node.place()?;
        total += node.cpu;
        amounts.push((zone, node.cpu));
    }
    let by_zone = SortedMap::merged(amounts, |sum, more| *sum += *more);
    if total.is_zero() || by_zone.len() < 2 {
        return None;
    }
    // The reference divides thousandths as floats; the ratio must be rounded in the same way.
    let total = total.milli_value() as f64;
    Some(
        by_zone
            .into_iter()
            .map(|(zone, cpu)| ZoneShare {
                zone,
                cpu_ratio: cpu.milli_value() as f64 / total,
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A ready node with a zone, CPU, and a label set to true.
    fn node(zone: &str, cpu: &str, label: &str) -> Value {
        json!({
            "metadata": {"name": "n", "labels": {"topology.kubernetes.io/zone": zone, label: ""}},
            "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": "True"}]},
        })
    }

    fn unready(zone: &str) -> Value {
        let mut node = node(zone, "0", "x");
        node["status"]["conditions"][0]["status"] = "False".into();
        node
    }

    /// Zones with their share of the CPU.
    #[track_caller]
    fn check(nodes: &[Value], expected: &str) {
        let texts: Vec<_> = nodes.iter().map(Value::to_string).collect();
        let nodes: Vec<Node<'_>> = texts
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect();
        let index = NodeIndex::new(&nodes);
        let share = |share: &ZoneShare<'_>| format!("{} {}", share.zone, share.cpu_ratio);
        let found = index
            .zone_shares()
            .map(|shares| shares.iter().map(share).collect::<Vec<_>>().join(", "));
        assert_eq!(found.as_deref().unwrap_or("none"), expected);
    }

    #[test]
    fn shares_are_of_cpu_in_zone_order() {
        check(
            &[node("b", "1", "x"), node("a", "3", "x")],
            "a 0.75, b 0.25",
        );
        check(
            &[
                node("a", "500m", "x"),
                node("b", "1", "x"),
                node("a", "500m", "x"),
            ],
            "a 0.5, b 0.5",
        );
    }

    #[test]
    fn one_zone_is_not_enough() {
        check(&[], "none");
        check(&[node("a", "1", "x"), node("a", "3", "x")], "none");
    }

    #[test]
    fn a_node_without_zone_or_cpu_turns_hints_off() {
        let two = || vec![node("a", "1", "x"), node("b", "1", "x")];
        check(&[two(), vec![node("", "1", "x")]].concat(), "none");
        check(&[two(), vec![node("c", "0", "x")]].concat(), "none");
    }

    #[test]
    fn control_plane_and_unready_nodes_take_no_part() {
        let two = || vec![node("a", "1", "x"), node("b", "1", "x")];
        for left_out in [
            node("c", "8", "node-role.kubernetes.io/control-plane"),
            node("", "0", "node-role.kubernetes.io/master"),
            unready(""),
            json!({"metadata": {"name": "n"}}),
        ] {
            check(&[two(), vec![left_out]].concat(), "a 0.5, b 0.5");
        }
    }

    #[test]
    fn nodes_are_found_by_name() {
        let nodes = [
            r#"{"metadata": {"name": "one", "labels": {"topology.kubernetes.io/zone": "a"}}}"#,
            r#"{"metadata": {"name": "one", "labels": {"topology.kubernetes.io/zone": "b"}}}"#,
            r#"{"metadata": {"name": "two"}}"#,
        ]
        .map(|text| serde_json::from_str(text).unwrap());
        let index = NodeIndex::new(&nodes);
        assert_eq!(
            index.zone("one"),
            Some(Some("a")),
            "of equal names the first counts"
        );
        assert_eq!(index.zone("two"), Some(None));
        assert_eq!(index.zone("three"), None);
    }
}
