//! A scenario in, its events out, step by step.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::wasm::thrown;

/// A scenario that is run step by step; see [`crate::Timeline`].
#[wasm_bindgen]
pub struct Timeline {
    timeline: crate::Timeline,
}

#[wasm_bindgen]
impl Timeline {
    /// Starts a scenario; `settings` may be empty. `max_input_bytes` is the size limit for scenarios.
    ///
    /// # Errors
    /// When either cannot be read or is impossible; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: &[u8], settings: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits::new(max_input_bytes);
        let timeline = crate::Timeline::new(scenario, settings, limits).map_err(thrown)?;
        Ok(Self { timeline })
    }

    /// The summary of the scenario.
    ///
    /// # Errors
    /// See [`crate::Timeline::summary`].
    pub fn summary(&self) -> Result<Vec<u8>, JsValue> {
        self.timeline.summary().map_err(thrown)
    }

    /// The next steps, at most `most`.
    ///
    /// # Errors
    /// See [`crate::Timeline::steps`].
    pub fn steps(&mut self, most: usize) -> Result<Vec<u8>, JsValue> {
        self.timeline.steps(most).map_err(thrown)
    }

    /// The result of the run.
    ///
    /// # Errors
    /// See [`crate::Timeline::report`].
    pub fn report(&mut self) -> Result<Vec<u8>, JsValue> {
        self.timeline.report().map_err(thrown)
    }
}
