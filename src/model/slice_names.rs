//! Names of slices that belong together.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Texts, stored contiguously: reading a thousand of them must not wait for a thousand memory locations.
#[derive(Clone, Debug, Default)]
pub struct TextList {
    text: String,
    ends: Vec<usize>,
}

impl TextList {
    /// An empty list with room for a number of texts with a number of bytes each.
    pub fn with_room(texts: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(texts * bytes),
            ends: Vec::with_capacity(texts),
        }
    }

    /// Appends a text, which `write` provides.
    pub fn push(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    /// The text at a place.
    pub fn get(&self, place: usize) -> Option<&str> {
        self.text.get(self.start(place)..*self.ends.get(place)?)
    }

    fn start(&self, place: usize) -> usize {
        let before = place.checked_sub(1);
        let end = before.and_then(|before| self.ends.get(before));
        end.copied().unwrap_or_default()
    }

    fn insert(&mut self, place: usize, text: &str) {
        let start = self.start(place);
        self.text.insert_str(start, text);
        self.ends.insert(place, start);
        for end in self.ends.iter_mut().skip(place) {
            *end += text.len();
        }
    }

    fn remove(&mut self, place: usize) {
        let Some(end) = self.ends.get(place).copied() else {
            return;
        };
        let start = self.start(place);
        self.text.drain(start..end);
        self.ends.remove(place);
        for later in self.ends.iter_mut().skip(place) {
            *later -= end - start;
        }
    }
}

/// Sorted names of slices, stored as JSON has them: every plan of their Service lists those that do not change, a thousand
/// at 100,000 endpoints, and most of the list is copied in one piece.
#[derive(Clone, Debug, Default)]
pub struct SliceNames {
    /// `"name",` each.
    list: TextList,
    /// Is or was there a name that JSON escapes?
    is_escaped: bool,
}

impl SliceNames {
    /// The number of names.
    pub const fn len(&self) -> usize {
        self.list.ends.len()
    }

    /// Is there no name?
    pub const fn is_empty(&self) -> bool {
        self.list.ends.is_empty()
    }

    /// The names in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// The name at an index.
    /// The text at a place.
    pub fn get(&self, place: usize) -> Option<&str> {
        let name = self.list.get(place)?;
        name.strip_prefix('"')?.strip_suffix("\",")
    }

    /// The index of a name.
    ///
    /// # Errors
    /// Where it belongs, if it is not there.
    pub fn find(&self, name: &str) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).unwrap_or_default().cmp(name) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }

    /// Adds a name where [`SliceNames::find`] says.
    pub fn insert(&mut self, place: usize, name: &str) {
        self.is_escaped |= is_escaped(name);
        let mut text = String::with_capacity(name.len() + 3);
        push(&mut text, name);
        self.list.insert(place, &text);
    }

    /// Removes the name at an index.
    pub fn remove(&mut self, place: usize) {
        self.list.remove(place);
    }
}

/// Stored names without some.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct NamesWithout<'a> {
    /// The stored names.
    pub names: &'a SliceNames,
    /// Those of them that are left out, sorted.
    pub without: Vec<&'a str>,
}

impl<'a> NamesWithout<'a> {
    /// The number of names.
    pub const fn len(&self) -> usize {
        self.names.len() - self.without.len()
    }

    /// Is there no name?
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names in their order.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        let names = self.names.iter();
        names.filter(|name| !self.without.contains(name))
    }

    /// Is it one of the names?
    pub fn contains(&self, name: &str) -> bool {
        !self.without.contains(&name) && self.names.find(name).is_ok()
    }

    /// These names and some more, each in its place, as a list in JSON; `None` if a name must be escaped.
    pub(crate) fn json_with<'n>(&self, more: impl Iterator<Item = &'n str>) -> Option<String> {
        let SliceNames { list, is_escaped } = self.names;
        if *is_escaped {
            return None;
        }
        let mut json = String::with_capacity(list.text.len() + 256);
        json.push('[');
        let (mut written, mut without) = (0, self.without.iter().peekable());
        for name in more.map(Some).chain([None]) {
            let is_before = |out: &&&str| name.is_none_or(|name| **out < name);
            while let Some(out) = without.next_if(is_before) {
                let place = self.names.find(out).ok()?;
                json.push_str(list.text.get(written..list.start(place))?);
                written = list.start(place + 1);
            }
            let Some(name) = name else {
                continue;
            };
            if self::is_escaped(name) {
                return None;
            }
            let (Ok(place) | Err(place)) = self.names.find(name);
            let start = list.start(place);
            json.push_str(list.text.get(written..start)?);
            written = start;
            push(&mut json, name);
        }
        json.push_str(list.text.get(written..)?);
        // The last comma.
        if json.len() > 1 {
            json.pop();
        }
        json.push(']');
        Some(json)
    }
}

fn push(json: &mut String, name: &str) {
    json.push('"');
    json.push_str(name);
    json.push_str("\",");
}

fn is_escaped(name: &str) -> bool {
    name.bytes()
        .any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\'))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    fn names(of: &[&str]) -> SliceNames {
        let mut names = SliceNames::default();
        for name in of {
            let (Ok(place) | Err(place)) = names.find(name);
            names.insert(place, name);
        }
        names
    }

    fn json(of: &[&str], without: &[&str], more: &[&str]) -> Option<String> {
        let without = without.to_vec();
        let names = NamesWithout {
            names: &names(of),
            without,
        };
        names.json_with(more.iter().copied())
    }

    #[test]
    fn names_are_written_in_their_order() {
        for of in [&[][..], &["b"], &["d", "b", "é"], &["", "a", "c", "e"]] {
            for more in [&[][..], &["a!"], &["c!"], &["b!", "e!", "z"]] {
                for left_out in 0..1 << of.len() {
                    let is_left_out = |place: &usize| left_out >> place & 1 == 1;
                    let (out, left): (Vec<_>, Vec<_>) = (0..of.len()).partition(is_left_out);
                    let [mut out, left] = [out, left].map(|places| {
                        let names = places.iter().map(|place| of[*place]);
                        names.collect::<Vec<_>>()
                    });
                    out.sort_unstable();
                    let mut all: Vec<_> = left.iter().chain(more).copied().collect();
                    all.sort_unstable();
                    let expected = serde_json::json!(all).to_string();
                    assert_eq!(json(of, &out, more).unwrap(), expected);
                }
            }
        }
        assert_eq!(json(&["a", "b"], &["a"], &["a"]).unwrap(), r#"["a","b"]"#);
    }

    #[test]
    fn names_that_are_left_out_are_not_there() {
        let names = names(&["a", "b", "c"]);
        let without = |without: &[&'static str]| NamesWithout {
            names: &names,
            without: without.to_vec(),
        };
        let some = without(&["a", "c"]);
        assert_eq!(some.iter().collect::<Vec<_>>(), ["b"]);
        assert_eq!((some.len(), some.is_empty()), (1, false));
        assert_eq!(
            ["a", "b", "c", "d"].map(|name| some.contains(name)),
            [false, true, false, false]
        );
        let none = without(&["a", "b", "c"]);
        assert_eq!((none.len(), none.is_empty()), (0, true));
    }

    #[test]
    fn names_that_json_escapes_are_left_to_its_writer() {
        for odd in ["a\"b", "a\\", "\n", "\u{1f}"] {
            assert_eq!(json(&[odd], &[], &[]), None);
            assert_eq!(json(&["a"], &[], &[odd]), None);
        }
        assert!(json(&["\u{7f}"], &[], &[]).is_some());
    }
}
