//! Single questions, each about one or two inputs.

use wasm_bindgen::prelude::*;

use slicewise::wasm::{Asked, Input, both, text_of, thrown};

/// Plans every Service of a cluster, as `kubectl get services,pods,nodes,endpointslices -A -o json` prints it.
///
/// # Errors
/// When the snapshot or the options cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen(js_name = planSnapshot, unchecked_return_type = "Form<SnapshotPlans>")]
pub fn plan_snapshot(
    #[wasm_bindgen(unchecked_param_type = "Form<Given<Snapshot>>")] snapshot: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Json<Options>")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let input = Input::open(snapshot, "the snapshot", "snapshot")?;
    let options = Asked::open(options, "options")?;
    options.answer(&input, |snapshot, options| {
        crate::plan_snapshot(snapshot, options)
    })
}

/// Explains why a pod gets no traffic, why there are no hints, why slices are as they are, what writes cost, and what
/// would change it. Takes a plan request or a snapshot.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen(unchecked_return_type = "Form<Explained>")]
pub fn explain(
    #[wasm_bindgen(unchecked_param_type = "Form<Given<PlanRequest | Snapshot>>")] given: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Json<Question>")] question: &JsValue,
) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "explain")?;
    let question = Asked::open(question, "the question")?;
    question.answer(&input, |input, question| crate::explain(input, question))
}

/// Plans a request or a snapshot, and returns the plans as text: `json` or `yaml`, `patches` (a list of the writes of
/// each plan, updates as patches), `kubectl` (a shell script), or `report` (Markdown).
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen(unchecked_return_type = "string")]
pub fn exported(
    #[wasm_bindgen(unchecked_param_type = "Json<PlanRequest | Snapshot>")] given: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Json<ExportQuestion>")] question: &JsValue,
) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "explain")?;
    let question = Asked::required(question, "the question")?;
    text_of(&question.with(&input, |input, question| crate::exported(input, question))?)
}

/// Compares what two versions of Kubernetes do with a request or a snapshot: plans, traffic, settings that stop working
/// and values that are refused.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen(unchecked_return_type = "Form<Upgrade>")]
pub fn upgrade(
    #[wasm_bindgen(unchecked_param_type = "Form<Given<PlanRequest | Snapshot>>")] given: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Json<UpgradeQuestion>")] question: &JsValue,
) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "upgrade")?;
    let question = Asked::required(question, "the question")?;
    question.answer(&input, |input, question| crate::upgrade(input, question))
}

/// Compares slices endpoint by endpoint: what was added, removed, changed or moved. Objects of other kinds are ignored.
///
/// # Errors
/// When an input cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen(unchecked_return_type = "Form<Diff>")]
pub fn diff(
    #[wasm_bindgen(unchecked_param_type = "Form<Given<Slices>>")] before: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Json<Slices>")] after: &JsValue,
) -> Result<JsValue, JsValue> {
    let before = Input::open(before, "what was before", "")?;
    let after = Input::open(after, "what is after", "")?;
    let diff = both(&before, &after, slicewise::api::diff).map_err(thrown)?;
    before.answer(Ok(diff))
}

macro_rules! doors {
    ($( $(#[$meta:meta])* $js:ident($in:tt) -> $out:tt, $door:ident: $of:path, $what:literal; )*) => {$(
        $(#[$meta])*
        ///
        /// # Errors
        /// When the input cannot be read; see [`Error`](slicewise::Error).
        #[wasm_bindgen(js_name = $js, unchecked_return_type = $out)]
        pub fn $door(#[wasm_bindgen(unchecked_param_type = $in)] request: &JsValue) -> Result<JsValue, JsValue> {
            let input = Input::open(request, $what, stringify!($js))?;
            input.answer($of(input.bytes()))
        }
    )*};
}

doors! {
    /// Plans one Service.
    plan("Form<PlanRequest>") -> "Form<Plan>", plan: crate::plan, "the request";
    /// Returns which endpoints of a Service a node uses, and why. It needs a request, because objects alone do not say
    /// which node's view to compute.
    route("Form<RouteRequest>") -> "Form<RouteAnswer>", route: slicewise_traffic::route, "the request";
    /// Returns who serves whom: each endpoint's share, and the traffic between zones.
    traffic("Form<TrafficRequest>") -> "Form<TrafficAnswer>", traffic: slicewise_traffic::traffic, "the request";
    /// Plans the slices that mirror an Endpoints object, as the EndpointSliceMirroring controller does.
    mirror("Form<MirrorRequest>") -> "Form<MirrorPlan>", mirror: slicewise_sources::mirror, "the request";
    /// The same for a cluster, as `kubectl get endpoints,services,endpointslices -A -o json` prints it.
    mirrorSnapshot("Form<Given<Snapshot>>") -> "Form<MirrorPlans>", mirror_snapshot: slicewise_sources::mirror_snapshot, "the snapshot";
    /// Plans what an API server writes for its own Service, `default/kubernetes`.
    kubernetesService("Form<KubernetesServiceRequest>") -> "Form<KubernetesServicePlan>", kubernetes_service: slicewise_sources::kubernetes_service, "the request";
}
