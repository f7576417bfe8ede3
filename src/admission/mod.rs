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

pub mod context;
pub mod forecast;
pub mod objects;
pub mod policies;
pub mod reach;
pub mod request;
pub mod response;
pub mod settings;
pub mod verdict;

pub use context::{Age, Cluster, Context};
pub use objects::{ReviewedEndpoints, ReviewedService, ReviewedSlice};
pub use policies::Policies;
pub use request::{Change, Operation, Request, Subject};
pub use response::Response;
pub use settings::ReviewerConfig;
pub use verdict::{Finding, Verdict};

use response::ResponseBuilder;

/// What is asked beside the review itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asking<'a> {
    /// One of [`policies::NAMES`] alone; all of them where there is none.
    pub policy: Option<&'a str>,
    /// Seconds since the last news of the cluster; `None` where the context does not age.
    pub age: Option<u32>,
}

/// Judges one change by every policy that is on and that the change concerns.
pub fn decide<'r>(
    request: &Request<'r>,
    context: &Context,
    config: &ReviewerConfig,
    asking: Asking<'_>,
) -> Response<'r> {
    let age = Age {
        seconds: asking.age,
        most: config.context.max_age_seconds,
    };
    let cluster = Cluster::new(context, &request.namespace, age);
    let mut response = ResponseBuilder::new(request, &config.own_service);
    config
        .policies
        .judge(request, &cluster, asking.policy, &mut response);
    response.note_age(cluster.age_asked());
    response.finish()
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
