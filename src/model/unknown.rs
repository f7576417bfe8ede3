//! The fields of an object that this version does not know, unchanged.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use super::order::sort;
use super::own::{Alone, Keeper, Own};
use super::text::Text;
use crate::json::Raw;

/// The fields of an object that this version does not know, in input order, with their JSON text.
///
/// There are nearly always none, and each endpoint has several of these, so the size is one word.
#[derive(Default, Debug)]
pub struct Unknown<'a>(
    // Shared, because it is freed out of line: endpoints are dropped by the thousand.
    Option<Arc<Vec<(Text<'a>, Text<'a>)>>>,
);

impl Clone for Unknown<'_> {
    // Inlining it into every clone would add two kilobytes of wasm.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a> Unknown<'a> {
    // Rare, and its copy of a shared list is long.
    #[inline(never)]
    pub(super) fn push(&mut self, key: Text<'a>, raw: Raw<'a>) {
        let fields = self.0.get_or_insert_default();
        Arc::make_mut(fields).push((key, raw.get().into()));
    }

    /// The first duplicate key.
    pub(super) fn repeated(&self) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let mut keys: Vec<&str> = self.iter().map(|(key, _)| key).collect();
        sort(&mut keys);
        let others = keys.iter().skip(1);
        let mut pairs = keys.iter().zip(others);
        pairs.find(|(one, other)| one == other).map(|(key, _)| *key)
    }

    /// The same fields, without borrowing from the input.
    pub fn into_owned(self) -> Unknown<'static> {
        self.own(&Alone)
    }

    /// Field names with their JSON text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.0.as_ref().map_or(&[][..], |fields| fields);
        fields.iter().map(|(key, raw)| (key.as_str(), raw.as_str()))
    }

    /// Are there no unknown fields?
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Writes the fields among others.
    ///
    /// # Errors
    /// Those of the map.
    pub fn serialize_into<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        for (key, raw) in self.iter() {
            map.serialize_entry(key, &Compact(raw))?;
        }
        Ok(())
    }
}

impl<'k> Own<'k> for Unknown<'_> {
    type Owned = Unknown<'k>;

    fn own(self, keeper: &dyn Keeper<'k>) -> Unknown<'k> {
        let keep = |(key, raw): (Text<'_>, Text<'_>)| (keeper.keep(key), keeper.keep(raw));
        let fields = self.0.map(Arc::unwrap_or_clone);
        Unknown(fields.map(|fields| Arc::new(fields.into_iter().map(keep).collect())))
    }
}

impl PartialEq for Unknown<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Writes raw JSON without the whitespace between its tokens, so that a plan is one line whatever the input's layout.
struct Compact<'a>(&'a str);

impl Serialize for Compact<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let compact = compact(self.0);
        Raw::new(compact.as_deref().unwrap_or(self.0)).serialize(serializer)
    }
}

/// Valid JSON without insignificant whitespace; `None` if there is none to remove.
fn compact(json: &str) -> Option<String> {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    if !json.bytes().any(is_space) {
        return None;
    }
    let mut text = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in json.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character.is_ascii() && is_space(character as u8) {
            continue;
        } else {
            in_string = character == '"';
        }
        text.push(character);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn compact_keeps_strings_and_drops_layout() {
        assert_eq!(
            compact("{ \"a b\" : \"c\\\" d\" ,\n\t\"é\": [ 1 , 2 ] }").as_deref(),
            Some(r#"{"a b":"c\" d","é":[1,2]}"#)
        );
        assert_eq!(compact(r#"{"a":1}"#), None);
    }
}
