//! Items that come one by one, found by a hash of their names.

use alloc::vec::Vec;

use hashbrown::HashTable;

/// Finds items by their hash. Never iterated, so that nothing of its order can reach a plan.
#[derive(Debug, Default)]
pub struct GrowingIndex {
    places: HashTable<u32>,
    hashes: Vec<u64>,
}

impl GrowingIndex {
    /// Adds the next item.
    pub fn push(&mut self, hash: u64) {
        let item = self.hashes.len() as u32;
        self.hashes.push(hash);
        let hashes = &self.hashes;
        let rehash = |item: &u32| hashes.get(*item as usize).copied().unwrap_or_default();
        self.places.insert_unique(hash, item, rehash);
    }

    /// The number of an item with this hash that `is_it`.
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.places.find(hash, |item| is_it(*item)).copied()
    }

    /// Drops all but the first so many.
    pub fn truncate(&mut self, count: usize) {
        self.hashes.truncate(count);
        self.places.retain(|item| (*item as usize) < count);
    }
}
