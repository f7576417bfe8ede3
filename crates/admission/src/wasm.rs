//! Reviews in, verdicts out.
//!
//! Inputs are copied into the module's memory once and read in place; answers are copied out once.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use slicewise::api::Limits;
use slicewise::wasm::thrown;

use crate::{Asking, CaughtUp, policies};

/// Answers admission reviews based on what it knows about a cluster; see [`crate::Reviewer`].
#[wasm_bindgen]
pub struct Reviewer {
    reviewer: crate::Reviewer,
    limits: Limits,
}

#[wasm_bindgen]
impl Reviewer {
    /// A reviewer that knows nothing about the cluster yet; the configuration may be empty. `max_input_bytes` is the
    /// size limit for snapshots and lists.
    ///
    /// # Errors
    /// When the configuration cannot be used; see [`Error`](slicewise::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(config: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits::new(max_input_bytes);
        let reviewer = crate::Reviewer::new(config).map_err(thrown)?;
        Ok(Self { reviewer, limits })
    }

    /// Replaces the configuration.
    ///
    /// # Errors
    /// When it cannot be used; the previous one stays then.
    pub fn configure(&mut self, config: &[u8]) -> Result<(), JsValue> {
        self.reviewer.configure(config).map_err(thrown)
    }

    /// Replaces everything known about the cluster by a snapshot; the answer names what cannot be read of it.
    ///
    /// # Errors
    /// When it cannot be read; nothing changes then.
    pub fn load(&mut self, snapshot: &[u8]) -> Result<Vec<u8>, JsValue> {
        let loaded = self.reviewer.load(snapshot, self.limits);
        loaded.and_then(|applied| applied.to_json()).map_err(thrown)
    }

    /// Takes watch events and lists.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn apply(&mut self, events: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.reviewer.apply(events, self.limits).map_err(thrown)
    }

    /// Takes the next bytes of a page of a list.
    ///
    /// # Errors
    /// When it cannot be read.
    #[wasm_bindgen(js_name = pushList)]
    pub fn push_list(&mut self, list: &mut ListPieces, bytes: &[u8]) -> Result<(), JsValue> {
        self.reviewer.push_list(&mut list.0, bytes).map_err(thrown)
    }

    /// Ends a page of a list.
    ///
    /// # Errors
    /// When it is cut off, or no list.
    #[wasm_bindgen(js_name = finishList)]
    pub fn finish_list(&mut self, list: &mut ListPieces) -> Result<Vec<u8>, JsValue> {
        let applied = self.reviewer.finish_list(core::mem::take(&mut list.0));
        applied
            .and_then(|applied| applied.to_json())
            .map_err(thrown)
    }

    /// `AdmissionReview` with a request in, `AdmissionReview` with a response out. `policy` is the only policy to run,
    /// all of them if it is empty; `age` is in seconds, negative if the context does not age.
    ///
    /// # Errors
    /// When the review cannot be read, or the policy does not exist.
    pub fn review(&mut self, review: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let answer = self.reviewer.review(review, asking(policy, age));
        answer.map_err(thrown)
    }

    /// Like [`Reviewer::review`], with the record for logs before the answer: a line of JSON, then the answer.
    /// `caught_up` says what was done since an earlier verdict: `waited`, `asked`, or nothing.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn judge(
        &mut self,
        review: &[u8],
        policy: &str,
        age: f64,
        caught_up: &str,
    ) -> Result<Vec<u8>, JsValue> {
        let caught_up = match caught_up {
            "waited" => Some(CaughtUp::Waited),
            "asked" => Some(CaughtUp::Asked),
            _ => None,
        };
        let asking = Asking {
            caught_up,
            ..asking(policy, age)
        };
        self.reviewer.judge(review, asking).map_err(thrown)
    }

    /// Starts a review that arrives piece by piece; nothing if it is needed whole.
    #[wasm_bindgen(js_name = startReview)]
    #[must_use]
    pub fn start_review(&self) -> Option<ReviewSieve> {
        self.reviewer.start_review().map(ReviewSieve)
    }

    /// Must objects in reviews be complete, because expressions may look at any field?
    #[wasm_bindgen(js_name = readsWholeObjects)]
    #[must_use]
    pub fn reads_whole_objects(&self) -> bool {
        self.reviewer.reads_whole_objects()
    }

    /// Like [`Reviewer::judge`], for a review or an existing object.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn audit(&mut self, given: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let audited = self.reviewer.audit(given, asking(policy, age));
        audited.map_err(thrown)
    }

    /// Explains the verdict on the same input.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn explain(&mut self, given: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let explained = self.reviewer.explain(given, asking(policy, age));
        explained.map_err(thrown)
    }

    /// What is known about the cluster, as counts in JSON.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn status(&self) -> Result<Vec<u8>, JsValue> {
        self.reviewer.status().map_err(thrown)
    }
}

/// A page of a list that is read as its bytes arrive; see [`slicewise_live::json::ListPieces`].
#[wasm_bindgen]
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
#[wasm_bindgen]
pub struct ReviewSieve(crate::ReviewSieve);

#[wasm_bindgen]
impl ReviewSieve {
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// The review without what nobody reads. Nothing is left afterwards.
    ///
    /// # Errors
    /// When the review is too large.
    pub fn finish(&mut self) -> Result<Vec<u8>, JsValue> {
        core::mem::take(&mut self.0).finish().map_err(thrown)
    }
}

/// The largest review that is judged, in bytes; see [`crate::MAX_REVIEW_BYTES`].
#[wasm_bindgen(js_name = maxReviewBytes)]
#[must_use]
pub fn max_review_bytes() -> usize {
    crate::MAX_REVIEW_BYTES
}

fn asking(policy: &str, age: f64) -> Asking<'_> {
    Asking {
        policy: Some(policy).filter(|policy| !policy.is_empty()),
        age: (age >= 0.0).then_some(age as u32),
        at_rest: false,
        caught_up: None,
    }
}

/// The policies, one per line: its name, a description and the kinds it checks, separated by tabs.
#[wasm_bindgen]
#[must_use]
pub fn policies() -> String {
    let about = policies::NAMES.iter().zip(policies::ABOUT);
    let lines = about.zip(policies::KINDS).map(|((name, about), kinds)| {
        let (about, kinds) = (about.trim(), kinds.join("\t"));
        format!("{name}\t{about}\t{kinds}")
    });
    lines.collect::<Vec<_>>().join("\n")
}
