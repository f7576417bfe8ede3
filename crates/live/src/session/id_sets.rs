//! Sets of ids, most of which hold one: such a set takes no memory beyond its handle.

use core::marker::PhantomData;

use super::ids::{Id, LargeSetId};
use super::slab::Slab;
use super::sorted_ids::SortedIds;

/// The handle of a set in [`IdSets`]: empty, its only id, or the place of its ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdSet<I> {
    place: u32,
    ids: PhantomData<I>,
}

/// Places are smaller, because each belongs to something that takes more than one byte.
const MANY: u32 = 1 << 31;

impl<I: Id> IdSet<I> {
    pub(super) const EMPTY: Self = Self::of(u32::MAX);

    const fn of(place: u32) -> Self {
        Self {
            place,
            ids: PhantomData,
        }
    }

    /// The id if there is only one, and the place of the set if there are several.
    fn parts(self) -> (Option<I>, Option<LargeSetId>) {
        match self.place {
            u32::MAX => (None, None),
            place if place < MANY => (Some(I::at(place)), None),
            place => (None, Some(LargeSetId::at(place - MANY))),
        }
    }
}

impl<I: Id> Default for IdSet<I> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// The sets that hold several ids.
#[derive(Clone, Debug)]
pub(super) struct IdSets<I>(Slab<LargeSetId, SortedIds<I>>);

impl<I> Default for IdSets<I> {
    fn default() -> Self {
        Self(Slab::default())
    }
}

impl<I: Id> IdSets<I> {
    /// The ids, sorted.
    pub(super) fn iter(&self, set: IdSet<I>) -> impl Iterator<Item = I> + '_ {
        let (one, many) = set.parts();
        let many = many.and_then(|place| self.0.get(place));
        one.into_iter()
            .chain(many.into_iter().flat_map(SortedIds::iter))
    }

    pub(super) fn len(&self, set: IdSet<I>) -> usize {
        let (one, many) = set.parts();
        let many = many.and_then(|place| self.0.get(place));
        many.map_or_else(|| usize::from(one.is_some()), SortedIds::len)
    }

    pub(super) fn contains(&self, set: IdSet<I>, id: I) -> bool {
        let (one, many) = set.parts();
        let many = many.and_then(|place| self.0.get(place));
        one == Some(id) || many.is_some_and(|many| many.contains(id))
    }

    pub(super) fn insert(&mut self, set: &mut IdSet<I>, id: I) {
        match set.parts() {
            (None, None) => *set = IdSet::of(id.place()),
            (Some(one), _) if one == id => {}
            (Some(one), _) => {
                let several = self.0.insert([one, id].into_iter().collect());
                *set = IdSet::of(MANY + several.place());
            }
            (None, Some(place)) => {
                if let Some(many) = self.0.get_mut(place) {
                    many.insert(id);
                }
            }
        }
    }

    pub(super) fn remove(&mut self, set: &mut IdSet<I>, id: I) {
        let (one, many) = set.parts();
        if one == Some(id) {
            *set = IdSet::EMPTY;
        }
        let many = many.and_then(|place| Some((place, self.0.get_mut(place)?)));
        if let Some((place, many)) = many
            && many.remove(id)
            && let Some(last) = many.only()
        {
            self.0.remove(place);
            *set = IdSet::of(last.place());
        }
    }

    /// Frees a set.
    pub(super) fn clear(&mut self, set: &mut IdSet<I>) {
        if let (_, Some(place)) = set.parts() {
            self.0.remove(place);
        }
        *set = IdSet::EMPTY;
    }

    /// Is there no set?
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[track_caller]
    fn check(sets: &IdSets<u32>, set: IdSet<u32>, expected: &[u32], kept: usize) {
        assert_eq!(sets.iter(set).collect::<Vec<_>>(), expected);
        assert_eq!(sets.len(set), expected.len());
        for id in 0..10 {
            assert_eq!(sets.contains(set, id), expected.contains(&id));
        }
        assert_eq!(sets.0.len(), kept, "sets of several");
    }

    #[test]
    fn only_sets_of_several_ids_take_room() {
        let (mut sets, mut set) = (IdSets::default(), IdSet::EMPTY);
        check(&sets, set, &[], 0);
        for _ in 0..2 {
            sets.insert(&mut set, 7);
            check(&sets, set, &[7], 0);
        }
        sets.insert(&mut set, 3);
        sets.insert(&mut set, 5);
        check(&sets, set, &[3, 5, 7], 1);
        sets.remove(&mut set, 4);
        sets.remove(&mut set, 3);
        check(&sets, set, &[5, 7], 1);
        sets.remove(&mut set, 7);
        check(&sets, set, &[5], 0);
        sets.remove(&mut set, 6);
        check(&sets, set, &[5], 0);
        sets.remove(&mut set, 5);
        check(&sets, set, &[], 0);
        sets.insert(&mut set, 1);
        sets.insert(&mut set, 2);
        sets.clear(&mut set);
        check(&sets, set, &[], 0);
    }

    #[test]
    fn sets_of_several_ids_are_told_apart() {
        let (mut sets, mut one, mut other) = (IdSets::default(), IdSet::EMPTY, IdSet::EMPTY);
        for id in [1, 2] {
            sets.insert(&mut one, id);
            sets.insert(&mut other, 2 * id + 1);
        }
        check(&sets, one, &[1, 2], 2);
        check(&sets, other, &[3, 5], 2);
    }
}
