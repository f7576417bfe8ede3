//! What is known about a part of an expression before there are objects: its kind and its estimated cost.
//!
//! The estimate serves to refuse early what no object of usual size would pass. The meter is what bounds an evaluation.

use super::names::ValueKind;
use super::program::ExpressionNode;

/// The assumed number of items of a list or map of unknown size: the endpoints of a slice.
const ITEMS: u64 = 100;

/// A node, and what is known about it.
pub(super) struct Typed {
    pub(super) node: ExpressionNode,
    pub(super) kind: ValueKind,
    /// Steps of one evaluation.
    pub(super) cost: u64,
    /// Items, if it is a list or a map.
    pub(super) items: u64,
}

impl Typed {
    /// A node whose parts have this cost.
    pub(super) const fn new(node: ExpressionNode, kind: ValueKind, cost: u64) -> Self {
        Self {
            node,
            kind,
            cost: cost.saturating_add(1),
            items: ITEMS,
        }
    }

    /// The same, with a number of items.
    pub(super) const fn with_items(mut self, items: u64) -> Self {
        self.items = items;
        self
    }

    /// The cost of doing something with each of its items.
    pub(super) const fn each(&self, cost: u64) -> u64 {
        let each = self.items.saturating_mul(cost.saturating_add(1));
        self.cost.saturating_add(each)
    }
}
