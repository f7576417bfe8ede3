//! How endpoints have changed.

use alloc::vec::Vec;

use serde::Serialize;

use super::Pair;
use super::fields::{FieldDiff, field_diffs};
use super::pairing::{EndpointInSlice, PairedEndpoints, Pairing};
use crate::model::{ObjectReference, Text};

/// An endpoint that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EndpointDiff<'a> {
    /// How the endpoint has changed.
    pub change: EndpointChange,
    /// Its addresses.
    pub addresses: Vec<Text<'a>>,
    /// The object behind the endpoint, usually a Pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_ref: Option<ObjectReference<'a>>,
    /// The slice that contains it, or contained it if it was removed.
    pub slice: Text<'a>,
    /// The slice that contained it before, if it has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Text<'a>>,
    /// The fields that differ, if the endpoint exists before and after.
    pub fields: Vec<FieldDiff>,
}

/// How an endpoint has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_enums,
    reason = "it is there before, after, or both, in one slice or two"
)]
pub enum EndpointChange {
    /// It is new in its slice and did not come from another slice.
    Added,
    /// It is no longer in its slice and did not move to another slice.
    Removed,
    /// It is in the same slice, with different fields.
    Changed,
    /// It is in a different slice, possibly with different fields.
    Moved,
}

/// The endpoints that differ between the slices of one Service and one family.
pub(super) fn changes<'a>(pairs: &[Pair<'_, 'a>]) -> Vec<EndpointDiff<'a>> {
    let mut endpoints = PairedEndpoints::default();
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

fn of_both<'a>(
    before: EndpointInSlice<'_, 'a>,
    after: EndpointInSlice<'_, 'a>,
) -> Option<EndpointDiff<'a>> {
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

fn of_place<'a>(change: EndpointChange, place: EndpointInSlice<'_, 'a>) -> EndpointDiff<'a> {
    EndpointDiff {
        change,
        addresses: place.endpoint.addresses.to_vec(),
        target_ref: place.endpoint.target_ref.clone(),
        slice: place.slice.metadata.name.clone(),
        from: None,
        fields: Vec::new(),
    }
}
