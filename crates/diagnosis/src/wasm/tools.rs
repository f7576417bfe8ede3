//! The tools module's own part: single questions, each with bytes in and bytes out.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::wasm::thrown;

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
    /// The slices after a plan is applied, as an API server would store them.
    apply apply: slicewise::api::apply, (plan, slices);
    /// Plans as a text: data, patches, commands or a report.
    exported exported: crate::exported, (input, question);
    /// Which endpoints a node uses, and by which rules.
    route route: slicewise::api::route, (request);
    /// The traffic of a Service: which endpoints serve which clients.
    traffic traffic: slicewise::api::traffic, (request);
    /// Endpoints in, the plan of their mirrored slices out.
    mirror mirror: slicewise::api::mirror, (request);
    /// Endpoints, Services and slices of a cluster in, the plans for all Endpoints out.
    mirrorSnapshot mirror_snapshot: slicewise::api::mirror_snapshot, (snapshot);
    /// The writes of an API server for its own Service.
    kubernetesService kubernetes_service: slicewise::api::kubernetes_service, (request);
}
