//! Numbers and names in words.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::model::{EndpointPort, StringMap};
use slicewise::words::listed;

/// The maximum number of names in a sentence.
pub(super) const MOST_NAMES: usize = 5;

/// `a`, `a and b`, `a, b and c`, `a, b, c, d, e and 4 more`; `none`.
pub(super) fn list<T: AsRef<str>>(names: &[T]) -> String {
    join(names, "and")
}

/// The same with `or`.
pub(super) fn either<T: AsRef<str>>(names: &[T]) -> String {
    join(names, "or")
}

fn join<T: AsRef<str>>(names: &[T], word: &str) -> String {
    if names.is_empty() {
        return "none".into();
    }
    listed(names, word, MOST_NAMES)
}

/// `a, b and c`; `a to z` if there are more than that many.
pub(super) fn ranged<T: AsRef<str>>(names: &[T], most: usize) -> String {
    match names {
        [first, .., last] if names.len() > most => {
            format!("{} to {}", first.as_ref(), last.as_ref())
        }
        few => list(few),
    }
}

/// Capitalized, as at the start of a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// `app=cart,tier=web`.
pub(super) fn pairs(labels: &StringMap<'_>) -> String {
    let pairs: Vec<String> = labels
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    pairs.join(",")
}

/// `640 bytes`, `12.3 kB`, `4.0 MB`.
pub(super) fn bytes(number: usize) -> String {
    match number as f64 {
        small if small < 1e3 => format!("{number} bytes"),
        middle if middle < 1e6 => format!("{:.1} kB", middle / 1e3),
        large if large < 1e9 => format!("{:.1} MB", large / 1e6),
        huge => format!("{:.1} GB", huge / 1e9),
    }
}

/// `http=8080 dns=53/UDP`.
pub(super) fn numbers(ports: &[EndpointPort<'_>]) -> String {
    let port = |port: &EndpointPort<'_>| {
        let name = port.name.as_deref().unwrap_or_default();
        let number = port.port.unwrap_or_default();
        let protocol = match port.protocol.as_deref() {
            None | Some("TCP") => String::new(),
            Some(other) => format!("/{other}"),
        };
        match name {
            "" => format!("{number}{protocol}"),
            name => format!("{name}={number}{protocol}"),
        }
    };
    let ports: Vec<String> = ports.iter().map(port).collect();
    if ports.is_empty() {
        "no port".to_string()
    } else {
        ports.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(
            list(&["a", "b", "c", "d", "e", "f"]),
            "a, b, c, d, e and 1 more"
        );
        assert_eq!(either(&["a", "b"]), "a or b");
        assert_eq!(list::<&str>(&[]), "none");
        let sizes = [640, 12_345, 4_000_000, 2_500_000_000].map(bytes);
        assert_eq!(sizes, ["640 bytes", "12.3 kB", "4.0 MB", "2.5 GB"]);
    }
}
