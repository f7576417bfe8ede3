//! Texts that many objects share, each kept once for as long as it is used.

use alloc::boxed::Box;

use super::slab::{Numbers, Slab};
use crate::model::order::hash;

/// A text that is kept once. Equal texts have equal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name(u32);

/// The texts, with how often each is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    texts: Slab<(Box<str>, u32)>,
    numbers: Numbers,
}

impl Name {
    /// The empty text; it needs no place.
    pub(super) const EMPTY: Self = Self(u32::MAX);

    pub(super) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

impl Names {
    /// The name of a text, used once more.
    pub(super) fn take(&mut self, text: &str) -> Name {
        if text.is_empty() {
            return Name::EMPTY;
        }
        let hash = hash(&[text.as_bytes()]);
        if let Some(number) = self.number(hash, text) {
            if let Some((_, uses)) = self.texts.get_mut(number) {
                *uses += 1;
            }
            return Name(number);
        }
        let number = self.texts.insert((text.into(), 1));
        self.numbers.insert(hash, number);
        Name(number)
    }

    /// One use of a name more.
    pub(super) fn again(&mut self, name: Name) {
        if let Some((_, uses)) = self.texts.get_mut(name.0) {
            *uses += 1;
        }
    }

    /// The name of a text, if it is used at all.
    pub(super) fn find(&self, text: &str) -> Option<Name> {
        if text.is_empty() {
            return Some(Name::EMPTY);
        }
        self.number(hash(&[text.as_bytes()]), text).map(Name)
    }

    fn number(&self, hash: u64, text: &str) -> Option<u32> {
        let is_it = |number| {
            self.texts
                .get(number)
                .is_some_and(|(other, _)| **other == *text)
        };
        self.numbers.find(hash, is_it)
    }

    /// One use of a name less.
    pub(super) fn release(&mut self, name: Name) {
        let Some((_, uses)) = self.texts.get_mut(name.0) else {
            return;
        };
        *uses -= 1;
        if *uses == 0
            && let Some((text, _)) = self.texts.remove(name.0)
        {
            self.numbers.remove(hash(&[text.as_bytes()]), name.0);
        }
    }

    /// The text.
    pub(super) fn text(&self, name: Name) -> &str {
        self.texts.get(name.0).map_or("", |(text, _)| text)
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}
