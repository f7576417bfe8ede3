//! Sorted sets of many ids, in little more memory than the ids themselves.
//!
//! Ids are given in ascending order, so most of them are appended: a `BTreeSet` leaves every node half empty then, and
//! takes three times the memory.

use alloc::vec::Vec;

use super::ids::Id;
use super::slab::grow_little;

/// A sorted set of ids.
#[derive(Clone, Debug)]
pub(super) struct SortedIds<I> {
    /// Sorted, and none is empty: every id is smaller than those of the next block.
    blocks: Vec<Vec<I>>,
}

/// An insertion moves fewer than this many ids.
const BLOCK: usize = 256;

impl<I> Default for SortedIds<I> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

impl<I: Id> SortedIds<I> {
    /// The number of the block that an id belongs to.
    fn block_of(&self, id: I) -> usize {
        let is_before = |block: &Vec<I>| block.last().is_some_and(|last| *last < id);
        let number = self.blocks.partition_point(is_before);
        number.min(self.blocks.len().saturating_sub(1))
    }

    pub(super) fn insert(&mut self, id: I) {
        let number = self.block_of(id);
        let Some(block) = self.blocks.get_mut(number) else {
            self.blocks.reserve_exact(1);
            self.blocks.push(alloc::vec![id]);
            return;
        };
        let Err(place) = block.binary_search(&id) else {
            return;
        };
        if block.len() < BLOCK {
            grow_little(block, BLOCK);
            block.insert(place, id);
        } else if place == BLOCK {
            self.blocks.push(alloc::vec![id]);
        } else {
            let upper = block.split_off(BLOCK / 2);
            self.blocks.insert(number + 1, upper);
            self.insert(id);
        }
    }

    /// Removes an id. Was it there?
    pub(super) fn remove(&mut self, id: I) -> bool {
        let number = self.block_of(id);
        let Some(block) = self.blocks.get_mut(number) else {
            return false;
        };
        let Ok(place) = block.binary_search(&id) else {
            return false;
        };
        block.remove(place);
        if block.is_empty() {
            self.blocks.remove(number);
        } else if block.len() <= BLOCK / 4 {
            self.join(number);
            self.join(number.saturating_sub(1));
        }
        if self.blocks.is_empty() {
            *self = Self::default();
        }
        true
    }

    /// Joins a block with the next one if both are small, so that blocks do not become ever more and smaller.
    fn join(&mut self, number: usize) {
        let [Some(one), Some(next)] = [number, number + 1].map(|number| self.blocks.get(number))
        else {
            return;
        };
        if one.len() + next.len() <= BLOCK / 2 {
            let next = self.blocks.remove(number + 1);
            if let Some(one) = self.blocks.get_mut(number) {
                one.extend(next);
            }
        }
    }

    pub(super) fn contains(&self, id: I) -> bool {
        let block = self.blocks.get(self.block_of(id));
        block.is_some_and(|block| block.binary_search(&id).is_ok())
    }

    /// The ids, sorted.
    pub(super) fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.blocks.iter().flatten().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The only id, if there is just one.
    pub(super) fn only(&self) -> Option<I> {
        match self.blocks.as_slice() {
            [block] => match block.as_slice() {
                [only] => Some(*only),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<I: Id> FromIterator<I> for SortedIds<I> {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> Self {
        let mut set = Self::default();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    impl<I> SortedIds<I> {
        fn capacity(&self) -> usize {
            self.blocks.iter().map(Vec::capacity).sum()
        }
    }

    #[track_caller]
    fn check(set: &SortedIds<u32>, expected: &BTreeSet<u32>) {
        assert!(set.iter().eq(expected.iter().copied()));
        assert_eq!(set.len(), expected.len());
        assert_eq!(set.is_empty(), expected.is_empty());
        let first = expected.first().copied();
        assert_eq!(set.only(), first.filter(|_| expected.len() == 1));
        let blocks = &set.blocks;
        assert!(blocks.iter().all(|block| !block.is_empty()));
        assert!(blocks.iter().all(|block| block.len() <= BLOCK));
    }

    /// Numbers in an arbitrary order that is always the same.
    fn shuffled(count: u32) -> impl Iterator<Item = u32> {
        (0..count).map(move |number| number.wrapping_mul(7919) % count)
    }

    #[test]
    fn as_a_tree_has_them() {
        for count in [1, 2, 3, 255, 256, 257, 300, 3000] {
            let (mut set, mut tree) = (SortedIds::default(), BTreeSet::new());
            for id in shuffled(count) {
                assert!(!set.contains(2 * id));
                for _ in 0..2 {
                    set.insert(2 * id);
                }
                tree.insert(2 * id);
                assert!(set.contains(2 * id));
            }
            check(&set, &tree);
            check(&tree.iter().copied().collect(), &tree);
            for id in shuffled(2 * count) {
                assert_eq!(set.contains(id), tree.contains(&id));
                assert_eq!(set.remove(id), tree.remove(&id), "{id} of {count}");
                if id % 16 == 0 {
                    check(&set, &tree);
                }
            }
            check(&set, &tree);
            assert_eq!(set.blocks.capacity(), 0, "nothing is left of it");
        }
    }

    #[test]
    fn blocks_are_joined_as_ids_go() {
        let count = 64 * BLOCK as u32;
        let in_order = (0..count).collect::<Vec<_>>();
        // A few of each block, then a few more of each.
        let in_turn = (0..32).flat_map(|first| (first..count).step_by(32));
        for order in [in_order, in_turn.collect()] {
            let mut set: SortedIds<u32> = (0..count).collect();
            for id in order.into_iter().filter(|id| id % 32 != 0) {
                set.remove(id);
            }
            let (left, blocks) = (set.len(), set.blocks.len());
            assert_eq!(left, count as usize / 32);
            assert!(blocks <= 8 * left / BLOCK, "{left} ids in {blocks} blocks");
        }
    }

    #[test]
    fn ids_in_order_take_little_room() {
        let mut set = SortedIds::default();
        for id in 0..10_000_u32 {
            set.insert(id);
            let count = id as usize + 1;
            let most = count + (count / 8).max(BLOCK / 8);
            assert!(set.capacity() <= most, "{} for {count}", set.capacity());
        }
        assert_eq!(set.blocks.len(), 10_000_usize.div_ceil(BLOCK));
    }

    #[test]
    fn small_blocks_are_joined() {
        let mut set: SortedIds<u32> = (0..10_000).collect();
        for id in (0..10_000).filter(|id| id % 100 != 0) {
            set.remove(id);
        }
        assert_eq!(set.len(), 100);
        assert!(set.blocks.len() <= 3, "{} blocks", set.blocks.len());
    }
}
