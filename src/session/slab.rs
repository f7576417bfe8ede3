//! Numbered places that are used again: what has a number keeps it, and memory does not grow with churn.

use alloc::vec::Vec;

/// Items by number. The number of a removed item goes to a later one.
///
/// They are in blocks, so that many of them take little more room than they need, and none is moved when more come.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    /// All but the last are full.
    blocks: Vec<Vec<Option<T>>>,
    free: Vec<u32>,
}

const BLOCK: usize = 1024;

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// Puts an item in; its number is returned.
    pub(super) fn insert(&mut self, item: T) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| self.push());
        if let Some(place) = self.place(number) {
            *place = Some(item);
        }
        number
    }

    /// One place more; its number is returned.
    fn push(&mut self) -> u32 {
        if self.blocks.last().is_none_or(|last| last.len() == BLOCK) {
            let room = if self.blocks.is_empty() { 0 } else { BLOCK };
            self.blocks.push(Vec::with_capacity(room));
        }
        if let Some(last) = self.blocks.last_mut() {
            // The first grows with what is in it, by an eighth: most clusters are small, and a vector left alone makes
            // room for four slices where there is one, and for twice the pods there were.
            if last.len() == last.capacity() {
                last.reserve_exact((last.len() / 8).clamp(1, BLOCK - last.len()));
            }
            last.push(None);
        }
        // Four thousand million of anything do not fit into memory.
        u32::try_from(self.places() - 1).unwrap_or(u32::MAX)
    }

    fn places(&self) -> usize {
        let last = self.blocks.last().map_or(BLOCK, Vec::len);
        self.blocks.len() * BLOCK + last - BLOCK
    }

    fn place(&mut self, number: u32) -> Option<&mut Option<T>> {
        let number = number as usize;
        self.blocks.get_mut(number / BLOCK)?.get_mut(number % BLOCK)
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        let number = number as usize;
        self.blocks
            .get(number / BLOCK)?
            .get(number % BLOCK)?
            .as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.place(number)?.as_mut()
    }

    /// Takes an item out. Room is given back when nothing is left, so that a cluster that was emptied costs nothing.
    pub(super) fn remove(&mut self, number: u32) -> Option<T> {
        let item = self.place(number)?.take()?;
        self.free.push(number);
        if self.is_empty() {
            *self = Self::default();
        }
        Some(item)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let numbered = (0_u32..).zip(self.blocks.iter().flatten());
        numbered.filter_map(|(number, item)| Some((number, item.as_ref()?)))
    }

    pub(super) fn len(&self) -> usize {
        self.places() - self.free.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Numbers by the hash of what they stand for. Never gone through, so that its order can reach nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(hashbrown::HashTable<(u32, u32)>);

/// Half of a hash is kept, to save memory; the table wants it spread over 64 bits.
pub(super) fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Both halves count: where machine words have 32 bits, the upper one is empty.
pub(super) const fn shorten(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

impl Numbers {
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let short = shorten(hash);
        let is_found = |(other, number): &(u32, u32)| *other == short && is_it(*number);
        let found = self.0.find(spread(short), is_found);
        found.map(|(_, number)| *number)
    }

    /// All numbers of a hash, and of some that only half agree with it, in no order that means anything.
    pub(super) fn all(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        let short = shorten(hash);
        let of_hash = self.0.iter_hash(spread(short));
        of_hash.filter_map(move |(other, number)| (*other == short).then_some(*number))
    }

    pub(super) fn insert(&mut self, hash: u64, number: u32) {
        let short = shorten(hash);
        let item = (short, number);
        self.0
            .insert_unique(spread(short), item, |(short, _)| spread(*short));
    }

    pub(super) fn remove(&mut self, hash: u64, number: u32) {
        let item = (shorten(hash), number);
        if let Ok(entry) = self.0.find_entry(spread(item.0), |other| *other == item) {
            entry.remove();
        }
        if self.0.is_empty() {
            self.0 = hashbrown::HashTable::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_32_bits_are_told_apart() {
        // All that a machine with words of 32 bits gives.
        let mut numbers = Numbers::default();
        for number in 0..1000 {
            numbers.insert(u64::from(number), number);
        }
        let looked_at = core::cell::Cell::new(0);
        for number in 0..1000 {
            let is_it = |other| {
                looked_at.set(looked_at.get() + 1);
                other == number
            };
            assert_eq!(numbers.find(u64::from(number), is_it), Some(number));
        }
        assert_eq!(looked_at.get(), 1000, "each was found at once");
    }

    #[test]
    fn numbers_are_used_again_and_room_is_given_back() {
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
        for number in 0..5_000_u32 {
            assert_eq!(slab.insert(number), number);
        }
        let room: usize = slab.blocks.iter().map(Vec::capacity).sum();
        assert_eq!((slab.len(), room), (5_000, 5 * BLOCK));
        let mut few = Slab::default();
        for number in 1..=BLOCK {
            few.insert(());
            let room: usize = few.blocks.iter().map(Vec::capacity).sum();
            assert!(room <= number + number / 8, "{room} for {number}");
        }
        assert!(slab.iter().eq((0..5_000).zip(&Vec::from_iter(0..5_000))));
        assert_eq!((slab.remove(1024), slab.insert(7)), (Some(1024), 1024));
        assert_eq!((slab.get(1024), slab.get(5_000)), (Some(&7), None));
    }
}
