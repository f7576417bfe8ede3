//! The name a person most likely meant: nearest by optimal string alignment (insert, delete, replace, swap).

use alloc::vec;
use alloc::vec::Vec;

/// The candidate nearest to `wanted`, if any is near enough to be a slip of the keyboard; of equals the first in order.
pub fn nearest<'c>(wanted: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (wanted.chars().count() / 3).clamp(1, 3);
    let near = candidates
        .into_iter()
        .filter(|candidate| !candidate.is_empty() && *candidate != wanted);
    near.filter_map(|candidate| Some((distance(wanted, candidate, limit)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many slips make one text of the other; `None` when more than `limit`.
fn distance(one: &str, other: &str, limit: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().collect();
    if one.chars().count().abs_diff(other.len()) > limit {
        return None;
    }
    let mut two_above: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    let mut last = None;
    for (row, here) in (1_usize..).zip(one.chars()) {
        let mut current = vec![row];
        let mut left_of_there = None;
        for (column, there) in (1_usize..).zip(other.iter().copied()) {
            let at =
                |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&above, column - 1) + usize::from(here != there);
            let mut best = replaced
                .min(at(&above, column) + 1)
                .min(at(&current, column - 1) + 1);
            if column > 1 && last == Some(there) && left_of_there == Some(here) {
                best = best.min(at(&two_above, column - 2) + 1);
            }
            current.push(best);
            left_of_there = Some(there);
        }
        last = Some(here);
        two_above = core::mem::replace(&mut above, current);
    }
    above.last().copied().filter(|slips| *slips <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(
            nearest(wanted, candidates.iter().copied()),
            expected,
            "{wanted}"
        );
    }

    #[test]
    fn slips() {
        check("crat", &["catalog", "cart", "payments"], Some("cart"));
        check("car", &["cart"], Some("cart"));
        check("cartt", &["cart"], Some("cart"));
        check("cart-v3", &["cart-v1", "cart-v2"], Some("cart-v1"));
        check("paymnets", &["payments"], Some("payments"));
        check("htp", &["http", "https"], Some("http"));
    }

    #[test]
    fn not_slips() {
        check("cart", &["catalog"], None);
        check("ab", &["xy"], None);
        check("", &["x", ""], Some("x"));
        check("cart", &["cart"], None);
        check("x", &[], None);
    }
}
