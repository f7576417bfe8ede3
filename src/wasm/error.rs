//! Errors as JavaScript knows them.

use alloc::string::String;

use serde::Serialize as _;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::{Code, Error};

#[wasm_bindgen(module = "/npm/error.js")]
extern "C" {
    /// The error class of the package.
    #[wasm_bindgen(extends = js_sys::Error)]
    type SlicewiseError;

    #[wasm_bindgen(constructor)]
    fn new(details: &JsValue) -> SlicewiseError;
}

/// The error to throw.
#[doc(hidden)]
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
#[must_use]
pub fn thrown(error: Error) -> JsValue {
    let details = error.serialize(&Serializer::json_compatible());
    SlicewiseError::new(&details.unwrap_or_default()).into()
}

/// The error that an argument cannot be used.
#[doc(hidden)]
pub fn invalid(message: impl Into<String>) -> JsValue {
    thrown(Error::new(Code::InvalidValue, message))
}
