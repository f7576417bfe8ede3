//! A plan is data: which slices to create, update and delete, and why. Callers may inspect it, change it, veto it, and
//! apply it through any client: the separation of diff and apply that KEP-3685 asked for.

pub mod apply;
mod build;
pub mod change;
pub mod commands;
mod endpoints;
pub mod explanation;
mod figures;
mod outcome;
mod own;
mod patched;
pub mod patches;
pub mod request;
mod select;
mod slice;
mod unchanged;
pub mod writing;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;

pub use build::plan;
pub use build::plan_and_compare;
#[doc(hidden)]
pub use figures::FamilyFigures;
pub use figures::Figures;
#[doc(hidden)]
pub use patched::with_patches;
pub(crate) use select::plan_own_service;
pub use select::{belongs, is_selected, plan_service};
pub use unchanged::UnchangedNames;

use crate::IS_SMALL;
use crate::model::object::slim_object;
use crate::model::{AddressType, EndpointSlice, Service, SortedMap, Text};
use crate::topology::cache::ServiceHints;
use crate::topology::events::Event;

/// What to do for one Service, in the order of writing: creates, updates, deletes.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Plan<'a> {
    /// The Service.
    pub service: ServiceRef<'a>,
    /// New slices, IPv4 first, then by ports. They have a `generateName` but no name.
    pub create: Vec<EndpointSlice<'a>>,
    /// Changed slices, sorted by name. Each is complete, with the `uid` and `resourceVersion` of the original.
    pub update: Vec<EndpointSlice<'a>>,
    /// Slices to delete, sorted by name.
    pub delete: Vec<SliceRef<'a>>,
    /// The names of the Service's slices that do not change.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Text<'a>>"))]
    pub unchanged: UnchangedNames<'a>,
    /// Events to publish on the Service.
    pub events: Vec<Event>,
    /// Problems that do not invalidate the plan.
    pub errors: Vec<PlanError<'a>>,
    /// Whether the Service must be planned again later because of the errors.
    pub requeue: bool,
    /// How hints were decided, by family.
    pub hints: Vec<HintsReport<'a>>,
    /// Why each slice is created (by its number: `create/0`), updated or deleted (by its name).
    pub reasons: SortedMap<String, Vec<Reason>>,
    /// The counts of endpoints and slices.
    pub stats: Stats,
    /// Explanations of the plan; only with `options.explain`.
    #[serde(skip_serializing_if = "are_not_explained")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Vec<explanation::Explanation>", default)
    )]
    pub explanations: Option<Vec<explanation::Explanation>>,
    /// The `state` to pass with the next request for this Service.
    pub state: State,
    /// The updates as patches, by the name of the slice; only the kinds that the options request.
    #[serde(default, skip_serializing_if = "are_not_patched")]
    pub patches: patches::PatchesByName,
    /// What the metrics count; not part of the JSON.
    #[serde(skip)]
    pub figures: Figures,
}

/// The small module has neither explanations nor patches: that leaves out what would write them.
const fn are_not_explained(explanations: &Option<Vec<explanation::Explanation>>) -> bool {
    IS_SMALL || explanations.is_none()
}

fn are_not_patched(patches: &patches::PatchesByName) -> bool {
    IS_SMALL || patches.is_empty()
}

/// A Service by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "a reference")]
pub struct ServiceRef<'a> {
    /// Namespace.
    pub namespace: Text<'a>,
    /// Name.
    pub name: Text<'a>,
}

impl fmt::Display for ServiceRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}

/// An existing slice to delete. The uid and version serve as preconditions, so that the API server refuses to delete a
/// slice that has been replaced or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "a reference")]
pub struct SliceRef<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The uid.
    pub uid: Text<'a>,
    /// The resource version.
    pub resource_version: Text<'a>,
    /// The address type.
    pub address_type: Text<'a>,
}

/// A problem that does not invalidate the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PlanError<'a> {
    /// A stable code.
    pub code: PlanErrorCode,
    /// The pod it is about.
    pub pod: Text<'a>,
    /// The message, worded as in the reference.
    pub message: String,
}

/// The kinds of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum PlanErrorCode {
    /// The pod's node is unknown; the pod is left out until the node is known.
    NodeNotFound,
}

/// Why a slice is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Reason {
    /// It holds new endpoints that do not fit into existing slices.
    NewEndpoints,
    /// A Service without endpoints has one empty slice.
    Placeholder,
    /// Endpoints in it were removed or changed.
    EndpointsChanged,
    /// Endpoints were added to it.
    EndpointsAdded,
    /// Its labels differ from those of the Service.
    LabelsChanged,
    /// Its annotations differ from those of the mirrored Endpoints.
    AnnotationsChanged,
    /// Its hints have changed.
    HintsChanged,
    /// It would have been deleted, but is reused for another group of ports or as the placeholder.
    Recycled,
    /// It has no endpoints left, or its ports are no longer wanted.
    NoLongerWanted,
    /// Its endpoints have moved to other slices.
    EndpointsMoved,
    /// It belongs to an older Service of the same name.
    NotOwned,
    /// The Service no longer has its address family.
    AddressTypeNotWanted,
}

impl Reason {
    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NewEndpoints => "endpoints that do not fit elsewhere",
            Self::Placeholder => "placeholder for a Service without endpoints",
            Self::EndpointsChanged => "endpoints changed or removed",
            Self::EndpointsAdded => "endpoints added",
            Self::LabelsChanged => "labels changed",
            Self::AnnotationsChanged => "annotations changed",
            Self::HintsChanged => "hints changed",
            Self::Recycled => "reused instead of deleted",
            Self::EndpointsMoved => "its endpoints moved",
            Self::NoLongerWanted => "no longer wanted",
            Self::NotOwned => "belongs to an older Service of the same name",
            Self::AddressTypeNotWanted => "address family removed from the Service",
        }
    }
}

/// How the hints of one family were decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HintsReport<'a> {
    /// The family.
    pub address_type: AddressType,
    /// The requested rule.
    pub mode: HintsMode,
    /// Whether the rule assigns hints.
    pub applied: bool,
    /// Why the rule assigns no hints, worded as in the reference; `null` if it does.
    pub reason: Option<String>,
    /// The figures of `Auto`, by zone.
    pub zones: Vec<ZoneReport<'a>>,
}

impl HintsReport<'_> {
    /// The report of a rule without figures.
    #[doc(hidden)]
    pub const fn new(address_type: AddressType, mode: HintsMode, applied: bool) -> Self {
        Self {
            address_type,
            mode,
            applied,
            reason: None,
            zones: Vec::new(),
        }
    }
}

/// A rule for hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are the API's")]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new rule needs its own words wherever one is told"
)]
pub enum HintsMode {
    Auto,
    PreferClose,
    PreferSameZone,
    PreferSameNode,
    None,
}

impl HintsMode {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Auto,
        Self::PreferClose,
        Self::PreferSameZone,
        Self::PreferSameNode,
    ];

    /// The name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Auto => "Auto",
            Self::PreferClose => "PreferClose",
            Self::PreferSameZone => "PreferSameZone",
            Self::PreferSameNode => "PreferSameNode",
        }
    }

    /// The mode with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }
}

/// What one zone should get, and what it gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ZoneReport<'a> {
    /// The zone.
    pub zone: Text<'a>,
    /// Its share of the CPU of all zones, 0 to 1.
    pub cpu_ratio: f64,
    /// That share of the ready endpoints.
    pub desired: f64,
    /// The minimum number of endpoints: with fewer, they would be overloaded by more than 20 %.
    pub minimum: i64,
    /// The maximum number of endpoints: with more, another zone would not get its minimum.
    pub maximum: i64,
    /// The number of endpoints hinted to the zone; `null` if no hints are assigned.
    pub allocated: Option<i64>,
}

/// Counts over both families.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stats {
    /// The number of endpoints that the Service should have.
    pub endpoints: usize,
    /// The number of endpoints that were in no slice.
    pub added: usize,
    /// The number of endpoints removed from their slice.
    pub removed: usize,
    /// The number of slices after the plan.
    pub slices: usize,
    /// The number of slices if all were filled completely.
    pub desired_slices: usize,
}

slim_object! {
    /// The state between plans of one Service.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
    pub struct State("the `state` of a previous plan") opaque {
        /// Hints, as in the reference's topology cache.
        #[serde(skip_serializing_if = "ServiceHints::is_empty")]
        "hints" pub hints: ServiceHints;
    }
}

impl<'a> Plan<'a> {
    /// The plan for a Service whose slices are not managed: leave everything unchanged.
    pub fn nothing(service: &Service<'a>, hints: ServiceHints) -> Self {
        let service = ServiceRef {
            namespace: service.metadata.namespace.clone(),
            name: service.metadata.name.clone(),
        };
        Self::nothing_for(service, hints)
    }

    /// The plan for a Service that may not exist: leave everything unchanged.
    #[doc(hidden)]
    pub fn nothing_for(service: ServiceRef<'a>, hints: ServiceHints) -> Self {
        Self {
            service,
            create: Vec::new(),
            update: Vec::new(),
            delete: Vec::new(),
            unchanged: UnchangedNames::default(),
            events: Vec::new(),
            errors: Vec::new(),
            requeue: false,
            hints: Vec::new(),
            reasons: SortedMap::default(),
            stats: Stats::default(),
            explanations: None,
            state: State { hints },
            patches: SortedMap::default(),
            figures: Figures::default(),
        }
    }

    /// Is there nothing to write?
    pub const fn is_empty(&self) -> bool {
        self.create.is_empty() && self.update.is_empty() && self.delete.is_empty()
    }
}
