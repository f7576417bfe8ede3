//! What the page starts with: a Service at a glance, and edits of its input by hand.

use wasm_bindgen::prelude::*;

use slicewise::wasm::{Asked, Input, thrown, value_of};

/// A Service of a plan request or a snapshot at a glance: a question and its answer, the arithmetic of hints, which
/// counts of endpoints work, changes to the input that would help, each tried before it is offered, and how much of the
/// traffic crosses zones.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
#[wasm_bindgen(unchecked_return_type = "Form<Glance>")]
pub fn glance(
    #[wasm_bindgen(unchecked_param_type = "Form<Given<PlanRequest | Snapshot>>")] given: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Json<GlanceQuestion>")] question: &JsValue,
) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "glance")?;
    let question = Asked::open(question, "the question")?;
    question.answer(&input, |input, question| crate::glance(input, question))
}

/// A plan request or a snapshot in, one of its Services at a glance and the plans out: a line, and what follows it.
///
/// # Errors
/// Same as for [`glance`], [`slicewise::api::plan`] and [`slicewise::api::plan_snapshot`].
#[wasm_bindgen]
pub fn look(given: &JsValue, question: &JsValue) -> Result<JsValue, JsValue> {
    let input = Input::open(given, "the input", "glance")?;
    let question = Asked::open(question, "the question")?;
    question.answer(&input, |input, question| crate::look(input, question))
}

/// A manual edit of objects in, changes of the input out: a value, in whatever form the question is.
///
/// # Errors
/// When the question cannot be read.
#[wasm_bindgen]
pub fn edit(question: &JsValue) -> Result<JsValue, JsValue> {
    let asked = Input::open(question, "the question", "")?;
    value_of(&crate::edit(asked.bytes()).map_err(thrown)?)
}

/// The legend of pictures of endpoints.
///
/// # Errors
/// When the answer refuses to be serialized, which none of its types does.
#[wasm_bindgen]
pub fn legend() -> Result<JsValue, JsValue> {
    value_of(&crate::legend().map_err(thrown)?)
}
