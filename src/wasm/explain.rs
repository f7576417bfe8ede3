//! Explanations, in the larger module only.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::thrown;
use crate::api;

/// Why things are as they are: a plan request or a snapshot in, explanations out. `question` may be empty.
///
/// # Errors
/// When either cannot be read, or asks about something that is not there; see [`Error`](crate::Error).
#[wasm_bindgen]
pub fn explain(input: &[u8], question: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::explain(input, question).map_err(thrown)
}
