//! A handle of a session.
//!
//! Inputs are copied into the module's memory once and read in place; answers are copied out once. `max_input_bytes` is
//! the size limit for inputs.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::wasm::thrown;

use crate::json;

/// A cluster as last seen; see [`json::Session`].
#[wasm_bindgen]
pub struct Session {
    session: json::Session,
    limits: Limits,
}

#[wasm_bindgen]
impl Session {
    /// A session with an empty cluster; `options` may be empty.
    ///
    /// # Errors
    /// When the options cannot be read; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(options: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits::new(max_input_bytes);
        let session = json::Session::new(options).map_err(thrown)?;
        Ok(Self { session, limits })
    }

    /// Restores a session that was written by [`Session::dump`].
    ///
    /// # Errors
    /// When the dump cannot be read.
    pub fn restore(dump: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits::new(max_input_bytes);
        let session = json::Session::restore(dump, limits).map_err(thrown)?;
        Ok(Self { session, limits })
    }

    /// Takes watch events or lists and returns their effect.
    ///
    /// # Errors
    /// When the events cannot be read; nothing is taken then.
    pub fn apply(&mut self, events: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.session.apply(events, self.limits).map_err(thrown)
    }

    /// The plan of `namespace/name`, or `null`.
    ///
    /// # Errors
    /// When `service` is not a namespace and name.
    pub fn sync(&mut self, service: &str) -> Result<Vec<u8>, JsValue> {
        self.session.sync(service).map_err(thrown)
    }

    /// All Services, as a list of `namespace/name`.
    ///
    /// # Errors
    /// See [`json::Session::services`].
    pub fn services(&self) -> Result<Vec<u8>, JsValue> {
        self.session.services().map_err(thrown)
    }

    /// The whole session.
    ///
    /// # Errors
    /// See [`json::Session::dump`].
    pub fn dump(&self) -> Result<Vec<u8>, JsValue> {
        self.session.dump().map_err(thrown)
    }
}
