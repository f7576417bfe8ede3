//! Names of fields that are known at compile time.

#[cfg(not(target_arch = "wasm32"))]
use serde::ser::{Serialize, Serializer};

/// The name of a field, made by [`field_name!`](crate::field_name!): our own writer copies it in one piece.
#[cfg(not(target_arch = "wasm32"))]
pub struct FieldName {
    /// The name.
    pub name: &'static str,
    /// How it is written after another field, followed by `PADDING` spaces.
    pub padded: &'static str,
}

/// The number of spaces after a name, so many bytes are copied at once.
pub(super) const PADDING: usize = 32;

#[cfg(not(target_arch = "wasm32"))]
impl Serialize for FieldName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Our own writer looks at the first text, all others at the second.
        serializer.serialize_newtype_struct(self.padded, self.name)
    }
}

/// The name of a field as the key of a map, which is written unescaped.
#[cfg(not(target_arch = "wasm32"))]
#[macro_export]
macro_rules! field_name {
    ($name:literal) => {
        &$crate::FieldName {
            name: $name,
            padded: concat!(",\"", $name, "\":", "                                "),
        }
    };
}

/// The name of a field as the key of a map. Modules are to be small.
#[cfg(target_arch = "wasm32")]
#[macro_export]
macro_rules! field_name {
    ($name:literal) => {
        $name
    };
}
