//! The functions of the npm package's modules that diagnose: bytes in and bytes out, and nothing else.

pub mod page;
pub mod tools;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::wasm::thrown;

/// Distinguishes plan requests from snapshots: `"request"` or `"snapshot"`. Anything that is neither counts as a
/// request, whose errors say what is missing.
#[wasm_bindgen]
#[must_use]
pub fn detect(input: &[u8]) -> String {
    slicewise::api::detect(input).as_str().to_owned()
}

/// `PlanRequest` in, `Plan` out, explained if its options request it.
///
/// # Errors
/// When the request cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen]
pub fn plan(request: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::plan(request).map_err(thrown)
}

/// A cluster snapshot in, the plans of its Services out. `options` may be empty.
///
/// # Errors
/// When the snapshot or the options cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen(js_name = planSnapshot)]
pub fn plan_snapshot(snapshot: &[u8], options: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::plan_snapshot(snapshot, options).map_err(thrown)
}
