//! Numbered places that are used again: what has a number keeps it, and memory does not grow with churn.

use alloc::vec::Vec;

/// Items by number. The number of a removed item goes to a later one.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    items: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// Puts an item in; its number is returned.
    pub(super) fn insert(&mut self, item: T) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.items.push(None);
            // Four thousand million of anything do not fit into memory.
            u32::try_from(self.items.len() - 1).unwrap_or(u32::MAX)
        });
        if let Some(place) = self.items.get_mut(number as usize) {
            *place = Some(item);
        }
        number
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.items.get(number as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.items.get_mut(number as usize)?.as_mut()
    }

    /// Takes an item out. Room is given back when nothing is left, so that a cluster that was emptied costs nothing.
    pub(super) fn remove(&mut self, number: u32) -> Option<T> {
        let item = self.items.get_mut(number as usize)?.take()?;
        self.free.push(number);
        if self.is_empty() {
            *self = Self::default();
        }
        Some(item)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let numbered = (0_u32..).zip(&self.items);
        numbered.filter_map(|(number, item)| Some((number, item.as_ref()?)))
    }

    pub(super) const fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Numbers by the hash of what they stand for. Never gone through, so that its order can reach nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(hashbrown::HashTable<(u32, u32)>);

/// Half of a hash is kept, to save memory; the table wants it spread over 64 bits.
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Both halves count: where a word has 32 bits, as in WebAssembly, the hasher leaves the upper half empty.
const fn shorten(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

impl Numbers {
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let short = shorten(hash);
        let is_found = |(other, number): &(u32, u32)| *other == short && is_it(*number);
        let found = self.0.find(spread(short), is_found);
        found.map(|(_, number)| *number)
    }

    pub(super) fn insert(&mut self, hash: u64, number: u32) {
        let short = shorten(hash);
        let item = (short, number);
        self.0
            .insert_unique(spread(short), item, |(short, _)| spread(*short));
    }

    pub(super) fn remove(&mut self, hash: u64, number: u32) {
        let place = spread(shorten(hash));
        if let Ok(entry) = self.0.find_entry(place, |(_, other)| *other == number) {
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
    fn hashes_of_either_half_are_told_apart() {
        let mut numbers = Numbers::default();
        for number in 0..100 {
            numbers.insert(u64::from(number), number);
            numbers.insert(u64::from(number) << 32, 1000 + number);
        }
        let asked = core::cell::Cell::new(0);
        let found = numbers.find(77, |number| {
            asked.set(asked.get() + 1);
            number == 77
        });
        assert_eq!(found, Some(77));
        assert!(asked.get() <= 2, "{} were looked at", asked.get());
    }
}
