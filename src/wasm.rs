//! The WebAssembly face: [`crate::api`] with bytes in and bytes out, and nothing else.
//!
//! Input and output are JSON as UTF-8 bytes. Errors are thrown as plain objects
//! `{code, message, path?, line?, column?}`; the hand-written wrapper of the npm package makes
//! them a `SlicewiseError`, and adds the doors for strings and objects.
//!
//! Invariant: no rule lives here. Whatever this file can do, a native caller of [`crate::api`]
//! can do as well, with the same bytes.

use alloc::borrow::ToOwned;
use alloc::string::String;
#[cfg(feature = "wasm")]
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

#[cfg(feature = "wasm-admission")]
pub mod admission;
#[cfg(feature = "wasm-session")]
pub mod controller;
#[cfg(feature = "wasm-session")]
pub mod proxier;
#[cfg(feature = "wasm-session")]
pub mod session;
#[cfg(feature = "wasm-simulation")]
pub mod simulation;
#[cfg(feature = "wasm-tools")]
pub mod tools;

use crate::{Error, api, json};

/// The standard library's own.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Nothing here panics on any input; should it do so anyway, the caller sees a trap. With expressions comes the
/// standard library, which has a handler of its own.
#[cfg(all(target_family = "wasm", not(test), not(feature = "expressions")))]
#[panic_handler]
fn trap(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// The version of this package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Larger inputs are refused; the wrapper asks before it copies one into memory that never shrinks.
#[wasm_bindgen(js_name = maxInputBytes)]
#[must_use]
pub fn max_input_bytes() -> usize {
    api::MAX_INPUT_BYTES
}

/// Tells a plan request from a snapshot: `"request"` or `"snapshot"`.
/// Whatever is neither counts as a request, whose errors say what is missing.
#[cfg(feature = "wasm")]
#[wasm_bindgen]
#[must_use]
pub fn detect(input: &[u8]) -> String {
    api::detect(input).as_str().to_owned()
}

/// `PlanRequest` in, `Plan` out.
///
/// # Errors
/// When the request cannot be read; see [`Error`].
#[cfg(feature = "wasm")]
#[wasm_bindgen]
pub fn plan(request: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::plan(request).map_err(thrown)
}

/// A cluster snapshot in, the plans of its Services out. `options` may be empty.
///
/// # Errors
/// When the snapshot or the options cannot be read; see [`Error`].
#[cfg(feature = "wasm")]
#[wasm_bindgen(js_name = planSnapshot)]
pub fn plan_snapshot(snapshot: &[u8], options: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::plan_snapshot(snapshot, options).map_err(thrown)
}

/// A Service of a plan request or a snapshot at a glance. `question` may be empty.
///
/// # Errors
/// When either cannot be read, or asks about something that is not there.
#[cfg(all(feature = "glance", feature = "wasm"))]
#[wasm_bindgen]
pub fn glance(input: &[u8], question: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::glance(input, question).map_err(thrown)
}

/// A plan request or a snapshot in, a Service of it at a glance and the plans out: a line, and what follows it.
///
/// # Errors
/// As [`glance`], [`plan`] and [`plan_snapshot`].
#[cfg(feature = "wasm-page")]
#[wasm_bindgen]
pub fn look(input: &[u8], question: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::look(input, question).map_err(thrown)
}

/// What is done to objects by hand in, changes of the input out.
///
/// # Errors
/// When the question cannot be read.
#[cfg(feature = "wasm-page")]
#[wasm_bindgen]
pub fn edit(question: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::edit(question).map_err(thrown)
}

/// Which endpoint of the slices after was which before.
///
/// # Errors
/// When the slices cannot be read.
#[cfg(feature = "wasm-page")]
#[wasm_bindgen]
pub fn partners(slices: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::partners(slices).map_err(thrown)
}

/// What pictures of endpoints say of them.
///
/// # Errors
/// Never; the type is that of all answers.
#[cfg(feature = "wasm-page")]
#[wasm_bindgen]
pub fn legend() -> Result<Vec<u8>, JsValue> {
    api::legend().map_err(thrown)
}

/// The error as JSON text, which the wrapper makes a `SlicewiseError`.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn thrown(error: Error) -> JsValue {
    JsValue::from_str(&json::write::to_string(&error).unwrap_or_default())
}
