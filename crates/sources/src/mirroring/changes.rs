//! Decides which slice each group keeps, and builds the plan.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use slicewise::model::endpoints::repack_subsets;
use slicewise::model::order::{Grouped, sort_by};
use slicewise::model::{AddressType, EndpointSlice, Endpoints, PortMapKey};
use slicewise::plan::{Plan, Reason, ServiceRef, SliceRef, Stats};
use slicewise::topology::cache::ServiceHints;

use super::MirrorInput;
use super::desired::{DesiredGroup, DesiredGroups, GroupKey, family};
use super::slices;

/// Deletes all slices, because nothing is mirrored any more.
pub(super) fn clean_up<'a>(input: &MirrorInput<'a>, slices: &[&'a EndpointSlice<'a>]) -> Plan<'a> {
    let mut plan = nothing(input);
    for slice in slices {
        delete(&mut plan, slice);
    }
    plan
}

/// Makes the slices match the Endpoints.
pub(super) fn plan<'a>(
    input: &MirrorInput<'a>,
    endpoints: &'a Endpoints<'a>,
    slices: &[&'a EndpointSlice<'a>],
) -> Plan<'a> {
    let subsets = repack_subsets(&endpoints.subsets);
    let max = input.max_endpoints_per_subset.get();
    let mut desired = DesiredGroups::of(&subsets, max);
    let mut plan = nothing(input);
    plan.events = core::mem::take(&mut desired.events);
    let changes = MirrorChanges::of(&desired, endpoints, slices);
    plan.stats = changes.stats(&desired, max);
    for slice in changes.delete {
        delete(&mut plan, slice);
    }
    for draft in changes.drafts {
        let (key, group) = (draft.key, draft.group);
        let slice = slices::slice(endpoints, key.0, group, max, draft.base);
        let is_new = draft.base.is_none();
        let place = plan.create.len();
        let name = if is_new {
            format!("create/{place}")
        } else {
            slice.name().to_owned()
        };
        plan.reasons.insert(name, draft.reasons);
        let list = if is_new {
            &mut plan.create
        } else {
            &mut plan.update
        };
        list.push(slice);
    }
    let unchanged = changes.unchanged.iter();
    plan.unchanged
        .add(unchanged.map(|slice| slice.metadata.name.clone()));
    sort_by(&mut plan.update, |a, b| a.name().cmp(b.name()));
    plan
}

fn nothing<'a>(input: &MirrorInput<'a>) -> Plan<'a> {
    let service = ServiceRef {
        namespace: input.namespace.clone(),
        name: input.name.clone(),
    };
    Plan::nothing_for(service, ServiceHints::default())
}

/// Slices arrive sorted by name, so the list stays sorted.
fn delete<'a>(plan: &mut Plan<'a>, slice: &EndpointSlice<'a>) {
    let metadata = &slice.metadata;
    plan.reasons
        .insert(slice.name().to_owned(), vec![Reason::NoLongerWanted]);
    plan.delete.push(SliceRef {
        name: metadata.name.clone(),
        uid: metadata.uid.clone(),
        resource_version: metadata.resource_version.clone(),
        address_type: slice.address_type.clone(),
    });
}

/// A slice to write: a new one, or one over `base`.
struct MirrorDraft<'d, 'a> {
    key: &'d GroupKey<'a>,
    group: &'d DesiredGroup<'d, 'a>,
    base: Option<&'a EndpointSlice<'a>>,
    reasons: Vec<Reason>,
}

struct MirrorChanges<'d, 'a> {
    drafts: Vec<MirrorDraft<'d, 'a>>,
    /// Sorted by name.
    delete: Vec<&'a EndpointSlice<'a>>,
    unchanged: Vec<&'a EndpointSlice<'a>>,
    added: usize,
    removed: usize,
}

impl<'d, 'a> MirrorChanges<'d, 'a> {
    fn of(
        desired: &'d DesiredGroups<'d, 'a>,
        endpoints: &Endpoints<'a>,
        slices: &[&'a EndpointSlice<'a>],
    ) -> Self {
        let mut changes = Self {
            drafts: Vec::new(),
            delete: Vec::new(),
            unchanged: Vec::new(),
            added: 0,
            removed: 0,
        };
        let existing = slices.iter().filter_map(|slice| {
            let family = family(&slice.address_type)?;
            Some(((family, PortMapKey::new(&slice.ports)), *slice))
        });
        let existing: Grouped<GroupKey<'a>, &'a EndpointSlice<'a>> = Grouped::new(existing);
        let is_in_no_group = |slice: &&&EndpointSlice<'a>| family(&slice.address_type).is_none();
        changes
            .delete
            .extend(slices.iter().filter(is_in_no_group).copied());
        for group in existing.groups() {
            let is_wanted = group
                .first()
                .is_some_and(|(key, _)| desired.groups.contains_key(key));
            if !is_wanted {
                changes.delete.extend(group.iter().map(|(_, slice)| *slice));
            }
        }
        for (key, group) in desired.groups.iter() {
            let existing = existing.of(key).iter().map(|(_, slice)| *slice);
            changes.add_group(key, group, existing.collect(), endpoints);
        }
        let gone = changes.delete.iter().map(|slice| slice.endpoints.len());
        changes.removed += gone.sum::<usize>();
        changes.recycle();
        if endpoints.metadata.deletion_timestamp.is_some() {
            changes.drafts.retain(|draft| draft.base.is_some());
        }
        sort_by(&mut changes.delete, EndpointSlice::by_name);
        changes
    }

    /// Keeps one slice of the group: one that already matches, or else the first by name.
    fn add_group(
        &mut self,
        key: &'d GroupKey<'a>,
        group: &'d DesiredGroup<'d, 'a>,
        existing: Vec<&'a EndpointSlice<'a>>,
        endpoints: &Endpoints<'_>,
    ) {
        if group.endpoints.is_empty() {
            self.delete.extend(existing);
            return;
        }
        let compared = existing
            .iter()
            .map(|slice| GroupComparison::of(slice, group));
        let compared: Vec<GroupComparison> = compared.collect();
        let reasons = existing.iter().zip(&compared);
        let reasons: Vec<Vec<Reason>> = reasons
            .map(|(slice, compared)| compared.reasons(slice, endpoints))
            .collect();
        let right = reasons.iter().position(Vec::is_empty);
        let kept = right.unwrap_or_default();
        for (place, slice) in existing.iter().enumerate() {
            if place != kept {
                self.delete.push(slice);
            }
        }
        let Some((base, compared)) = existing.get(kept).zip(compared.get(kept)) else {
            self.added += group.endpoints.len();
            self.drafts.push(MirrorDraft {
                key,
                group,
                base: None,
                reasons: vec![Reason::NewEndpoints],
            });
            return;
        };
        self.added += usize::try_from(compared.added).unwrap_or_default();
        self.removed += compared.removed;
        if right.is_some() {
            self.unchanged.push(base);
        } else {
            self.drafts.push(MirrorDraft {
                key,
                group,
                base: Some(base),
                reasons: reasons.into_iter().next().unwrap_or_default(),
            });
        }
    }

    /// Writes a new slice over one of its family that would be deleted (reference: `recycleSlices`).
    fn recycle(&mut self) {
        for family in AddressType::ALL {
            let is_free = |slice: &&'a EndpointSlice<'a>| slice.address_type == family.as_str();
            let free = self.delete.iter().copied().filter(is_free);
            let mut free: Vec<_> = free.collect();
            sort_by(&mut free, EndpointSlice::by_name);
            let new = self.drafts.iter_mut();
            let new = new.filter(|draft| draft.base.is_none() && draft.key.0 == family);
            let mut taken = Vec::new();
            for (draft, slice) in new.zip(free) {
                draft.base = Some(slice);
                draft.reasons.push(Reason::Recycled);
                taken.push(slice.name());
            }
            self.delete
                .retain(|slice| !is_free(slice) || taken.binary_search(&slice.name()).is_err());
        }
    }

    fn stats(&self, desired: &DesiredGroups<'_, '_>, max: usize) -> Stats {
        let counts = || desired.groups.values().map(|group| group.endpoints.len());
        let mut stats = Stats::default();
        stats.endpoints = counts().sum();
        stats.added = self.added;
        stats.removed = self.removed;
        stats.slices = self.drafts.len() + self.unchanged.len();
        stats.desired_slices = counts().map(|count| count.div_ceil(max)).sum();
        stats
    }
}

/// How a slice compares with its group.
struct GroupComparison {
    /// If a slice has an endpoint twice, both count as found, so this may be negative.
    added: isize,
    updated: usize,
    removed: usize,
}

impl GroupComparison {
    fn of(slice: &EndpointSlice<'_>, group: &DesiredGroup<'_, '_>) -> Self {
        let (mut found, mut updated, mut removed) = (0, 0, 0);
        for endpoint in &slice.endpoints {
            match group.find(endpoint) {
                Some(is_right) => {
                    found += 1;
                    updated += usize::from(!is_right);
                }
                None => removed += 1,
            }
        }
        Self {
            added: group.endpoints.len().cast_signed() - found,
            updated,
            removed,
        }
    }

    /// Why the slice must be written; empty if it need not be.
    fn reasons(&self, slice: &EndpointSlice<'_>, endpoints: &Endpoints<'_>) -> Vec<Reason> {
        let reasons = [
            (slices::has_older_owner(slice, endpoints), Reason::NotOwned),
            (
                self.updated > 0 || self.removed > 0 || self.added < 0,
                Reason::EndpointsChanged,
            ),
            (self.added > 0, Reason::EndpointsAdded),
            (
                slices::labels_differ(slice, endpoints),
                Reason::LabelsChanged,
            ),
            (
                slices::annotations_differ(slice, endpoints),
                Reason::AnnotationsChanged,
            ),
        ];
        let holding = reasons.into_iter().filter(|(holds, _)| *holds);
        holding.map(|(_, reason)| reason).collect()
    }
}
