//! Which slices name a pod.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Slices by number, each once; a pod is rarely in more than two.
#[derive(Clone, Debug)]
pub(super) enum PodSlices {
    Few([u32; 2]),
    #[expect(
        clippy::box_collection,
        reason = "half the size of the list, for what is rare"
    )]
    Many(Box<Vec<u32>>),
}

const NOBODY: u32 = u32::MAX;

impl Default for PodSlices {
    fn default() -> Self {
        Self::Few([NOBODY; 2])
    }
}

impl PodSlices {
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let numbers: &[u32] = match self {
            Self::Few(numbers) => numbers,
            Self::Many(numbers) => numbers,
        };
        numbers.iter().copied().filter(|number| *number != NOBODY)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub(super) fn insert(&mut self, slice: u32) {
        if self.iter().any(|number| number == slice) {
            return;
        }
        match self {
            Self::Few([free, _] | [_, free]) if *free == NOBODY => *free = slice,
            Self::Few(numbers) => {
                let [one, two] = *numbers;
                *self = Self::Many(Box::new(alloc::vec![one, two, slice]));
            }
            Self::Many(numbers) => numbers.push(slice),
        }
    }

    pub(super) fn remove(&mut self, slice: u32) {
        match self {
            Self::Few(numbers) => {
                for number in numbers.iter_mut().filter(|number| **number == slice) {
                    *number = NOBODY;
                }
            }
            Self::Many(numbers) => {
                numbers.retain(|number| *number != slice);
                if numbers.is_empty() {
                    *self = Self::default();
                }
            }
        }
    }
}
