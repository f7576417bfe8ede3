//! Options, questions and settings, which people write, and single arguments.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use js_sys::{JsString, Reflect};
use wasm_bindgen::prelude::*;

use super::{Input, both, invalid, thrown};
use crate::api::input::MAX_INPUT_BYTES;
use crate::api::{Given, Limits};
use crate::{Code, Error};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = String)]
    fn string(value: &JsValue) -> Result<String, JsValue>;
}

/// Any value as a string, for messages.
#[doc(hidden)]
#[must_use]
pub fn spelt(value: &JsValue) -> String {
    string(value).unwrap_or_else(|_| "an object that has no text".into())
}

/// A number that is whole, and not negative.
#[doc(hidden)]
#[must_use]
pub fn whole(number: f64) -> Option<u32> {
    let whole = number as u32;
    (f64::from(whole) == number).then_some(whole)
}

/// What a person wrote, if anything.
#[doc(hidden)]
#[derive(Debug)]
pub struct Asked(Option<Input>);

impl Asked {
    /// Opens an argument that may be left out; `what` is its name in messages.
    ///
    /// # Errors
    /// When it is neither bytes, a string nor an object.
    pub fn open(given: &JsValue, what: &str) -> Result<Self, JsValue> {
        match given.is_undefined() || given.is_null() {
            true => Ok(Self(None)),
            false => Self::required(given, what),
        }
    }

    /// Opens an argument that is needed.
    ///
    /// # Errors
    /// When it is neither bytes, a string nor an object.
    pub fn required(given: &JsValue, what: &str) -> Result<Self, JsValue> {
        Ok(Self(Some(Input::open(given, what, "")?)))
    }

    /// Calls a function with an input and this. The line of an error is kept if it is in one that is a text.
    ///
    /// # Errors
    /// The error to throw.
    pub fn with<T>(
        &self,
        input: &Input,
        call: impl Fn(&[u8], Given<'_>) -> Result<T, Error>,
    ) -> Result<T, JsValue> {
        let called = match &self.0 {
            Some(asked) => both(input, asked, |input, asked| call(input, asked.into())),
            None => call(input.bytes(), b"".into()).map_err(|error| input.placed(error)),
        };
        called.map_err(thrown)
    }

    /// The answer to an input and this, in the form of the input.
    ///
    /// # Errors
    /// The error to throw.
    pub fn answer(
        &self,
        input: &Input,
        call: impl Fn(&[u8], Given<'_>) -> Result<Vec<u8>, Error>,
    ) -> Result<JsValue, JsValue> {
        input.answer(Ok(self.with(input, call)?))
    }

    /// Calls a function with this alone.
    ///
    /// # Errors
    /// The error to throw.
    pub fn alone<T>(&self, call: impl FnOnce(Given<'_>) -> Result<T, Error>) -> Result<T, JsValue> {
        let called = match &self.0 {
            Some(input) => call(input.bytes().into()).map_err(|error| input.placed(error)),
            None => call(b"".into()),
        };
        called.map_err(thrown)
    }
}

/// The field of an object that JavaScript gave; `undefined` if there is none.
///
/// # Errors
/// When it has a getter that throws.
#[doc(hidden)]
pub fn field(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    if !of.is_object() {
        return Ok(JsValue::UNDEFINED);
    }
    Reflect::get(of, &name.into()).map_err(|_| {
        let message = format!("`{name}` cannot be read: its getter throws");
        thrown(Error::new(Code::InvalidType, message))
    })
}

#[wasm_bindgen(typescript_custom_section)]
const ARGUMENTS: &str = r"
/** Limits of a handle. */
export interface Limits {
  /** The longest input of one call, in bytes; 64 MiB by default. */
  maxInputBytes?: number | undefined;
}
/** A Service: `namespace/name`, or both. */
export type ServiceKey = string | { namespace: string; name: string };
";

/// The size limit of a handle's inputs: that of `limits`, or the usual one.
///
/// # Errors
/// When it is no size that the module can address.
#[doc(hidden)]
pub fn max_input_bytes(limits: &JsValue) -> Result<Limits, JsValue> {
    let most = field(limits, "maxInputBytes")?;
    if most.is_undefined() || most.is_null() {
        return Ok(Limits::new(MAX_INPUT_BYTES));
    }
    match most.as_f64().and_then(whole).filter(|most| *most > 0) {
        Some(most) => Ok(Limits::new(most as usize)),
        None => Err(invalid(format!(
            "maxInputBytes must be a whole number between 1 and {}, got {}",
            u32::MAX,
            spelt(&most)
        ))),
    }
}

/// The name of a Service, `namespace/name`, of a string or an object with both.
///
/// # Errors
/// When it is neither.
#[doc(hidden)]
pub fn name_of(service: &JsValue) -> Result<String, JsValue> {
    let parts = [field(service, "namespace")?, field(service, "name")?];
    // Half a surrogate pair would be replaced without a word.
    let text = |value: &JsValue| {
        let text = value.dyn_ref::<JsString>()?;
        text.is_well_formed().then(|| String::from(text))
    };
    let key = match parts.each_ref().map(text) {
        [Some(namespace), Some(name)] => Some(format!("{namespace}/{name}")),
        _ => text(service),
    };
    key.ok_or_else(|| {
        let message =
            "name the Service as `namespace/name`, or as an object with `namespace` and `name`";
        thrown(Error::new(Code::InvalidType, message))
    })
}
