//! A handle of a session.
//!
//! Inputs are copied into the module's memory once and read in place; answers are copied out once.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::wasm::{Asked, Input, max_input_bytes, name_of, thrown, value_of};

use crate::json;

/// A cluster as last seen; see [`json::Session`].
#[wasm_bindgen]
pub struct Session {
    session: json::Session,
    limits: Limits,
}

#[wasm_bindgen]
impl Session {
    /// A session with an empty cluster; both arguments may be left out.
    ///
    /// # Errors
    /// When the options cannot be read; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue, limits: &JsValue) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let options = Asked::open(options, "options")?;
        let session = options.alone(|options| json::Session::new(options))?;
        Ok(Self { session, limits })
    }

    /// Restores a session that was written by [`Session::dump`].
    ///
    /// # Errors
    /// When the dump cannot be read.
    pub fn restore(dump: &JsValue, limits: &JsValue) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let input = Input::open_within(dump, "the dump", "dump", limits)?;
        let session = json::Session::restore(input.bytes(), limits);
        let session = session.map_err(|error| thrown(input.placed(error)))?;
        Ok(Self { session, limits })
    }

    /// Takes watch events or lists and returns their effect.
    ///
    /// # Errors
    /// When the events cannot be read; nothing is taken then.
    pub fn apply(&mut self, events: &JsValue) -> Result<JsValue, JsValue> {
        let input = Input::open_within(events, "the events", "events", self.limits)?;
        input.answer(self.session.apply(input.bytes(), self.limits))
    }

    /// The plan of a Service, or `null`.
    ///
    /// # Errors
    /// When `service` names none.
    pub fn sync(&mut self, service: &JsValue) -> Result<JsValue, JsValue> {
        let name = name_of(service)?;
        value_of(&self.session.sync(&name).map_err(thrown)?)
    }

    /// The same as JSON bytes.
    ///
    /// # Errors
    /// Same as [`Session::sync`].
    #[wasm_bindgen(js_name = syncBytes)]
    pub fn sync_bytes(&mut self, service: &JsValue) -> Result<Uint8Array, JsValue> {
        let name = name_of(service)?;
        let plan = self.session.sync(&name).map_err(thrown)?;
        Ok(Uint8Array::from(plan.as_slice()))
    }

    /// All Services, as a list of `namespace/name`.
    ///
    /// # Errors
    /// See [`json::Session::services`].
    pub fn services(&self) -> Result<JsValue, JsValue> {
        value_of(&self.session.services().map_err(thrown)?)
    }

    /// The whole session.
    ///
    /// # Errors
    /// See [`json::Session::dump`].
    pub fn dump(&self) -> Result<Uint8Array, JsValue> {
        let dump = self.session.dump().map_err(thrown)?;
        Ok(Uint8Array::from(dump.as_slice()))
    }
}
