//! Strings that borrow from the input if possible, and sorted string maps.

use alloc::borrow::{Borrow, Cow};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::order::SortedMap;
pub use crate::json::is_obeyed;
use crate::json::stands_at;
#[doc(hidden)]
pub use crate::json::{cut, shorten};

/// A string of the input: borrowed if the JSON has no escapes, otherwise owned.
///
/// Unlike a bare `Cow<str>` it also borrows inside lists, maps and options.
///
/// Objects mostly consist of texts, so a text's size decides how fast they are read and copied: it is two words, one less
/// than a `Cow`. Clones share owned bytes.
pub struct Text<'a>(Bytes<'a>);

/// Owned bytes, in one word.
#[cfg(not(target_arch = "wasm32"))]
type Owned = arcstr::ArcStr;
/// In WebAssembly words are small, and counting references would add two kilobytes; each clone copies the bytes.
#[cfg(target_arch = "wasm32")]
type Owned = alloc::boxed::Box<str>;

enum Bytes<'a> {
    Borrowed(&'a str),
    Owned(Owned),
}

/// What nearly all pods and endpoints say. Owned, these texts are neither allocated nor far away in memory.
const USUAL: [&str; 3] = ["Pod", "Running", "TCP"];

impl Clone for Text<'_> {
    // Inlining it at each use would add ten kilobytes of wasm.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Bytes::Borrowed(text) => Bytes::Borrowed(text),
            Bytes::Owned(text) => Bytes::Owned(text.clone()),
        })
    }
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self(Bytes::Borrowed(""))
    }
}

impl<'a> Text<'a> {
    /// A text with a copy of these bytes.
    fn copied(text: &str) -> Self {
        match USUAL.into_iter().find(|usual| *usual == text) {
            Some(usual) => usual.into(),
            None => Self(Bytes::Owned(text.into())),
        }
    }

    /// This text without borrowing from the input.
    pub fn into_owned(self) -> Text<'static> {
        match self.0 {
            Bytes::Borrowed(text) => Text::copied(text),
            Bytes::Owned(text) => Text(Bytes::Owned(text)),
        }
    }

    /// Replaces the text. Assigning a converted `Cow` would pass it through the stack, stored word by word and loaded as
    /// a pair, and the processor cannot forward such stores.
    #[inline]
    pub(crate) fn set(&mut self, text: Cow<'a, str>) {
        match text {
            Cow::Borrowed(text) => *self = text.into(),
            Cow::Owned(text) => *self = text.into(),
        }
    }

    /// The text as a string slice.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Bytes::Borrowed(text) => text,
            Bytes::Owned(text) => text,
        }
    }
}

impl Eq for Text<'_> {}

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other)
    }
}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.as_str().hash(hasher);
    }
}

impl Deref for Text<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Text<'_> {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Text<'_> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Bytes::Borrowed(text))
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self(Bytes::Owned(text.into()))
    }
}

/// Are two texts equal?
///
/// Names are short, and comparing them is most of the work of a decision. Natively this is inlined and compares words;
/// the C library's `memcmp` takes more than twice the time of the whole decision on some processors, where it uses
/// AVX-512.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline)]
pub fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && stands_at(one.as_bytes(), 0, other.as_bytes())
}

/// A text in which characters that terminals [obey](is_obeyed) are replaced by their numbers.
pub fn printable(text: String) -> String {
    if !text.chars().any(is_obeyed) {
        return text;
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_obeyed(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    safe
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        same(self, other)
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        same(self, other)
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        same(self, other)
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Text<'de>, E> {
                Ok(value.into())
            }

            fn visit_str<E>(self, value: &str) -> Result<Text<'de>, E> {
                Ok(Text::copied(value))
            }

            fn visit_string<E>(self, value: String) -> Result<Text<'de>, E> {
                Ok(value.into())
            }
        }

        deserializer.deserialize_str(TextVisitor)
    }
}

/// Labels, annotations or a selector: pairs sorted by key, without duplicates (the last of equal keys wins).
pub type StringMap<'a> = SortedMap<Text<'a>, Text<'a>>;

impl<'de: 'a, 'a> Deserialize<'de> for StringMap<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor;

        impl<'de> Visitor<'de> for MapVisitor {
            type Value = StringMap<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object whose values are strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StringMap<'de>, A::Error> {
                let mut pairs = Vec::with_capacity(map.size_hint().unwrap_or(8));
                // Go reads `null` as the empty string here.
                while let Some((key, value)) = map.next_entry::<Text<'de>, Option<Text<'de>>>()? {
                    pairs.push((key, value.unwrap_or_default()));
                }
                StringMap::of_distinct(pairs).map_err(|key| repeated(&key))
            }
        }

        deserializer.deserialize_map(MapVisitor)
    }
}

/// A duplicate key, which decoders read differently.
#[inline(never)]
pub fn repeated<E: Error>(key: &str) -> E {
    E::custom(format!("duplicate field `{}`", shorten(key)))
}

#[cfg(test)]
mod tests {
    use core::hash::BuildHasher;

    use super::*;

    #[test]
    fn what_would_be_obeyed_is_shown() {
        for (text, expected) in [
            ("cart-1 (Größe: 5 µs) – 東京", "cart-1 (Größe: 5 µs) – 東京"),
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("a\r\n\tb", "a\\r\\n\\tb"),
            ("\u{7f}\u{9b}1m", "\\u{7f}\\u{9b}1m"),
            ("\u{202e}txt.exe\u{2066}", "\\u{202e}txt.exe\\u{2066}"),
            (
                "a\u{200b}b\u{2028}c\u{feff}",
                "a\\u{200b}b\\u{2028}c\\u{feff}",
            ),
            ("\u{e0041}", "\\u{e0041}"),
        ] {
            assert_eq!(printable(text.into()), expected);
        }
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_text_is_two_words() {
        assert_eq!(size_of::<Text<'_>>(), 2 * size_of::<usize>());
    }

    #[test]
    fn owned_texts_are_like_borrowed_ones() {
        let hash = |text: &Text<'_>| rustc_hash::FxBuildHasher.hash_one(text);
        for text in ["", "cart", "Größe", "Running", "running"] {
            let (borrowed, owned) = (Text::from(text), Text::from(text.to_owned()));
            let mut set = Text::from("before");
            set.set(Cow::Owned(text.to_owned()));
            for other in [owned.clone(), borrowed.clone().into_owned(), set, owned] {
                assert_eq!(other, borrowed);
                assert_eq!(other.cmp(&Text::from("b")), text.cmp("b"));
                assert_eq!(hash(&other), hash(&borrowed));
                assert_eq!(format!("{other} {other:?}"), format!("{text} {text:?}"));
            }
        }
    }

    #[test]
    fn same_is_equality() {
        let texts = [
            "",
            "a",
            "b",
            "1234567",
            "12345678",
            "123456789",
            "x23456789012345678",
        ];
        for one in texts {
            for other in texts {
                assert_eq!(same(one, other), one == other, "{one} {other}");
            }
        }
        let long = "0123456789abcdef012345";
        for place in 0..long.len() {
            let mut other = long.as_bytes().to_vec();
            other[place] = b'#';
            assert!(!same(long, &String::from_utf8(other).unwrap()));
        }
        assert!(same(long, &String::from(long)));
    }
}
