//! The module of admission: reviews in, verdicts out.
//!
//! Inputs are copied into the module's memory once and read where they are; answers are copied out once.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::thrown;
use crate::admission::{Asking, policies};
use crate::api::{self, Limits};

/// Answers admission reviews by what it knows of a cluster; see [`api::Reviewer`].
#[wasm_bindgen]
pub struct Reviewer {
    reviewer: api::Reviewer,
    limits: Limits,
}

#[wasm_bindgen]
impl Reviewer {
    /// Nothing is known about the cluster yet; the configuration may be empty. `max_input_bytes` is the largest snapshot or
    /// list that is taken.
    ///
    /// # Errors
    /// When the configuration cannot be used; see [`Error`](crate::Error).
    #[wasm_bindgen(constructor)]
    pub fn new(config: &[u8], max_input_bytes: usize) -> Result<Self, JsValue> {
        let limits = Limits { max_input_bytes };
        let reviewer = api::Reviewer::new(config).map_err(thrown)?;
        Ok(Self { reviewer, limits })
    }

    /// Takes another configuration.
    ///
    /// # Errors
    /// When it cannot be used; the one before counts then.
    pub fn configure(&mut self, config: &[u8]) -> Result<(), JsValue> {
        self.reviewer.configure(config).map_err(thrown)
    }

    /// Takes a snapshot for all that is known of the cluster.
    ///
    /// # Errors
    /// When it cannot be read; what was known before is known still.
    pub fn load(&mut self, snapshot: &[u8]) -> Result<(), JsValue> {
        self.reviewer.load(snapshot, self.limits).map_err(thrown)
    }

    /// Takes watch events and lists.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn apply(&mut self, events: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.reviewer.apply(events, self.limits).map_err(thrown)
    }

    /// `AdmissionReview` with a request in, `AdmissionReview` with a response out. `policy` is the only one asked, all of
    /// them if it is empty; `age` is in seconds, less than nothing where the context does not age.
    ///
    /// # Errors
    /// When the review cannot be read, or there is no such policy.
    pub fn review(&mut self, review: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let answer = self.reviewer.review(review, asking(policy, age));
        answer.map_err(thrown)
    }

    /// As [`Reviewer::review`], preceded by its record for logs: a line of JSON, then the answer.
    ///
    /// # Errors
    /// As there.
    pub fn judge(&mut self, review: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let judged = self.reviewer.judge(review, asking(policy, age));
        judged.map_err(thrown)
    }

    /// Do reviews have to be written as a whole, because expressions may look at any field?
    #[wasm_bindgen(js_name = readsWholeObjects)]
    #[must_use]
    pub fn reads_whole_objects(&self) -> bool {
        self.reviewer.reads_whole_objects()
    }

    /// As [`Reviewer::judge`], of a review or of an existing object.
    ///
    /// # Errors
    /// As there.
    pub fn audit(&mut self, given: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let audited = self.reviewer.audit(given, asking(policy, age));
        audited.map_err(thrown)
    }

    /// Why the verdict on that is what it is.
    ///
    /// # Errors
    /// As there.
    pub fn explain(&mut self, given: &[u8], policy: &str, age: f64) -> Result<Vec<u8>, JsValue> {
        let explained = self.reviewer.explain(given, asking(policy, age));
        explained.map_err(thrown)
    }

    /// What is known of the cluster, counted, as JSON.
    ///
    /// # Errors
    /// Never; the type is that of all answers.
    pub fn status(&self) -> Result<Vec<u8>, JsValue> {
        self.reviewer.status().map_err(thrown)
    }
}

fn asking(policy: &str, age: f64) -> Asking<'_> {
    Asking {
        policy: Some(policy).filter(|policy| !policy.is_empty()),
        age: (age >= 0.0).then_some(age as u32),
        at_rest: false,
    }
}

/// The policies, one on each line: its name, a tab, and what it is about.
#[wasm_bindgen]
#[must_use]
pub fn policies() -> String {
    let about = policies::NAMES.iter().zip(policies::ABOUT);
    let lines = about.map(|(name, about)| format!("{name}\t{}", about.trim()));
    lines.collect::<Vec<_>>().join("\n")
}
