//! A cluster as last seen, and what has changed since each Service was last synced.
//!
//! Objects go in one by one, as a watch delivers them; [`Session::sync`] returns the plan that a new request over the
//! same objects would get, at a cost that depends on what has changed. It is the same engine: a sync passes to
//! [`reconcile`](slicewise::reconcile) the open slices and the pods that concern them, and for all other slices only
//! the few sums that decisions need ([`existing`](slicewise::reconcile::existing)). From scratch everything is open.
//!
//! # What opens a slice
//!
//! A slice is settled when a sync has found that all its endpoints match and its labels are right. It is opened again
//! when it changes, when a pod that it names is added, changed or deleted, when such a pod's Node is added, deleted or
//! moved to another zone, and when the Service changes. Hints are decided again in every sync, from the sums.
//!
//! Invariant: a pod is compared in a family if and only if it is in no settled slice of that family. So no pod can be
//! placed twice, and none is forgotten.

#[cfg(doctest)]
mod guide;

mod apply;
mod deletions;
pub mod dump;
pub mod event;
mod excerpt;
pub(crate) mod follow;
mod id_sets;
mod ids;
#[doc(hidden)]
pub mod imagined;
mod known_endpoints;
mod labels;
mod names;
mod nodes;

#[doc(hidden)]
pub mod observer;
mod pod_changes;
mod pod_slices;
mod pods;
mod port_lists;
mod seen;
mod services;
mod slab;
mod slice_changes;
mod slice_summary;
mod slices;
mod sorted_ids;
mod sync;
#[doc(hidden)]
pub mod unreadable;
mod written_slices;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

pub use slice_summary::SliceSummary;

use deletions::Deletions;
use event::Kind;
use ids::{LabelSetId, ServiceId, SliceId};
use labels::LabelSets;
use names::NameTable;
use nodes::KnownNodes;
use observer::Observed;
use pods::{EndpointFacts, Pods};
use services::{KnownServices, ServiceState};
use slices::KnownSlices;
use unreadable::UnreadableObjects;

use slicewise::membership::index::SelectorIndex;
use slicewise::model::{EndpointSlice, NamespacedName, Pod, Service, Text, keys};
use slicewise::plan::request::Options;

/// A cluster as last seen.
#[derive(Clone, Debug)]
pub struct Session {
    options: Options<'static>,
    names: NameTable,
    labels: LabelSets,
    pods: Pods,
    nodes: KnownNodes,
    slices: KnownSlices,
    services: KnownServices,
    selectors: SelectorIndex,
    /// Kinds that are being listed object by object, with those given so far; `None` if no objects were known when the
    /// list began, so that none can be missing.
    lists: BTreeMap<Kind, Option<BTreeSet<NamespacedName>>>,
    deletions: Deletions,
    unreadable: UnreadableObjects,
    /// Only present in observers, which judge changes.
    observed: Option<Observed>,
}

impl Session {
    /// A session with an empty cluster.
    pub fn new(options: Options<'static>) -> Self {
        Self {
            options,
            names: NameTable::default(),
            labels: LabelSets::default(),
            pods: Pods::default(),
            nodes: KnownNodes::default(),
            slices: KnownSlices::default(),
            services: KnownServices::default(),
            selectors: SelectorIndex::default(),
            lists: BTreeMap::new(),
            deletions: Deletions::default(),
            unreadable: UnreadableObjects::default(),
            observed: None,
        }
    }

    /// The options of plans.
    pub const fn options(&self) -> &Options<'static> {
        &self.options
    }

    /// Adds or changes a Service.
    pub fn set_service(&mut self, service: &Service<'_>) {
        self.note_given(Kind::Service, service);
        let (namespace, name) = (&service.metadata.namespace, &service.metadata.name);
        let id = self.services.id_of(namespace, name);
        let Some(known) = self.services.get_mut(id) else {
            return;
        };
        let version = apply::number(&service.metadata.resource_version);
        let mut service = service.clone().into_owned();
        // Fields that no plan uses are dropped, so that changes of them have no effect.
        service.metadata.resource_version = Text::default();
        service
            .metadata
            .annotations
            .retain(|key| keys::is_topology_annotation(key));
        match known.state.as_deref_mut() {
            Some(state) if state.service == service => {
                state.version = version;
                return;
            }
            Some(state) => {
                state.service = service;
                state.version = version;
                state.is_dirty = true;
            }
            None => {
                let state = ServiceState::new(service, version, &known.slices);
                known.state = Some(Box::new(state));
            }
        }
        self.select(id);
    }

    /// A Service as last seen.
    pub fn service(&self, key: &NamespacedName) -> Option<&Service<'static>> {
        let id = self.services.find(&key.namespace, &key.name)?;
        Some(&self.services.state(id)?.service)
    }

    /// Removes a Service, along with the state of its hints and trigger times. Did it exist?
    pub fn remove_service(&mut self, key: &NamespacedName) -> bool {
        let Some(id) = self.services.find(&key.namespace, &key.name) else {
            return false;
        };
        self.selectors.remove(key);
        let state = self
            .services
            .get_mut(id)
            .and_then(|known| known.state.take());
        for set in state.iter().flat_map(|state| state.label_sets.iter()) {
            self.labels.remove_service(set, id);
        }
        self.open_all(id);
        self.services.forget_unused(id);
        state.is_some()
    }

    /// The slices that a plan of that Service uses, sorted by name, as a tracker sees them.
    pub fn tracked_slices(
        &self,
        service: &NamespacedName,
    ) -> impl Iterator<Item = &EndpointSlice<'static>> {
        let id = self.services.find(&service.namespace, &service.name);
        let known = id.and_then(|id| self.services.get(id));
        let slices = known.into_iter().flat_map(|known| &known.slices);
        let slices = slices.filter_map(|slice| self.slices.get(*slice));
        slices.map(|slice| &slice.head)
    }

    /// A slice by name, as a tracker sees it, if plans use it.
    pub fn tracked_slice(&self, namespace: &str, name: &str) -> Option<&EndpointSlice<'static>> {
        let slice = self.slices.get(self.slices.find(namespace, name)?)?;
        slice.service.is_some().then_some(&slice.head)
    }

    /// The slices that a plan of that Service uses: ours, and not being deleted; sorted by name.
    #[cfg(test)]
    pub(crate) fn slice_summaries(&self, service: &NamespacedName) -> Vec<SliceSummary> {
        let managed_by = self.options.settings().managed_by;
        let slices = self.tracked_slices(service);
        slices
            .map(|slice| SliceSummary::new(slice, managed_by))
            .collect()
    }

    /// The summary of a slice.
    pub fn slice_summary(&self, key: &NamespacedName) -> Option<SliceSummary> {
        let id = self.slices.find(&key.namespace, &key.name)?;
        let slice = self.slices.get(id)?;
        Some(SliceSummary::new(
            &slice.head,
            self.options.settings().managed_by,
        ))
    }

    /// Services with too few endpoints hinted to some zone, judged by its current share of the CPU (reference:
    /// `TopologyCache.GetOverloadedServices`).
    pub fn overloaded_services(&mut self) -> Vec<NamespacedName> {
        self.nodes.refresh(&self.names);
        let shares = self.nodes.shares(&self.names);
        let is_overloaded = |known: &&services::KnownService| {
            let state = known.state.as_ref();
            state.is_some_and(|state| state.hints.is_overloaded(shares.as_deref()))
        };
        let overloaded = self.services.iter().filter(is_overloaded);
        let mut keys: Vec<_> = overloaded.map(|known| known.key.clone()).collect();
        slicewise::model::order::sort(&mut keys);
        keys
    }

    /// Does a controller manage the slices of the Service ([`Service::is_reconciled`])? `None` if the Service does not
    /// exist.
    pub fn is_reconciled(&self, key: &NamespacedName) -> Option<bool> {
        let id = self.services.find(&key.namespace, &key.name)?;
        let state = self.services.state(id)?;
        Some(state.service.is_reconciled())
    }

    /// Is nothing stored, neither objects nor what was learnt about them? (The latest deletions do not count.)
    pub fn is_empty(&self) -> bool {
        self.names.len() == 0
            && self.labels.is_empty()
            && self.pods.is_empty()
            && self.nodes.is_empty()
            && self.slices.is_empty()
            && self.services.is_empty()
            && self.selectors.is_empty()
            && self.lists.is_empty()
            && self.unreadable.is_empty()
    }

    /// The number of settled slices.
    #[doc(hidden)]
    pub fn settled_slices(&self) -> usize {
        let slices = self.slices.iter();
        slices.filter(|(_, slice)| slice.is_settled()).count()
    }

    /// Finds the sets of labels that a Service selects.
    fn select(&mut self, id: ServiceId) {
        let Some(known) = self.services.get_mut(id) else {
            return;
        };
        let Some(state) = known.state.as_deref_mut() else {
            return;
        };
        // Watchers of pods are notified of every Service that selects them, even if it has no slices (reference:
        // `GetServicesToUpdate`).
        let selector = state.service.spec.selector.as_ref();
        self.selectors.set(known.key.clone(), selector);
        let selector = selector.filter(|_| state.service.is_reconciled());
        let namespace = &known.key.namespace;
        let selected =
            selector.map(|selector| self.labels.selected(&self.names, namespace, selector));
        let selected = selected.into_iter().flatten().collect();
        let before = core::mem::replace(&mut state.label_sets, selected);
        let now = state.label_sets.clone();
        if before.iter().eq(now.iter()) {
            return;
        }
        for (sets, was_selected) in [(&before, true), (&now, false)] {
            for pod in sets.iter().flat_map(|set| self.labels.pods(set)) {
                let Some(known) = self.pods.get(pod) else {
                    continue;
                };
                let time = known.facts.as_ref().and_then(EndpointFacts::trigger_time);
                state.note_trigger(known.name(), time.filter(|_| was_selected));
            }
        }
        for set in before.iter().filter(|set| !now.contains(*set)) {
            self.labels.remove_service(set, id);
        }
        for set in now.iter().filter(|set| !before.contains(*set)) {
            self.labels.add_service(set, id);
        }
    }

    /// Finds the Services that select a new set of labels.
    fn link(&mut self, namespace: &str, pod: &Pod<'_>, set: LabelSetId) {
        let keys = self.selectors.selecting(namespace, &pod.metadata.labels);
        let ids = keys
            .into_iter()
            .filter_map(|key| self.services.find(&key.namespace, &key.name));
        let ids: Vec<ServiceId> = ids.collect();
        for id in ids {
            if let Some(state) = self.services.state_mut(id)
                && state.service.is_reconciled()
            {
                state.label_sets.insert(set);
                self.labels.add_service(set, id);
            }
        }
    }

    fn slices_of(&self, service: ServiceId) -> Vec<SliceId> {
        let known = self.services.get(service);
        known.map_or_else(Vec::new, |known| known.slices.clone())
    }
}

#[cfg(test)]
mod tests;
