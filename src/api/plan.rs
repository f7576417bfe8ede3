//! Request → plan.

use alloc::vec::Vec;

use super::encode_plan;
use super::input::{self, Limits};
use super::options::check_plan_options;
use super::prepared::Prepared;
use crate::Error;
use crate::model::EndpointSlice;
use crate::plan::Plan;
use crate::plan::request::Options;
use crate::topology::nodes::NodeIndex;

/// Plans one Service: a plan request in, a plan out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn plan(request: &[u8]) -> Result<Vec<u8>, Error> {
    with_plan(
        request,
        &Options::default(),
        Limits::default(),
        |plan, _| encode_plan(plan),
    )?
}

/// Plans one Service and passes the plan and the request's slices to `then`, for callers that want more than JSON.
/// Options in `overrides` take precedence over those of the request.
///
/// # Errors
/// Same as [`plan`].
pub fn with_plan<T>(
    request: &[u8],
    overrides: &Options<'_>,
    limits: Limits,
    then: impl FnOnce(&Plan<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    let text = input::text(request, limits)?;
    let prepared = Prepared::read(text, overrides, check_plan_options)?;
    with_prepared(&prepared, text, then)
}

/// The same, once the request has been read from the text.
pub(super) fn with_prepared<T>(
    prepared: &Prepared<'_>,
    text: &str,
    then: impl FnOnce(&Plan<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    let endpoints = prepared.endpoints(text)?;
    let nodes = NodeIndex::new(&prepared.request.nodes);
    let planned = prepared.plan(&endpoints, &nodes);
    Ok(then(&planned, &prepared.request.slices))
}
