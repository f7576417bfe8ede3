//! The WebAssembly interface: a handle of a proxy's stream.

use alloc::vec::Vec;

use slicewise::api::Limits;
use slicewise::wasm::{Asked, Input, max_input_bytes, value_of};
use wasm_bindgen::prelude::*;

use crate::ProxyStream;

/// kube-proxy's view of Services and slices on a node.
#[wasm_bindgen]
pub struct Proxier {
    stream: ProxyStream,
    limits: Limits,
}

#[wasm_bindgen]
impl Proxier {
    /// A proxy that knows nothing yet.
    ///
    /// # Errors
    /// When the settings cannot be read; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Json<ProxySettings>")] settings: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let settings = Asked::required(settings, "the settings")?;
        let stream = settings.alone(|settings| ProxyStream::with_settings(settings, limits))?;
        Ok(Self { stream, limits })
    }

    /// Processes a line of the stream, as `slicewise proxy --ndjson` does. Lines other than questions have no answer:
    /// `null`, or nothing.
    ///
    /// # Errors
    /// When the line cannot be read.
    #[wasm_bindgen(unchecked_return_type = "Form<ProxyUpdate | null>")]
    pub fn feed(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Form<ProxyLine>")] line: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let input = Input::open_within(line, "the line", "proxyLine", self.limits)?;
        let mut output = Vec::new();
        let fed = self.stream.feed(input.bytes(), self.limits, &mut output);
        input.answer_as(fed.map(|()| output), |answer| match answer {
            [] => Ok(JsValue::NULL),
            _ => value_of(answer),
        })
    }
}
