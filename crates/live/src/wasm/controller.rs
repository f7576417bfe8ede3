//! The controller: a handle of its stream.
//!
//! Times are whole milliseconds, as in the stream's lines.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::wasm::thrown;

use crate::json::ControllerStream;

/// A controller in virtual time; see [`ControllerStream`]. Answers are the stream's lines.
#[wasm_bindgen]
pub struct Controller {
    stream: ControllerStream,
    limits: Limits,
    /// Output that was not returned yet: from a call that failed after time had passed.
    lines: Vec<u8>,
}

#[wasm_bindgen]
impl Controller {
    /// A controller that knows no objects yet; `config` may be empty.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits::new(max_input_bytes);
        Ok(Self {
            stream: ControllerStream::with_config(config, limits).map_err(thrown)?,
            limits,
            lines: Vec::new(),
        })
    }

    /// Takes a line and returns the resulting lines.
    ///
    /// # Errors
    /// When the line cannot be read or is inconsistent.
    pub fn feed(&mut self, line: &[u8]) -> Result<Vec<u8>, JsValue> {
        let result = self.stream.feed(line, self.limits, &mut self.lines);
        result.map(|()| mem::take(&mut self.lines)).map_err(thrown)
    }

    /// Takes a watch event, or an array of them.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    pub fn apply(&mut self, at: f64, events: &[u8]) -> Result<Vec<u8>, JsValue> {
        let at = Duration::from_millis(at as u64);
        let result = self
            .stream
            .take_events(at, events, self.limits, &mut self.lines);
        result.map(|()| mem::take(&mut self.lines)).map_err(thrown)
    }

    /// Takes a list of all objects of a kind.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    pub fn list(&mut self, at: f64, list: &[u8]) -> Result<Vec<u8>, JsValue> {
        let at = Duration::from_millis(at as u64);
        let result = self
            .stream
            .take_list(at, list, self.limits, &mut self.lines);
        result.map(|()| mem::take(&mut self.lines)).map_err(thrown)
    }

    /// When the next thing happens if nothing else comes in, rounded up; `undefined` if there is nothing to wait for.
    #[wasm_bindgen(js_name = nextDue)]
    #[must_use]
    pub fn next_due(&self) -> Option<f64> {
        let timer = self.stream.next_timer()?;
        Some(timer.as_nanos().div_ceil(1_000_000) as f64)
    }

    /// All metrics, as JSON.
    #[must_use]
    pub fn metrics(&self) -> Vec<u8> {
        self.stream.metrics()
    }

    /// All metrics, as the text that a Prometheus server reads.
    #[wasm_bindgen(js_name = metricsText)]
    #[must_use]
    pub fn metrics_text(&self) -> String {
        self.stream.metrics_text()
    }
}
