//! The WebAssembly interface of what an API server stores, and of what lives longer than one call: handles of sessions and controllers.
//!
//! Invariant: no rule is implemented here. A native caller of [`crate::json`] can do everything that these files can,
//! with the same bytes.

pub mod controller;
pub mod session;

use alloc::vec::Vec;

use slicewise::wasm::thrown;
use wasm_bindgen::prelude::*;

/// The slices after a plan is applied, as an API server would store them.
///
/// # Errors
/// When an input cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen]
pub fn apply(plan: &[u8], slices: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::json::apply(plan, slices).map_err(thrown)
}
