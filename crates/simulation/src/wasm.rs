//! A scenario in, its events out, step by step.

use alloc::format;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use slicewise::wasm::{Asked, Input, invalid, max_input_bytes, spelt, thrown, value_of, whole};

/// More steps at once would not fit into memory anyway.
const MOST_STEPS: u32 = 100_000;

/// A scenario played at your own pace: the run of `slicewise simulate`, step by step. Equal scenarios give equal steps.
#[wasm_bindgen]
pub struct Timeline {
    timeline: crate::Timeline,
}

#[wasm_bindgen]
impl Timeline {
    /// Starts a scenario; an error has a path into it.
    ///
    /// # Errors
    /// When either cannot be read or is impossible; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Json<Scenario>")] scenario: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Json<TimelineSettings>")]
        settings: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let input = Input::open_within(scenario, "the scenario", "", limits)?;
        let settings = Asked::open(settings, "the settings")?;
        let timeline = settings.with(&input, |scenario, settings| {
            crate::Timeline::new(scenario, settings, limits)
        })?;
        Ok(Self { timeline })
    }

    /// The scenario's description of itself.
    ///
    /// # Errors
    /// See [`crate::Timeline::summary`].
    #[wasm_bindgen(unchecked_return_type = "ScenarioSummary")]
    pub fn about(&self) -> Result<JsValue, JsValue> {
        value_of(&self.timeline.summary().map_err(thrown)?)
    }

    /// The next steps, at most this many (1 by default); none once the run has ended.
    ///
    /// # Errors
    /// When the count is impossible.
    #[wasm_bindgen(unchecked_return_type = "TimelineStep[]")]
    pub fn next(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] count: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let most = match count.is_undefined() {
            true => Some(1),
            false => count.as_f64().and_then(whole),
        };
        let most = most.filter(|most| (1..=MOST_STEPS).contains(most));
        let most = most.ok_or_else(|| {
            let got = spelt(count);
            invalid(format!(
                "the number of steps must be a whole number between 1 and {MOST_STEPS}, got {got}"
            ))
        })?;
        value_of(&self.timeline.steps(most as usize).map_err(thrown)?)
    }

    /// The report of the run. An unfinished run is first run to its end, and its remaining steps are not returned.
    ///
    /// # Errors
    /// See [`crate::Timeline::report`].
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn report(&mut self) -> Result<JsValue, JsValue> {
        value_of(&self.timeline.report().map_err(thrown)?)
    }

    /// The same, as the bytes that `slicewise simulate -o json` prints.
    ///
    /// # Errors
    /// See [`crate::Timeline::report`].
    #[wasm_bindgen(js_name = reportBytes)]
    pub fn report_bytes(&mut self) -> Result<Uint8Array, JsValue> {
        let report = self.timeline.report().map_err(thrown)?;
        Ok(Uint8Array::from(report.as_slice()))
    }
}
