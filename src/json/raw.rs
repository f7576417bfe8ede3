//! JSON that is written as it stands.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

/// By this name `serde_json` knows text that is to be written as it stands.
pub(crate) const TOKEN: &str = "$serde_json::private::RawValue";

/// The text of one JSON value, which is known to be well-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// Of text that has been read, or written by us.
    pub(crate) const fn new(text: &'a str) -> Self {
        Self(text)
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(TOKEN, 1)?;
        raw.serialize_field(TOKEN, self.0)?;
        raw.end()
    }
}
