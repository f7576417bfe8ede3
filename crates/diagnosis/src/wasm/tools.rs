//! Single questions, each about one or two inputs.

use wasm_bindgen::prelude::*;

use slicewise::wasm::{Asked, Input, both, text_of, thrown};

/// A cluster snapshot in, the plans of its Services out. `options` may be left out.
///
/// # Errors
/// When the snapshot or the options cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen(js_name = planSnapshot)]
pub fn plan_snapshot(snapshot: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let input = Input::open(snapshot, "the snapshot", "snapshot")?;
    let options = Asked::open(options, "options")?;
    options.answer(&input, |snapshot, options| {
        crate::plan_snapshot(snapshot, options)
    })
}

/// Explains a plan request or a snapshot. `question` may be left out.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen]
pub fn explain(given: &JsValue, question: &JsValue) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "explain")?;
    let question = Asked::open(question, "the question")?;
    question.answer(&input, |input, question| crate::explain(input, question))
}

/// Plans as a text: data, patches, commands or a report.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen]
pub fn exported(given: &JsValue, question: &JsValue) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "explain")?;
    let question = Asked::required(question, "the question")?;
    text_of(&question.with(&input, |input, question| crate::exported(input, question))?)
}

/// The differences between two sets of slices.
///
/// # Errors
/// When an input cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen]
pub fn diff(before: &JsValue, after: &JsValue) -> Result<JsValue, JsValue> {
    let before = Input::open(before, "what was before", "")?;
    let after = Input::open(after, "what is after", "")?;
    let diff = both(&before, &after, slicewise::api::diff).map_err(thrown)?;
    before.answer(Ok(diff))
}

macro_rules! doors {
    ($( $(#[$meta:meta])* $js:ident $door:ident: $of:path, $what:literal; )*) => {$(
        $(#[$meta])*
        ///
        /// # Errors
        /// When the input cannot be read; see [`Error`](slicewise::Error).
        #[wasm_bindgen(js_name = $js)]
        pub fn $door(given: &JsValue) -> Result<JsValue, JsValue> {
            let input = Input::open(given, $what, stringify!($js))?;
            input.answer($of(input.bytes()))
        }
    )*};
}

doors! {
    /// `PlanRequest` in, `Plan` out, explained if its options request it.
    plan plan: crate::plan, "the request";
    /// Which endpoints a node uses, and by which rules.
    route route: slicewise_traffic::route, "the request";
    /// The traffic of a Service: which endpoints serve which clients.
    traffic traffic: slicewise_traffic::traffic, "the request";
    /// Endpoints in, the plan of their mirrored slices out.
    mirror mirror: slicewise_sources::mirror, "the request";
    /// Endpoints, Services and slices of a cluster in, the plans for all Endpoints out.
    mirrorSnapshot mirror_snapshot: slicewise_sources::mirror_snapshot, "the snapshot";
    /// The writes of an API server for its own Service.
    kubernetesService kubernetes_service: slicewise_sources::kubernetes_service, "the request";
}
