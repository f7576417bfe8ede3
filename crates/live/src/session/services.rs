//! Services as the session stores them, each with the state of its last sync and what has become dirty since.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use slicewise::model::order::hash;
use slicewise::model::pod::PodIp;
use slicewise::model::slice_names::{NamesWithout, SliceNames};
use slicewise::model::{
    AddressType, ByFamily, NamespacedName, PortMapKey, Service, SortedMap, Timestamp, ip,
};
use slicewise::reconcile::address_types;
use slicewise::reconcile::hint_facts::{HintFacts, HintTotals};
use slicewise::reconcile::ports::ResolvedPorts;
use slicewise::topology::cache::ServiceHints;

use super::ids::{LabelSetId, PodId, ServiceId, SliceId};
use super::slab::{IdsByHash, Slab};
use super::sorted_ids::SortedIds;

/// A Service that exists in the cluster, or that slices name.
#[derive(Clone, Debug)]
pub(super) struct KnownService {
    pub(super) key: NamespacedName,
    /// `None` if only slices name it.
    pub(super) state: Option<Box<ServiceState>>,
    /// Its slices, sorted by name.
    pub(super) slices: Vec<SliceId>,
}

/// The state of a Service's last sync, and what is dirty.
#[derive(Clone, Debug)]
pub(super) struct ServiceState {
    /// Without its version.
    pub(super) service: Service<'static>,
    pub(super) version: Option<u64>,
    /// The Service itself has changed: nothing known about its pods and slices counts.
    pub(super) is_dirty: bool,
    /// Sets of labels that its selector selects.
    pub(super) label_sets: SortedIds<LabelSetId>,
    /// Pods that may be endpoints and are in no settled slice of the family, except those in open slices.
    pub(super) pending: ByFamily<BTreeSet<PodId>>,
    /// Slices that must be compared with the desired endpoints.
    pub(super) open: BTreeSet<SliceId>,
    /// Slices that match, by ports and name.
    pub(super) settled: ByFamily<SettledSlices>,
    /// How its pods resolve its ports, with the number of pods that may be endpoints.
    pub(super) ports: BTreeMap<ResolvedPorts, u32>,
    /// The state of its hints.
    pub(super) hints: ServiceHints,
    pub(super) trigger: Trigger,
}

pub(super) type SettledSlices = SortedMap<PortMapKey<'static>, KeptGroup>;

/// The settled slices of one family and port group.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptGroup {
    /// Sorted by name, with those that are away.
    slices: Vec<SliceId>,
    /// Their names, which every plan lists.
    names: SliceNames,
    /// Slices that have been touched and are likely to return: to take them out of the list and put them back would move
    /// half of it twice. Sorted by name.
    away: Vec<(Box<str>, SliceId)>,
    /// The number of endpoints in them.
    pub(super) endpoints: usize,
    /// The facts for hint rules.
    pub(super) totals: HintTotals,
}

/// Trigger times as of the last sync, for what has changed since; the same as
/// [`slicewise::tracker::TriggerTimeTracker`], without visiting every pod.
#[derive(Clone, Debug, Default)]
pub(super) struct Trigger {
    /// Has the Service been synced?
    pub(super) is_known: bool,
    /// When the Service was created, according to the last sync.
    pub(super) service: Option<Timestamp>,
    /// Trigger times of pods that have changed, by name, as of the last sync; `None` if it saw none.
    pub(super) pods: BTreeMap<Box<str>, Option<Timestamp>>,
}

impl KeptGroup {
    /// The most slices that are away.
    const MOST_AWAY: usize = 16;

    /// The number of slices.
    pub(super) const fn len(&self) -> usize {
        self.slices.len() - self.away.len()
    }

    /// The slices, sorted by name.
    pub(super) fn slices(&self) -> Vec<SliceId> {
        let mut slices = Vec::with_capacity(self.len());
        for (name, id) in self.names.iter().zip(&self.slices) {
            // By name: the id of one that is away may have been given to another slice.
            if self.away_at(name).is_err() {
                slices.push(*id);
            }
        }
        slices
    }

    /// Their names.
    pub(super) fn names(&self) -> NamesWithout<'_> {
        NamesWithout {
            names: &self.names,
            without: self.away.iter().map(|(name, _)| &**name).collect(),
        }
    }

    /// Adds a slice that is not there.
    pub(super) fn add(&mut self, id: SliceId, name: &str, endpoints: usize, facts: &HintFacts) {
        self.endpoints += endpoints;
        self.totals.add(facts);
        let away = self.away_at(name).ok();
        let before = away.map(|place| self.away.remove(place).1);
        if before == Some(id) {
            return;
        }
        match self.names.find(name) {
            // Another slice had the name.
            Ok(place) => {
                if let Some(other) = self.slices.get_mut(place) {
                    *other = id;
                }
            }
            Err(place) => {
                self.slices.insert(place, id);
                self.names.insert(place, name);
            }
        }
    }

    /// Removes a slice that is there.
    // Otherwise inlined where slices are touched, again and again.
    #[inline(never)]
    pub(super) fn remove(&mut self, id: SliceId, name: &str, endpoints: usize, facts: &HintFacts) {
        self.endpoints -= endpoints;
        self.totals.remove(facts);
        if self.away.len() == Self::MOST_AWAY {
            let (name, _) = self.away.remove(0);
            if let Ok(place) = self.names.find(&name) {
                self.slices.remove(place);
                self.names.remove(place);
            }
        }
        let (Ok(place) | Err(place)) = self.away_at(name);
        self.away.insert(place, (name.into(), id));
    }

    fn away_at(&self, name: &str) -> Result<usize, usize> {
        self.away.binary_search_by(|(other, _)| (**other).cmp(name))
    }
}

impl ServiceState {
    pub(super) fn new(service: Service<'static>, version: Option<u64>, slices: &[SliceId]) -> Self {
        Self {
            service,
            version,
            is_dirty: true,
            label_sets: SortedIds::default(),
            pending: ByFamily::default(),
            open: slices.iter().copied().collect(),
            settled: ByFamily::default(),
            ports: BTreeMap::new(),
            hints: ServiceHints::default(),
            trigger: Trigger::default(),
        }
    }

    /// Is there a desired endpoint of that family for a pod with these addresses?
    pub(super) fn wants(&self, addresses: &[PodIp], family: AddressType) -> bool {
        address_types(&self.service).contains(&family)
            && addresses
                .iter()
                .any(|address| ip::address_type(&address.ip) == family)
    }

    /// Counts a pod that may be an endpoint and has this port resolution, or stops counting it.
    pub(super) fn count_ports(&mut self, resolved: ResolvedPorts, is_more: bool) {
        if is_more {
            *self.ports.entry(resolved).or_default() += 1;
            return;
        }
        if let Some(count) = self.ports.get_mut(&resolved) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.ports.remove(&resolved);
            }
        }
    }

    /// Forgets a deleted pod. If the last sync did not see it, it is as if it had never existed.
    pub(super) fn forget_trigger(&mut self, name: &str) {
        if self.trigger.pods.get(name) == Some(&None) {
            self.trigger.pods.remove(name);
        }
    }

    /// The trigger time of the changes since the last sync, which ends now.
    pub(super) fn take_trigger_time(
        &mut self,
        time_of: impl Fn(&str) -> Option<Timestamp>,
    ) -> Option<Timestamp> {
        let created = self.service.metadata.creation_timestamp;
        let created = created.filter(|time| !time.is_zero());
        let before = core::mem::take(&mut self.trigger);
        self.trigger.is_known = true;
        self.trigger.service = created;
        if !before.is_known {
            return created;
        }
        let pods = before.pods.iter();
        let times = pods.map(|(name, last)| (time_of(name), *last));
        let is_new = |(time, last): (Option<Timestamp>, Option<Timestamp>)| {
            time.filter(|time| last.is_none_or(|last| *time > last))
        };
        let times = times.chain(core::iter::once((created, before.service)));
        times.filter_map(is_new).min()
    }

    /// Remembers the trigger time of a changing pod as of the last sync.
    pub(super) fn note_trigger(&mut self, name: &str, last: Option<Timestamp>) {
        if self.trigger.is_known && !self.trigger.pods.contains_key(name) {
            self.trigger
                .pods
                .insert(name.to_owned().into_boxed_str(), last);
        }
    }
}

/// All Services that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownServices {
    services: Slab<ServiceId, KnownService>,
    by_hash: IdsByHash<ServiceId>,
}

impl KnownServices {
    pub(super) fn get(&self, id: ServiceId) -> Option<&KnownService> {
        self.services.get(id)
    }

    pub(super) fn get_mut(&mut self, id: ServiceId) -> Option<&mut KnownService> {
        self.services.get_mut(id)
    }

    pub(super) fn state(&self, id: ServiceId) -> Option<&ServiceState> {
        self.services.get(id)?.state.as_deref()
    }

    pub(super) fn state_mut(&mut self, id: ServiceId) -> Option<&mut ServiceState> {
        self.services.get_mut(id)?.state.as_deref_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &KnownService> {
        self.services.iter().map(|(_, service)| service)
    }

    pub(super) fn find(&self, namespace: &str, name: &str) -> Option<ServiceId> {
        let is_it = |id| {
            let service = self.services.get(id);
            service.is_some_and(|service| {
                service.key.name == *name && service.key.namespace == *namespace
            })
        };
        self.by_hash.find(service_hash(namespace, name), is_it)
    }

    /// The id of a Service, which is known from now on.
    pub(super) fn id_of(&mut self, namespace: &str, name: &str) -> ServiceId {
        if let Some(id) = self.find(namespace, name) {
            return id;
        }
        let id = self.services.insert(KnownService {
            key: NamespacedName {
                namespace: namespace.to_owned(),
                name: name.to_owned(),
            },
            state: None,
            slices: Vec::new(),
        });
        self.by_hash.insert(service_hash(namespace, name), id);
        id
    }

    /// Removes a Service that neither exists in the cluster nor is named by a slice.
    pub(super) fn forget_unused(&mut self, id: ServiceId) {
        let is_unused =
            |service: &&KnownService| service.state.is_none() && service.slices.is_empty();
        let Some(service) = self.services.get(id).filter(is_unused) else {
            return;
        };
        let hash = service_hash(&service.key.namespace, &service.key.name);
        self.by_hash.remove(hash, id);
        self.services.remove(id);
    }

    /// Is there no Service?
    pub(super) fn is_empty(&self) -> bool {
        self.services.is_empty()
    }
}

fn service_hash(namespace: &str, name: &str) -> u64 {
    hash(&[namespace.as_bytes(), name.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ids::Id as _;

    #[test]
    fn few_services_share_a_hash() {
        let of = [("shop", "cart"), ("shop", "till"), ("bank", "cart")];
        let hashes = of.map(|(namespace, name)| service_hash(namespace, name));
        assert_eq!(BTreeSet::from(hashes).len(), 3);
    }

    #[test]
    fn slices_of_a_group_are_sorted_by_name_as_they_come_and_go() {
        let (mut group, mut expected) = (KeptGroup::default(), BTreeMap::new());
        let mut facts = HintFacts::default();
        facts.ready = 7;
        // Each name comes and goes several times, as the same slice or as another, and more are away than may be.
        for step in 0..600_u32 {
            let name = alloc::format!("cart-{:02}", step * 7 % 40);
            if let Some(id) = expected.remove(&name) {
                group.remove(SliceId::at(id), &name, 10, &facts);
            } else {
                let id = step % 40 + step % 3;
                group.add(SliceId::at(id), &name, 10, &facts);
                expected.insert(name, id);
            }
            let slices = group.slices().into_iter().map(|id| id.place());
            assert!(slices.eq(expected.values().copied()), "after {step}");
            assert!(group.names().iter().eq(expected.keys()), "after {step}");
            let count = expected.len();
            assert_eq!((group.len(), group.endpoints), (count, 10 * count));
            assert_eq!(group.totals.ready, 7 * count as i64);
            assert!(group.away.len() <= KeptGroup::MOST_AWAY);
        }
    }
}
