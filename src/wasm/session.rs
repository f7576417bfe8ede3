//! What the module of sessions has besides: handles of a session and of a controller's stream.
//!
//! Inputs are copied into the module's memory once and read where they are; answers are copied out once.
//! `max_input_bytes` is the largest input that is taken. Times are whole milliseconds, as in the stream's lines.

use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use wasm_bindgen::prelude::*;

use super::thrown;
use crate::api::{self, ControllerStream, Limits};

/// A cluster as last seen; see [`api::Session`].
#[wasm_bindgen]
pub struct Session {
    session: api::Session,
    limits: Limits,
}

#[wasm_bindgen]
impl Session {
    /// An empty cluster; `options` may be empty.
    ///
    /// # Errors
    /// When the options cannot be read; see [`Error`](crate::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(options: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits { max_input_bytes };
        let session = api::Session::new(options).map_err(thrown)?;
        Ok(Self { session, limits })
    }

    /// The session that [`Session::dump`] has written.
    ///
    /// # Errors
    /// When the dump cannot be read.
    pub fn restore(dump: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits { max_input_bytes };
        let session = api::Session::restore(dump, limits).map_err(thrown)?;
        Ok(Self { session, limits })
    }

    /// Watch events, or lists, in; what became of them out.
    ///
    /// # Errors
    /// When the events cannot be read; then nothing is taken.
    pub fn apply(&mut self, events: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.session.apply(events, self.limits).map_err(thrown)
    }

    /// The plan of `namespace/name`, or `null`.
    ///
    /// # Errors
    /// When `service` is no namespace and name.
    pub fn sync(&mut self, service: &str) -> Result<Vec<u8>, JsValue> {
        self.session.sync(service).map_err(thrown)
    }

    /// The Services there are, a list of `namespace/name`.
    ///
    /// # Errors
    /// Never; see [`api::Session::services`].
    pub fn services(&self) -> Result<Vec<u8>, JsValue> {
        self.session.services().map_err(thrown)
    }

    /// The whole session.
    ///
    /// # Errors
    /// Never; see [`api::Session::dump`].
    pub fn dump(&self) -> Result<Vec<u8>, JsValue> {
        self.session.dump().map_err(thrown)
    }
}

/// A controller in virtual time; see [`ControllerStream`]. Answers are the stream's lines.
#[wasm_bindgen]
pub struct Controller {
    stream: ControllerStream,
    limits: Limits,
    /// What has come out and was not given yet: of a call that failed when time had passed already.
    lines: Vec<u8>,
}

#[wasm_bindgen]
impl Controller {
    /// A controller that knows nothing yet; `config` may be empty.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits { max_input_bytes };
        Ok(Self {
            stream: ControllerStream::with_config(config, limits).map_err(thrown)?,
            limits,
            lines: Vec::new(),
        })
    }

    /// A line in, the lines of what follows from it out.
    ///
    /// # Errors
    /// When the line cannot be read, or says what cannot be.
    pub fn feed(&mut self, line: &[u8]) -> Result<Vec<u8>, JsValue> {
        let result = self.stream.feed(line, self.limits, &mut self.lines);
        result.map(|()| mem::take(&mut self.lines)).map_err(thrown)
    }

    /// A watch event, or an array of them.
    ///
    /// # Errors
    /// As [`Controller::feed`].
    pub fn apply(&mut self, at: f64, events: &[u8]) -> Result<Vec<u8>, JsValue> {
        let at = Duration::from_millis(at as u64);
        let result = self
            .stream
            .take_events(at, events, self.limits, &mut self.lines);
        result.map(|()| mem::take(&mut self.lines)).map_err(thrown)
    }

    /// All there is of a kind.
    ///
    /// # Errors
    /// As [`Controller::feed`].
    pub fn list(&mut self, at: f64, list: &[u8]) -> Result<Vec<u8>, JsValue> {
        let at = Duration::from_millis(at as u64);
        let result = self
            .stream
            .take_list(at, list, self.limits, &mut self.lines);
        result.map(|()| mem::take(&mut self.lines)).map_err(thrown)
    }

    /// When something will happen next if nothing else does, rounded up; `undefined` when there is nothing to wait for.
    #[wasm_bindgen(js_name = nextDue)]
    #[must_use]
    pub fn next_due(&self) -> Option<f64> {
        let timer = self.stream.next_timer()?;
        Some(timer.as_nanos().div_ceil(1_000_000) as f64)
    }
}
