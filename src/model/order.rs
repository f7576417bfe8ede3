//! Sorting and maps in key order, compiled once.
//!
//! The standard library's sort takes some five kilobytes of wasm for each type and comparison, and its `BTreeMap` two
//! to four for each pair of types. Here a single small sort of indices serves all types, and maps are sorted `Vec`s.

use alloc::borrow::Borrow;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{BuildHasher, Hasher};

use rustc_hash::FxBuildHasher;
use serde::ser::{Serialize, Serializer};

/// Sorts items stably.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let count = items.len() as u32;
    if count < 2 {
        return;
    }
    sort_items(count, &mut Sorting { items, compare });
}

struct Sorting<'i, T, F> {
    items: &'i mut [T],
    compare: F,
}

impl<T, F: Fn(&T, &T) -> Ordering> Compare for Sorting<'_, T, F> {
    fn compare(&self, a: u32, b: u32) -> Ordering {
        match (self.items.get(a as usize), self.items.get(b as usize)) {
            (Some(a), Some(b)) => (self.compare)(a, b),
            _ => Ordering::Equal,
        }
    }
}

impl<T, F: Fn(&T, &T) -> Ordering> SortItems for Sorting<'_, T, F> {
    fn swap(&mut self, a: u32, b: u32) {
        self.items.swap(a as usize, b as usize);
    }
}

/// Sorts items by their own order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The items, sorted and without duplicates.
pub fn sorted_unique<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    unique(items.into_iter().collect())
}

#[inline(never)]
fn unique<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    sort(&mut items);
    items.dedup();
    items
}

/// A map or a set of the items, inserted one by one: `collect` sorts them first.
pub fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

/// Items as the sort sees them. (`dyn Fn` would do, but adds unused functions to the module.)
pub(super) trait Compare {
    /// Compares two items by index.
    fn compare(&self, a: u32, b: u32) -> Ordering;
}

trait SortItems: Compare {
    fn swap(&mut self, a: u32, b: u32);
}

#[inline(never)]
fn sort_items(count: u32, items: &mut dyn SortItems) {
    /// So few are put in order where they are.
    const FEW: u32 = 8;
    if count <= FEW {
        for next in 1..count {
            let mut place = next;
            while place > 0 && items.compare(place - 1, place) == Ordering::Greater {
                items.swap(place - 1, place);
                place -= 1;
            }
        }
        return;
    }
    let is_before = |a: &u32, b: &u32| items.compare(*a, *b) != Ordering::Greater;
    let mut order: Vec<u32> = (0..count).collect();
    if order.is_sorted_by(is_before) {
        return;
    }
    sort_indices(&mut order, items);
    // Moves each item to its place, along the cycles of the permutation.
    for start in 0..count {
        let mut place = start;
        while let Some(from) = order.get_mut(place as usize) {
            let from = core::mem::replace(from, place);
            if from == start {
                break;
            }
            items.swap(place, from);
            place = from;
        }
    }
}

/// The only sort of the module: merges runs of one, two, four and so on, until one is left.
#[inline(never)]
pub(super) fn sort_indices(order: &mut [u32], items: &dyn Compare) {
    let is_after = |a: &u32, b: &u32| items.compare(*a, *b) == Ordering::Greater;
    let mut from = order.to_vec();
    let mut run = 1;
    while run < order.len() {
        for (pair, merged) in from.chunks(2 * run).zip(order.chunks_mut(2 * run)) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            if let (Some(last), Some(first)) = (left.last(), right.first())
                && !is_after(last, first)
            {
                merged.copy_from_slice(pair);
                continue;
            }
            for place in merged {
                let takes_right = match (left.first(), right.first()) {
                    (Some(left), Some(right)) => is_after(left, right),
                    (left, _) => left.is_none(),
                };
                let next = if takes_right { &mut right } else { &mut left };
                if let Some((first, rest)) = next.split_first() {
                    (*place, *next) = (*first, rest);
                }
            }
        }
        from.copy_from_slice(order);
        run *= 2;
    }
}

/// A platform-independent hash of texts in this order.
#[inline(never)]
pub fn hash(texts: &[&[u8]]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    for text in texts {
        hasher.write_usize(text.len());
        hasher.write(text);
    }
    hasher.finish()
}

/// Values grouped by key, in their original order within a key. Built at once, then only read.
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

    /// The entries with a key.
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

    /// All entries, one group per key.
    pub fn groups(&self) -> impl Iterator<Item = &[(K, V)]> {
        self.0.chunk_by(|a, b| a.0 == b.0)
    }

    /// The keys, sorted and without duplicates.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.groups()
            .filter_map(|group| group.first().map(|(key, _)| key))
    }
}

/// A sorted map for few keys: inserting out of order moves everything after it.
///
/// Written as a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Builds a map; for equal keys, `merge` combines the later value into the earlier one, and the later one is
    /// dropped.
    pub fn merged(
        entries: impl IntoIterator<Item = (K, V)>,
        merge: impl Fn(&mut V, &mut V),
    ) -> Self {
        Self::settled(entries.into_iter().collect(), merge)
    }

    #[inline(never)]
    fn settled(mut entries: Vec<(K, V)>, merge: impl Fn(&mut V, &mut V)) -> Self {
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

    /// Builds a map of distinct keys; a duplicate key is the error.
    pub fn of_distinct(mut entries: Vec<(K, V)>) -> Result<Self, K> {
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            sort_by(&mut entries, |a, b| a.0.cmp(&b.0));
            let others = entries.iter().skip(1);
            let repeated = entries.iter().zip(others).position(|(a, b)| a.0 == b.0);
            if let Some(place) = repeated {
                return Err(entries.swap_remove(place).0);
            }
        }
        Ok(Self(entries))
    }

    /// The value for a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The mutable value for a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// Does the key exist?
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets a value and returns the old one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(place) => {
                let (_, old) = self.0.get_mut(place)?;
                Some(core::mem::replace(old, value))
            }
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// The value for a key, which is inserted if it does not exist.
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

    /// Keeps the keys for which `holds` returns true.
    pub fn retain(&mut self, holds: impl Fn(&K) -> bool) {
        self.0.retain(|(key, _)| holds(key));
    }

    /// Removes a value.
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
    /// Keys and values, sorted by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The values, sorted by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The mutable values, sorted by key.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The number of keys.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Is the map empty?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    /// If keys are equal, the last one counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::merged(entries, core::mem::swap)
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = alloc::vec::IntoIter<(K, V)>;

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
    fn long_lists_are_sorted_as_by_the_standard_library() {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        };
        for count in (0..70).chain([1_000, 1_025]) {
            let mut items: Vec<(u32, usize)> = (0..count).map(|place| (next(), place)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, |a, b| a.0.cmp(&b.0));
            assert_eq!(items, expected);
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
        assert_eq!(
            (map.remove("a"), map.remove("x"), map.get("b")),
            (Some(6), None, Some(&2))
        );
        let map: SortedMap<_, _> = [("z", 1), ("a", 2), ("z", 3)].into_iter().collect();
        assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":2,"z":3}"#);
        assert_eq!(
            serde_json::to_string(&SortedMap::<&str, i64>::default()).unwrap(),
            "{}"
        );
    }
}
