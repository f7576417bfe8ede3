//! Items that are found by a hash of what identifies them.

use alloc::vec::Vec;

use hashbrown::HashTable;

/// Finds items of a list by their hash. Never iterated, so its order cannot affect a plan.
#[derive(Debug, Default)]
pub(crate) struct Index(HashTable<u32>);

impl Index {
    /// An index of items, given their hashes in order.
    pub(crate) fn new(hashes: impl ExactSizeIterator<Item = u64>) -> Self {
        let mut index = Self::with_room(hashes.len());
        for (item, hash) in (0..).zip(hashes) {
            index.insert(hash, item);
        }
        index
    }

    /// An empty index with a capacity.
    #[inline(never)]
    pub(super) fn with_room(count: usize) -> Self {
        Self(HashTable::with_capacity(count))
    }

    #[inline(never)]
    pub(super) fn insert(&mut self, hash: u64, item: u32) {
        // There is room for all, so no item is ever rehashed.
        self.0.insert_unique(hash, item, |_| 0);
    }

    /// Removes an item that was inserted with this hash.
    #[inline(never)]
    pub(super) fn remove(&mut self, hash: u64, item: u32) {
        if let Ok(entry) = self.0.find_entry(hash, |other| *other == item) {
            entry.remove();
        }
    }

    /// The index of an item with this hash for which `is_it` returns true.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.0.find(hash, |item| is_it(*item)).copied()
    }
}

/// A growable index of items by their hash.
#[derive(Debug)]
pub struct GrowingIndex {
    index: Index,
    hashes: Vec<u64>,
    /// The capacity of the index, less what was removed from it.
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
    pub fn push(&mut self, hash: u64) {
        let item = self.hashes.len() as u32;
        self.hashes.push(hash);
        if self.hashes.len() > self.room {
            self.build();
        } else {
            self.index.insert(hash, item);
        }
    }

    /// The index of an item with this hash for which `is_it` returns true.
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.index.find(hash, is_it)
    }

    /// Keeps only the first `count`. Costs what is dropped, as streams drop little and often.
    pub(crate) fn truncate(&mut self, count: usize) {
        for (item, hash) in self.hashes.iter().enumerate().skip(count) {
            self.index.remove(*hash, item as u32);
            // Its place may not become free again.
            self.room = self.room.saturating_sub(1);
        }
        self.hashes.truncate(count);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these numbers are found, each a hash shared by two of them.
    #[track_caller]
    fn check(index: &GrowingIndex, expected: core::ops::Range<u32>) {
        let is_there = |item: &u32| {
            index
                .find(u64::from(*item / 2), |other| other == *item)
                .is_some()
        };
        let found: Vec<u32> = (0..100).filter(is_there).collect();
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn what_is_dropped_is_gone_and_may_come_again() {
        let mut index = GrowingIndex::default();
        let often = (0..1000).map(|number| 99 - number % 3);
        for count in [100, 99, 98, 3, 3, 0].into_iter().chain(often) {
            for item in index.hashes.len()..100 {
                index.push(item as u64 / 2);
            }
            check(&index, 0..100);
            index.truncate(count);
            check(&index, 0..count as u32);
        }
    }
}
