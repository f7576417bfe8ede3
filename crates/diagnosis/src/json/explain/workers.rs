//! Who explains the Services of a large cluster.

use alloc::vec::Vec;

/// Does the same work for many items, at once if it can.
pub trait Workers {
    /// What `work` makes of each item, in their order.
    fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R>;
}

/// Does one item after the other.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "it has nothing to keep")]
pub struct InTurn;

impl Workers for InTurn {
    fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        items.iter().map(work).collect()
    }
}
