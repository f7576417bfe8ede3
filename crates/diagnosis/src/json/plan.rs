//! Plans that are explained if their options request it; otherwise the plans of [`slicewise::api`].

use alloc::vec::Vec;

use super::explain::{explain_plan, explain_plans_of};
use slicewise::Error;
use slicewise::api::options::check_explained_options;
use slicewise::api::prepared::Prepared;
use slicewise::api::{
    Given, Limits, Snapshot, SnapshotPlans, encode, encode_plan, input, not_objects,
};
use slicewise::model::EndpointSlice;
use slicewise::plan::Plan;
use slicewise::plan::request::Options;
use slicewise::topology::nodes::NodeIndex;

/// Plans one Service, like [`slicewise::api::plan`], and explains the plan if its options request it.
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

/// [`slicewise::api::with_plan`] for plans that may be explained.
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
    let prepared = Prepared::read(text, overrides, check_explained_options)?;
    let endpoints = prepared.endpoints(text)?;
    let nodes = NodeIndex::new(&prepared.request.nodes);
    let mut planned = prepared.plan(&endpoints, &nodes);
    explain_plan(text, &prepared, &endpoints, &nodes, &mut planned)?;
    Ok(then(&planned, &prepared.request.slices))
}

/// Plans every Service of a snapshot, like [`slicewise::api::plan_snapshot`], and explains the plans if the options
/// request it.
///
/// # Errors
/// When either cannot be read or holds a value that cannot be used.
pub fn plan_snapshot<'o>(snapshot: &[u8], options: impl Into<Given<'o>>) -> Result<Vec<u8>, Error> {
    let given = options.into();
    let options: Options<'_> = given.read_or_default(Limits::default())?;
    check_explained_options(&options, "").map_err(|error| given.locate(error))?;
    with_snapshot_plans(snapshot, &options, Limits::default(), |plans, _| {
        encode(plans)
    })
    .map_err(|error| not_objects(snapshot, error))?
}

/// [`slicewise::api::with_snapshot_plans`] for plans that may be explained.
///
/// # Errors
/// Same as [`plan_snapshot`].
pub fn with_snapshot_plans<T>(
    snapshot: &[u8],
    options: &Options<'_>,
    limits: Limits,
    then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    check_explained_options(options, "/options")?;
    let text = input::text(snapshot, limits)?;
    let snapshot = Snapshot::read(text)?;
    let nodes = NodeIndex::new(&snapshot.nodes);
    let mut plans = snapshot.plan(&nodes, options);
    explain_plans_of(text, &snapshot, &nodes, options, &mut plans.plans)?;
    Ok(then(&plans, &snapshot.slices))
}
