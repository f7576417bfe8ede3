//! The name that was most likely meant: the nearest by optimal string alignment (insert, delete, replace, swap).

use alloc::vec::Vec;

/// Names and labels are shorter; anything longer is not a typo.
const LONGEST: usize = 253;

/// The candidate nearest to `wanted`, if it is near enough for a typo; among equals the first one.
pub fn nearest<'c>(wanted: &str, candidates: &[&'c str]) -> Option<&'c str> {
    if wanted.len() > LONGEST {
        return None;
    }
    let mut most = (wanted.len() / 3).clamp(1, 3);
    let mut found = None;
    for candidate in candidates {
        let is_far = wanted.len().abs_diff(candidate.len()) > most;
        if is_far || candidate.is_empty() || *candidate == wanted {
            continue;
        }
        let slips = distance(wanted.as_bytes(), candidate.as_bytes());
        if slips < most || (slips == most && found.is_none()) {
            most = slips;
            found = Some(*candidate);
        }
    }
    found
}

/// The number of edits that turn one text into the other.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let width = other.len() + 1;
    let mut slips: Vec<usize> = Vec::with_capacity((one.len() + 1) * width);
    for row in 0..=one.len() {
        for column in 0..width {
            let byte =
                |text: &[u8], back: usize, end: usize| text.get(end.wrapping_sub(back)).copied();
            let at = |up: usize, left: usize| {
                let place = (row - up) * width + column - left;
                slips.get(place).copied().unwrap_or_default()
            };
            slips.push(if row == 0 || column == 0 {
                row + column
            } else {
                let (here, there) = (byte(one, 1, row), byte(other, 1, column));
                let best = (at(1, 1) + usize::from(here != there))
                    .min(at(1, 0) + 1)
                    .min(at(0, 1) + 1);
                let is_swap = row > 1
                    && column > 1
                    && here == byte(other, 2, column)
                    && there == byte(one, 2, row);
                if is_swap {
                    best.min(at(2, 2) + 1)
                } else {
                    best
                }
            });
        }
    }
    slips.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(wanted, candidates), expected, "{wanted}");
    }

    #[test]
    fn slips() {
        check("crat", &["catalog", "cart", "payments"], Some("cart"));
        check("car", &["cart"], Some("cart"));
        check("cartt", &["cart"], Some("cart"));
        check("cart-v3", &["cart-v1", "cart-v2"], Some("cart-v1"));
        check("paymnets", &["payments"], Some("payments"));
        check("htp", &["http", "https"], Some("http"));
        check("https", &["htp", "http", "xttps"], Some("http"));
    }

    #[test]
    fn not_slips() {
        check("cart", &["catalog"], None);
        check("ab", &["xy"], None);
        check("", &["x", ""], Some("x"));
        check("cart", &["cart"], None);
        check("x", &[], None);
        let long = "x".repeat(300);
        check(&long, &[&format!("{long}y")], None);
    }
}
