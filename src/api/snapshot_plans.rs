//! Snapshot → plans: plans every Service of a cluster from scratch.

use alloc::vec::Vec;

use serde::Serialize;

use super::detect::not_objects;
use super::incomplete::{CREATED_ANEW, of_snapshot};
use super::input::{self, Limits};
use super::options::check_plan_options;
use super::snapshot::{IgnoredKinds, Snapshot};
use super::warning::Warning;
use super::{Given, encode};
use crate::Error;
use crate::membership::pods::PodsByLabel;
use crate::model::order::{Grouped, sort_by};
use crate::model::{EndpointSlice, Named as _, keys};
use crate::plan::request::Options;
use crate::plan::{Plan, plan_service};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;

/// Plans of all Services that have a selector, by namespace and name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SnapshotPlans<'a> {
    /// The plans.
    pub plans: Vec<Plan<'a>>,
    /// Warnings about the input.
    pub warnings: Vec<Warning>,
    /// The number of objects of kinds that plans do not depend on, by kind.
    pub ignored: IgnoredKinds,
}

/// Plans every Service of a snapshot, or of an informer's cache, `{"services": […], "pods": […], "nodes": […], "slices": […]}`,
/// whose objects may omit their kind; `options` is JSON, or empty for the defaults.
///
/// # Errors
/// When either cannot be read or holds a value that cannot be used.
pub fn plan_snapshot<'o>(snapshot: &[u8], options: impl Into<Given<'o>>) -> Result<Vec<u8>, Error> {
    let given = options.into();
    let options: Options<'_> = given.read_or_default(Limits::default())?;
    check_plan_options(&options, "").map_err(|error| given.locate(error))?;
    with_snapshot_plans(snapshot, &options, Limits::default(), |plans, _| {
        encode(plans)
    })
    .map_err(|error| not_objects(snapshot, error))?
}

/// Plans every Service of a snapshot and passes the plans and all its slices to `then`, for callers that want more than
/// JSON.
///
/// # Errors
/// Same as [`plan_snapshot`].
pub fn with_snapshot_plans<T>(
    snapshot: &[u8],
    options: &Options<'_>,
    limits: Limits,
    then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    check_plan_options(options, "/options")?;
    let text = input::text(snapshot, limits)?;
    let snapshot = Snapshot::read(text)?;
    let nodes = NodeIndex::new(&snapshot.nodes);
    let plans = snapshot.plan(&nodes, options);
    Ok(then(&plans, &snapshot.slices))
}

/// Slices by namespace and Service, in the given order.
#[doc(hidden)]
pub type SlicesByService<'s> = Grouped<(&'s str, &'s str), &'s EndpointSlice<'s>>;

/// Groups slices by the Service that they name.
#[doc(hidden)]
pub fn slices_by_service<'s>(
    slices: impl Iterator<Item = &'s EndpointSlice<'s>>,
) -> SlicesByService<'s> {
    let entry = |slice: &'s EndpointSlice<'s>| {
        let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL)?;
        Some(((slice.metadata.namespace.as_str(), service.as_str()), slice))
    };
    Grouped::new(slices.filter_map(entry))
}

impl Snapshot<'_> {
    /// Plans every Service that has a selector.
    pub fn plan<'s>(
        &'s self,
        nodes: &'s NodeIndex<'s>,
        options: &'s Options<'s>,
    ) -> SnapshotPlans<'s> {
        let pods = PodsByLabel::new(self.pods.iter(), self.services.iter());
        let slices = slices_by_service(self.slices.iter());
        let mut services: Vec<_> = self
            .services
            .iter()
            .filter(|service| service.is_reconciled())
            .collect();
        sort_by(&mut services, |a, b| a.key().cmp(&b.key()));
        let plans = services.into_iter().map(|service| {
            let slices = slices.of(&service.full_name()).iter();
            plan_service(
                service,
                pods.of(service),
                slices.map(|(_, slice)| *slice).collect(),
                &[],
                nodes,
                options,
                ServiceHints::default(),
                None,
            )
        });
        SnapshotPlans {
            plans: plans.collect(),
            warnings: of_snapshot(self, CREATED_ANEW),
            ignored: self.ignored.clone(),
        }
    }
}
