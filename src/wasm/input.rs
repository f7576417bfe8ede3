//! Inputs in the form that the caller has them in, and answers in the same form.

use alloc::vec::Vec;

use js_sys::{Array, JSON, Uint8Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use super::thrown;
use crate::api::Limits;
use crate::api::input::{MAX_INPUT_BYTES, check_size};
use crate::{Code, Error};

#[wasm_bindgen(module = "/npm/written.js")]
extern "C" {
    /// A value as JSON in UTF-8, without what the function named `door` does not read. The next one may be written in its
    /// place.
    #[wasm_bindgen(catch)]
    fn written(value: &JsValue, what: &str, door: &str) -> Result<Uint8Array, JsValue>;
}

#[wasm_bindgen(module = "/npm/writer.js")]
extern "C" {
    /// A string in UTF-8.
    #[wasm_bindgen(catch)]
    fn encoded(text: &JsValue, what: &str) -> Result<Uint8Array, JsValue>;

    /// A string of UTF-8.
    #[wasm_bindgen(catch)]
    fn decoded(text: &[u8]) -> Result<JsValue, JsValue>;

    /// The usual answer to events: nothing but counts, and the `resourceVersion` of one kind. Parsing it as JSON would take
    /// a tenth of such a call.
    #[doc(hidden)]
    pub fn applied(
        taken: u32,
        late: u32,
        unknown: u32,
        bookmarks: u32,
        kind: &str,
        version: &str,
    ) -> JsValue;
}

/// The forms of inputs. The build declares `Form<T>` once for each of them: the answer has the form of the input.
#[wasm_bindgen(typescript_custom_section)]
const FORMS: &str = r"
/** Any of the three forms of input, where the form of the answer does not depend on it. */
export type Json<T> = Uint8Array | string | T;
/** An object that is not a byte array. */
export type Given<T extends object> = T & { readonly BYTES_PER_ELEMENT?: never };
";

/// What a caller gave, as JSON.
#[doc(hidden)]
#[derive(Debug)]
pub struct Input {
    bytes: Vec<u8>,
    form: Form,
}

/// The form in which it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Bytes,
    Text,
    Value,
}

impl Input {
    /// Opens an input; `what` is its name in messages, and `door` the function whose fields are read of a value.
    ///
    /// # Errors
    /// When it is neither bytes, a string nor an object, cannot be written as JSON, or is too large.
    pub fn open(given: &JsValue, what: &str, door: &str) -> Result<Self, JsValue> {
        Self::open_within(given, what, door, Limits::new(MAX_INPUT_BYTES))
    }

    /// The same, with a limit of its size.
    ///
    /// # Errors
    /// Same as [`Input::open`].
    pub fn open_within(
        given: &JsValue,
        what: &str,
        door: &str,
        limits: Limits,
    ) -> Result<Self, JsValue> {
        if let Some(bytes) = given.dyn_ref::<Uint8Array>() {
            let bytes = copied(bytes, limits)?;
            let form = Form::Bytes;
            return Ok(Self { bytes, form });
        }
        if given.is_string() {
            let bytes = copied(&encoded(given, what)?, limits)?;
            let form = Form::Text;
            return Ok(Self { bytes, form });
        }
        let bytes = copied(&written(given, what, door)?, limits)?;
        let form = Form::Value;
        Ok(Self { bytes, form })
    }

    /// Whether it was given as a value.
    #[must_use]
    pub const fn is_value(&self) -> bool {
        matches!(self.form, Form::Value)
    }

    /// The JSON.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The answer in the form of this input, or the error to throw.
    ///
    /// # Errors
    /// The error of the answer.
    pub fn answer(&self, answer: Result<Vec<u8>, Error>) -> Result<JsValue, JsValue> {
        self.answer_as(answer, value_of)
    }

    /// The same, with what makes a value of an answer.
    ///
    /// # Errors
    /// The error of the answer.
    pub fn answer_as(
        &self,
        answer: Result<Vec<u8>, Error>,
        value: fn(&[u8]) -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue> {
        let answer = answer.map_err(|error| thrown(self.placed(error)))?;
        match self.form {
            Form::Bytes => Ok(Uint8Array::from(answer.as_slice()).into()),
            Form::Text => decoded(&answer),
            Form::Value => value(&answer),
        }
    }

    /// The error, without a line if there is no text that it could be in.
    #[must_use]
    pub fn placed(&self, error: Error) -> Error {
        match self.form {
            Form::Value => error.nowhere(),
            Form::Bytes | Form::Text => error,
        }
    }
}

/// Calls a function with two inputs. The line of an error is kept if it is in one that is a text.
///
/// # Errors
/// That of the call.
#[doc(hidden)]
pub fn both<T>(
    one: &Input,
    other: &Input,
    call: impl Fn(&[u8], &[u8]) -> Result<T, Error>,
) -> Result<T, Error> {
    call(one.bytes(), other.bytes())
        .map_err(|error| placed_in_either(one, other, error, &|one, other| call(one, other).err()))
}

/// Makes the call again, for its error.
type Again<'c> = dyn Fn(&[u8], &[u8]) -> Option<Error> + 'c;

/// The error of a call with two inputs, with its line if that is in a text.
#[cold]
fn placed_in_either(one: &Input, other: &Input, error: Error, call: &Again<'_>) -> Error {
    if one.is_value() == other.is_value() {
        return one.placed(error);
    }
    // Moves the value one line down: the line of an error in it moves along.
    let lowered = |input: &Input| match input.is_value() {
        true => [b"\n", input.bytes()].concat(),
        false => input.bytes.clone(),
    };
    let again = call(&lowered(one), &lowered(other));
    match again.is_some_and(|again| again.line() == error.line()) {
        true => error,
        false => error.nowhere(),
    }
}

/// A text as a string.
///
/// # Errors
/// When it is longer than a string can be.
#[doc(hidden)]
pub fn text_of(answer: &[u8]) -> Result<JsValue, JsValue> {
    decoded(answer)
}

/// A small answer as a value.
///
/// # Errors
/// When it cannot be serialized, which none of our types refuses.
#[doc(hidden)]
pub fn told(answer: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(answer.serialize(&Serializer::json_compatible())?)
}

/// The value of an answer.
///
/// # Errors
/// When it is longer than a string can be.
#[doc(hidden)]
pub fn value_of(answer: &[u8]) -> Result<JsValue, JsValue> {
    let text = core::str::from_utf8(answer).unwrap_or_default();
    JSON::parse(text).map_err(|_| {
        let message = "the answer is longer than a string can be: pass a Uint8Array to get one";
        thrown(Error::new(Code::TooLarge, message))
    })
}

/// The values of an answer of one JSON a line.
///
/// # Errors
/// Same as [`value_of`].
#[doc(hidden)]
pub fn values_of_lines(answer: &[u8]) -> Result<JsValue, JsValue> {
    let lines = answer.split(|byte| *byte == b'\n');
    let values = Array::new();
    for line in lines.filter(|line| !line.is_empty()) {
        values.push(&value_of(line)?);
    }
    Ok(values.into())
}

/// Copies bytes into the module's memory, which never shrinks: too many are refused before.
fn copied(bytes: &Uint8Array, limits: Limits) -> Result<Vec<u8>, JsValue> {
    let length = bytes.length() as usize;
    check_size(length, limits).map_err(thrown)?;
    // Of a detached buffer, nothing can be copied.
    Ok(match length {
        0 => Vec::new(),
        _ => bytes.to_vec(),
    })
}
