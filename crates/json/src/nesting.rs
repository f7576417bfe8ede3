//! The objects and arrays around a place, as bits.

use alloc::vec::Vec;

use super::reader::JsonContainer;

/// A stack of containers that takes one bit each. The last 63 need no allocation.
pub struct Nesting {
    /// The last ones, behind a bit that marks the first of them.
    last: u64,
    /// Those before, in full words.
    before: Vec<u64>,
}

/// A word with a mark and no containers.
const EMPTY: u64 = 1;
/// The mark of a word with 63 containers.
const FULL: u64 = 1 << 63;

impl Default for Nesting {
    fn default() -> Self {
        Self {
            last: EMPTY,
            before: Vec::new(),
        }
    }
}

impl Nesting {
    /// Opens another one.
    #[inline]
    pub fn push(&mut self, container: JsonContainer) {
        if self.last & FULL != 0 {
            self.before.push(self.last);
            self.last = EMPTY;
        }
        self.last = self.last << 1 | u64::from(container == JsonContainer::Object);
    }

    /// Closes the last one; `None` if none is open.
    #[inline]
    pub fn pop(&mut self) -> Option<JsonContainer> {
        if self.last == EMPTY {
            self.last = self.before.pop()?;
        }
        let is_object = self.last & 1 != 0;
        self.last >>= 1;
        Some(match is_object {
            true => JsonContainer::Object,
            false => JsonContainer::Array,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_opened_last_is_closed_first() {
        let kind = |number: usize| match number.is_multiple_of(3) || number.is_multiple_of(7) {
            true => JsonContainer::Object,
            false => JsonContainer::Array,
        };
        for count in [0, 1, 62, 63, 64, 126, 127, 1000] {
            let mut nesting = Nesting::default();
            (0..count).for_each(|number| nesting.push(kind(number)));
            assert!(nesting.before.len() <= count / 63, "{count}");
            for number in (0..count).rev() {
                assert_eq!(nesting.pop(), Some(kind(number)), "{number} of {count}");
                nesting.push(kind(number));
                assert_eq!(nesting.pop(), Some(kind(number)), "{number} of {count}");
            }
            assert_eq!(nesting.pop(), None, "{count}");
        }
    }
}
