//! Updates as patches: only the changes, for clients that prefer not to send a whole slice back.
//!
//! All three include the `resourceVersion` they were made from, so the API server refuses them if someone else has
//! written in the meantime. New slices have no name yet and are created in full.

mod diff;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::Plan;
use crate::model::{
    Endpoint, EndpointPort, EndpointSlice, OwnerReference, SortedMap, StringMap, Text, keys,
};

/// A kind of patch that the API server supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "PatchName", rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum PatchKind {
    /// `application/json-patch+json`, RFC 6902.
    Json,
    /// `application/merge-patch+json`, RFC 7386.
    Merge,
    /// `application/apply-patch+yaml`: server-side apply.
    Apply,
}

impl PatchKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Json, Self::Merge, Self::Apply];

    /// Its name in the options, as in `kubectl patch --type`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Merge => "merge",
            Self::Apply => "apply",
        }
    }
}

/// There is no kind of patch of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownPatchKind;

impl FromStr for PatchKind {
    type Err = UnknownPatchKind;

    fn from_str(name: &str) -> Result<Self, UnknownPatchKind> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|kind| kind.name() == name);
        found.ok_or(UnknownPatchKind)
    }
}

/// Patches of a plan's updates, by the name of the slice.
pub type PatchesByName = SortedMap<String, Patches>;

/// One update as patches; only the requested kinds.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Patches {
    /// A JSON Patch (RFC 6902). Its first operation tests the `resourceVersion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json: Option<Vec<PatchOperation>>,
    /// A JSON Merge Patch (RFC 7386), with the `resourceVersion` of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<Box<RawValue>>,
    /// A request for server-side apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apply: Option<Apply>,
}

/// One operation of a JSON Patch.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Operation")
)]
#[non_exhaustive]
pub struct PatchOperation {
    /// The operation.
    pub op: OperationKind,
    /// The location, as a JSON Pointer.
    pub path: String,
    /// The value; left out for `remove`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<RawValue>>,
}

impl PartialEq for Patches {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
            && text(self.merge.as_deref()) == text(other.merge.as_deref())
            && self.apply == other.apply
    }
}

impl PartialEq for PatchOperation {
    fn eq(&self, other: &Self) -> bool {
        (self.op, &self.path) == (other.op, &other.path)
            && text(self.value.as_deref()) == text(other.value.as_deref())
    }
}

impl PartialEq for Apply {
    fn eq(&self, other: &Self) -> bool {
        (&self.field_manager, self.force) == (&other.field_manager, other.force)
            && self.body.get() == other.body.get()
            && text(self.remove.as_deref()) == text(other.remove.as_deref())
    }
}

fn text(raw: Option<&RawValue>) -> Option<&str> {
    raw.map(RawValue::get)
}

/// The operations of a JSON Patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are RFC 6902's")]
#[non_exhaustive]
pub enum OperationKind {
    Test,
    Add,
    Remove,
    Replace,
}

/// A request for server-side apply. It contains all fields of a slice that the planner owns, and no others.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Apply {
    /// The query parameter `fieldManager`: the value of the managed-by label.
    pub field_manager: String,
    /// The query parameter `force`. Always true, because the planner owns the slice no matter who wrote it last.
    pub force: bool,
    /// The body of the request.
    pub body: Box<RawValue>,
    /// A JSON Merge Patch to send afterwards if the plan removes labels, annotations or owners that others have set:
    /// leaving a field out of an apply only removes the manager's own fields. Left out if there is nothing to remove.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remove: Option<Box<RawValue>>,
}

/// The patches of a plan that was made from these slices of the Service, sorted by name.
pub fn of(plan: &Plan<'_>, slices: &[&EndpointSlice<'_>], kinds: &[PatchKind]) -> PatchesByName {
    let patches = plan.update.iter().filter_map(|after| {
        let place = slices.binary_search_by(|before| before.name().cmp(after.name()));
        let before = slices.get(place.ok()?)?;
        let patches = one(before, after, kinds);
        Some((after.name().to_owned(), patches))
    });
    patches.collect()
}

/// One update as patches.
pub fn one(before: &EndpointSlice<'_>, after: &EndpointSlice<'_>, kinds: &[PatchKind]) -> Patches {
    let has = |kind: PatchKind| kinds.contains(&kind);
    Patches {
        json: has(PatchKind::Json).then(|| diff::json_patch(before, after)),
        merge: has(PatchKind::Merge)
            .then(|| diff::merge_patch(before, after))
            .flatten(),
        apply: has(PatchKind::Apply)
            .then(|| apply(before, after))
            .flatten(),
    }
}

/// The parts of a slice that a planner decides.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlannedParts<'s> {
    api_version: &'s str,
    kind: &'s str,
    metadata: OwnedMeta<'s>,
    address_type: &'s Text<'s>,
    endpoints: &'s [Endpoint<'s>],
    ports: &'s [EndpointPort<'s>],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OwnedMeta<'s> {
    name: &'s Text<'s>,
    #[serde(skip_serializing_if = "is_empty")]
    generate_name: &'s Text<'s>,
    namespace: &'s Text<'s>,
    #[serde(skip_serializing_if = "is_empty")]
    resource_version: &'s Text<'s>,
    labels: &'s StringMap<'s>,
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    annotations: SortedMap<&'s str, &'s Text<'s>>,
    owner_references: &'s [OwnerReference<'s>],
}

fn is_empty(text: &Text<'_>) -> bool {
    text.as_str().is_empty()
}

/// What exists before but not after; for lists, everything that remains.
#[derive(Serialize)]
struct Removed<'s> {
    metadata: RemovedMeta<'s>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RemovedMeta<'s> {
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    labels: SortedMap<&'s str, ()>,
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    annotations: SortedMap<&'s str, ()>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_references: Option<&'s [OwnerReference<'s>]>,
}

fn removed(before: &EndpointSlice<'_>, after: &EndpointSlice<'_>) -> Option<Box<RawValue>> {
    fn gone<'s>(before: &'s StringMap<'_>, after: &StringMap<'_>) -> SortedMap<&'s str, ()> {
        let keys = before.iter().map(|(key, _)| key.as_str());
        let gone = keys.filter(|key| !after.contains_key(*key));
        gone.map(|key| (key, ())).collect()
    }
    let (old, new) = (&before.metadata, &after.metadata);
    let stays = |owner: &OwnerReference<'_>| {
        let mut owners = new.owner_references.iter();
        owners.any(|other| other.uid == owner.uid)
    };
    let metadata = RemovedMeta {
        labels: gone(&old.labels, &new.labels),
        annotations: gone(&old.annotations, &new.annotations),
        owner_references: (!old.owner_references.iter().all(stays))
            .then_some(&*new.owner_references),
    };
    let is_nothing = metadata.labels.is_empty()
        && metadata.annotations.is_empty()
        && metadata.owner_references.is_none();
    (!is_nothing).then(|| to_raw_value(&Removed { metadata }).ok())?
}

fn apply(before: &EndpointSlice<'_>, slice: &EndpointSlice<'_>) -> Option<Apply> {
    let metadata = &slice.metadata;
    let manager = metadata.labels.get(keys::MANAGED_BY_LABEL);
    let trigger_time = metadata.annotations.get(keys::TRIGGER_TIME_ANNOTATION);
    let annotations = trigger_time.map(|time| (keys::TRIGGER_TIME_ANNOTATION, time));
    let body = PlannedParts {
        api_version: crate::model::endpoint_slice::API_VERSION,
        kind: crate::model::endpoint_slice::KIND,
        metadata: OwnedMeta {
            name: &metadata.name,
            generate_name: &metadata.generate_name,
            namespace: &metadata.namespace,
            resource_version: &metadata.resource_version,
            labels: &metadata.labels,
            annotations: annotations.into_iter().collect(),
            owner_references: &metadata.owner_references,
        },
        address_type: &slice.address_type,
        endpoints: &slice.endpoints,
        ports: &slice.ports,
    };
    Some(Apply {
        field_manager: manager.map_or("", |name| name.as_str()).to_owned(),
        force: true,
        body: to_raw_value(&body).ok()?,
        remove: removed(before, slice),
    })
}
