//! Duplicate keys and unpaired surrogates, which JSON decoders read differently.
//!
//! A table only notices a duplicate key among those it reads. Skipped keys are read by others (the API server, the next
//! webhook), so a reader can be configured to reject every ambiguity in a text. Keys that match the remembered layout
//! are distinct; only objects with other keys are checked.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{Class, Fault, LayoutMemory, Reader, Stop};

/// The first ambiguity in a valid JSON text. A duplicate key is reported at the end of its object.
pub fn find_ambiguity(text: &str) -> Option<Fault> {
    let mut reader = Reader::unambiguous(text, LayoutMemory::default());
    reader.skip(None).err()?;
    let fault = reader.into_fault();
    matches!(fault.class, Class::RepeatedKey | Class::HalfSurrogate).then_some(fault)
}

/// Marks the position of an object's first key: no text is that long.
const FIRST_KEY: usize = 1 << (usize::BITS - 1);

type NotedKey<'a> = (Cow<'a, str>, usize);

impl<'a> Reader<'a> {
    /// Are ambiguities rejected?
    #[inline]
    pub const fn is_held_to_one_reading(&self) -> bool {
        self.is_unambiguous
    }

    /// An object begins; returns what `end_keys` needs.
    #[inline]
    pub const fn begin_keys(&self) -> usize {
        self.keys.len()
    }

    /// A key begins here, or after whitespace.
    #[inline]
    pub fn note_key(&mut self, at: usize) {
        if self.is_held_to_one_reading() {
            self.keys.push(at);
        }
    }

    /// The object ends. Did all of its keys match the remembered layout?
    #[inline]
    pub fn end_keys(&mut self, first: usize, is_as_known: bool) -> Result<(), Stop> {
        if self.is_held_to_one_reading() {
            if !is_as_known {
                self.refuse_repeated_keys(first)?;
            }
            self.keys.truncate(first);
        }
        Ok(())
    }

    /// The same as [`Self::note_key`], where the positions themselves say where an object begins.
    #[inline]
    pub(super) fn note_skipped_key(&mut self, is_first: bool) {
        let mark = if is_first { FIRST_KEY } else { 0 };
        self.note_key(self.at | mark);
    }

    /// An object with such keys ends.
    #[inline]
    pub(super) fn end_skipped_keys(&mut self) -> Result<(), Stop> {
        if !self.is_held_to_one_reading() {
            return Ok(());
        }
        let first = self.keys.iter().rposition(|key| key & FIRST_KEY != 0);
        let first = first.unwrap_or_default();
        if let Some(key) = self.keys.get_mut(first) {
            *key &= !FIRST_KEY;
        }
        self.end_keys(first, self.keys.len() == first + 1)
    }

    #[inline(never)]
    fn refuse_repeated_keys(&mut self, first: usize) -> Result<(), Stop> {
        let places = self.keys.get(first..).unwrap_or_default();
        let keys: Vec<NotedKey<'a>> = places.iter().map(|place| self.key_at(*place)).collect();
        match repeated(&keys) {
            None => Ok(()),
            Some((key, place)) => {
                self.stop_at(
                    place + 1,
                    Class::RepeatedKey,
                    "a key appears twice in one object",
                );
                Err(self.about(key))
            }
        }
    }

    /// A skipped key, and its position.
    fn key_at(&self, at: usize) -> NotedKey<'a> {
        let mut reader = Reader::new(self.text());
        reader.at = at;
        reader.peek_token();
        let place = reader.at;
        (reader.string().unwrap_or_default(), place)
    }

    /// Stops if the code unit just read is a surrogate without its other half, which is skipped otherwise.
    pub(super) fn refuse_half(&mut self, unit: u32) -> Result<(), Stop> {
        if !self.is_held_to_one_reading() || !(0xd800..0xe000).contains(&unit) {
            return Ok(());
        }
        let behind = self.at;
        if unit < 0xdc00 && self.bytes().get(behind..behind + 2) == Some(b"\\u") {
            self.at += 2;
            if (0xdc00..0xe000).contains(&self.hex()?) {
                return Ok(());
            }
        }
        let backslash = behind - "\\uXXXX".len();
        let message = "a lone surrogate is not valid Unicode";
        Err(self.stop_at(backslash + 1, Class::HalfSurrogate, message))
    }
}

/// The first duplicate key: the first one that occurs again or, in large objects, the first one that has occurred
/// before.
fn repeated<'k>(keys: &'k [NotedKey<'_>]) -> Option<(&'k str, usize)> {
    /// Up to this size, comparing all pairs is faster than a set.
    const FEW: usize = 12;
    if keys.len() <= FEW {
        let mut rest = keys;
        while let Some(((key, _), later)) = rest.split_first() {
            if let Some((_, place)) = later.iter().find(|(other, _)| other == key) {
                return Some((key, *place));
            }
            rest = later;
        }
        return None;
    }
    let mut seen = BTreeSet::new();
    let again = keys.iter().find(|(key, _)| !seen.insert(key));
    again.map(|(key, place)| (key.as_ref(), *place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(Class, &str, usize)>) {
        assert!(
            serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok(),
            "{text} is meant to be JSON"
        );
        let found = find_ambiguity(text);
        let found = found.as_ref().map(|fault| {
            let key = fault.field.as_deref().unwrap_or_default();
            (fault.class, key, fault.at - 1)
        });
        assert_eq!(found, expected, "{text}");
    }

    const fn key(key: &str, place: usize) -> Option<(Class, &str, usize)> {
        Some((Class::RepeatedKey, key, place))
    }

    const fn half(place: usize) -> Option<(Class, &'static str, usize)> {
        Some((Class::HalfSurrogate, "", place))
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
        check(r#"{"a":1,"a":{"b":1,"b":2}}"#, key("b", 18));
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
        check(r#"{"a":"x\n\ud83d"}"#, half(9));
        check(r#"{"a":"\ude00"}"#, half(6));
        check(r#"{"\ud83dx":1}"#, half(2));
        check(r#"["\ud83d\u0041"]"#, half(2));
    }
}
