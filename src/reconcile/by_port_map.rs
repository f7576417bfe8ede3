//! Packs the endpoints of one port group into slices: keep, fill, pack.
//!
//! Reference: `reconcileByPortMapping`. Its choices among equals are random; here the slice whose name sorts first
//! wins, and endpoints are placed in the order of their addresses.

use alloc::vec::Vec;

use super::Input;
use super::draft::{Draft, Endpoints, Placed};
use super::slice;
use crate::model::endpoint_set::{DesiredEndpoint, EndpointSet};
use crate::model::order::sort_by;
use crate::model::{AddressType, EndpointPort, EndpointSlice, StringMap};

/// What packing one port group came to.
#[derive(Debug, Default)]
pub(super) struct Packed<'a> {
    /// New slices.
    pub create: Vec<Draft<'a>>,
    /// Slices to be changed, by name.
    pub update: Vec<Draft<'a>>,
    /// Slices nothing is left of.
    pub delete: Vec<&'a EndpointSlice<'a>>,
    /// Slices left alone so far, by name.
    pub unchanged: Vec<&'a EndpointSlice<'a>>,
    /// Endpoints that were in no slice.
    pub added: usize,
    /// Endpoints that left their slice.
    pub removed: usize,
}

/// Packs one port group. `existing` is sorted by name.
pub(super) fn pack<'a>(
    input: &Input<'a>,
    address_type: AddressType,
    labels: &StringMap<'a>,
    existing: &[&'a EndpointSlice<'a>],
    desired: &[DesiredEndpoint<'a>],
    ports: &[EndpointPort<'a>],
) -> Packed<'a> {
    let max = input.settings.max_endpoints_per_slice;
    let mut packed = Packed::default();
    let mut queue = keep(&mut packed, input, address_type, labels, existing, desired).into_iter();
    packed.added = queue.len();
    let mut take = |draft: &mut Draft<'a>, count: usize| {
        let indices = queue.by_ref().take(count);
        draft.fill(indices.filter_map(|index| desired.get(index as usize).cloned()));
        queue.len()
    };
    let mut left = fill(&mut packed.update, max, &mut take, packed.added);
    while left > 0 {
        let room_for_all = (left < max)
            .then(|| closest_to_full(&packed.unchanged, left, max))
            .flatten();
        if let Some(place) = room_for_all {
            let mut draft = Draft::of(packed.unchanged.remove(place), address_type);
            left = take(&mut draft, max);
            packed.update.push(draft);
        } else {
            let mut draft = slice::new(address_type, ports, labels);
            left = take(&mut draft, max);
            packed.create.push(draft);
        }
    }
    sort_by(&mut packed.update, Draft::by_name);
    packed
}

/// Step 1: drops endpoints no longer wanted, refreshes changed ones, marks slices whose labels differ.
/// Returns what is still to be placed.
fn keep<'a>(
    packed: &mut Packed<'a>,
    input: &Input<'a>,
    address_type: AddressType,
    labels: &StringMap<'a>,
    existing: &[&'a EndpointSlice<'a>],
    desired: &[DesiredEndpoint<'a>],
) -> Vec<u32> {
    let mut set = EndpointSet::new(desired);
    let mut kept: Vec<(&DesiredEndpoint<'a>, &'a crate::model::Endpoint<'a>, bool)> = Vec::new();
    for &slice in existing {
        kept.clear();
        let mut changed = false;
        for endpoint in &slice.endpoints {
            if let Some(wanted) = set
                .take(desired, endpoint)
                .and_then(|index| desired.get(index as usize))
            {
                let equal = wanted.equals_beyond_identity(endpoint);
                changed |= !equal;
                kept.push((wanted, endpoint, equal));
            }
        }
        let dropped = slice.endpoints.len() - kept.len();
        packed.removed += dropped;
        let labels_differ =
            slice::labels_differ(&slice.metadata.labels, &input.service.metadata.labels);
        if changed || dropped > 0 {
            if kept.is_empty() {
                packed.delete.push(slice);
                continue;
            }
            let mut draft = Draft::of(slice, address_type);
            draft.labels = Some(labels.clone());
            let place = |(wanted, endpoint, _): &(
                &DesiredEndpoint<'a>,
                &'a crate::model::Endpoint<'a>,
                bool,
            )| { Placed::Set((*wanted).clone(), Some(*endpoint)) };
            draft.endpoints = Endpoints::List(kept.iter().map(place).collect());
            draft.reasons.endpoints = true;
            draft.reasons.labels = labels_differ;
            packed.update.push(draft);
        } else if labels_differ {
            let mut draft = Draft::of(slice, address_type);
            draft.labels = Some(labels.clone());
            draft.reasons.labels = true;
            packed.update.push(draft);
        } else {
            packed.unchanged.push(slice);
        }
    }
    set.remaining(desired)
}

/// Step 2: fills slices that change anyway, the fullest first. `take` says how many endpoints are left, and so does this.
fn fill<'a>(
    update: &mut [Draft<'a>],
    max: usize,
    take: &mut impl FnMut(&mut Draft<'a>, usize) -> usize,
    mut left: usize,
) -> usize {
    let mut order: Vec<&mut Draft<'a>> = update.iter_mut().collect();
    sort_by(&mut order, |a, b| {
        b.len().cmp(&a.len()).then_with(|| a.name().cmp(b.name()))
    });
    for draft in order {
        let room = max.saturating_sub(draft.len());
        if room > 0 && left > 0 {
            left = take(draft, room);
        }
    }
    left
}

/// The slice that would be closest to full with `count` endpoints more, if all of them fit.
fn closest_to_full(slices: &[&EndpointSlice<'_>], count: usize, max: usize) -> Option<usize> {
    let room_left = slices.iter().enumerate().filter_map(|(place, slice)| {
        let room_left = max.checked_sub(count + slice.endpoints.len())?;
        (room_left < max).then_some((room_left, place))
    });
    room_left.min().map(|(_, place)| place)
}
