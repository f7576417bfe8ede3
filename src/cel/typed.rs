//! What is known of a part of an expression before there are objects: its kind, and what it may cost.
//!
//! The estimate is there to refuse early what no object of usual size would pass. What bounds an evaluation is the meter.

use super::names::ValueKind;
use super::program::Node;

/// Items that a list or a map is taken to have where nothing says how many: endpoints of a slice.
const ITEMS: u64 = 100;

/// A node, and what is known of it.
pub(super) struct Typed {
    pub(super) node: Node,
    pub(super) kind: ValueKind,
    /// Steps of one evaluation.
    pub(super) cost: u64,
    /// Items, if it is a list or a map.
    pub(super) items: u64,
}

impl Typed {
    /// A node whose parts cost so much.
    pub(super) const fn new(node: Node, kind: ValueKind, cost: u64) -> Self {
        Self {
            node,
            kind,
            cost: cost.saturating_add(1),
            items: ITEMS,
        }
    }

    /// The same, with so many items.
    pub(super) const fn with_items(mut self, items: u64) -> Self {
        self.items = items;
        self
    }

    /// What it costs to do something with each of its items.
    pub(super) const fn each(&self, cost: u64) -> u64 {
        let each = self.items.saturating_mul(cost.saturating_add(1));
        self.cost.saturating_add(each)
    }
}
