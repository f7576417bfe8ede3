//! Single questions, each with bytes in and bytes out.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::wasm::thrown;

/// Distinguishes plan requests from snapshots: `"request"` or `"snapshot"`. Anything that is neither counts as a
/// request, whose errors say what is missing.
#[wasm_bindgen]
#[must_use]
pub fn detect(input: &[u8]) -> String {
    slicewise::api::detect(input).as_str().to_owned()
}

/// `PlanRequest` in, `Plan` out, explained if its options request it.
///
/// # Errors
/// When the request cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen]
pub fn plan(request: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::plan(request).map_err(thrown)
}

/// A cluster snapshot in, the plans of its Services out. `options` may be empty.
///
/// # Errors
/// When the snapshot or the options cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen(js_name = planSnapshot)]
pub fn plan_snapshot(snapshot: &[u8], options: &[u8]) -> Result<Vec<u8>, JsValue> {
    crate::plan_snapshot(snapshot, options).map_err(thrown)
}

macro_rules! doors {
    ($( $(#[$meta:meta])* $js:ident $door:ident: $of:path, ( $($input:ident),* ); )*) => {$(
        $(#[$meta])*
        ///
        /// # Errors
        /// When an input cannot be read; see [`Error`](slicewise::Error).
        #[wasm_bindgen(js_name = $js)]
        pub fn $door($($input: &[u8]),*) -> Result<Vec<u8>, JsValue> {
            $of($($input),*).map_err(thrown)
        }
    )*};
}

doors! {
    /// Explains a plan request or a snapshot. `question` may be empty.
    explain explain: crate::explain, (input, question);
    /// The differences between two sets of slices.
    diff diff: slicewise::api::diff, (before, after);
    /// Plans as a text: data, patches, commands or a report.
    exported exported: crate::exported, (input, question);
    /// Which endpoints a node uses, and by which rules.
    route route: slicewise_traffic::route, (request);
    /// The traffic of a Service: which endpoints serve which clients.
    traffic traffic: slicewise_traffic::traffic, (request);
    /// Endpoints in, the plan of their mirrored slices out.
    mirror mirror: slicewise_sources::mirror, (request);
    /// Endpoints, Services and slices of a cluster in, the plans for all Endpoints out.
    mirrorSnapshot mirror_snapshot: slicewise_sources::mirror_snapshot, (snapshot);
    /// The writes of an API server for its own Service.
    kubernetesService kubernetes_service: slicewise_sources::kubernetes_service, (request);
}
