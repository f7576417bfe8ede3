//! The controller: a handle of its stream.
//!
//! Times are whole milliseconds, as in the stream's lines.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use wasm_bindgen::prelude::*;

use slicewise::Error;
use slicewise::api::Limits;
use slicewise::wasm::{Asked, Input, max_input_bytes, value_of, values_of_lines};

use super::lines::{milliseconds, result_line, time_line};
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
    /// A controller that knows no objects yet; both arguments may be left out.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &JsValue, limits: &JsValue) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let config = Asked::open(config, "the configuration")?;
        Ok(Self {
            stream: config.alone(|config| ControllerStream::with_config(config, limits))?,
            limits,
            lines: Vec::new(),
        })
    }

    /// Takes a line and returns the resulting lines.
    ///
    /// # Errors
    /// When the line cannot be read or is inconsistent.
    pub fn feed(&mut self, line: &JsValue) -> Result<JsValue, JsValue> {
        self.fed(line, "the line")
    }

    /// Takes a watch event, or an array of them.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    pub fn apply(&mut self, events: &JsValue, now: &JsValue) -> Result<JsValue, JsValue> {
        let at = Duration::from_millis(milliseconds(now)? as u64);
        let input = Input::open_within(events, "the events", "events", self.limits)?;
        let taken = self
            .stream
            .take_events(at, input.bytes(), self.limits, &mut self.lines);
        self.answer(&input, taken)
    }

    /// Takes a list of all objects of a kind.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    pub fn list(&mut self, list: &JsValue, now: &JsValue) -> Result<JsValue, JsValue> {
        let at = Duration::from_millis(milliseconds(now)? as u64);
        let input = Input::open_within(list, "the list", "events", self.limits)?;
        let taken = self
            .stream
            .take_list(at, input.bytes(), self.limits, &mut self.lines);
        self.answer(&input, taken)
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    pub fn due(&mut self, now: &JsValue) -> Result<JsValue, JsValue> {
        self.fed(&time_line(now)?, "the time")
    }

    /// Reports the result of a plan; without `applied`, all of it was written, or nothing if there is an `error`.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    pub fn complete(
        &mut self,
        service: &JsValue,
        error: &JsValue,
        now: &JsValue,
        applied: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let line = result_line(service, error, now, applied)?;
        self.fed(&line, "the result")
    }

    /// When the next thing happens if nothing else comes in, rounded up; `null` if there is nothing to wait for.
    #[wasm_bindgen(js_name = nextDue)]
    #[must_use]
    pub fn next_due(&self) -> JsValue {
        let timer = self.stream.next_timer();
        timer.map_or(JsValue::NULL, |timer| {
            JsValue::from_f64(timer.as_nanos().div_ceil(1_000_000) as f64)
        })
    }

    /// All metrics.
    ///
    /// # Errors
    /// When they are longer than a string can be.
    pub fn metrics(&self) -> Result<JsValue, JsValue> {
        value_of(&self.stream.metrics())
    }

    /// All metrics, as the text that a Prometheus server reads.
    #[wasm_bindgen(js_name = metricsText)]
    #[must_use]
    pub fn metrics_text(&self) -> String {
        self.stream.metrics_text()
    }
}

impl Controller {
    fn fed(&mut self, line: &JsValue, what: &str) -> Result<JsValue, JsValue> {
        let input = Input::open_within(line, what, "line", self.limits)?;
        let fed = self
            .stream
            .feed(input.bytes(), self.limits, &mut self.lines);
        self.answer(&input, fed)
    }

    fn answer(&mut self, input: &Input, taken: Result<(), Error>) -> Result<JsValue, JsValue> {
        let answer = taken.map(|()| mem::take(&mut self.lines));
        input.answer_as(answer, values_of_lines)
    }
}
