//! A handle of a session.
//!
//! Inputs are copied into the module's memory once and read in place; answers are copied out once.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::wasm::{Asked, Input, applied, max_input_bytes, name_of, thrown, value_of};

use crate::json::{self, AppliedEvents};

/// The last known state of a cluster. The cost of a call depends on what has changed, not on the size of the cluster.
#[wasm_bindgen]
pub struct Session {
    session: json::Session,
    limits: Limits,
}

#[wasm_bindgen]
impl Session {
    /// An empty cluster.
    ///
    /// # Errors
    /// When the options cannot be read; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "Json<Options>")] options: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let options = Asked::open(options, "options")?;
        let session = options.alone(|options| json::Session::new(options))?;
        Ok(Self { session, limits })
    }

    /// Restores a session from [`Session::dump`], of this or another session. Dumps of another `version` are refused.
    ///
    /// # Errors
    /// When the dump cannot be read.
    pub fn restore(
        #[wasm_bindgen(unchecked_param_type = "Json<object>")] dump: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<Self, JsValue> {
        let limits = max_input_bytes(limits)?;
        let input = Input::open_within(dump, "the dump", "dump", limits)?;
        let session = json::Session::restore(input.bytes(), limits);
        let session = session.map_err(|error| thrown(input.placed(error)))?;
        Ok(Self { session, limits })
    }

    /// Applies a watch event, an array of them, or a list. Text and bytes may contain several of these, one per line;
    /// then the first must be complete, and any other invalid line is skipped and reported in `errors`. Otherwise bad
    /// input throws, and the session stays unchanged.
    ///
    /// A list may come in pieces: `{"type": "LISTING", "object": {"kind": "Pod"}}`, then either its pages, the last of
    /// which has no `continue`, or the events of a watch with `sendInitialEvents`, up to the bookmark that ends them.
    /// With the last piece, known objects that are in none of the pieces are removed. An interrupted listing is
    /// restarted with another `LISTING`.
    ///
    /// # Errors
    /// When the events cannot be read; nothing is taken then.
    #[wasm_bindgen(unchecked_return_type = "Form<Applied>")]
    pub fn apply(
        &mut self,
        #[wasm_bindgen(
            unchecked_param_type = "Form<WatchEvent | readonly WatchEvent[] | ObjectList>"
        )]
        events: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let input = Input::open_within(events, "the events", "events", self.limits)?;
        let applied = self.session.applied(input.bytes(), self.limits);
        if input.is_value()
            && let Ok(answer) = &applied
            && let Some(value) = usual(answer)
        {
            return Ok(value);
        }
        input.answer(applied.and_then(|applied| applied.to_json()))
    }

    /// The plan that a fresh request over the same objects would return; `null` if the Service does not exist.
    ///
    /// # Errors
    /// When `service` names none.
    #[wasm_bindgen(unchecked_return_type = "Plan | null")]
    pub fn sync(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ServiceKey")] service: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let name = name_of(service)?;
        value_of(&self.session.sync(&name).map_err(thrown)?)
    }

    /// The same as JSON bytes, which JavaScript need not parse; the text `null` if the Service does not exist.
    ///
    /// # Errors
    /// Same as [`Session::sync`].
    #[wasm_bindgen(js_name = syncBytes)]
    pub fn sync_bytes(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ServiceKey")] service: &JsValue,
    ) -> Result<Uint8Array, JsValue> {
        let name = name_of(service)?;
        let plan = self.session.sync(&name).map_err(thrown)?;
        Ok(Uint8Array::from(plan.as_slice()))
    }

    /// All Services, as `namespace/name`, in order.
    ///
    /// # Errors
    /// See [`json::Session::services`].
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn services(&self) -> Result<JsValue, JsValue> {
        value_of(&self.session.services().map_err(thrown)?)
    }

    /// The whole session as JSON, for [`Session::restore`]. Equal clusters have equal dumps.
    ///
    /// # Errors
    /// See [`json::Session::dump`].
    pub fn dump(&self) -> Result<Uint8Array, JsValue> {
        let dump = self.session.dump().map_err(thrown)?;
        Ok(Uint8Array::from(dump.as_slice()))
    }
}

/// The value of an answer that has nothing but counts and one version; the fields are listed, so that none is forgotten.
fn usual(answer: &AppliedEvents) -> Option<JsValue> {
    let AppliedEvents {
        taken,
        late,
        unknown,
        bookmarks,
        ignored,
        listed,
        resource_versions,
        continue_token,
        ended: None,
        left_out,
        more_left_out: None,
        errors,
        more_errors: None,
    } = answer
    else {
        return None;
    };
    let is_usual = ignored.is_empty()
        && listed.is_empty()
        && continue_token.is_empty()
        && left_out.is_empty()
        && errors.is_empty();
    let mut versions = resource_versions.iter();
    match (versions.next(), versions.next()) {
        (Some((kind, version)), None) if is_usual => {
            let [taken, late, unknown, bookmarks] =
                [taken, late, unknown, bookmarks].map(|count| *count as u32);
            Some(applied(taken, late, unknown, bookmarks, kind, version))
        }
        _ => None,
    }
}
