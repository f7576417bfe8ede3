//! The WebAssembly interface: a handle of a proxy's stream.

use alloc::vec::Vec;

use slicewise::api::Limits;
use slicewise::wasm::{Asked, Input, max_input_bytes, value_of};
use wasm_bindgen::prelude::*;

use crate::ProxyStream;

/// A proxy; see [`ProxyStream`]. Answers are the stream's lines.
#[wasm_bindgen]
pub struct Proxier {
    stream: ProxyStream,
    limits: Limits,
}

#[wasm_bindgen]
impl Proxier {
    /// A proxy that knows nothing yet; `limits` may be left out.
    ///
    /// # Errors
    /// When the settings cannot be read; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &JsValue, limits: &JsValue) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let settings = Asked::required(settings, "the settings")?;
        let stream = settings.alone(|settings| ProxyStream::with_settings(settings, limits))?;
        Ok(Self { stream, limits })
    }

    /// Takes a line and returns its answer: `null` or nothing for most lines.
    ///
    /// # Errors
    /// When the line cannot be read.
    pub fn feed(&mut self, line: &JsValue) -> Result<JsValue, JsValue> {
        let input = Input::open_within(line, "the line", "proxyLine", self.limits)?;
        let mut output = Vec::new();
        let fed = self.stream.feed(input.bytes(), self.limits, &mut output);
        input.answer_as(fed.map(|()| output), |answer| match answer {
            [] => Ok(JsValue::NULL),
            _ => value_of(answer),
        })
    }
}
