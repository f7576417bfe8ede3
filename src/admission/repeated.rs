//! Keys given twice, and half surrogate pairs: what JSON decoders read differently, and so nobody may send.
//!
//! Typed decoding notices a repeated key only where it looks. What it passes over is judged by others (the API
//! server, the next webhook), so the whole text is held to one reading. The text must be valid JSON otherwise.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::Reader;
use crate::model::order::sort;

/// What is ambiguous about a text, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ambiguity {
    /// A key that its object already has.
    RepeatedKey(String, usize),
    /// A `\u` escape of half a surrogate pair.
    HalfSurrogate(usize),
}

/// The first ambiguity in a valid JSON text.
pub fn find(text: &str) -> Option<Ambiguity> {
    let mut walk = Walk {
        text,
        open: Vec::new(),
        keys: Vec::new(),
        wants_key: false,
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let (end, has_escape) = end_of_string(bytes, at + 1)?;
                if (has_escape || walk.wants_key)
                    && let Some(ambiguity) = walk.string(at, end, has_escape)
                {
                    return Some(ambiguity);
                }
                at = end;
            }
            b'{' => {
                walk.open.push(Some(walk.keys.len()));
                walk.wants_key = true;
            }
            b'[' => {
                walk.open.push(None);
                walk.wants_key = false;
            }
            b'}' | b']' => {
                if let Some(ambiguity) = walk.close() {
                    return Some(ambiguity);
                }
            }
            b',' => walk.wants_key = matches!(walk.open.last(), Some(Some(_))),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The place of the closing quote of a string whose text starts at `from`, and whether there is an escape in it.
fn end_of_string(bytes: &[u8], mut from: usize) -> Option<(usize, bool)> {
    let mut has_escape = false;
    loop {
        let rest = bytes.get(from..)?;
        let stop = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if rest.get(stop) == Some(&b'"') {
            return Some((from + stop, has_escape));
        }
        has_escape = true;
        from += stop + 2;
    }
}

struct Walk<'t> {
    text: &'t str,
    /// Open brackets; for objects, where their keys start in `keys`.
    open: Vec<Option<usize>>,
    keys: Vec<(Cow<'t, str>, usize)>,
    wants_key: bool,
}

impl<'t> Walk<'t> {
    /// A string from its opening to its closing quote.
    fn string(&mut self, start: usize, end: usize, has_escape: bool) -> Option<Ambiguity> {
        let raw = self.text.get(start + 1..end)?;
        if has_escape && let Some(place) = half_surrogate(raw) {
            return Some(Ambiguity::HalfSurrogate(start + 1 + place));
        }
        if core::mem::replace(&mut self.wants_key, false) {
            let key = if has_escape {
                Reader::new(self.text.get(start..=end)?).string().ok()?
            } else {
                Cow::Borrowed(raw)
            };
            self.keys.push((key, start));
        }
        None
    }

    fn close(&mut self) -> Option<Ambiguity> {
        let first = self.open.pop()??;
        let repeated = repeated(self.keys.get(first..)?);
        self.keys.truncate(first);
        repeated
    }
}

fn repeated(keys: &[(Cow<'_, str>, usize)]) -> Option<Ambiguity> {
    /// Up to here comparing all pairs is faster than sorting.
    const FEW: usize = 12;
    let ambiguity = |key: &str, place: usize| Ambiguity::RepeatedKey(key.to_owned(), place);
    if keys.len() <= FEW {
        let mut rest = keys;
        while let Some(((key, _), later)) = rest.split_first() {
            if let Some((_, place)) = later.iter().find(|(other, _)| other == key) {
                return Some(ambiguity(key, *place));
            }
            rest = later;
        }
        return None;
    }
    let mut sorted: Vec<_> = keys.iter().collect();
    sort(&mut sorted);
    let twice = sorted.windows(2).filter_map(|pair| match pair {
        [(one, _), (other, place)] if one == other => Some((*place, one)),
        _ => None,
    });
    twice.min().map(|(place, key)| ambiguity(key, place))
}

/// Where a string with escapes holds half a surrogate pair.
fn half_surrogate(raw: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(offset) = raw.get(from..)?.find('\\') {
        let place = from + offset;
        match code_unit(raw, place) {
            None => from = place + 2,
            Some(0xd800..=0xdbff) => {
                if !matches!(code_unit(raw, place + 6), Some(0xdc00..=0xdfff)) {
                    return Some(place);
                }
                from = place + 12;
            }
            Some(0xdc00..=0xdfff) => return Some(place),
            Some(_) => from = place + 6,
        }
    }
    None
}

/// The code unit of a `\u` escape, if there is one at this place.
fn code_unit(raw: &str, place: usize) -> Option<u32> {
    let digits = raw.get(place..)?.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: impl Into<Option<Ambiguity>>) {
        assert!(
            serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok(),
            "{text} is meant to be JSON"
        );
        assert_eq!(find(text), expected.into(), "{text}");
    }

    fn key(key: &str, place: usize) -> Option<Ambiguity> {
        Some(Ambiguity::RepeatedKey(key.to_owned(), place))
    }

    #[test]
    fn repeated_keys() {
        check(r#"{"a":1,"b":2}"#, None);
        check(r#"{"a":1,"a":2}"#, key("a", 7));
        check(r#"{"a":1,"\u0061":2}"#, key("a", 7));
        check(r#"[{"a":1},{"a":1}]"#, None);
        check(r#"{"a":{"a":1},"b":["a","a"]}"#, None);
        check(r#"{"x":{"b":1,"c":[{}],"b":{}}}"#, key("b", 21));
        check(r#"{"a":"a\"","b":{"a":"{"},"c":",\"a\":"}"#, None);
        check("{ \"a\" : 1 ,\n \"a\" : 2 }", key("a", 13));
        check("\"a\"", None);
    }

    #[test]
    fn repeated_keys_among_many() {
        let many = |last: &str| {
            let keys: Vec<String> = (0..40)
                .map(|number| format!("\"k{number}\":{number}"))
                .collect();
            format!("{{{},\"{last}\":0}}", keys.join(","))
        };
        check(&many("k40"), None);
        let text = many("k7");
        check(&text, key("k7", text.rfind("\"k7\"").unwrap()));
    }

    #[test]
    fn half_surrogates() {
        check(r#"{"a":"\ud83d\ude00"}"#, None);
        check(r#"{"a":"\\ud83d"}"#, None);
        check(r#"{"a":"x\n\ud83d"}"#, Some(Ambiguity::HalfSurrogate(9)));
        check(r#"{"a":"\ude00"}"#, Some(Ambiguity::HalfSurrogate(6)));
        check(r#"{"\ud83dx":1}"#, Some(Ambiguity::HalfSurrogate(2)));
        check(r#"["\ud83d\u0041"]"#, Some(Ambiguity::HalfSurrogate(2)));
    }
}
