//! The WebAssembly interface: a handle of a proxy's stream.

use alloc::vec::Vec;

use slicewise::api::Limits;
use slicewise::wasm::thrown;
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
    /// A proxy that knows nothing yet.
    ///
    /// # Errors
    /// When the settings cannot be read; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits::new(max_input_bytes);
        let stream = ProxyStream::with_settings(settings, limits).map_err(thrown)?;
        Ok(Self { stream, limits })
    }

    /// Takes a line and returns its answer, which may be empty.
    ///
    /// # Errors
    /// When the line cannot be read.
    pub fn feed(&mut self, line: &[u8]) -> Result<Vec<u8>, JsValue> {
        let mut output = Vec::new();
        let result = self.stream.feed(line, self.limits, &mut output);
        result.map(|()| output).map_err(thrown)
    }
}
