//! Verdicts on changes, from plans before and after: `decide(request, context, config) -> response`.
//!
//! ```
//! use slicewise_admission::{Asking, Reviewer};
//!
//! let review = br#"{
//!     "apiVersion": "admission.k8s.io/v1",
//!     "kind": "AdmissionReview",
//!     "request": {
//!         "uid": "705ab4f5",
//!         "kind": {"group": "discovery.k8s.io", "version": "v1", "kind": "EndpointSlice"},
//!         "name": "by-hand", "namespace": "shop", "operation": "CREATE", "userInfo": {"username": "jane"},
//!         "object": {
//!             "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
//!             "metadata": {"name": "by-hand", "namespace": "shop", "labels": {"kubernetes.io/service-name": "cart"}},
//!             "addressType": "IPv4", "endpoints": [{"addresses": ["127.0.0.1"]}], "ports": []
//!         }
//!     }
//! }"#;
//! let mut reviewer = Reviewer::new(b"")?;
//! let answer = reviewer.review(review, Asking::default())?;
//! let answer: serde_json::Value = serde_json::from_slice(&answer)?;
//! assert_eq!(answer["response"]["uid"], "705ab4f5");
//! assert_eq!(answer["response"]["allowed"], false); // traffic of pods would go to their own node
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pure and synchronous. A [`Request`] is one change as the API server reports it, a [`Context`] is what is known about
//! the cluster, and a [`ReviewerConfig`] says what to do with findings. A policy sees the request, its namespace and
//! the nodes, nothing else, so no message can reveal an object of another namespace.
//!
//! ```text
//! AdmissionReview ─▶ Request ─▶ policies::*::check(request, cluster, settings) ─▶ verdict ─▶ Response
//!                    events ─▶ Context ──────────────┘
//! ```
//!
//! **Architecture invariant:** only a [`Reviewer`] reads bytes. It decodes the review and its objects and reports where
//! they are malformed; a request that gets to a policy can be judged.
//!
//! | Layer | Modules | What they do |
//! |---|---|---|
//! | 0 | [`cel`] | expressions: compiled, and evaluated within a limit of steps |
//! | 1 | [`policies`], [`decide`] | one file per policy, and the verdict of all of them |
//! | 2 | [`Reviewer`] | JSON façade on bytes: limits, positions, typed errors |
//! | 3 | `wasm` | a door; with the feature `wasm` |

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod cel;

pub mod config;
pub(crate) mod context;
pub mod exceptions;
pub mod explanation;
pub mod expressions;
pub(crate) mod forecast;
pub(crate) mod namespaces;
pub mod objects;
pub mod policies;
pub(crate) mod reach;
pub mod record;
pub mod reports;
pub(crate) mod request;
pub mod response;
mod review;
pub mod settings;
pub mod step;
mod unread;
pub mod users;
pub mod verdict;
#[cfg(feature = "wasm")]
pub mod wasm;
pub mod workloads;
mod writers;

pub use config::ReviewerConfig;
pub use context::{Age, ClusterUnknown, ClusterView, Context};
pub use explanation::VerdictExplanation;
pub use objects::{ReviewedEndpoints, ReviewedService, ReviewedSlice};
pub use policies::Policies;
pub use request::{AdmissionOperation, ObjectChange, Request, RequestText, ReviewSubject};
#[doc(hidden)]
pub use response::MOST_CAUSES;
pub use response::Response;
#[doc(hidden)]
pub use review::fields_of_review;
pub use review::{
    KindStatus, MAX_REVIEW_BYTES, ReviewSieve, Reviewer, ReviewerStatus, Supply, Wanted,
    WantedObjectsOfKind,
};
pub use verdict::{Finding, PolicyVerdict};
pub use workloads::{ReviewedPod, ReviewedScale, ReviewedWorkload};

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use response::ResponseBuilder;
use slicewise::model::Timestamp;
use step::PolicyStep;
use writers::Writers;

/// What the caller asks for besides the review itself.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Asking<'a> {
    /// Only this one of [`policies::NAMES`]; all of them if `None`.
    pub policy: Option<&'a str>,
    /// Seconds since the last update of the cluster; `None` if the context does not age.
    pub age: Option<u32>,
    /// What was done after an earlier verdict that rested on a pod that is not known.
    pub caught_up: Option<CaughtUp>,
    /// What the clock shows; exceptions only apply if it is known.
    pub now: Option<Timestamp>,
    /// The object exists already and no request writes it: policies about who writes are skipped.
    pub at_rest: bool,
}

impl Asking<'_> {
    /// What was done to find pods that are not known, for messages.
    fn search(&self, config: &ReviewerConfig) -> Option<String> {
        let wait = config.context.catch_up_ms;
        self.caught_up.map(|caught_up| match caught_up {
            CaughtUp::Waited => format!("; the watch showed no other state within {wait} ms"),
            CaughtUp::Asked => "; the API server was asked, and says the same".into(),
        })
    }
}

/// How a caller made sure of what is known before it judges again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaughtUp {
    /// It waited for the watch, for [`ContextSettings::catch_up_ms`](config::ContextSettings::catch_up_ms).
    Waited,
    /// It asked the API server for the pods by name.
    Asked,
}

/// Judges one change by every enabled policy that applies to it.
pub fn decide<'r>(
    request: &Request<'r>,
    context: &Context,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> Response<'r> {
    let age = age_of(config, asking);
    let cluster = ClusterView::new(context, &request.namespace, age);
    judge(request, &cluster, config, asking)
}

/// Like [`decide`], for callers that then ask the cluster what policies [wanted to know](ClusterView::lacks).
pub fn judge<'r>(
    request: &Request<'r>,
    cluster: &ClusterView<'_>,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> Response<'r> {
    let mut response = ResponseBuilder::new(request, &config.own_service, asking.search(config));
    ask(request, cluster, config, asking, &mut response);
    response.finish()
}

/// Like [`decide`], and also explains how the verdict was reached.
pub fn explain<'r>(
    request: &Request<'r>,
    context: &Context,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> VerdictExplanation<'r> {
    let (steps, response) = steps(request, context, config, asking);
    VerdictExplanation::new(request, context, asking.age, steps, response)
}

/// Like [`decide`], and also what each policy did.
pub fn steps<'r>(
    request: &Request<'r>,
    context: &Context,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> (Vec<PolicyStep>, Response<'r>) {
    let age = age_of(config, asking);
    let cluster = ClusterView::new(context, &request.namespace, age);
    let mut response = ResponseBuilder::new(request, &config.own_service, asking.search(config));
    response.keep_steps();
    ask(request, &cluster, config, asking, &mut response);
    let mut steps = response.take_steps();
    explanation::say(&mut steps, &request.kind);
    (steps, response.finish())
}

fn ask(
    request: &Request<'_>,
    cluster: &ClusterView<'_>,
    config: &ReviewerConfig,
    asking: Asking<'_>,
    response: &mut ResponseBuilder<'_, '_>,
) {
    let policies = &config.policies;
    let managers = &policies.slice_ownership.managers;
    cluster.note_writers(Writers::of(
        &config.writers,
        managers,
        request,
        asking.at_rest,
    ));
    policies.judge(request, cluster, asking, &config.exceptions, response);
    response.note_examined(policies.expression.is_asked());
    response.note_age(cluster.age_asked());
}

const fn age_of(config: &ReviewerConfig, asking: Asking<'_>) -> Age {
    Age {
        seconds: asking.age,
        most: config.context.max_age_seconds,
        is_watched: asking.age.is_some(),
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

mod schema;
pub use schema::schemas;
