//! The name that was most likely meant: the nearest by optimal string alignment (insert, delete, replace, swap).

use alloc::vec::Vec;

/// Names and labels are shorter; anything longer is not a typo.
const LONGEST: usize = 253;

/// The candidate nearest to `wanted`, if it is near enough for a typo; among equals the first one.
pub fn nearest<'c>(wanted: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let mut most = most_slips(wanted)?;
    let mut found = None;
    let mut alignment = Alignment::new(wanted);
    for candidate in candidates {
        let is_far = wanted.len().abs_diff(candidate.len()) > most;
        if is_far || candidate.is_empty() || *candidate == wanted {
            continue;
        }
        alignment.truncate(0);
        candidate.bytes().for_each(|byte| alignment.push(byte));
        let slips = alignment.slips();
        if slips < most || (slips == most && found.is_none()) {
            most = slips;
            found = Some(*candidate);
        }
    }
    found
}

/// All candidates that are near enough for a typo. They must be sorted: a beginning that is too far is looked at once.
#[doc(hidden)]
pub fn all_near<'c>(wanted: &str, sorted: &[&'c str]) -> Vec<&'c str> {
    let mut near = Vec::new();
    let Some(most) = most_slips(wanted) else {
        return near;
    };
    let mut alignment = Alignment::new(wanted);
    let mut rest = sorted;
    while let [candidate, others @ ..] = rest {
        rest = others;
        let bytes = candidate.as_bytes();
        let shared = alignment.text.iter().zip(bytes);
        let shared = shared.take_while(|(one, other)| one == other).count();
        alignment.truncate(shared);
        let mut added = bytes.iter().skip(shared);
        let is_lost = added.any(|byte| {
            alignment.push(*byte);
            alignment.is_beyond(most)
        });
        if is_lost {
            let begins = |other: &&str| other.as_bytes().starts_with(&alignment.text);
            let lost = others.partition_point(begins);
            rest = others.get(lost..).unwrap_or_default();
        } else if alignment.slips() <= most && !bytes.is_empty() && *candidate != wanted {
            near.push(*candidate);
        }
    }
    near
}

/// How many slips a typo may have; `None` if the text is too long for one.
fn most_slips(wanted: &str) -> Option<usize> {
    (wanted.len() <= LONGEST).then(|| (wanted.len() / 3).clamp(1, 3))
}

/// The number of edits that turn a text into the wanted one, byte by byte.
struct Alignment<'w> {
    wanted: &'w [u8],
    text: Vec<u8>,
    /// A row for each beginning of the text, with the edits to each beginning of what is wanted.
    rows: Vec<usize>,
}

impl<'w> Alignment<'w> {
    fn new(wanted: &'w str) -> Self {
        Self {
            wanted: wanted.as_bytes(),
            text: Vec::new(),
            rows: (0..=wanted.len()).collect(),
        }
    }

    const fn width(&self) -> usize {
        self.wanted.len() + 1
    }

    fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        self.rows.truncate((length + 1) * self.width());
    }

    fn push(&mut self, here: u8) {
        let (width, row) = (self.width(), self.text.len() + 1);
        let before = self.text.last().copied();
        self.text.push(here);
        let mut last = None;
        for column in 0..width {
            let at = |up: usize, left: usize| {
                let place = (row - up) * width + column - left;
                self.rows.get(place).copied().unwrap_or_default()
            };
            let there = self.wanted.get(column.wrapping_sub(1)).copied();
            let slips = if column == 0 {
                row
            } else {
                let best = (at(1, 1) + usize::from(there != Some(here)))
                    .min(at(1, 0) + 1)
                    .min(at(0, 1) + 1);
                let is_swap = before.is_some() && before == there && last == Some(here);
                if is_swap {
                    best.min(at(2, 2) + 1)
                } else {
                    best
                }
            };
            self.rows.push(slips);
            last = there;
        }
    }

    /// The edits between the whole texts.
    fn slips(&self) -> usize {
        self.rows.last().copied().unwrap_or_default()
    }

    /// Does whatever begins with this text need more edits? A swap may begin at the row before the last.
    fn is_beyond(&self, most: usize) -> bool {
        let mut rows = self.rows.rchunks(self.width());
        let mut least = || rows.next().and_then(|row| row.iter().min());
        least().is_none_or(|least| *least > most) && least().is_none_or(|least| *least >= most)
    }
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

    #[test]
    fn all_that_are_near_are_those_that_are_near_alone() {
        let parts = ["", "a", "b", "ab", "ba", "abc", "web", "wbe", "1", "12"];
        let mut texts = Vec::new();
        for one in parts {
            for other in parts {
                texts.extend(parts.map(|last| format!("{one}{other}{last}")));
            }
        }
        let sorted = crate::model::order::sorted_unique(texts.iter().map(String::as_str));
        for wanted in &sorted {
            let alone = sorted.iter().copied();
            let alone: Vec<&str> = alone
                .filter(|candidate| nearest(wanted, &[candidate]).is_some())
                .collect();
            assert_eq!(all_near(wanted, &sorted), alone, "{wanted}");
        }
    }
}
