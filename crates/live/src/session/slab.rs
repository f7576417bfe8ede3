//! Slabs whose places are reused: an item keeps its place, and memory does not grow with churn.

use alloc::vec::Vec;
use core::marker::PhantomData;

use slicewise::model::prefetch::prefetch_field;

use super::ids::Id;

/// Items by id. The id of a removed item is reused.
///
/// They are stored in blocks, so that many of them take little more memory than necessary, and none moves when others
/// are added.
#[derive(Clone, Debug)]
pub(super) struct Slab<I, T> {
    /// All but the last one are full.
    blocks: Vec<Vec<Option<T>>>,
    free: Vec<u32>,
    ids: PhantomData<I>,
}

const BLOCK: usize = 1024;

impl<I, T> Default for Slab<I, T> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            free: Vec::new(),
            ids: PhantomData,
        }
    }
}

impl<I: Id, T> Slab<I, T> {
    /// Adds an item and returns its id.
    pub(super) fn insert(&mut self, item: T) -> I {
        let id = I::at(self.free.pop().unwrap_or_else(|| self.push()));
        if let Some(place) = self.place(id) {
            *place = Some(item);
        }
        id
    }

    /// Adds a place and returns it.
    fn push(&mut self) -> u32 {
        if self.blocks.last().is_none_or(|last| last.len() == BLOCK) {
            let room = if self.blocks.is_empty() { 0 } else { BLOCK };
            self.blocks.push(Vec::with_capacity(room));
        }
        if let Some(last) = self.blocks.last_mut() {
            grow_little(last, BLOCK);
            last.push(None);
        }
        // Four billion items do not fit into memory.
        u32::try_from(self.places() - 1).unwrap_or(u32::MAX)
    }

    fn places(&self) -> usize {
        let last = self.blocks.last().map_or(BLOCK, Vec::len);
        self.blocks.len() * BLOCK + last - BLOCK
    }

    fn place(&mut self, id: I) -> Option<&mut Option<T>> {
        let place = id.place() as usize;
        self.blocks.get_mut(place / BLOCK)?.get_mut(place % BLOCK)
    }

    pub(super) fn get(&self, id: I) -> Option<&T> {
        let place = id.place() as usize;
        self.blocks.get(place / BLOCK)?.get(place % BLOCK)?.as_ref()
    }

    /// Prefetches an item, of which the caller reads the first fields.
    pub(super) fn prefetch(&self, id: I) {
        let place = id.place() as usize;
        let block = self.blocks.get(place / BLOCK);
        if let Some(item) = block.and_then(|block| block.get(place % BLOCK)) {
            prefetch_field(item);
        }
    }

    pub(super) fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.place(id)?.as_mut()
    }

    /// Removes an item. Memory is released when nothing is left, so that an emptied cluster costs nothing.
    pub(super) fn remove(&mut self, id: I) -> Option<T> {
        let item = self.place(id)?.take()?;
        self.free.push(id.place());
        if self.is_empty() {
            *self = Self::default();
        }
        Some(item)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        let placed = (0_u32..).zip(self.blocks.iter().flatten());
        placed.filter_map(|(place, item)| Some((I::at(place), item.as_ref()?)))
    }

    pub(super) fn len(&self) -> usize {
        self.places() - self.free.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Makes room for another item, an eighth more at a time and at most for `most` items: most clusters are small, and a
/// vector left alone reserves room for four slices at first, and for twice the number of pods.
pub(super) fn grow_little<T>(items: &mut Vec<T>, most: usize) {
    let len = items.len();
    if len == items.capacity() {
        let left = most.saturating_sub(len).max(1);
        items.reserve_exact((len / 8).clamp(1, left));
    }
}

/// Ids by the hash of what they identify. Never iterated, so the order affects nothing.
#[derive(Clone, Debug)]
pub(super) struct IdsByHash<I>(hashbrown::HashTable<(u32, I)>);

impl<I> Default for IdsByHash<I> {
    fn default() -> Self {
        Self(hashbrown::HashTable::new())
    }
}

/// Only half of a hash is stored, to save memory; the table needs it spread over 64 bits.
pub(super) fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Combines both halves: on 32-bit machines, the upper one is empty.
pub(super) const fn shorten(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

impl<I: Id> IdsByHash<I> {
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(I) -> bool) -> Option<I> {
        let short = shorten(hash);
        let is_found = |(other, id): &(u32, I)| *other == short && is_it(*id);
        let found = self.0.find(spread(short), is_found);
        found.map(|(_, id)| *id)
    }

    /// All ids with a hash, and some that only share half of it, in no particular order.
    pub(super) fn all(&self, hash: u64) -> impl Iterator<Item = I> + '_ {
        let short = shorten(hash);
        let of_hash = self.0.iter_hash(spread(short));
        of_hash.filter_map(move |(other, id)| (*other == short).then_some(*id))
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn insert(&mut self, hash: u64, id: I) {
        let short = shorten(hash);
        self.0
            .insert_unique(spread(short), (short, id), |(short, _)| spread(*short));
    }

    pub(super) fn remove(&mut self, hash: u64, id: I) {
        let item = (shorten(hash), id);
        if let Ok(entry) = self.0.find_entry(spread(item.0), |other| *other == item) {
            entry.remove();
        }
        if self.0.is_empty() {
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn both_halves_of_a_hash_count_and_short_ones_are_spread() {
        let distinct = [0, 1, 2, 4 << 32, 8 << 32].map(shorten);
        assert_eq!(BTreeSet::from(distinct).len(), distinct.len());
        assert_ne!(shorten(1), shorten(0x1_0000_0001));
        // The table finds its group by the lowest bits, and compares the highest seven.
        let highest: BTreeSet<u64> = (0..128).map(|short| spread(short) >> 57).collect();
        let lowest: BTreeSet<u64> = (0..128).map(|short| spread(short) & 127).collect();
        assert!(highest.len() > 64 && lowest.len() > 64);
    }

    #[test]
    fn hashes_of_32_bits_are_told_apart() {
        // The only bits that a 32-bit machine provides.
        let mut ids = IdsByHash::default();
        for id in 0..1000 {
            ids.insert(u64::from(id), id);
        }
        let looked_at = core::cell::Cell::new(0);
        for id in 0..1000 {
            let is_it = |other| {
                looked_at.set(looked_at.get() + 1);
                other == id
            };
            assert_eq!(ids.find(u64::from(id), is_it), Some(id));
        }
        assert_eq!(looked_at.get(), 1000, "each was found at once");
    }

    #[test]
    fn ids_are_found_by_hash_until_they_are_removed() {
        let mut ids = IdsByHash::default();
        for id in [1_u32, 2, 3] {
            ids.insert(7, id);
        }
        ids.remove(7, 2);
        ids.remove(8, 1);
        let mut found: Vec<u32> = ids.all(7).collect();
        found.sort_unstable();
        assert_eq!(found, [1, 3]);
        assert_eq!(ids.find(7, |id| id == 2), None);
    }

    #[test]
    fn ids_are_used_again_and_room_is_given_back() {
        let mut slab = Slab::default();
        assert_eq!((slab.insert('a'), slab.insert('b')), (0, 1));
        assert_eq!(slab.remove(0), Some('a'));
        assert_eq!(slab.remove(0), None);
        assert_eq!((slab.insert('c'), slab.len()), (0, 2));
        slab.remove(0);
        slab.remove(1);
        assert!(slab.is_empty());
        assert_eq!(slab.blocks.capacity(), 0);
    }

    #[test]
    fn many_items_take_no_more_room_than_they_need() {
        let mut slab = Slab::default();
        for id in 0..5_000_u32 {
            assert_eq!(slab.insert(id), id);
        }
        let room: usize = slab.blocks.iter().map(Vec::capacity).sum();
        assert_eq!((slab.len(), room), (5_000, 5 * BLOCK));
        let mut few = Slab::<u32, ()>::default();
        for id in 1..=BLOCK {
            few.insert(());
            let room: usize = few.blocks.iter().map(Vec::capacity).sum();
            assert!(room <= id + id / 8, "{room} for {id}");
        }
        assert!(slab.iter().eq((0..5_000).zip(&Vec::from_iter(0..5_000))));
        assert_eq!((slab.remove(1024), slab.insert(7)), (Some(1024), 1024));
        assert_eq!((slab.get(1024), slab.get(5_000)), (Some(&7), None));
    }
}
