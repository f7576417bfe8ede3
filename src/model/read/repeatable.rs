//! Lists that are likely to occur twice in a text, such as those of an object before and after a change.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use super::{Field, Grow, Nothing, Object, Slot};

/// A list that remembers the text of its items. Another list may start from it: if the text of an item equals that of
/// the item at the same index, the item is reused instead of being read.
#[derive(Clone)]
pub struct Repeatable<'a, T> {
    /// The items read so far, followed by candidates for the next ones.
    items: Vec<T>,
    /// Their texts; empty for items that did not come from text.
    texts: Vec<&'a str>,
    read: usize,
}

impl<T> Default for Repeatable<'_, T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            texts: Vec::new(),
            read: 0,
        }
    }
}

impl<T: Clone> Repeatable<'_, T> {
    /// An empty list that may reuse the items of this one.
    pub fn to_repeat(&self) -> Self {
        let texts = self.texts.iter().take(self.read);
        Self {
            items: self.to_vec(),
            texts: texts.copied().collect(),
            read: 0,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Repeatable<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T> Deref for Repeatable<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items.get(..self.read).unwrap_or_default()
    }
}

impl<'a, T: Object<'a> + Default> Grow<'a> for Repeatable<'a, T> {
    fn begin(&mut self) {
        self.read = 0;
    }

    fn grow(&mut self) -> &mut dyn Object<'a> {
        let place = self.read;
        self.read += 1;
        match self.items.get_mut(place) {
            Some(item) => *item = T::default(),
            None => self.items.push(T::default()),
        }
        match self.items.get_mut(place) {
            Some(item) => item,
            // Unreachable; and a value without a size allocates nothing.
            None => Box::leak(Box::new(Nothing)),
        }
    }

    fn known(&self) -> Option<&'a str> {
        self.texts.get(self.read).copied()
    }

    fn repeat(&mut self) {
        self.read += 1;
    }

    fn note(&mut self, text: &'a str) {
        let (place, count) = (self.read.saturating_sub(1), self.texts.len());
        match self.texts.get_mut(place) {
            Some(known) => *known = text,
            None if place == count => self.texts.push(text),
            None => {}
        }
    }
}

impl<'a, T: Object<'a> + Default> Field<'a> for Repeatable<'a, T> {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::List(self)
    }
}
