//! Lists that usually hold one item.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use serde::ser::{Serialize, Serializer};

/// A list. A single item is stored inline: an endpoint has one address and one hint, most pods have one container, and
/// allocating and freeing a list for each of them would take longer than everything else.
#[derive(Clone)]
#[expect(clippy::exhaustive_enums, reason = "one item, or any number")]
pub enum Few<T> {
    /// One item.
    One(T),
    /// Any number of items.
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self::Many(Vec::new())
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) {
        match self {
            Self::Many(items) if items.is_empty() => *self = Self::One(item),
            Self::Many(items) => items.push(item),
            Self::One(_) => {
                let mut items = core::mem::take(self).into_vec();
                items.push(item);
                *self = Self::Many(items);
            }
        }
    }

    /// The last item, to be changed.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::One(item) => Some(item),
            Self::Many(items) => items.last_mut(),
        }
    }

    /// The items, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Self::One(item) => core::slice::from_mut(item),
            Self::Many(items) => items.as_mut_slice(),
        }
    }

    /// The items.
    pub const fn as_slice(&self) -> &[T] {
        match self {
            Self::One(item) => core::slice::from_ref(item),
            Self::Many(items) => items.as_slice(),
        }
    }

    /// The items as a heap-allocated list.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(item) => vec![item],
            Self::Many(items) => items,
        }
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Few<T> {
    /// Formats a list, wherever its items are.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(formatter)
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Eq> Eq for Few<T> {}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Many(items)
    }
}

impl<T> From<Option<T>> for Few<T> {
    fn from(item: Option<T>) -> Self {
        item.map_or_else(Self::new, Self::One)
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut few = Self::new();
        items.into_iter().for_each(|item| few.push(item));
        few
    }
}

impl<'f, T> IntoIterator for &'f Few<T> {
    type Item = &'f T;
    type IntoIter = core::slice::Iter<'f, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Serialize> Serialize for Few<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_there_are() {
        for count in 0..4 {
            let few: Few<u32> = (0..count).collect();
            let items: Vec<u32> = (0..count).collect();
            assert_eq!(few.as_slice(), items);
            assert_eq!(few, Few::from(items.clone()));
            assert_eq!(few.clone().last_mut().copied(), items.last().copied());
            assert_eq!(matches!(few, Few::One(_)), count == 1);
            assert_eq!(few.into_vec(), items);
        }
    }
}
