//! JSON that is kept unchanged.

#[cfg(feature = "schema")]
use alloc::borrow::Cow;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
#[cfg(feature = "schema")]
use serde_json::Value;
use serde_json::value::RawValue;

/// The name by which `serde_json` recognizes text to write unchanged.
pub(super) const TOKEN: &str = "$serde_json::private::RawValue";

/// The text of one JSON value, without surrounding whitespace; known to be well-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// From text that is known to be one value, because a reader has skipped it or a writer has written it.
    #[inline]
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The text.
    #[inline]
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

/// Any value.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Raw<'_> {
    fn inline_schema() -> bool {
        Value::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        Value::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Value::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Value::json_schema(generator)
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
