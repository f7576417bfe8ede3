//! Sorting, compiled once.
//!
//! The standard library's sort is some five kilobytes of wasm for each type and comparison it is used with, and the
//! module pays for each. Here one sort of indices serves all; moving the items afterwards is little code.

use std::cmp::Ordering;

/// Sorts items, equal ones staying in their order.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    if items.is_sorted_by(|a, b| compare(a, b) != Ordering::Greater) {
        return;
    }
    let mut order: Vec<u32> = (0..).zip(items.iter()).map(|(index, _)| index).collect();
    let at = |index: u32| items.get(index as usize);
    sort_indices(&mut order, &|a, b| match (at(a), at(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(
        order
            .into_iter()
            .filter_map(|index| taken.get_mut(index as usize)?.take()),
    );
}

/// Sorts items by their own order.
pub fn sort<T: Ord>(items: &mut Vec<T>) {
    sort_by(items, T::cmp);
}

/// The items in their own order, each once.
pub fn sorted_unique<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    sort(&mut items);
    items.dedup();
    items
}

/// The one sort of the module.
#[inline(never)]
pub(super) fn sort_indices(order: &mut [u32], compare: &dyn Fn(u32, u32) -> Ordering) {
    order.sort_by(|a, b| compare(*a, *b));
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
}
