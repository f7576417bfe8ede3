//! The slices of one Service: as of the last sync, and what has changed since.
//!
//! Updates are only recorded; their effect is computed when the proxier asks, at a cost that depends on the slices that
//! changed. The merged lists are not kept either, only what they need: all hosts in order, each with the slices that
//! have it. Reference: `endpointSliceTracker`, which merges the whole Service twice at every sync.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use slicewise::model::Timestamp;

use super::endpoint::ConditionBits;
use super::host::Host;
use super::pending::{Pending, ReceivedSlice};
use super::slice::{AddressRecord, PortKey, ProxiedSlice, SliceView};

/// One Service's slices.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracker {
    pending: BTreeMap<Box<str>, Pending>,
    /// The indices of the applied slices.
    applied: BTreeMap<Box<str>, u32>,
    pub(super) slots: Vec<Option<AppliedSlice>>,
    free: Vec<u32>,
    /// Every host of every applied slice, sorted.
    pub(super) hosts: BTreeSet<(Host, u32)>,
    ports: BTreeMap<PortKey, PortState>,
    /// When the pending changes were triggered.
    pub(super) trigger_times: Vec<Timestamp>,
}

/// An applied slice.
#[derive(Clone, Debug)]
pub(super) struct AppliedSlice {
    pub(super) name: Box<str>,
    pub(super) slice: ProxiedSlice,
}

/// A port of the merged lists.
#[derive(Clone, Copy, Debug, Default)]
struct PortState {
    /// The number of slices that have it and have endpoints.
    slices: u32,
    /// Serving endpoints; only counted for UDP.
    serving: u32,
}

/// The changes of UDP ports in a sync.
#[derive(Debug, Default)]
pub(super) struct UdpPortChanges {
    /// Is or was there a UDP port?
    pub(super) has_udp: bool,
    /// Endpoints that no longer serve.
    pub(super) deleted: Vec<(PortKey, Host, i32)>,
    /// Ports that had no serving endpoint and now have one.
    pub(super) gained: Vec<PortKey>,
}

/// The endpoints of UDP ports that may have changed, sorted and without duplicates.
type Touched = BTreeMap<PortKey, Vec<(Host, i32)>>;

impl Tracker {
    /// Records a slice that was set or removed; returns false if nothing changed (reference: `esDataChanged`).
    pub(super) fn record(
        &mut self,
        seen: ReceivedSlice<'_>,
        is_removed: bool,
        view: &SliceView,
    ) -> bool {
        let name = seen.slice().metadata.name.as_str();
        if let Some(known) = self.pending.get_mut(name) {
            return known.replace(seen, is_removed, view);
        }
        let name: Box<str> = name.into();
        let pending = match self.find(&name) {
            Some(known) if !is_removed => Pending::unless_applied(seen, &known.slice, view),
            None if is_removed => None,
            _ => Some(Pending::new(seen, is_removed, view)),
        };
        let is_news = pending.is_some();
        self.pending.extend(pending.map(|pending| (name, pending)));
        is_news
    }

    /// Does a slice of that name exist, whether applied or pending?
    pub(super) fn has(&self, name: &str) -> bool {
        match self.pending.get(name) {
            Some(pending) => !pending.is_removed(),
            None => self.applied.contains_key(name),
        }
    }

    /// Is there nothing to keep?
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.applied.is_empty()
    }

    /// The ports of the merged lists.
    pub(super) fn keys(&self) -> impl Iterator<Item = &PortKey> {
        self.ports.keys()
    }

    /// Applies the pending changes.
    pub(super) fn sync(&mut self, view: &SliceView) -> UdpPortChanges {
        let pending = core::mem::take(&mut self.pending).into_iter();
        let read = |(name, pending): (_, Pending)| (name, pending.into_slice(view));
        let pending: Vec<(Box<str>, Option<ProxiedSlice>)> = pending.map(read).collect();
        let had_udp = self.has_udp();
        let touched = self.touched(&pending);
        let before = self.serving(&touched);
        let is_first = self.hosts.is_empty();
        for (name, slice) in pending {
            self.apply(name, slice, !is_first);
        }
        if is_first {
            self.index_all();
        }
        let mut changes = UdpPortChanges::default();
        let after = self.serving(&touched);
        for (((key, hosts), before), after) in touched.into_iter().zip(before).zip(after) {
            self.compare(&key, &hosts, &before, &after, &mut changes);
        }
        // Not earlier: one slice may drop a port that another one adds.
        self.ports.retain(|_, state| state.slices > 0);
        changes.has_udp = had_udp || self.has_udp();
        changes
    }

    fn find(&self, name: &str) -> Option<&AppliedSlice> {
        self.slot(*self.applied.get(name)?)
    }

    pub(super) fn slot(&self, number: u32) -> Option<&AppliedSlice> {
        self.slots.get(number as usize)?.as_ref()
    }

    fn has_udp(&self) -> bool {
        self.ports.keys().any(PortKey::is_udp)
    }

    /// The endpoints of UDP ports that the pending changes may affect.
    fn touched(&self, pending: &[(Box<str>, Option<ProxiedSlice>)]) -> Touched {
        let mut touched = Touched::new();
        for (name, slice) in pending {
            let old = self.find(name).map(|slot| &slot.slice);
            let new = slice.as_ref();
            let has_same_ports = old.map(|slice| &slice.ports) == new.map(|slice| &slice.ports);
            for (slice, other) in [(old, new), (new, old)] {
                let Some(slice) = slice else { continue };
                for port in slice.ports.iter().filter(|port| port.key.is_udp()) {
                    let hosts = touched.entry(port.key.clone()).or_default();
                    let records = slice.records.iter().filter(|record| {
                        let said = other.and_then(|other| other.find(record.host));
                        !has_same_ports || said.map(|said| said.state) != Some(record.state)
                    });
                    hosts.extend(records.map(|record| (record.host, port.number)));
                }
            }
        }
        for hosts in touched.values_mut() {
            hosts.sort_unstable();
            hosts.dedup();
        }
        touched
    }

    /// Does each of them serve? `false` if it does not exist.
    fn serving(&self, touched: &Touched) -> Vec<Vec<bool>> {
        let of_port = |(key, hosts): (&PortKey, &Vec<(Host, i32)>)| {
            let is_serving = |(host, number): &(Host, i32)| {
                let chosen = self.chosen(key, *host, *number);
                chosen.is_some_and(ConditionBits::is_serving)
            };
            hosts.iter().map(is_serving).collect()
        };
        touched.iter().map(of_port).collect()
    }

    fn compare(
        &mut self,
        key: &PortKey,
        hosts: &[(Host, i32)],
        before: &[bool],
        after: &[bool],
        changes: &mut UdpPortChanges,
    ) {
        let (mut came, mut went) = (0, 0);
        for ((host, number), (before, after)) in hosts.iter().zip(before.iter().zip(after)) {
            came += u32::from(!before && *after);
            if *before && !after {
                went += 1;
                changes.deleted.push((key.clone(), *host, *number));
            }
        }
        if let Some(state) = self.ports.get_mut(key) {
            let had = state.serving;
            state.serving = (had + came).saturating_sub(went);
            if had == 0 && state.serving > 0 {
                changes.gained.push(key.clone());
            }
        }
    }

    /// The state of an endpoint, from the slice that is chosen if they are visited sorted by name. The reference visits
    /// them in the order of a Go map.
    fn chosen(&self, key: &PortKey, host: Host, number: i32) -> Option<ConditionBits> {
        let named = self.hosts.range((host, 0)..=(host, u32::MAX));
        let slots = named.filter_map(|(_, slot)| self.slot(*slot));
        let candidates = slots
            .filter(|slot| slot.slice.numbers(key).any(|other| other == number))
            .filter_map(|slot| Some((&*slot.name, slot.slice.find(host)?)));
        let chosen = candidates.reduce(|one, other| {
            let (first, later) = if one.0 < other.0 {
                (one, other)
            } else {
                (other, one)
            };
            if first.1.is_replaced_by(later.1) {
                later
            } else {
                first
            }
        });
        chosen.map(|(_, record)| record.state)
    }

    /// Replaces or removes the slice of a name.
    fn apply(&mut self, name: Box<str>, slice: Option<ProxiedSlice>, indexes: bool) {
        let number = self.applied.get(&name).copied();
        let old = number.and_then(|number| self.slots.get_mut(number as usize)?.take());
        self.count_ports(old.as_ref().map(|old| &old.slice), slice.as_ref());
        let number = match (number, &slice) {
            (None, None) => return,
            (Some(number), _) => number,
            (None, Some(_)) => self.free.pop().unwrap_or_else(|| {
                self.slots.push(None);
                self.slots.len() as u32 - 1
            }),
        };
        if indexes {
            let old = records(old.as_ref().map(|old| &old.slice));
            self.index(number, old, records(slice.as_ref()));
        }
        let Some(slice) = slice else {
            self.applied.remove(&name);
            self.free.push(number);
            return;
        };
        if old.is_none() {
            self.applied.insert(name.clone(), number);
        }
        if let Some(slot) = self.slots.get_mut(number as usize) {
            *slot = Some(AppliedSlice { name, slice });
        }
    }

    /// Indexes the hosts of all slices at once, which is faster than one by one.
    fn index_all(&mut self) {
        let numbered = (0..).zip(&self.slots);
        let hosts = numbered.flat_map(|(number, slot)| {
            let records = records(slot.as_ref().map(|slot| &slot.slice)).iter();
            records.map(move |record| (record.host, number))
        });
        self.hosts = hosts.collect();
    }

    /// Updates the index for the hosts of a slice; both lists are sorted.
    fn index(&mut self, number: u32, mut old: &[AddressRecord], mut new: &[AddressRecord]) {
        loop {
            match (old.split_first(), new.split_first()) {
                (None, None) => return,
                (Some((gone, rest)), next)
                    if next.is_none_or(|(next, _)| gone.host < next.host) =>
                {
                    self.hosts.remove(&(gone.host, number));
                    old = rest;
                }
                (Some((kept, rest)), Some((next, others))) if kept.host == next.host => {
                    (old, new) = (rest, others);
                }
                (_, Some((came, others))) => {
                    self.hosts.insert((came.host, number));
                    new = others;
                }
                (Some(_), None) => return,
            }
        }
    }

    fn count_ports(&mut self, old: Option<&ProxiedSlice>, new: Option<&ProxiedSlice>) {
        for key in new.into_iter().flat_map(ProxiedSlice::keys) {
            match self.ports.get_mut(key) {
                Some(state) => state.slices += 1,
                None => {
                    let state = PortState {
                        slices: 1,
                        serving: 0,
                    };
                    self.ports.insert(key.clone(), state);
                }
            }
        }
        for key in old.into_iter().flat_map(ProxiedSlice::keys) {
            if let Some(state) = self.ports.get_mut(key) {
                state.slices = state.slices.saturating_sub(1);
            }
        }
    }
}

/// The records of a slice; empty if there is none.
fn records(slice: Option<&ProxiedSlice>) -> &[AddressRecord] {
    slice.map_or(&[], |slice| &slice.records)
}
