//! The tools module's own part: single questions, each with bytes in and bytes out.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::thrown;
use crate::api;

macro_rules! doors {
    ($( $(#[$meta:meta])* $js:ident $door:ident ( $($input:ident),* ); )*) => {$(
        $(#[$meta])*
        ///
        /// # Errors
        /// When an input cannot be read; see [`Error`](crate::Error).
        #[wasm_bindgen(js_name = $js)]
        pub fn $door($($input: &[u8]),*) -> Result<Vec<u8>, JsValue> {
            api::$door($($input),*).map_err(thrown)
        }
    )*};
}

doors! {
    /// Why things are as they are: a plan request or a snapshot in, explanations out. `question` may be empty.
    explain explain(input, question);
    /// What differs between two sets of slices.
    diff diff(before, after);
    /// What an API server would have made of a plan.
    apply apply(plan, slices);
    /// Plans in the form that is asked for: data, patches, commands or a report.
    exported exported(input, question);
    /// Which endpoints a node uses, and by which rules.
    route route(request);
    /// Who serves whom.
    traffic traffic(request);
    /// Endpoints in, the plan of the slices that mirror them out.
    mirror mirror(request);
    /// Endpoints, Services and slices of a cluster in, the plans of all Endpoints out.
    mirrorSnapshot mirror_snapshot(snapshot);
    /// What an API server writes for its own Service.
    kubernetesService kubernetes_service(request);
}
