//! Items that are added one by one and found by a hash of their names.

use alloc::vec::Vec;

use super::order::Index;

/// A growable index of items by their hash.
#[derive(Debug)]
pub(crate) struct GrowingIndex {
    index: Index,
    hashes: Vec<u64>,
    /// The capacity of the index.
    room: usize,
}

impl Default for GrowingIndex {
    fn default() -> Self {
        Self {
            index: Index::with_room(0),
            hashes: Vec::new(),
            room: 0,
        }
    }
}

impl GrowingIndex {
    /// Adds the next item.
    pub(crate) fn push(&mut self, hash: u64) {
        let item = self.hashes.len() as u32;
        self.hashes.push(hash);
        if self.hashes.len() > self.room {
            self.build();
        } else {
            self.index.insert(hash, item);
        }
    }

    /// The index of an item with this hash for which `is_it` returns true.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.index.find(hash, is_it)
    }

    /// Keeps only the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.hashes.truncate(count);
        self.build();
    }

    #[inline(never)]
    fn build(&mut self) {
        self.room = self.hashes.len() * 2 + 16;
        self.index = Index::with_room(self.room);
        for (item, hash) in (0..).zip(&self.hashes) {
            self.index.insert(*hash, item);
        }
    }
}
