//! The WebAssembly interface: what JavaScript calls, and how its values come in and go out.
//!
//! Inputs are JSON as a `Uint8Array` or a string, or a value; the answer has the form of the input. Errors are thrown as
//! `SlicewiseError`s.
//!
//! Invariant: no rule is implemented here. A native caller of [`crate::api`] can do everything that this file can, with
//! the same bytes.

mod asked;
mod error;
mod input;

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::prelude::*;

pub use asked::{Asked, field, max_input_bytes, name_of, spelt, whole};
pub use error::{invalid, thrown};
pub use input::{Input, applied, both, text_of, told, value_of, values_of_lines};

use crate::api;

/// The version of this package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Distinguishes a plan request from a snapshot. Anything that is neither counts as a request, whose errors say what is
/// missing.
///
/// # Errors
/// When the input is none.
#[wasm_bindgen(unchecked_return_type = "'request' | 'snapshot'")]
pub fn detect(
    #[wasm_bindgen(unchecked_param_type = "Json<PlanRequest | Snapshot>")] given: &JsValue,
) -> Result<String, JsValue> {
    let input = Input::open(given, "the input", "detect")?;
    Ok(api::detect(input.bytes()).as_str().to_owned())
}

/// Pairs the endpoints of the slices after with those before, in whatever form the slices are: a list of numbers.
///
/// # Errors
/// When the slices cannot be read.
#[wasm_bindgen]
pub fn partners(slices: &JsValue) -> Result<JsValue, JsValue> {
    let asked = Input::open(slices, "the question", "")?;
    told(&api::partners(asked.bytes()).map_err(thrown)?)
}

/// `PlanRequest` in, `Plan` out.
///
/// # Errors
/// When the request cannot be read; see [`Error`](crate::Error).
#[cfg(feature = "wasm-small")]
#[wasm_bindgen]
pub fn plan(request: &JsValue) -> Result<JsValue, JsValue> {
    let input = Input::open(request, "the request", "plan")?;
    input.answer(api::plan(input.bytes()))
}

/// A cluster snapshot in, the plans of its Services out. `options` may be left out.
///
/// # Errors
/// When the snapshot or the options cannot be read; see [`Error`](crate::Error).
#[cfg(feature = "wasm-small")]
#[wasm_bindgen(js_name = planSnapshot)]
pub fn plan_snapshot(snapshot: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let input = Input::open(snapshot, "the snapshot", "snapshot")?;
    let options = Asked::open(options, "options")?;
    options.answer(&input, |snapshot, options| {
        api::plan_snapshot(snapshot, options)
    })
}
