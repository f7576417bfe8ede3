//! Nodes as the session stores them: zone, CPU, and the pods on each.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slicewise::model::{Node, Quantity};
use slicewise::topology::nodes::{NodeFacts, NodeZones, ZoneShare, zone_shares};

use super::apply::number;
use super::ids::{Name, PodId};
use super::names::NameTable;
use super::sorted_ids::SortedIds;

/// The stored facts about a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KnownNode {
    zone: Option<Name>,
    cpu: Quantity,
    is_ready: bool,
    is_control_plane: bool,
}

/// A node name: the node's facts if it exists, and the pods that are bound to it.
#[derive(Clone, Debug, Default)]
struct NodeWithPods {
    node: Option<KnownNode>,
    version: Option<u64>,
    pods: SortedIds<PodId>,
}

/// All nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownNodes {
    places: BTreeMap<Name, NodeWithPods>,
    /// Zones with their shares of the CPU; computed again after a node has changed.
    shares: Option<Vec<(Name, f64)>>,
    is_changed: bool,
}

/// The effect of a change of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeChange {
    /// Its pods have moved to another zone, or their node has become known or unknown.
    pub(super) is_moved: bool,
    /// Hints may change (reference: `updateNode`).
    pub(super) concerns_hints: bool,
}

impl KnownNodes {
    /// Sets the facts about a node; `None` deletes it.
    pub(super) fn set(
        &mut self,
        names: &mut NameTable,
        name: &str,
        node: Option<&Node<'_>>,
    ) -> NodeChange {
        let version = node.and_then(|node| number(&node.metadata.resource_version));
        let node = node.map(|node| KnownNode {
            zone: node.zone().map(|zone| names.take(zone)),
            cpu: node.status.allocatable.cpu,
            is_ready: node.is_ready(),
            is_control_plane: node.is_control_plane(),
        });
        let name = names.take(name);
        let place = self.places.entry(name).or_default();
        let old = core::mem::replace(&mut place.node, node);
        place.version = version;
        let change = NodeChange {
            is_moved: old.map(|old| old.zone) != node.map(|node| node.zone),
            concerns_hints: old.map(|old| (old.zone, old.is_ready))
                != node.map(|node| (node.zone, node.is_ready)),
        };
        self.is_changed |= old != node;
        // The node itself counts as one use of its name.
        if old.is_some() || node.is_none() {
            names.release(name);
        }
        if let Some(old) = old {
            if let Some(zone) = old.zone {
                names.release(zone);
            }
            if node.is_none() {
                names.release(name);
            }
        }
        self.forget_unused(name);
        change
    }

    /// Binds a pod to a node; an empty name stands for none.
    pub(super) fn add_pod(&mut self, name: Name, pod: PodId) {
        if !name.is_empty() {
            self.places.entry(name).or_default().pods.insert(pod);
        }
    }

    /// Unbinds a pod from a node.
    pub(super) fn remove_pod(&mut self, name: Name, pod: PodId) {
        if let Some(place) = self.places.get_mut(&name) {
            place.pods.remove(pod);
            self.forget_unused(name);
        }
    }

    /// The pods on a node.
    pub(super) fn pods(&self, names: &NameTable, name: &str) -> Vec<PodId> {
        let place = names.find(name).and_then(|name| self.places.get(&name));
        place.map_or_else(Vec::new, |place| place.pods.iter().collect())
    }

    fn forget_unused(&mut self, name: Name) {
        let is_unused = |place: &NodeWithPods| place.node.is_none() && place.pods.is_empty();
        if self.places.get(&name).is_some_and(is_unused) {
            self.places.remove(&name);
        }
    }

    /// A node of the cluster, with its version.
    pub(super) fn get(&self, names: &NameTable, name: &str) -> Option<(KnownNode, Option<u64>)> {
        let place = self.places.get(&names.find(name)?)?;
        Some((place.node?, place.version))
    }

    /// Nodes sorted by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Name, &KnownNode)> {
        let known = self.places.iter();
        known.filter_map(|(name, place)| Some((*name, place.node.as_ref()?)))
    }

    /// Computes the CPU shares again if a node has changed.
    pub(super) fn refresh(&mut self, names: &NameTable) {
        if !core::mem::take(&mut self.is_changed) {
            return;
        }
        let shares = zone_shares(self.iter().map(|(_, node)| node.facts(names)));
        self.shares = shares.map(|shares| {
            let own = |share: ZoneShare<'_>| Some((names.find(share.zone)?, share.cpu_ratio));
            shares.into_iter().filter_map(own).collect()
        });
    }

    /// Zones with their shares, as of the last [`KnownNodes::refresh`].
    pub(super) fn shares<'n>(&self, names: &'n NameTable) -> Option<Vec<ZoneShare<'n>>> {
        let share = |(zone, cpu_ratio): &(Name, f64)| ZoneShare {
            zone: names.text(*zone),
            cpu_ratio: *cpu_ratio,
        };
        Some(self.shares.as_ref()?.iter().map(share).collect())
    }

    /// Zones with their current shares.
    pub(super) fn current_shares<'n>(&self, names: &'n NameTable) -> Option<Vec<ZoneShare<'n>>> {
        if self.is_changed {
            zone_shares(self.iter().map(|(_, node)| node.facts(names)))
        } else {
            self.shares(names)
        }
    }

    /// Zones with the shares that they would have if that node were changed or deleted.
    pub(super) fn shares_with<'n>(
        &self,
        names: &'n NameTable,
        name: &str,
        node: Option<&'n Node<'_>>,
    ) -> Option<Vec<ZoneShare<'n>>> {
        let name = names.find(name);
        let others = self.iter().filter(|(other, _)| Some(*other) != name);
        let others = others.map(|(_, other)| other.facts(names));
        zone_shares(others.chain(node.map(NodeFacts::of)))
    }

    /// Is there no node?
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

impl KnownNode {
    fn facts<'n>(&self, names: &'n NameTable) -> NodeFacts<'n> {
        NodeFacts {
            zone: self.zone.map(|zone| names.text(zone)),
            cpu: self.cpu,
            is_ready: self.is_ready,
            is_control_plane: self.is_control_plane,
        }
    }

    pub(super) const fn zone(&self) -> Option<Name> {
        self.zone
    }

    pub(super) const fn cpu(&self) -> Quantity {
        self.cpu
    }

    pub(super) const fn is_ready(&self) -> bool {
        self.is_ready
    }

    pub(super) const fn is_control_plane(&self) -> bool {
        self.is_control_plane
    }
}

/// Zones of nodes, looked up by the text of their names.
pub(super) struct ZoneTable<'s> {
    pub(super) nodes: &'s KnownNodes,
    pub(super) names: &'s NameTable,
}

impl NodeZones for ZoneTable<'_> {
    fn zone(&self, name: &str) -> Option<Option<&str>> {
        // No node has an empty name.
        let name = self.names.find(name).filter(|name| !name.is_empty())?;
        let node = self.nodes.places.get(&name)?.node?;
        Some(node.zone.map(|zone| self.names.text(zone)))
    }
}
