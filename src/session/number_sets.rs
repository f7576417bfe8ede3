//! Sets of numbers, most of which hold one: such a set takes no room but its handle.

use alloc::collections::BTreeSet;

use super::slab::Slab;

/// A set in [`NumberSets`]: empty, the one number it holds, or where its numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberSet(u32);

/// Numbers stay below that, for each stands for something that takes more than one byte.
const MANY: u32 = 1 << 31;

impl Default for NumberSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl NumberSet {
    pub(super) const EMPTY: Self = Self(u32::MAX);

    /// The number where there is one, and the place of the set where there are several.
    fn parts(self) -> (Option<u32>, Option<u32>) {
        match self {
            Self::EMPTY => (None, None),
            Self(number) if number < MANY => (Some(number), None),
            Self(place) => (None, Some(place - MANY)),
        }
    }
}

/// The sets that hold several numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberSets(Slab<BTreeSet<u32>>);

impl NumberSets {
    /// The numbers, in order.
    pub(super) fn iter(&self, set: NumberSet) -> impl Iterator<Item = u32> + '_ {
        let (one, many) = set.parts();
        let many = many.and_then(|place| self.0.get(place));
        one.into_iter().chain(many.into_iter().flatten().copied())
    }

    pub(super) fn len(&self, set: NumberSet) -> usize {
        let (one, many) = set.parts();
        let many = many.and_then(|place| self.0.get(place));
        many.map_or_else(|| usize::from(one.is_some()), BTreeSet::len)
    }

    pub(super) fn contains(&self, set: NumberSet, number: u32) -> bool {
        let (one, many) = set.parts();
        let many = many.and_then(|place| self.0.get(place));
        one == Some(number) || many.is_some_and(|many| many.contains(&number))
    }

    pub(super) fn insert(&mut self, set: &mut NumberSet, number: u32) {
        match set.parts() {
            (None, None) => *set = NumberSet(number),
            (Some(one), _) if one == number => {}
            (Some(one), _) => *set = NumberSet(MANY + self.0.insert([one, number].into())),
            (None, Some(place)) => {
                if let Some(many) = self.0.get_mut(place) {
                    many.insert(number);
                }
            }
        }
    }

    pub(super) fn remove(&mut self, set: &mut NumberSet, number: u32) {
        let (one, many) = set.parts();
        if one == Some(number) {
            *set = NumberSet::EMPTY;
        }
        let many = many.and_then(|place| Some((place, self.0.get_mut(place)?)));
        if let Some((place, many)) = many
            && many.remove(&number)
            && many.len() == 1
        {
            let last = many.pop_first().map_or(NumberSet::EMPTY, NumberSet);
            self.0.remove(place);
            *set = last;
        }
    }

    /// Gives back what a set takes.
    pub(super) fn clear(&mut self, set: &mut NumberSet) {
        if let (_, Some(place)) = set.parts() {
            self.0.remove(place);
        }
        *set = NumberSet::EMPTY;
    }

    /// Is no set kept?
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[track_caller]
    fn check(sets: &NumberSets, set: NumberSet, expected: &[u32], kept: usize) {
        assert_eq!(sets.iter(set).collect::<Vec<_>>(), expected);
        assert_eq!(sets.len(set), expected.len());
        for number in 0..10 {
            assert_eq!(sets.contains(set, number), expected.contains(&number));
        }
        assert_eq!(sets.0.len(), kept, "sets of several numbers");
    }

    #[test]
    fn only_sets_of_several_numbers_take_room() {
        let (mut sets, mut set) = (NumberSets::default(), NumberSet::EMPTY);
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
}
