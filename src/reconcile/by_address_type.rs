//! Reconciles the slices of one family: by owner, by port group, placeholder, hints, recycling.
//!
//! Reference: `reconcileByAddressType` and the recycling part of `finalize`.

use alloc::vec::Vec;

use super::by_port_map::{Packed, pack};
use super::desired::Desired;
use super::draft::Draft;
use super::existing::{ComparedSlice, Existing, Open, SettledGroup};
use super::hints::{self, HintedSlices, HintsOutcome};
use super::{Input, slice};
use crate::model::order::{Grouped, sort_by};
use crate::model::{AddressType, EndpointSlice, PortMapKey, StringMap};
use crate::topology::cache::ServiceHints;

/// What should happen to the slices of one family.
#[derive(Debug)]
#[non_exhaustive]
pub struct FamilyOutcome<'d, 'a> {
    /// The family.
    pub address_type: AddressType,
    /// New slices, by port group; none while the Service is being deleted.
    pub create: Vec<Draft<'d, 'a>>,
    /// The number of new slices that are held back because the Service is being deleted; the reference counts them as
    /// changes.
    pub held_back: usize,
    /// Changed slices, by name, including recycled ones.
    pub update: Vec<Draft<'d, 'a>>,
    /// Slices to delete, by name.
    pub delete: Vec<&'a EndpointSlice<'a>>,
    /// Slices to delete because their endpoints moved to others, by port group. Before that, their last endpoint must
    /// have been written elsewhere.
    pub emptied: Vec<&'a EndpointSlice<'a>>,
    /// Slices that stay unchanged, by name, except those of [`FamilyOutcome::whole`].
    pub unchanged: Vec<Existing<'a>>,
    /// Port groups whose settled slices all stay unchanged.
    pub whole: Vec<&'a SettledGroup<'a>>,
    /// Comparisons of the open slices that stay, by port group and name. Those without differences are settled from now
    /// on, whatever happens to their hints.
    pub compared: Vec<ComparedSlice<'a>>,
    /// Hints.
    pub hints: HintsOutcome<'a>,
    /// Endpoints that were in no slice.
    pub added: usize,
    /// Endpoints that were removed from their slice (not counting slices deleted as a whole for their owner, family or
    /// ports).
    pub removed: usize,
    /// Endpoints and slices by port group, for the metrics.
    pub efficiency: Vec<Efficiency>,
}

/// How full the slices of one port group are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Efficiency {
    /// Desired endpoints.
    pub endpoints: usize,
    /// Resulting slices.
    pub slices: usize,
}

type Groups<'a> = Grouped<PortMapKey<'a>, Open<'a>>;

/// Reconciles one family. `existing` is sorted by name.
pub(super) fn reconcile<'d, 'a>(
    input: &Input<'a>,
    address_type: AddressType,
    existing: &[Open<'a>],
    desired: &'d Desired<'a>,
    state: &mut ServiceHints,
) -> FamilyOutcome<'d, 'a> {
    let labels = slice::labels(input.service, input.settings.managed_by);
    let (groups, mut delete) = group_owned(input, existing);
    let settled_groups = input.settled.map(|settled| settled.slices.of(address_type));
    let mut slices = HintedSlices::default();
    let mut outcome = FamilyOutcome {
        address_type,
        create: Vec::new(),
        held_back: 0,
        update: Vec::new(),
        delete: Vec::new(),
        emptied: Vec::new(),
        unchanged: Vec::new(),
        whole: Vec::new(),
        compared: Vec::new(),
        hints: HintsOutcome::default(),
        added: 0,
        removed: 0,
        efficiency: Vec::new(),
    };
    for (key, group) in desired.groups.iter() {
        let in_group: Vec<_> = groups.of(key).iter().map(|(_, slice)| *slice).collect();
        let settled = settled_groups.and_then(|groups| groups.get(key));
        let endpoints = group.endpoints(address_type);
        let packed = pack(
            input,
            address_type,
            &labels,
            (&in_group, settled),
            endpoints,
            &group.ports,
        );
        let (settled_slices, settled_endpoints) =
            settled.map_or((0, 0), |group| (group.slices, group.endpoints));
        outcome.efficiency.push(Efficiency {
            endpoints: endpoints.len() + packed.confirmed + settled_endpoints,
            slices: settled_slices + in_group.len() + packed.create.len()
                - packed.delete.len()
                - packed.emptied.len(),
        });
        collect(packed, &mut outcome, &mut slices, &mut delete);
    }
    for group in groups.groups() {
        if let Some((key, _)) = group.first()
            && !desired.groups.contains_key(key)
        {
            delete.extend(group.iter().map(|(_, open)| open.slice));
        }
    }
    let has_settled = settled_groups.is_some_and(|groups| !groups.is_empty());
    if existing.len() == delete.len() && slices.create.is_empty() && !has_settled {
        place_placeholder(input, address_type, &labels, &mut slices, &mut delete);
        outcome.efficiency.push(Efficiency {
            endpoints: 0,
            slices: 1,
        });
    }
    sort_by(&mut slices.unchanged, |a, b| a.name().cmp(b.name()));
    // Updates by port group, and deletes of unwanted ports last: the reference also processes the groups one after the
    // other when it assigns zones, and recycles in this order.
    outcome.hints = hints::assign(input, address_type, &mut slices, state);
    recycle(input, &mut slices, &mut delete);
    if input.service.metadata.deletion_timestamp.is_none() {
        outcome.create = slices.create;
    } else {
        outcome.held_back = slices.create.len();
    }
    sort_by(&mut slices.update, Draft::by_name);
    sort_by(&mut delete, EndpointSlice::by_name);
    outcome.update = slices.update;
    outcome.delete = delete;
    outcome.unchanged = slices.unchanged;
    outcome.whole = slices.whole;
    outcome
}

/// Slices of this very Service by ports; those of an older Service with the same name are to be deleted.
fn group_owned<'a>(
    input: &Input<'a>,
    existing: &[Open<'a>],
) -> (Groups<'a>, Vec<&'a EndpointSlice<'a>>) {
    let (own, foreign): (Vec<_>, Vec<_>) = existing
        .iter()
        .copied()
        .partition(|existing| slice::is_owned_by(existing.slice, input.service));
    let key = |open: Open<'a>| (PortMapKey::new(&open.slice.ports), open);
    let foreign = foreign.into_iter().map(|open| open.slice).collect();
    (Grouped::new(own.into_iter().map(key)), foreign)
}

fn collect<'d, 'a>(
    mut packed: Packed<'d, 'a>,
    outcome: &mut FamilyOutcome<'d, 'a>,
    slices: &mut HintedSlices<'d, 'a>,
    delete: &mut Vec<&'a EndpointSlice<'a>>,
) {
    outcome.added += packed.added;
    outcome.removed += packed.removed;
    outcome.compared.append(&mut packed.compared);
    outcome.emptied.append(&mut packed.emptied);
    slices.create.append(&mut packed.create);
    slices.update.append(&mut packed.update);
    slices.unchanged.append(&mut packed.unchanged);
    slices.whole.extend(packed.whole);
    delete.append(&mut packed.delete);
}

/// A Service without endpoints to publish keeps exactly one empty slice; an existing equal one is left alone.
fn place_placeholder<'a>(
    input: &Input<'a>,
    address_type: AddressType,
    labels: &StringMap<'a>,
    slices: &mut HintedSlices<'_, 'a>,
    delete: &mut Vec<&'a EndpointSlice<'a>>,
) {
    match delete.as_slice() {
        [only] if slice::is_placeholder(only, input, labels, address_type) => slices
            .unchanged
            .extend(delete.drain(..).map(Existing::Open)),
        _ => slices.create.push(slice::new(address_type, &[], labels)),
    }
}

/// Turns a slice to delete into one to create: one write instead of two, and no gap between them.
fn recycle<'a>(
    input: &Input<'a>,
    slices: &mut HintedSlices<'_, 'a>,
    delete: &mut Vec<&'a EndpointSlice<'a>>,
) {
    delete.retain(|doomed| {
        if !slice::is_owned_by(doomed, input.service) {
            return true;
        }
        let Some(mut draft) = slices.create.pop() else {
            return true;
        };
        draft.base = Some(doomed);
        draft.recycled = true;
        slices.update.push(draft);
        false
    });
}
