//! Verdicts on changes, from plans before and after: `decide(request, context, policies) -> response`.
//!
//! Pure and synchronous. A [`Request`] is one change as the API server tells it, a [`Context`] is what is known of
//! the cluster, [`Policies`] say what to do with what is found. A policy sees the request and the namespace it
//! concerns, nothing else, so no message can reveal an object of another namespace.
//!
//! ```text
//! AdmissionReview ─▶ review::Request ─▶ policies::*::check(request, context, settings) ─▶ verdict ─▶ review::Response
//! ```
//!
//! **Architecture invariant:** nothing here reads bytes. [`crate::api`] decodes the review and its objects and says
//! where they are broken; a request that gets here can be judged.

pub mod context;
pub mod policies;
pub mod reach;
pub mod repeated;
pub mod review;
pub mod settings;
pub mod slice;
pub mod verdict;

pub use context::Context;
pub use review::{Change, Operation, Request, Response, Subject};
pub use settings::Policies;
pub use slice::ReviewedSlice;
pub use verdict::{Finding, Verdict};

use policies::{service_blast_radius, slice_shape};
use review::ResponseBuilder;
use settings::Mode;

/// Judges one change by every policy that is on and that the change concerns.
pub fn decide<'r>(request: &Request<'r>, context: &Context, policies: &Policies) -> Response<'r> {
    let mut response = ResponseBuilder::new(request);
    if policies.slice_shape.mode != Mode::Off {
        let verdict = slice_shape::check(request, context, &policies.slice_shape);
        response.add(slice_shape::NAME, policies.slice_shape.mode, &verdict);
    }
    if policies.service_blast_radius.mode != Mode::Off {
        let verdict = service_blast_radius::check(request, context, &policies.service_blast_radius);
        response.add(
            service_blast_radius::NAME,
            policies.service_blast_radius.mode,
            &verdict,
        );
    }
    response.finish()
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
