//! Sorting and maps in key order, compiled once.
//!
//! The standard library's sort is some five kilobytes of wasm for each type and comparison it is used with, and its
//! `BTreeMap` two to four for each pair of types; the module pays for each. Here one sort of indices serves all, and
//! what is kept in key order is a sorted `Vec`.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use serde::ser::{Serialize, Serializer};

/// Sorts items, equal ones staying in their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let at = |index: u32| items.get(index as usize);
    let order = sorted_order(items.len(), &|a, b| match (at(a), at(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    arrange(order, &mut |a, b| items.swap(a, b));
}

/// Sorts items by their own order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The items in their own order, each once.
pub fn sorted_unique<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    sort(&mut items);
    items.dedup();
    items
}

/// Which item belongs at each place; empty if all are in order already.
#[inline(never)]
fn sorted_order(count: usize, compare: &dyn Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    if order.is_sorted_by(|a, b| compare(*a, *b) != Ordering::Greater) {
        return Vec::new();
    }
    sort_indices(&mut order, compare);
    order
}

/// Puts items where they belong, along the cycles of the permutation.
#[inline(never)]
fn arrange(mut order: Vec<u32>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while let Some(from) = order.get_mut(place) {
            let from = std::mem::replace(from, place as u32) as usize;
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

/// The one sort of the module.
#[inline(never)]
pub(super) fn sort_indices(order: &mut [u32], compare: &dyn Fn(u32, u32) -> Ordering) {
    order.sort_by(|a, b| compare(*a, *b));
}

/// A hash that is the same everywhere, of texts in this order.
#[inline(never)]
pub fn hash(texts: &[&[u8]]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    for text in texts {
        hasher.write_usize(text.len());
        hasher.write(text);
    }
    hasher.finish()
}

/// Values by key, several under one key, those in the order they came. Made at once, then only read.
#[derive(Debug)]
pub struct Grouped<K, V>(Vec<(K, V)>);

impl<K, V> Default for Grouped<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> Grouped<K, V> {
    /// Groups values.
    pub fn new(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        Self::of_entries(entries.into_iter().collect())
    }

    #[inline(never)]
    fn of_entries(mut entries: Vec<(K, V)>) -> Self {
        sort_by(&mut entries, |a, b| a.0.cmp(&b.0));
        Self(entries)
    }

    /// The values under a key, with it.
    #[inline(never)]
    pub fn of<Q: Ord + ?Sized>(&self, key: &Q) -> &[(K, V)]
    where
        K: Borrow<Q>,
    {
        let start = self.0.partition_point(|entry| entry.0.borrow() < key);
        let rest = self.0.get(start..).unwrap_or_default();
        let count = rest.partition_point(|entry| entry.0.borrow() == key);
        rest.get(..count).unwrap_or_default()
    }

    /// All values with their keys, key by key.
    pub fn groups(&self) -> impl Iterator<Item = &[(K, V)]> {
        self.0.chunk_by(|a, b| a.0 == b.0)
    }

    /// The keys, in order, each once.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.groups()
            .filter_map(|group| group.first().map(|(key, _)| key))
    }
}

/// A map in key order, for few keys: one that comes out of order moves all behind it.
///
/// In JSON an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Makes a map; `merge` puts the later value of an equal key, which is dropped then, into the earlier one.
    pub fn merged(
        entries: impl IntoIterator<Item = (K, V)>,
        merge: impl Fn(&mut V, &mut V),
    ) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            sort_by(&mut entries, |a, b| a.0.cmp(&b.0));
            entries.dedup_by(|later, kept| {
                let is_same = later.0 == kept.0;
                if is_same {
                    merge(&mut kept.1, &mut later.1);
                }
                is_same
            });
        }
        Self(entries)
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// Is the key there?
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets a value; the old one is returned.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(place) => {
                let (_, old) = self.0.get_mut(place)?;
                Some(std::mem::replace(old, value))
            }
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// The value of a key, which is put in if it is not there.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let place = self.find(&key).unwrap_or_else(|place| {
            self.0.insert(place, (key, V::default()));
            place
        });
        #[expect(clippy::indexing_slicing, reason = "found or put in just now")]
        &mut self.0[place].1
    }

    /// Takes a value out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        Some(self.0.remove(place).1)
    }

    #[inline(never)]
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|entry| entry.0.borrow().cmp(key))
    }
}

impl<K, V> SortedMap<K, V> {
    /// Keys and values, in key order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The values, in key order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many keys there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    /// Of equal keys the last counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::merged(entries, |kept, later| std::mem::swap(kept, later))
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_stable() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, [(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
        let mut names = vec!["b", "", "a"];
        sort(&mut names);
        assert_eq!(names, ["", "a", "b"]);
        assert_eq!(sorted_unique([3, 1, 3, 2, 1]), [1, 2, 3]);
    }

    #[test]
    fn every_permutation_is_sorted() {
        let mut orders = vec![vec![0]];
        for next in 1..6 {
            let longer = |order: &Vec<i32>| -> Vec<_> {
                let at = |place| {
                    let mut order = order.clone();
                    order.insert(place, next);
                    order
                };
                (0..=order.len()).map(at).collect()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        assert_eq!(orders.len(), 720);
        for mut order in orders {
            sort(&mut order);
            assert_eq!(order, [0, 1, 2, 3, 4, 5]);
        }
    }

    #[test]
    fn values_are_found_under_their_keys() {
        let grouped = Grouped::new([("b", 1), ("a", 2), ("b", 0), ("c", 3)]);
        assert_eq!(grouped.of("b"), [("b", 1), ("b", 0)]);
        assert_eq!(grouped.of("aa"), []);
        assert_eq!(grouped.of("d"), []);
        assert_eq!(grouped.keys().collect::<Vec<_>>(), [&"a", &"b", &"c"]);
    }

    #[test]
    fn a_map_keeps_its_keys_in_order() {
        let mut map = SortedMap::default();
        *map.or_default("b") += 1;
        *map.or_default("b") += 1;
        assert_eq!((map.insert("a", 5), map.insert("a", 6)), (None, Some(5)));
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&"a", &6), (&"b", &2)]);
        assert_eq!((map.remove("a"), map.remove("x"), map.get("b")), (Some(6), None, Some(&2)));
        let map: SortedMap<_, _> = [("z", 1), ("a", 2), ("z", 3)].into_iter().collect();
        assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":2,"z":3}"#);
        assert_eq!(serde_json::to_string(&SortedMap::<&str, i64>::default()).unwrap(), "{}");
    }
}
