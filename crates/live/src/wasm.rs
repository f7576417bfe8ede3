//! The WebAssembly interface of what an API server stores, and of what lives longer than one call: handles of sessions and controllers.
//!
//! Invariant: no rule is implemented here. A native caller of [`crate::json`] can do everything that these files can,
//! with the same bytes.

pub mod controller;
mod lines;
pub mod session;

use slicewise::wasm::{Input, both, thrown};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OBJECTS: &str = r"
/** EndpointSlices: an array of them, or objects as `kubectl get endpointslices -A -o json` prints them. */
export type Slices = readonly object[] | Snapshot;
/**
 * A watch event as an API server sends it; or `LISTING`, which no API server sends: it begins a list in pieces, of the
 * kind of its object.
 */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | 'LISTING';
  object: object;
}
/**
 * A complete list of its kind, as an API server returns it. A `List`, as kubectl prints it, stands for all four kinds: it
 * is refused if it lacks a kind of which objects are known. So is one page of a list, unless a listing of its kind is in
 * progress.
 */
export interface ObjectList {
  kind: string;
  apiVersion?: string | undefined;
  metadata?: object | undefined;
  items: readonly object[];
}
/** An action of a controller. The kinds are distinguished by their fields, as in `'sync' in action`; `at` may have a fraction. */
export type ControllerAction = Exclude<ControllerAnswer, ErrorAnswer>;
";

/// Applies a plan, or all plans of a snapshot, in memory, and returns the resulting slices. `slices` are those the plan
/// was made from; writes that the API server would refuse are refused and reported.
///
/// # Errors
/// When an input cannot be read; see [`Error`](slicewise::Error).
#[wasm_bindgen(unchecked_return_type = "Form<AppliedPlan>")]
pub fn apply(
    #[wasm_bindgen(unchecked_param_type = "Form<Plan | MirrorPlan | SnapshotPlans | MirrorPlans>")]
    plan: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Json<Slices>")] slices: &JsValue,
) -> Result<JsValue, JsValue> {
    let plan = Input::open(plan, "the plan", "")?;
    let slices = Input::open(slices, "the slices", "")?;
    let applied = both(&plan, &slices, crate::json::apply).map_err(thrown)?;
    plan.answer(Ok(applied))
}
