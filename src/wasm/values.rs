//! Values that are read, and written, without JSON.

use alloc::string::String;
use core::cell::OnceCell;

use js_sys::JSON;
use serde::Serialize;
use serde_wasm_bindgen::{Deserializer, Serializer};
use wasm_bindgen::prelude::*;

use crate::api::ReadValue;
use crate::model::read::{Object, read_plain};

#[wasm_bindgen(module = "/npm/writer.js")]
extern "C" {
    /// A copy of a value as its JSON would be, so that no code of the caller runs while it is read.
    #[wasm_bindgen(catch)]
    fn copied(value: &JsValue, what: &str) -> Result<JsValue, JsValue>;
}

/// A copy of a caller's value, in which there are no getters.
#[doc(hidden)]
#[derive(Debug)]
pub struct PlainValue {
    value: JsValue,
    json: OnceCell<String>,
}

impl PlainValue {
    /// A copy of this value; `what` is its name in messages.
    ///
    /// # Errors
    /// When it is no object, or cannot be copied.
    pub fn copy_of(value: &JsValue, what: &str) -> Result<Self, JsValue> {
        Ok(Self {
            value: copied(value, what)?,
            json: OnceCell::new(),
        })
    }
}

impl ReadValue for PlainValue {
    fn read_into(&self, object: &mut dyn Object<'_>) -> bool {
        read_plain(object, Deserializer::from(self.value.clone()))
    }

    fn json(&self) -> &str {
        self.json.get_or_init(|| {
            let json = JSON::stringify(&self.value);
            json.map(String::from).unwrap_or_default()
        })
    }
}

/// A small answer as a value.
///
/// # Errors
/// When it cannot be serialized, which none of our types refuses.
#[doc(hidden)]
pub fn told(answer: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(answer.serialize(&Serializer::json_compatible())?)
}
