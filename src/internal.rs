//! What the crates around this one use of it, and nobody else.

use crate::model::read::Object;
use crate::{Error, api};

/// Reads an object that is the whole text.
///
/// # Errors
/// When the text is invalid: with its code, pointer, line and column.
pub fn decode<'de, T: Object<'de> + Default>(text: &'de str) -> Result<T, Error> {
    api::decode(text)
}
