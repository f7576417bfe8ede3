//! Numbers and lists as sentences have them.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

/// `1 endpoint`, `2 endpoints`, `2 addresses`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    format!("{number} {}", plural(number, what))
}

/// `1 endpoint`, `12,345 endpoints`.
pub fn counted_in_thousands(number: u64, what: &str) -> String {
    format!("{} {}", grouped(number), plural(number, what))
}

/// `endpoint` if the number is 1, `endpoints` otherwise.
fn plural<N: Copy + PartialEq + From<u8>>(number: N, what: &str) -> Cow<'_, str> {
    if number == N::from(1) {
        return what.into();
    }
    let ending = if what.ends_with('s') { "es" } else { "s" };
    format!("{what}{ending}").into()
}

/// `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `33.3 %` with one decimal.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{:.decimals$} %", share * 100.0)
}

/// `a`, `a and b`, `a, b and c`; `a, b and 4 more` if at most two are named.
pub fn listed<T: AsRef<str>>(names: &[T], and: &str, most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let hidden = names.len() - shown.len();
    match shown.split_last() {
        None => String::new(),
        Some(_) if hidden > 0 => format!("{} {and} {hidden} more", shown.join(", ")),
        Some((only, [])) => (*only).to_string(),
        Some((last, before)) => format!("{} {and} {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(counted(1_usize, "endpoint"), "1 endpoint");
        assert_eq!(counted(0_i64, "address"), "0 addresses");
        assert_eq!(counted_in_thousands(1234, "pod"), "1,234 pods");
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(percent(1.0 / 3.0, 1), "33.3 %");
        assert_eq!(percent(0.5, 0), "50 %");
    }

    #[test]
    fn lists() {
        for (names, expected) in [
            (&[][..], ""),
            (&["a"], "a"),
            (&["a", "b"], "a and b"),
            (&["a", "b", "c"], "a, b and c"),
            (&["a", "b", "c", "d"], "a, b, c and 1 more"),
        ] {
            assert_eq!(listed(names, "and", 3), expected);
        }
        assert_eq!(listed(&["a", "b"], "or", 3), "a or b");
    }
}
