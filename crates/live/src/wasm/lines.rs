//! Lines of a controller's stream that are made of the arguments of calls.

use alloc::format;
use alloc::vec::Vec;

use js_sys::{Number, Object, Reflect};
use wasm_bindgen::prelude::*;

use slicewise::wasm::{invalid, name_of, spelt};

/// The line that lets time pass.
pub(super) fn time_line(now: &JsValue) -> Result<JsValue, JsValue> {
    object(&[("at", &milliseconds(now)?.into())])
}

/// The line that reports the result of a plan.
pub(super) fn result_line(
    service: &JsValue,
    error: &JsValue,
    now: &JsValue,
    applied: &JsValue,
) -> Result<JsValue, JsValue> {
    let service = name_of(service)?.into();
    let mut result = Vec::from([("service", &service)]);
    result.extend((!error.is_null()).then_some(("error", error)));
    result.push(("applied", applied));
    let at = milliseconds(now)?.into();
    object(&[("at", &at), ("result", &object(&result)?)])
}

/// A time: whole milliseconds since the start.
pub(super) fn milliseconds(now: &JsValue) -> Result<f64, JsValue> {
    let time = now.as_f64();
    time.filter(|time| Number::is_safe_integer(now) && *time >= 0.0)
        .ok_or_else(|| {
            let got = spelt(now);
            invalid(format!(
                "the time must be whole milliseconds since the start, got {got}"
            ))
        })
}

/// An object with these fields.
fn object(fields: &[(&str, &JsValue)]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object.into())
}
