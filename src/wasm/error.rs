//! Errors as JavaScript knows them.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::{Code, Error};

#[wasm_bindgen(module = "/npm/error.js")]
extern "C" {
    /// The error class of the package.
    #[wasm_bindgen(extends = js_sys::Error)]
    type SlicewiseError;

    #[wasm_bindgen(static_method_of = SlicewiseError)]
    fn of(
        code: &str,
        message: &str,
        path: Option<&str>,
        line: Option<u32>,
        column: Option<u32>,
    ) -> SlicewiseError;
}

/// The error to throw.
#[doc(hidden)]
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
#[must_use]
pub fn thrown(error: Error) -> JsValue {
    let [line, column] = [error.line(), error.column()].map(|number| number.map(|it| it as u32));
    SlicewiseError::of(
        error.code().as_str(),
        error.message(),
        error.path(),
        line,
        column,
    )
    .into()
}

/// The error that an argument cannot be used.
#[doc(hidden)]
pub fn invalid(message: impl Into<String>) -> JsValue {
    thrown(Error::new(Code::InvalidValue, message))
}
