//! Reviews in, verdicts out.
//!
//! Inputs are copied into the module's memory once and read in place; answers are copied out once.

use alloc::format;
use alloc::vec::Vec;

use js_sys::{Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::model::text::shorten;
use slicewise::wasm::{Asked, Input, field, max_input_bytes, thrown, told, value_of};
use slicewise::{Code, Error};

use crate::{Asking, policies};

mod asking;

use asking::ReviewAsking;

/// Answers admission reviews.
#[wasm_bindgen]
pub struct Reviewer {
    reviewer: crate::Reviewer,
    limits: Limits,
}

#[wasm_bindgen]
impl Reviewer {
    /// A reviewer with the `config` and the `snapshot` of `options`, which may be left out, as well as their
    /// `maxInputBytes`, the size limit of inputs.
    ///
    /// # Errors
    /// When one of them cannot be used; see [`Error`].
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "ReviewerOptions")] options: &JsValue,
    ) -> Result<Self, JsValue> {
        let names = ["config", "snapshot", "maxInputBytes"];
        check_names(options, &names, "createReviewer")?;
        let limits = max_input_bytes(options)?;
        let config = Asked::open(&field(options, "config")?, "the configuration")?;
        let reviewer = config.alone(|config| crate::Reviewer::new(config))?;
        let mut reviewer = Self { reviewer, limits };
        let snapshot = field(options, "snapshot")?;
        if !snapshot.is_undefined() && !snapshot.is_null() {
            reviewer.load(&snapshot)?;
        }
        Ok(reviewer)
    }

    /// Replaces the configuration from now on; an invalid one changes nothing.
    ///
    /// # Errors
    /// When it cannot be used; the previous one stays then.
    pub fn configure(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "Json<ReviewerConfig>")] config: &JsValue,
    ) -> Result<(), JsValue> {
        let config = Asked::open(config, "the configuration")?;
        config.alone(|config| self.reviewer.configure(config))
    }

    /// Replaces everything known about the cluster with a snapshot. Objects that cannot be read are left out, and named
    /// in `leftOut`.
    ///
    /// # Errors
    /// When it cannot be read; nothing changes then.
    #[wasm_bindgen(unchecked_return_type = "Applied")]
    pub fn load(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Json<Snapshot>")] snapshot: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let input = Input::open_within(snapshot, "the snapshot", "snapshot", self.limits)?;
        let loaded = self.reviewer.load(input.bytes(), self.limits);
        let loaded = loaded.and_then(|applied| applied.to_json());
        value_of(&loaded.map_err(|error| thrown(input.placed(error)))?)
    }

    /// Applies a watch event, an array of them, a complete list of a kind, or several of these, one per line. A kind is
    /// complete once it has been listed, or once a bookmark has ended its initial events. A list may come in pieces, as
    /// in a session.
    ///
    /// # Errors
    /// When they cannot be read.
    #[wasm_bindgen(unchecked_return_type = "Form<Applied>")]
    pub fn apply(
        &mut self,
        #[wasm_bindgen(
            unchecked_param_type = "Form<WatchEvent | readonly WatchEvent[] | ObjectList>"
        )]
        events: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let input = Input::open_within(events, "the events", "events", self.limits)?;
        input.answer(self.reviewer.apply(input.bytes(), self.limits))
    }

    /// Takes the next bytes of a page of a list.
    ///
    /// # Errors
    /// When it cannot be read.
    #[wasm_bindgen(js_name = _pushList, skip_typescript)]
    pub fn push_list(&mut self, list: &mut ListPieces, bytes: &JsValue) -> Result<(), JsValue> {
        let piece = piece(bytes, "the list", self.limits)?;
        let pushed = self.reviewer.push_list(&mut list.0, piece.bytes());
        pushed.map_err(thrown)
    }

    /// Ends a page of a list.
    ///
    /// # Errors
    /// When it is cut off, or no list.
    #[wasm_bindgen(js_name = _finishList, skip_typescript)]
    pub fn finish_list(&mut self, list: &mut ListPieces) -> Result<JsValue, JsValue> {
        let applied = self.reviewer.finish_list(core::mem::take(&mut list.0));
        let applied = applied.and_then(|applied| applied.to_json());
        value_of(&applied.map_err(thrown)?)
    }

    /// Takes an AdmissionReview with a request, and returns one with a response.
    ///
    /// # Errors
    /// When the review cannot be read, or the policy does not exist.
    #[wasm_bindgen(unchecked_return_type = "Form<ReviewAnswer>")]
    pub fn review(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Form<Given<object | Record<string, unknown>>>")]
        review: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Asking")] asking: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let asking = ReviewAsking::read(asking)?;
        let input = self.open(review)?;
        input.answer(self.reviewer.review(input.bytes(), asking.asked()))
    }

    /// The answer in bytes, and its record for the log.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    #[wasm_bindgen(unchecked_return_type = "{ answer: Uint8Array; record: JudgedRecord }")]
    pub fn judge(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] review: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Asking")] asking: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let read = ReviewAsking::read(asking)?;
        let input = self.open(review)?;
        let asking = Asking {
            caught_up: read.caught_up,
            ..read.asked()
        };
        recorded(&input, self.reviewer.judge(input.bytes(), asking))
    }

    /// Like [`Reviewer::judge`], for a review or for an existing object, which is checked as if it were created now. Its
    /// author is unknown and not checked.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    #[wasm_bindgen(unchecked_return_type = "{ answer: Uint8Array; record: JudgedRecord }")]
    pub fn audit(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] given: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Asking")] asking: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let asking = ReviewAsking::read(asking)?;
        let input = Input::open_within(given, "the object", "", self.limits)?;
        let audited = self.reviewer.audit(input.bytes(), asking.asked());
        recorded(&input, audited)
    }

    /// Explains the verdict on any input of [`Reviewer::audit`].
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    #[wasm_bindgen(unchecked_return_type = "Form<ReviewExplanation>")]
    pub fn explain(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Form<Given<object | Record<string, unknown>>>")]
        given: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Asking")] asking: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let asking = ReviewAsking::read(asking)?;
        let input = Input::open_within(given, "the object", "", self.limits)?;
        input.answer(self.reviewer.explain(input.bytes(), asking.asked()))
    }

    /// Starts a review that arrives piece by piece; nothing if it is needed whole.
    #[wasm_bindgen(js_name = _sieve, skip_typescript)]
    #[must_use]
    pub fn sieve(&self) -> Option<ReviewSieve> {
        self.reviewer.start_review().map(ReviewSieve)
    }

    /// What is known about the cluster, as counts.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    #[wasm_bindgen(unchecked_return_type = "ReviewerStatus")]
    pub fn status(&self) -> Result<JsValue, JsValue> {
        value_of(&self.reviewer.status().map_err(thrown)?)
    }
}

impl Reviewer {
    /// Expressions may look at any field of an object; without them, only some are read.
    fn open(&self, review: &JsValue) -> Result<Input, JsValue> {
        let door = match self.reviewer.reads_whole_objects() {
            true => "",
            false => "review",
        };
        Input::open_within(review, "the review", door, self.limits)
    }
}

/// Splits the line with the record from the answer.
fn recorded(input: &Input, judged: Result<Vec<u8>, Error>) -> Result<JsValue, JsValue> {
    let judged = judged.map_err(|error| thrown(input.placed(error)))?;
    let end = judged.iter().position(|byte| *byte == b'\n');
    let (record, answer) = judged.split_at(end.unwrap_or_default());
    let told = Object::new();
    let answer = Uint8Array::from(answer.get(1..).unwrap_or_default());
    Reflect::set(&told, &"answer".into(), &answer)?;
    Reflect::set(&told, &"record".into(), &value_of(record)?)?;
    Ok(told.into())
}

/// A page of a list that is read as its bytes arrive; see [`slicewise_live::json::ListPieces`].
#[wasm_bindgen(skip_typescript)]
#[derive(Default)]
pub struct ListPieces(slicewise_live::json::ListPieces);

#[wasm_bindgen]
impl ListPieces {
    /// A page of which nothing has been read yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Takes a large review piece by piece; see [`crate::ReviewSieve`].
#[wasm_bindgen(skip_typescript)]
pub struct ReviewSieve(crate::ReviewSieve);

#[wasm_bindgen]
impl ReviewSieve {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// When they are no bytes, or too many.
    pub fn push(&mut self, bytes: &JsValue) -> Result<(), JsValue> {
        let limits = Limits::new(crate::MAX_REVIEW_BYTES);
        self.0.push(piece(bytes, "the review", limits)?.bytes());
        Ok(())
    }

    /// The review without what nobody reads. Nothing is left afterwards.
    ///
    /// # Errors
    /// When the review is too large.
    pub fn finish(&mut self) -> Result<Uint8Array, JsValue> {
        let review = core::mem::take(&mut self.0).finish().map_err(thrown)?;
        Ok(Uint8Array::from(review.as_slice()))
    }
}

fn piece(bytes: &JsValue, what: &str, limits: Limits) -> Result<Input, JsValue> {
    if bytes.is_instance_of::<Uint8Array>() {
        return Input::open_within(bytes, what, "", limits);
    }
    let message = format!("{what} comes in pieces of bytes, as a Uint8Array");
    Err(thrown(Error::new(Code::InvalidType, message)))
}

/// The largest review that is judged, in bytes: what the largest legal objects take as an API server sends them.
#[wasm_bindgen(js_name = maxReviewBytes)]
#[must_use]
pub fn max_review_bytes() -> usize {
    crate::MAX_REVIEW_BYTES
}

/// A misspelt name must not silently drop a setting.
fn check_names(given: &JsValue, names: &[&str], what: &str) -> Result<(), JsValue> {
    if !given.is_object() {
        let message = format!("{what} takes an object with {}", names.join(", "));
        return Err(thrown(Error::new(Code::InvalidType, message)));
    }
    let keys = Reflect::own_keys(given).map_err(|_| {
        let message = format!("the names of what {what} takes cannot be read");
        thrown(Error::new(Code::InvalidType, message))
    })?;
    for name in keys {
        let Some(name) = name.as_string() else {
            continue;
        };
        if !names.contains(&name.as_str()) {
            let message = format!(
                "{what} does not take `{}`; it takes {}",
                shorten(&name),
                names.join(", ")
            );
            let path = format!("/{name}");
            return Err(thrown(Error::new(Code::UnknownField, message).at(path)));
        }
    }
    Ok(())
}

/// The policies, in the order in which they run, and the kinds that each checks.
///
/// # Errors
/// When the answer refuses to be serialized, which none of its types does.
#[wasm_bindgen(unchecked_return_type = "{ name: string; about: string; kinds: string[] }[]")]
pub fn policies() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct AboutPolicy {
        name: &'static str,
        about: &'static str,
        kinds: &'static [&'static str],
    }
    let about = policies::NAMES.iter().zip(policies::ABOUT);
    let about = about
        .zip(policies::KINDS)
        .map(|((name, about), kinds)| AboutPolicy {
            name,
            about: about.trim(),
            kinds,
        });
    told(&about.collect::<Vec<_>>())
}
