//! The slices that name a pod.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::ids::{Id as _, SliceId};

/// Distinct slices; a pod is rarely in more than two.
#[derive(Clone, Debug)]
pub(super) enum PodSlices {
    Few([SliceId; 2]),
    #[expect(
        clippy::box_collection,
        reason = "half the size of the list, for what is rare"
    )]
    Many(Box<Vec<SliceId>>),
}

impl Default for PodSlices {
    fn default() -> Self {
        Self::Few([SliceId::NONE; 2])
    }
}

impl PodSlices {
    pub(super) fn iter(&self) -> impl Iterator<Item = SliceId> + '_ {
        let ids: &[SliceId] = match self {
            Self::Few(ids) => ids,
            Self::Many(ids) => ids,
        };
        ids.iter().copied().filter(|id| *id != SliceId::NONE)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub(super) fn insert(&mut self, slice: SliceId) {
        if self.iter().any(|id| id == slice) {
            return;
        }
        match self {
            Self::Few([free, _] | [_, free]) if *free == SliceId::NONE => *free = slice,
            Self::Few(ids) => {
                let [one, two] = *ids;
                *self = Self::Many(Box::new(alloc::vec![one, two, slice]));
            }
            Self::Many(ids) => ids.push(slice),
        }
    }

    pub(super) fn remove(&mut self, slice: SliceId) {
        match self {
            Self::Few(ids) => {
                for id in ids.iter_mut().filter(|id| **id == slice) {
                    *id = SliceId::NONE;
                }
            }
            Self::Many(ids) => {
                ids.retain(|id| *id != slice);
                if ids.is_empty() {
                    *self = Self::default();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_slices_take_no_room_and_none_is_there_twice() {
        let mut slices = PodSlices::default();
        let [one, two, three] = [1, 2, 3].map(SliceId::at);
        let ids = |slices: &PodSlices| slices.iter().collect::<Vec<_>>();
        for (id, expected) in [(one, &[one][..]), (two, &[one, two])] {
            for _ in 0..2 {
                slices.insert(id);
                assert_eq!(ids(&slices), expected);
                assert!(matches!(slices, PodSlices::Few(_)));
            }
        }
        slices.remove(three);
        slices.remove(one);
        assert_eq!(ids(&slices), [two]);
        slices.insert(three);
        slices.insert(one);
        let mut all = ids(&slices);
        all.sort_unstable();
        assert_eq!(all, [one, two, three]);
        for id in [two, three, one] {
            slices.remove(id);
        }
        assert!(slices.is_empty() && matches!(slices, PodSlices::Few(_)));
    }
}
