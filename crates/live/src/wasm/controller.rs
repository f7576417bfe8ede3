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

/// The controller's loop without a clock or sockets. Times are whole milliseconds since its start and never decrease;
/// whatever is due between two calls happens first, at its own time. A call that throws changes nothing, unless time had
/// to pass to detect the error ([`Controller::complete`] for a plan that is not waiting); the answers of that time then
/// come with the next call.
#[wasm_bindgen]
pub struct Controller {
    stream: ControllerStream,
    limits: Limits,
    /// Output that was not returned yet: from a call that failed after time had passed.
    lines: Vec<u8>,
}

#[wasm_bindgen]
impl Controller {
    /// A controller that knows no objects yet.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "Json<ControllerConfig>")] config: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let config = Asked::open(config, "the configuration")?;
        Ok(Self {
            stream: config.alone(|config| ControllerStream::with_config(config, limits))?,
            limits,
            lines: Vec::new(),
        })
    }

    /// Processes a line of the stream, as `slicewise simulate --ndjson` does.
    ///
    /// # Errors
    /// When the line cannot be read or is inconsistent.
    #[wasm_bindgen(unchecked_return_type = "Form<ControllerAction[]>")]
    pub fn feed(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Form<ControllerLine>")] line: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.fed(line, "the line")
    }

    /// Applies a watch event, or an array of them. Answers to text and bytes are lines.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    #[wasm_bindgen(unchecked_return_type = "Form<ControllerAction[]>")]
    pub fn apply(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Form<WatchEvent | readonly WatchEvent[]>")]
        events: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] now: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let at = Duration::from_millis(milliseconds(now)? as u64);
        let input = Input::open_within(events, "the events", "events", self.limits)?;
        let taken = self
            .stream
            .take_events(at, input.bytes(), self.limits, &mut self.lines);
        self.answer(&input, taken)
    }

    /// Applies a complete list of a kind; known objects that are not in it are removed.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    #[wasm_bindgen(unchecked_return_type = "Form<ControllerAction[]>")]
    pub fn list(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Form<ObjectList>")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] now: &JsValue,
    ) -> Result<JsValue, JsValue> {
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
    #[wasm_bindgen(unchecked_return_type = "ControllerAction[]")]
    pub fn due(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] now: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.fed(&time_line(now)?, "the time")
    }

    /// With `apply: 'manual'`: reports the result of a plan. Without `applied`, all of it was written, or nothing if
    /// `error` is given.
    ///
    /// # Errors
    /// Same as [`Controller::feed`].
    #[wasm_bindgen(unchecked_return_type = "ControllerAction[]")]
    pub fn complete(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ServiceKey")] service: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "WriteError | null")] error: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] now: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Written")] applied: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let line = result_line(service, error, now, applied)?;
        self.fed(&line, "the result")
    }

    /// When the next thing happens without further input, rounded up; `null` if there is nothing to wait for.
    #[wasm_bindgen(js_name = nextDue, unchecked_return_type = "number | null")]
    #[must_use]
    pub fn next_due(&self) -> JsValue {
        let timer = self.stream.next_timer();
        timer.map_or(JsValue::NULL, |timer| {
            JsValue::from_f64(timer.as_nanos().div_ceil(1_000_000) as f64)
        })
    }

    /// Its current metrics.
    ///
    /// # Errors
    /// When they are longer than a string can be.
    #[wasm_bindgen(unchecked_return_type = "MetricFamily[]")]
    pub fn metrics(&self) -> Result<JsValue, JsValue> {
        value_of(&self.stream.metrics())
    }

    /// The same as Prometheus text; serve it as `text/plain; version=0.0.4`.
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
