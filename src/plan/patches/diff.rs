//! The difference between a slice and its desired state, as JSON Patch and as JSON Merge Patch.
//!
//! Both slices are serialized by the same code, so equal text means equal content, and unknown fields are compared as
//! well.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::value::{RawValue, to_raw_value};

use super::{OperationKind, PatchOperation};
use crate::model::fields::{ObjectFields, differing, fields};
use crate::model::order::{gathered, sorted_unique};
use crate::model::{Endpoint, EndpointSlice};

/// The operations that turn one into the other, after a test of its version.
pub(super) fn json_patch(
    before: &EndpointSlice<'_>,
    after: &EndpointSlice<'_>,
) -> Vec<PatchOperation> {
    let mut operations = Vec::new();
    let version = &before.metadata.resource_version;
    if !version.is_empty() {
        let value = to_raw_value(version).ok();
        push(
            &mut operations,
            OperationKind::Test,
            "/metadata/resourceVersion",
            value,
        );
    }
    let (Ok(old), Ok(new)) = (to_raw_value(before), to_raw_value(after)) else {
        return operations;
    };
    let mut differ = Differ {
        operations,
        slices: (before, after),
    };
    differ.value("", &old, &new);
    differ.operations
}

struct Differ<'s> {
    operations: Vec<PatchOperation>,
    slices: (&'s EndpointSlice<'s>, &'s EndpointSlice<'s>),
}

impl Differ<'_> {
    fn value(&mut self, path: &str, old: &RawValue, new: &RawValue) {
        differing(path, old, new, &mut |path, old, new| match (old, new) {
            // Type fields may be missing where the context implies them.
            _ if path == "/apiVersion" || path == "/kind" => {}
            (Some(_), Some(new)) if path == "/endpoints" => self.endpoints(path, new),
            (Some(_), Some(new)) => self.push(OperationKind::Replace, path, Some(new.to_owned())),
            (None, Some(new)) => self.push(OperationKind::Add, path, Some(new.to_owned())),
            (_, None) => self.push(OperationKind::Remove, path, None),
        });
    }

    /// Patches individual endpoints, unless the whole list is shorter.
    fn endpoints(&mut self, path: &str, new: &RawValue) {
        let before = self.operations.len();
        // Without a version, nothing would detect that the endpoints at these indices have changed.
        if self.slices.0.metadata.resource_version.is_empty() {
            self.push(OperationKind::Replace, path, Some(new.to_owned()));
            return;
        }
        self.one_by_one(path);
        let size = |operation: &PatchOperation| {
            let value = operation
                .value
                .as_ref()
                .map_or(0, |value| value.get().len());
            r#"{"op":"replace","path":"","value":},"#.len() + operation.path.len() + value
        };
        let added = self.operations.get(before..).unwrap_or_default();
        if added.iter().map(size).sum::<usize>() > new.get().len() {
            self.operations.truncate(before);
            self.push(OperationKind::Replace, path, Some(new.to_owned()));
        }
    }

    /// Plans keep the order of the endpoints that stay, so one walk along both lists finds those removed and added.
    fn one_by_one(&mut self, path: &str) {
        let (before, after) = self.slices;
        let places = before.endpoints.iter().map(identity).zip(0_usize..);
        let places: BTreeMap<_, _> = gathered(places);
        let mut old = before.endpoints.iter().enumerate().peekable();
        let mut place = 0;
        for wanted in &after.endpoints {
            let path_of = |place: usize| format!("{path}/{place}");
            let there = places.get(&identity(wanted)).copied();
            let is_ahead = old
                .peek()
                .zip(there)
                .is_some_and(|((next, _), there)| there >= *next);
            if !is_ahead {
                self.push(
                    OperationKind::Add,
                    &path_of(place),
                    to_raw_value(wanted).ok(),
                );
                place += 1;
                continue;
            }
            for (number, endpoint) in old.by_ref() {
                if Some(number) == there {
                    let raws = to_raw_value(endpoint).ok().zip(to_raw_value(wanted).ok());
                    if let Some((old, new)) = raws {
                        self.value(&path_of(place), &old, &new);
                    }
                    place += 1;
                    break;
                }
                self.push(OperationKind::Remove, &path_of(place), None);
            }
        }
        for _ in old {
            self.push(OperationKind::Remove, &format!("{path}/{place}"), None);
        }
    }

    fn push(&mut self, op: OperationKind, path: &str, value: Option<Box<RawValue>>) {
        push(&mut self.operations, op, path, value);
    }
}

fn push(
    operations: &mut Vec<PatchOperation>,
    op: OperationKind,
    path: &str,
    value: Option<Box<RawValue>>,
) {
    let path = path.to_string();
    operations.push(PatchOperation { op, path, value });
}

/// What identifies an endpoint within a slice.
fn identity<'e>(endpoint: &'e Endpoint<'_>) -> (Vec<&'e str>, &'e str) {
    let addresses = endpoint.addresses.iter().map(|address| address.as_str());
    let target = endpoint.target_ref.as_ref();
    (
        addresses.collect(),
        target.map_or("", |target| target.name.as_str()),
    )
}

/// The merge patch that turns one into the other, with the version of the original.
pub(super) fn merge_patch(
    before: &EndpointSlice<'_>,
    after: &EndpointSlice<'_>,
) -> Option<Box<RawValue>> {
    let (old, new) = (to_raw_value(before).ok()?, to_raw_value(after).ok()?);
    let (old, new) = (fields(&old)?, fields(&new)?);
    let mut patch = changed(&old, &new);
    patch.remove("apiVersion");
    patch.remove("kind");
    let metadata = patch.remove("metadata");
    let mut metadata = metadata.as_deref().and_then(fields).unwrap_or_default();
    let version = to_raw_value(&before.metadata.resource_version).ok()?;
    if !before.metadata.resource_version.is_empty() {
        metadata.insert("resourceVersion".into(), &version);
    }
    let metadata = to_raw_value(&metadata).ok()?;
    patch.insert("metadata".into(), metadata);
    to_raw_value(&patch).ok()
}

/// The fields that differ; `null` for those removed.
fn changed<'t>(
    old: &ObjectFields<'t>,
    new: &ObjectFields<'t>,
) -> BTreeMap<Cow<'t, str>, Box<RawValue>> {
    let mut patch = BTreeMap::new();
    for key in sorted_unique(old.keys().chain(new.keys())) {
        let value = match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) if old.get() == new.get() => continue,
            (Some(old), Some(new)) => match (fields(old), fields(new)) {
                (Some(old), Some(new)) => to_raw_value(&changed(&old, &new)).ok(),
                _ => Some((*new).to_owned()),
            },
            (None, Some(new)) => Some((*new).to_owned()),
            (_, None) => to_raw_value(&()).ok(),
        };
        if let Some(value) = value {
            patch.insert(key.clone(), value);
        }
    }
    patch
}
