//! The WebAssembly interface of what an API server stores, and of what lives longer than one call: handles of sessions and controllers.
//!
//! Invariant: no rule is implemented here. A native caller of [`crate::json`] can do everything that these files can,
//! with the same bytes.

pub mod controller;
mod lines;
pub mod session;

use slicewise::wasm::{Input, both, thrown};
use wasm_bindgen::prelude::*;

/// The slices after a plan is applied, as an API server would store them.
///
/// # Errors
/// When an input cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen]
pub fn apply(plan: &JsValue, slices: &JsValue) -> Result<JsValue, JsValue> {
    let plan = Input::open(plan, "the plan", "")?;
    let slices = Input::open(slices, "the slices", "")?;
    let applied = both(&plan, &slices, crate::json::apply).map_err(thrown)?;
    plan.answer(Ok(applied))
}
