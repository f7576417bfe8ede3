//! JSON that is kept unchanged.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use serde_json::value::RawValue;

/// The name by which `serde_json` recognizes text to write unchanged.
pub(crate) const TOKEN: &str = "$serde_json::private::RawValue";

/// The text of one JSON value, without surrounding whitespace; known to be well-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// From text that a reader has skipped.
    pub(crate) const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The text.
    pub const fn get(self) -> &'a str {
        self.0
    }
}

impl<'a> From<&'a RawValue> for Raw<'a> {
    fn from(raw: &'a RawValue) -> Self {
        Self(raw.get())
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(TOKEN, 1)?;
        raw.serialize_field(TOKEN, self.0)?;
        raw.end()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_text_is_written_as_it_stands() {
        let text = r#"{ "a" : [1, 2.50] }"#;
        assert_eq!(serde_json::to_string(&Raw::new(text)).unwrap(), text);
        assert_eq!(serde_json::from_str::<Raw<'_>>(text).unwrap().get(), text);
    }
}
