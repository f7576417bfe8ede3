//! How endpoints have changed.

use alloc::vec::Vec;

use serde::Serialize;

use super::Pair;
use super::fields::{FieldDiff, field_diffs};
use super::pairing::{Endpoints, Pairing, Place};
use crate::model::{ObjectReference, Text};

/// An endpoint that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EndpointDiff<'a> {
    /// What has become of it.
    pub change: EndpointChange,
    /// Its addresses.
    pub addresses: Vec<Text<'a>>,
    /// What it stands for, usually a Pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_ref: Option<ObjectReference<'a>>,
    /// The slice it is in, or was in if it is gone.
    pub slice: Text<'a>,
    /// The slice it was in, if it has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Text<'a>>,
    /// The fields that differ of one that was there and is there.
    pub fields: Vec<FieldDiff>,
}

/// What has become of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EndpointChange {
    /// It was not in that slice, and comes from no other.
    Added,
    /// It is not in that slice any more, and in no other instead.
    Removed,
    /// It is where it was, with other fields.
    Changed,
    /// It is in another slice, perhaps with other fields, too.
    Moved,
}

/// The endpoints that differ between the slices of one Service and one family.
pub(super) fn changes<'a>(pairs: &[Pair<'_, 'a>]) -> Vec<EndpointDiff<'a>> {
    let mut endpoints = Endpoints::default();
    for pair in pairs {
        // Nearly all slices are equal, and none of their endpoints are in other slices.
        if pair.before.map(|slice| &slice.endpoints) == pair.after.map(|slice| &slice.endpoints) {
            continue;
        }
        for (slice, is_after) in [(pair.before, false), (pair.after, true)] {
            slice
                .into_iter()
                .for_each(|slice| endpoints.add(slice, is_after));
        }
    }
    endpoints.paired().into_iter().flat_map(of_one).collect()
}

fn of_one<'a>(Pairing { both, left, come }: Pairing<'_, 'a>) -> Vec<EndpointDiff<'a>> {
    let both = both.into_iter();
    let mut diffs: Vec<_> = both
        .filter_map(|(before, after)| of_both(before, after))
        .collect();
    let left = left.into_iter();
    diffs.extend(left.map(|place| of_place(EndpointChange::Removed, place)));
    let come = come.into_iter();
    diffs.extend(come.map(|place| of_place(EndpointChange::Added, place)));
    diffs
}

fn of_both<'a>(before: Place<'_, 'a>, after: Place<'_, 'a>) -> Option<EndpointDiff<'a>> {
    let from = &before.slice.metadata.name;
    let has_moved = *from != after.slice.metadata.name;
    if !has_moved && before.endpoint == after.endpoint {
        return None;
    }
    let change = if has_moved {
        EndpointChange::Moved
    } else {
        EndpointChange::Changed
    };
    Some(EndpointDiff {
        from: has_moved.then(|| from.clone()),
        fields: field_diffs(before.endpoint, after.endpoint),
        ..of_place(change, after)
    })
}

fn of_place<'a>(change: EndpointChange, place: Place<'_, 'a>) -> EndpointDiff<'a> {
    EndpointDiff {
        change,
        addresses: place.endpoint.addresses.to_vec(),
        target_ref: place.endpoint.target_ref.clone(),
        slice: place.slice.metadata.name.clone(),
        from: None,
        fields: Vec::new(),
    }
}
