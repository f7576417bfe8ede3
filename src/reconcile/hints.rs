//! Chooses the hints of one family's slices: topology annotation, otherwise `trafficDistribution`, otherwise none.
//!
//! Slices that are otherwise unchanged become updates if their hints must change. Reference: `reconcileByAddressType`,
//! `TopologyCache.AddHints`, `RemoveHintsFromSlices`, `trafficdist.ReconcileHints`.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::Input;
use super::draft::{Draft, DraftHints};
use super::existing::{Existing, SettledGroup, break_up};
use super::hint_facts::HintTotals;
use crate::model::text::same;
use crate::model::{AddressType, SortedMap};
use crate::topology::allocation::{self, Allocation};
use crate::topology::cache::ServiceHints;
use crate::topology::events::{self, Disabled, Event};
use crate::topology::redistribute::{ByZone, giving_and_receiving};
use crate::traffic_distribution::TrafficDistribution;

/// The slices of one family, as they pass through the hint rules.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct HintedSlices<'d, 'a> {
    /// New slices.
    pub create: Vec<Draft<'d, 'a>>,
    /// Changed slices.
    pub update: Vec<Draft<'d, 'a>>,
    /// Slices unchanged so far, by name.
    pub unchanged: Vec<Existing<'a>>,
    /// Settled slices unchanged so far, by port group.
    pub whole: Vec<&'a SettledGroup<'a>>,
}

impl HintedSlices<'_, '_> {
    /// From now on, handles settled slices one by one, if a sum shows that some of them matter.
    fn break_up(&mut self, matters: impl Fn(&HintTotals) -> bool) {
        if self.whole.iter().any(|group| matters(group.totals)) {
            break_up(core::mem::take(&mut self.whole), &mut self.unchanged);
        }
    }
}

/// The rule that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "another rule must be told apart everywhere"
)]
pub enum DecidingRule {
    /// No rule: hints are removed.
    #[default]
    None,
    /// The topology annotation.
    Auto,
    /// `spec.trafficDistribution`.
    Traffic(TrafficDistribution),
}

/// The result of the hint rules for one family.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct HintsOutcome<'a> {
    /// The rule that decided.
    pub mode: DecidingRule,
    /// Why a requested rule assigns no hints.
    pub disabled: Option<Disabled>,
    /// The arithmetic of `Auto`, sorted by zone.
    pub allocations: Vec<Allocation<'a>>,
    /// Hints assigned by zone, for `Auto`.
    pub allocated: SortedMap<&'a str, i64>,
    /// Events to publish.
    pub events: Vec<Event>,
}

/// Assigns hints to every draft. `state` is the Service's part of the topology cache; it is not used without topology
/// hints.
pub fn assign<'a>(
    input: &Input<'a>,
    address_type: AddressType,
    slices: &mut HintedSlices<'_, 'a>,
    state: &mut ServiceHints,
) -> HintsOutcome<'a> {
    let wants_auto = input.service.wants_topology_hints();
    if input.settings.topology_hints && wants_auto {
        return assign_auto(input, address_type, slices, state);
    }
    let mut outcome = HintsOutcome::default();
    if input.settings.topology_hints {
        if state.populated {
            outcome
                .events
                .push(Disabled::NotRequested.event(address_type));
        }
        state.remove(address_type);
    }
    if let Some(traffic) = TrafficDistribution::of(
        input.service,
        input.settings.prefer_same_traffic_distribution,
    ) {
        outcome.mode = DecidingRule::Traffic(traffic);
        slices.break_up(|totals| totals.is_any_hint_wrong(traffic));
        move_to_update(slices, address_type, |slice| slice.is_hint_wrong(traffic));
        let hints = if traffic.hints_nodes() {
            DraftHints::SameZoneAndNode
        } else {
            DraftHints::SameZone
        };
        set_all(slices, &hints);
    } else {
        remove_hints(slices, address_type);
    }
    outcome
}

fn assign_auto<'a>(
    input: &Input<'a>,
    address_type: AddressType,
    slices: &mut HintedSlices<'_, 'a>,
    state: &mut ServiceHints,
) -> HintsOutcome<'a> {
    let written = ready_by_zone(slices.create.iter().chain(&slices.update));
    let ready = written.values().sum::<i64>() + count_unwritten(slices);
    let (allocations, refused) = allocation::allocate(input.nodes.zone_shares(), ready);
    let mut outcome = HintsOutcome {
        mode: DecidingRule::Auto,
        ..HintsOutcome::default()
    };
    let disabled =
        refused.or_else(
            || match allocate_hints(slices, address_type, &allocations, written) {
                Some(allocated) => {
                    outcome.allocated = allocated;
                    None
                }
                None => Some(Disabled::NoZoneSpecified),
            },
        );
    outcome.allocations = allocations;
    if let Some(reason) = disabled {
        outcome.disabled = Some(reason);
        outcome.events.push(reason.event(address_type));
        state.remove(address_type);
        remove_hints(slices, address_type);
        return outcome;
    }
    if !state.populated {
        outcome.events.push(events::enabled(address_type));
    }
    let allocated = outcome.allocated.iter();
    let zones = allocated.map(|(zone, count)| ((*zone).to_owned(), *count));
    state.set(address_type, zones.collect());
    outcome
}

/// Assigns same-zone hints, then moves some of them to zones that are owed more. `None` if an endpoint has no zone.
fn allocate_hints<'a>(
    slices: &mut HintedSlices<'_, 'a>,
    address_type: AddressType,
    allocations: &[Allocation<'a>],
    written: SortedMap<&'a str, i64>,
) -> Option<SortedMap<&'a str, i64>> {
    let updates = slices.update.len();
    let mut allocated = keep_unchanged(slices, address_type, allocations);
    let others = ready_by_zone(slices.update.iter().skip(updates));
    for (zone, count) in written.into_iter().chain(others) {
        if zone.is_empty() {
            return None;
        }
        *allocated.or_default(zone) += count;
    }
    let (mut giving, mut receiving) = giving_and_receiving(allocations, &allocated);
    for draft in slices.create.iter_mut().chain(&mut slices.update) {
        let moved = redistribute(draft, &mut giving, &mut receiving);
        for (from, to) in &moved {
            *allocated.or_default(from) -= 1;
            *allocated.or_default(to.1) += 1;
        }
        draft.hints = DraftHints::Redistributed(moved.into_iter().map(|(_, to)| to).collect());
    }
    Some(allocated)
}

/// Counts the hints of unchanged slices; those whose hints are invalid become updates (reference:
/// `getAllocatedHintsByZone`).
fn keep_unchanged<'a>(
    slices: &mut HintedSlices<'_, 'a>,
    address_type: AddressType,
    allocations: &[Allocation<'a>],
) -> SortedMap<&'a str, i64> {
    if let Some(allocated) = standing_hints(slices, allocations) {
        return allocated;
    }
    slices.break_up(|_| true);
    let mut allocated = SortedMap::default();
    move_to_update(slices, address_type, |slice| {
        match valid_hints(slice, allocations, &allocated) {
            Some(zones) => {
                for (zone, count) in zones {
                    *allocated.or_default(zone) += count;
                }
                false
            }
            None => true,
        }
    });
    allocated
}

/// The hints of all unchanged slices by zone, if all are valid together: then each is, in any order.
fn standing_hints<'a>(
    slices: &HintedSlices<'_, 'a>,
    allocations: &[Allocation<'a>],
) -> Option<SortedMap<&'a str, i64>> {
    if slices.whole.is_empty() {
        // Checking them one by one costs the same.
        return None;
    }
    let mut sums: SortedMap<&'a str, i64> = SortedMap::default();
    for group in &slices.whole {
        if group.totals.without_hint > 0 {
            return None;
        }
        for (zone, count) in group.totals.by_zone.iter() {
            *sums.or_default(zone.as_str()) += count;
        }
    }
    for slice in &slices.unchanged {
        for (zone, count) in slice.hints_by_zone()? {
            *sums.or_default(zone) += count;
        }
    }
    can_stand(&sums, allocations, &SortedMap::default()).then_some(sums)
}

/// Are these hints valid in addition to those already assigned?
fn can_stand<'a>(
    zones: &SortedMap<&'a str, i64>,
    allocations: &[Allocation<'a>],
    allocated: &SortedMap<&'a str, i64>,
) -> bool {
    zones.iter().all(|(zone, count)| {
        let place = allocations.binary_search_by(|allocation| allocation.share.zone.cmp(zone));
        let allocation = place.ok().and_then(|place| allocations.get(place));
        let given = allocated.get(*zone).copied().unwrap_or_default();
        allocation.is_some_and(|allocation| count + given <= allocation.maximum)
    })
}

/// A slice's hints by zone; `None` if a ready endpoint has none, if a zone has no allocation, or if they exceed what a
/// zone may get (reference: `getHintsByZone`).
fn valid_hints<'a>(
    slice: &Existing<'a>,
    allocations: &[Allocation<'a>],
    allocated: &SortedMap<&'a str, i64>,
) -> Option<SortedMap<&'a str, i64>> {
    let zones = slice.hints_by_zone()?;
    can_stand(&zones, allocations, allocated).then_some(zones)
}

/// Moves endpoints from giving zones to receiving zones: (zone, (position, new zone)).
fn redistribute<'a>(
    draft: &Draft<'_, 'a>,
    giving: &mut ByZone<'a>,
    receiving: &mut ByZone<'a>,
) -> Vec<(&'a str, (usize, &'a str))> {
    let mut moved = Vec::new();
    for (position, view) in draft.views().enumerate().filter(|(_, view)| view.ready) {
        let Some(receiver) = receiving.first().filter(|_| giving.first().is_some()) else {
            break;
        };
        if let Some(zone) = view.zone.filter(|zone| giving.take_one(zone)) {
            receiving.take_one(receiver);
            moved.push((zone, (position, receiver)));
        }
    }
    moved
}

/// Ready endpoints of drafts by zone, those without one under the empty text.
fn ready_by_zone<'d, 'a: 'd>(
    drafts: impl Iterator<Item = &'d Draft<'d, 'a>>,
) -> SortedMap<&'a str, i64> {
    /// Up to this many zones are found faster one by one.
    const FEW: usize = 8;
    let (mut few, mut zones) = (Vec::<(&'a str, i64)>::new(), SortedMap::default());
    let mut add = |zone: &'a str, ready: i64| {
        if let Some((_, count)) = few.iter_mut().find(|(other, _)| same(other, zone)) {
            *count += ready;
        } else if few.len() < FEW {
            few.push((zone, ready));
        } else {
            *zones.or_default(zone) += ready;
        }
    };
    drafts.for_each(|draft| draft.count_ready(&mut add));
    for (zone, count) in few {
        zones.insert(zone, count);
    }
    zones
}

/// Ready endpoints of slices that nothing has changed so far.
fn count_unwritten(slices: &HintedSlices<'_, '_>) -> i64 {
    let unchanged: i64 = slices.unchanged.iter().map(Existing::count_ready).sum();
    let whole: i64 = slices.whole.iter().map(|group| group.totals.ready).sum();
    unchanged + whole
}

fn remove_hints(slices: &mut HintedSlices<'_, '_>, address_type: AddressType) {
    slices.break_up(|totals| totals.with_hints > 0);
    move_to_update(slices, address_type, Existing::has_hints);
    set_all(slices, &DraftHints::Clear);
}

fn set_all<'a>(slices: &mut HintedSlices<'_, 'a>, hints: &DraftHints<'a>) {
    for draft in slices.create.iter_mut().chain(&mut slices.update) {
        draft.hints = hints.clone();
    }
}

fn move_to_update<'a>(
    slices: &mut HintedSlices<'_, 'a>,
    address_type: AddressType,
    mut must_change: impl FnMut(&Existing<'a>) -> bool,
) {
    let update = &mut slices.update;
    slices.unchanged.retain(|slice| {
        let changes = must_change(slice);
        if changes {
            let mut draft = Draft::of(slice.whole(), address_type);
            draft.reasons.hints = true;
            update.push(draft);
        }
        !changes
    });
}

#[cfg(test)]
mod tests;
