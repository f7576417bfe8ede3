//! Verdicts on changes, from plans before and after: `decide(request, context, config) -> response`.
//!
//! Pure and synchronous. A [`Request`] is one change as the API server tells it, a [`Context`] is what is known of
//! the cluster, a [`ReviewerConfig`] says what to do with what is found. A policy sees the request, the namespace it
//! concerns and the nodes, nothing else, so no message can reveal an object of another namespace.
//!
//! ```text
//! AdmissionReview ─▶ Request ─▶ policies::*::check(request, cluster, settings) ─▶ verdict ─▶ Response
//!                    events ─▶ Context ──────────────┘
//! ```
//!
//! **Architecture invariant:** nothing here reads bytes. [`crate::api`] decodes the review and its objects and says
//! where they are broken; a request that gets here can be judged.

pub mod config;
pub(crate) mod context;
pub mod explanation;
pub mod expressions;
pub(crate) mod forecast;
pub mod objects;
pub mod policies;
pub(crate) mod reach;
pub(crate) mod request;
pub mod response;
pub mod settings;
pub mod step;
pub mod verdict;

pub use config::ReviewerConfig;
pub use context::{Age, Cluster, Context};
pub use explanation::Explanation;
pub use objects::{ReviewedEndpoints, ReviewedService, ReviewedSlice};
pub use policies::Policies;
pub use request::{Change, Operation, Request, Subject, Written};
pub use response::Response;
pub use verdict::{Finding, Verdict};

use response::ResponseBuilder;

/// What is asked beside the review itself.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Asking<'a> {
    /// One of [`policies::NAMES`] alone; all of them where there is none.
    pub policy: Option<&'a str>,
    /// Seconds since the last news of the cluster; `None` where the context does not age.
    pub age: Option<u32>,
    /// The object is there already, and nobody writes it: policies about who writes are not asked.
    pub at_rest: bool,
}

/// Judges one change by every policy that is on and that the change concerns.
pub fn decide<'r>(
    request: &Request<'r>,
    context: &Context,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> Response<'r> {
    let age = age_of(config, asking);
    let cluster = Cluster::new(context, &request.namespace, age);
    judge(request, &cluster, config, asking)
}

/// As [`decide`], for callers that ask the cluster afterwards what policies [wanted to know](Cluster::lacks).
pub fn judge<'r>(
    request: &Request<'r>,
    cluster: &Cluster<'_>,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> Response<'r> {
    let mut response = ResponseBuilder::new(request, &config.own_service);
    ask(request, cluster, config, asking, &mut response);
    response.finish()
}

/// As [`decide`], and says how the verdict came about.
pub fn explain<'r>(
    request: &Request<'r>,
    context: &Context,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> Explanation<'r> {
    let age = age_of(config, asking);
    let cluster = Cluster::new(context, &request.namespace, age);
    let mut response = ResponseBuilder::new(request, &config.own_service);
    response.keep_steps();
    ask(request, &cluster, config, asking, &mut response);
    let steps = response.take_steps();
    Explanation::new(request, context, asking.age, steps, response.finish())
}

fn ask(
    request: &Request<'_>,
    cluster: &Cluster<'_>,
    config: &ReviewerConfig,
    asking: Asking<'_>,
    response: &mut ResponseBuilder<'_, '_>,
) {
    let policies = &config.policies;
    policies.judge(request, cluster, asking, response);
    response.note_age(cluster.age_asked());
}

const fn age_of(config: &ReviewerConfig, asking: Asking<'_>) -> Age {
    Age {
        seconds: asking.age,
        most: config.context.max_age_seconds,
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
