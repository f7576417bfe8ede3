//! The WebAssembly interface: [`crate::api`] with bytes in and bytes out, and nothing else.
//!
//! Input and output are JSON as UTF-8 bytes. Errors are thrown as plain objects `{code, message, path?, line?,
//! column?}`; the hand-written wrapper of the npm package turns them into `SlicewiseError`s, and adds functions for
//! strings and objects.
//!
//! Invariant: no rule is implemented here. A native caller of [`crate::api`] can do everything that this file can, with
//! the same bytes.

use alloc::borrow::ToOwned;
use alloc::string::String;
#[cfg(feature = "wasm")]
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::{Error, api, json};

/// The standard library's own allocator.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Nothing here panics on any input; if it did, the caller would see a trap.
#[cfg(all(target_family = "wasm", not(test), not(feature = "wasm-std")))]
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

/// Larger inputs are refused; the wrapper checks this before it copies one into memory that never shrinks.
#[wasm_bindgen(js_name = maxInputBytes)]
#[must_use]
pub fn max_input_bytes() -> usize {
    api::MAX_INPUT_BYTES
}

/// Distinguishes plan requests from snapshots: `"request"` or `"snapshot"`. Anything that is neither counts as a
/// request, whose errors say what is missing.
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

/// The error as JSON text, which the wrapper turns into a `SlicewiseError`.
#[doc(hidden)]
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
#[doc(hidden)]
#[must_use]
pub fn thrown(error: Error) -> JsValue {
    JsValue::from_str(&json::write::to_string(&error).unwrap_or_default())
}
