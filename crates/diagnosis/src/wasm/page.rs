//! What the page asks: a Service at a glance, and edits of its input by hand.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::wasm::thrown;

/// A Service of a plan request or a snapshot at a glance. `question` may be empty.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen]
pub fn glance(input: &[u8], question: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::glance(input, question).map_err(thrown)
}

/// A plan request or a snapshot in, one of its Services at a glance and the plans out: a line, and what follows it.
///
/// # Errors
/// Same as for [`glance`], [`slicewise::api::plan`] and [`slicewise::api::plan_snapshot`].
#[wasm_bindgen]
pub fn look(input: &[u8], question: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::look(input, question).map_err(thrown)
}

/// A manual edit of objects in, changes of the input out.
///
/// # Errors
/// When the question cannot be read.
#[wasm_bindgen]
pub fn edit(question: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::edit(question).map_err(thrown)
}

/// Pairs the endpoints of the slices after with those before.
///
/// # Errors
/// When the slices cannot be read.
#[wasm_bindgen]
pub fn partners(slices: &[u8]) -> Result<Vec<u8>, JsValue> {
    slicewise::api::partners(slices).map_err(thrown)
}

/// The legend of pictures of endpoints.
///
/// # Errors
/// When the answer refuses to be serialized, which none of its types does.
#[wasm_bindgen]
pub fn legend() -> Result<Vec<u8>, JsValue> {
    crate::legend().map_err(thrown)
}
