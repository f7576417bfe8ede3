//! A cluster as last seen, and what became of it since each Service was synced last.
//!
//! Objects go in one by one, as a watch delivers them; [`Session::sync`] gives the plan that a fresh request over the
//! same objects would, at the cost of what has changed. It is the same engine: a sync hands
//! [`reconcile`](crate::reconcile) the open slices and the pods that concern them, and of all other slices the few
//! sums that decisions need ([`existing`](crate::reconcile::existing)). From scratch everything is open.
//!
//! # What opens a slice
//!
//! A slice is settled when a sync has found all its endpoints wanted as they are and its labels right. It is open
//! again when it changes, when a pod that it names changes, comes or goes, when such a pod's Node comes, goes or
//! changes its zone, and when the Service changes. Hints are decided anew in every sync, from the sums.
//!
//! Invariant: a pod is compared in a family exactly when it is in no settled slice of that family. So no pod can be
//! placed twice, and none is forgotten.

mod labels;
mod names;
mod nodes;
mod pods;
mod services;
mod slab;
mod slices;
mod sync;
mod view;
mod wholes;

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use labels::LabelSets;
use names::Names;
use nodes::Nodes;
use pods::{Facts, PodNumber, Pods};
use services::{FAMILIES, ServiceNumber, ServiceState, Services};
use slices::{Comparison, KnownEndpoint, KnownSlice, SliceNumber, Slices};

use crate::membership::change::{PodChange, PodVersion};
use crate::membership::index::SelectorIndex;
use crate::model::{
    AddressType, EndpointPort, EndpointSlice, NamespacedName, Node, Pod, PortMapKey, Service,
    StringMap, keys,
};
use crate::plan::request::Options;
use crate::reconcile::ports;

/// A cluster as last seen.
#[derive(Clone, Debug)]
pub struct Session {
    options: Options<'static>,
    names: Names,
    labels: LabelSets,
    pods: Pods,
    nodes: Nodes,
    slices: Slices,
    services: Services,
    selectors: SelectorIndex,
}

/// What there is to know of a slice without its endpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceMark {
    /// Namespace and name.
    pub key: NamespacedName,
    /// Identity over its life.
    pub uid: String,
    /// Counts changes of everything but metadata; 0 where the slice does not say.
    pub generation: i64,
    /// The Service its label names, empty if there is none.
    pub service: String,
    /// Is it of the manager the session plans for?
    pub is_ours: bool,
    /// Is it being deleted?
    pub is_terminating: bool,
}

impl Session {
    /// An empty cluster.
    pub fn new(options: Options<'static>) -> Self {
        Self {
            options,
            names: Names::default(),
            labels: LabelSets::default(),
            pods: Pods::default(),
            nodes: Nodes::default(),
            slices: Slices::default(),
            services: Services::default(),
            selectors: SelectorIndex::default(),
        }
    }

    /// How plans are made.
    pub const fn options(&self) -> &Options<'static> {
        &self.options
    }

    /// A Service came or changed.
    pub fn set_service(&mut self, service: &Service<'_>) {
        let (namespace, name) = (&service.metadata.namespace, &service.metadata.name);
        let number = self.services.number_of(namespace, name);
        let Some(known) = self.services.get_mut(number) else {
            return;
        };
        let service = service.clone().into_owned();
        match known.state.as_deref_mut() {
            Some(state) if state.service == service => return,
            Some(state) => {
                state.service = service;
                state.is_dirty = true;
            }
            None => {
                let state = ServiceState::new(service, &known.slices);
                known.state = Some(alloc::boxed::Box::new(state));
            }
        }
        self.select(number);
    }

    /// A Service is gone, and with it what was remembered of its hints and trigger times. Was it there?
    pub fn remove_service(&mut self, key: &NamespacedName) -> bool {
        let Some(number) = self.services.find(&key.namespace, &key.name) else {
            return false;
        };
        self.selectors.remove(key);
        let state = self
            .services
            .get_mut(number)
            .and_then(|known| known.state.take());
        for set in state.iter().flat_map(|state| &state.label_sets) {
            self.unlink(*set, number);
        }
        self.open_all(number);
        self.services.forget_unused(number);
        state.is_some()
    }

    /// A pod came or changed. The Services it concerns are returned, by name (see [`crate::membership`]); a pod
    /// of the same `resourceVersion` as before concerns none.
    pub fn set_pod(&mut self, pod: &Pod<'_>, resource_version: &str) -> Vec<NamespacedName> {
        let (namespace, name) = (&pod.metadata.namespace, &pod.metadata.name);
        let uid = &pod.metadata.uid;
        let number = self.pods.number_of(&mut self.names, namespace, name, uid);
        let concerned = self.concerned(number, Some((pod, resource_version)));
        let is_another = |known: &pods::KnownPod| known.uid() != uid.as_str();
        if self.pods.get(number).is_some_and(is_another) {
            self.keep_uid_in_slices(number);
        }
        let facts = self.pods.take(&mut self.names, &mut self.labels, pod);
        if self.labels.is_new(facts.labels) {
            self.link(namespace, pod, facts.labels);
        }
        if self.pods.facts(number) == Some(&facts) {
            let is_same = self
                .pods
                .get(number)
                .is_some_and(|known| known.uid() == uid.as_str());
            self.pods.release(&mut self.names, &mut self.labels, &facts);
            let before = self.pods.facts(number).cloned();
            self.pods.set(number, before.clone(), uid, resource_version);
            if !is_same {
                self.touch(number, before.as_ref(), before.as_ref());
            }
            return concerned;
        }
        let (labels, node) = (facts.labels, facts.node);
        let before = self
            .pods
            .set(number, Some(facts.clone()), uid, resource_version);
        if let Some(set) = self.labels.get_mut(labels) {
            set.pods.insert(number);
        }
        self.nodes.add_pod(node, number);
        self.touch(number, before.as_ref(), Some(&facts));
        if let Some(before) = before {
            self.let_go(number, &before, Some(&facts));
        }
        concerned
    }

    /// A pod is gone. The Services it concerned are returned, by name.
    pub fn remove_pod(&mut self, key: &NamespacedName) -> Vec<NamespacedName> {
        let Some(number) = self.pods.find(&self.names, &key.namespace, &key.name) else {
            return Vec::new();
        };
        let concerned = self.concerned(number, None);
        let Some(known) = self.pods.get(number) else {
            return concerned;
        };
        let uid = String::from(known.uid());
        let before = self.pods.set(number, None, &uid, "");
        if let Some(before) = before {
            self.touch(number, Some(&before), None);
            self.let_go(number, &before, None);
        }
        self.pods.forget_unused(&mut self.names, number);
        concerned
    }

    /// A Node came or changed. May hints change with it? Only its zone and whether it is ready count there
    /// (reference: `updateNode`).
    pub fn set_node(&mut self, node: &Node<'_>) -> bool {
        self.change_node(&node.metadata.name, Some(node))
    }

    /// A Node is gone. May hints change with it?
    pub fn remove_node(&mut self, name: &str) -> bool {
        self.change_node(name, None)
    }

    /// An EndpointSlice came or changed. What was known of it is returned.
    pub fn set_slice(&mut self, slice: &EndpointSlice<'_>) -> Option<SliceMark> {
        let metadata = &slice.metadata;
        let before = self.slices.find(&metadata.namespace, &metadata.name);
        let (mut known, pods) = self.known_slice(slice);
        if let Some(before) = before.and_then(|before| self.slices.get(before)) {
            known.comparison = slices::compared(before, &known);
        }
        let mut stay = pods.clone();
        stay.sort_unstable();
        let place = (known.service, known.family);
        let mark = before.and_then(|before| {
            self.take_slice(before, |pod, of| {
                of == place && stay.binary_search(&pod).is_ok()
            })
        });
        let number = self.slices.insert(known);
        for pod in pods {
            if let Some(pod) = self.pods.get_mut(pod) {
                pod.slices.insert(number);
            }
        }
        self.file_slice(number);
        if let Some(before) = mark.as_ref().and_then(|(_, service, _)| *service) {
            self.services.forget_unused(before);
        }
        mark.map(|(mark, _, pods)| {
            for pod in pods {
                self.pods.forget_unused(&mut self.names, pod);
            }
            mark
        })
    }

    /// An EndpointSlice is gone. What was known of it is returned.
    pub fn remove_slice(&mut self, key: &NamespacedName) -> Option<SliceMark> {
        let number = self.slices.find(&key.namespace, &key.name)?;
        let (mark, service, pods) = self.take_slice(number, |_, _| false)?;
        for pod in pods {
            self.pods.forget_unused(&mut self.names, pod);
        }
        if let Some(service) = service {
            self.services.forget_unused(service);
        }
        Some(mark)
    }

    /// The slices a plan for that Service looks at: ours, and not pending deletion; by name.
    pub fn slice_marks(&self, service: &NamespacedName) -> Vec<SliceMark> {
        let number = self.services.find(&service.namespace, &service.name);
        let slices = number.map_or_else(Vec::new, |number| self.slices_of(number));
        let slices = slices
            .into_iter()
            .filter_map(|slice| self.slices.get(slice));
        slices.map(|slice| self.mark(&slice.head)).collect()
    }

    /// Services that have too few endpoints hinted to some zone, by its share of the CPU as it is now (reference:
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
        crate::model::order::sort(&mut keys);
        keys
    }

    /// Does the cluster have the Service?
    pub fn has_service(&self, key: &NamespacedName) -> bool {
        let number = self.services.find(&key.namespace, &key.name);
        number.is_some_and(|number| self.services.state(number).is_some())
    }

    /// The Services the cluster has, by name.
    pub fn service_keys(&self) -> Vec<NamespacedName> {
        let known = self.services.iter().filter(|known| known.state.is_some());
        let mut keys: Vec<_> = known.map(|known| known.key.clone()).collect();
        crate::model::order::sort(&mut keys);
        keys
    }

    /// Is nothing kept at all, of objects or of what was learnt of them?
    pub fn is_empty(&self) -> bool {
        self.names.len() == 0
            && self.labels.is_empty()
            && self.pods.is_empty()
            && self.nodes.is_empty()
            && self.slices.is_empty()
            && self.services.is_empty()
            && self.selectors.is_empty()
    }

    /// How many slices are settled.
    #[cfg(test)]
    pub(crate) fn settled_slices(&self) -> usize {
        let slices = self.slices.iter();
        slices
            .filter(|(_, slice)| slice.settled().is_some())
            .count()
    }

    /// Finds the sets of labels that a Service selects.
    fn select(&mut self, number: ServiceNumber) {
        let Some(known) = self.services.get_mut(number) else {
            return;
        };
        let Some(state) = known.state.as_deref_mut() else {
            return;
        };
        // Whoever watches pods is told of every Service that selects them, also of one that has no slices
        // (reference: `GetServicesToUpdate`).
        let selector = state.service.spec.selector.as_ref();
        self.selectors.set(known.key.clone(), selector);
        let selector = selector.filter(|_| state.service.is_reconciled());
        let namespace = &known.key.namespace;
        let selected =
            selector.map(|selector| self.labels.selected(&self.names, namespace, selector));
        let selected = selected.into_iter().flatten().collect();
        let before = core::mem::replace(&mut state.label_sets, selected);
        let now = state.label_sets.clone();
        if before == now {
            return;
        }
        for (sets, was_selected) in [(&before, true), (&now, false)] {
            let pods = sets.iter().filter_map(|set| self.labels.get(*set));
            for pod in pods.flat_map(|set| &set.pods) {
                let Some(known) = self.pods.get(*pod) else {
                    continue;
                };
                let time = known.facts.as_ref().and_then(Facts::trigger_time);
                state.note_trigger(known.name(), time.filter(|_| was_selected));
            }
        }
        for set in before.difference(&now) {
            self.unlink(*set, number);
        }
        for set in now.difference(&before) {
            if let Some(set) = self.labels.get_mut(*set)
                && let Err(place) = set.services.binary_search(&number)
            {
                set.services.insert(place, number);
            }
        }
    }

    fn unlink(&mut self, set: u32, service: ServiceNumber) {
        if let Some(set) = self.labels.get_mut(set) {
            set.services.retain(|other| *other != service);
        }
    }

    /// Finds the Services that select a new set of labels.
    fn link(&mut self, namespace: &str, pod: &Pod<'_>, set: u32) {
        let keys = self.selectors.selecting(namespace, &pod.metadata.labels);
        let numbers = keys
            .into_iter()
            .filter_map(|key| self.services.find(&key.namespace, &key.name));
        let is_reconciled = |number: &ServiceNumber| {
            let state = self.services.state(*number);
            state.is_some_and(|state| state.service.is_reconciled())
        };
        let mut numbers: Vec<ServiceNumber> = numbers.filter(is_reconciled).collect();
        numbers.sort_unstable();
        for number in &numbers {
            if let Some(state) = self.services.state_mut(*number) {
                state.label_sets.insert(set);
            }
        }
        if let Some(set) = self.labels.get_mut(set) {
            set.services = numbers;
        }
    }

    /// The Services a change of a pod concerns.
    fn concerned(&self, number: PodNumber, new: Option<(&Pod<'_>, &str)>) -> Vec<NamespacedName> {
        let known = self.pods.get(number);
        let old = known.and_then(|known| Some((known, self.whole_pod(number)?)));
        let old = old.as_ref().map(|(known, pod)| PodVersion {
            pod,
            resource_version: known.resource_version(),
        });
        let new = new.map(|(pod, resource_version)| PodVersion {
            pod,
            resource_version,
        });
        let change = PodChange::new(old, new);
        let services = change.map(|change| change.services(&self.selectors));
        services.into_iter().flatten().cloned().collect()
    }

    fn whole_pod(&self, number: PodNumber) -> Option<Pod<'_>> {
        let known = self.pods.get(number)?;
        let facts = known.facts.as_ref()?;
        let labels = self.labels.map(&self.names, facts.labels);
        Some(self.pods.whole(&self.names, known, facts, labels, true))
    }

    /// What a pod held that it no longer does.
    fn let_go(&mut self, number: PodNumber, before: &Facts, now: Option<&Facts>) {
        if now.is_none_or(|now| now.labels != before.labels)
            && let Some(set) = self.labels.get_mut(before.labels)
        {
            set.pods.remove(&number);
        }
        if now.is_none_or(|now| now.node != before.node) {
            self.nodes.remove_pod(before.node, number);
        }
        let set = before.labels;
        let services = self.labels.get(set).map(|set| set.services.clone());
        self.pods.release(&mut self.names, &mut self.labels, before);
        if self.labels.get(set).is_none() {
            for service in services.into_iter().flatten() {
                if let Some(state) = self.services.state_mut(service) {
                    state.label_sets.remove(&set);
                }
            }
        }
    }

    /// Marks what a pod that was so and is so now makes dirty.
    fn touch(&mut self, number: PodNumber, before: Option<&Facts>, now: Option<&Facts>) {
        let services_of = |facts: Option<&Facts>| {
            let set = facts.and_then(|facts| self.labels.get(facts.labels));
            set.map_or_else(Vec::new, |set| set.services.clone())
        };
        let (had, has) = (services_of(before), services_of(now));
        let lost = had
            .iter()
            .filter(|service| has.binary_search(service).is_err());
        let concerned: Vec<ServiceNumber> = has.iter().chain(lost).copied().collect();
        for service in concerned {
            let before = before.filter(|_| had.binary_search(&service).is_ok());
            let now = now.filter(|_| has.binary_search(&service).is_ok());
            self.touch_in(service, number, before, now);
        }
    }

    fn touch_in(
        &mut self,
        service: ServiceNumber,
        number: PodNumber,
        before: Option<&Facts>,
        now: Option<&Facts>,
    ) {
        let resolved = |facts: Option<&Facts>| {
            let facts = facts.filter(|facts| facts.may_be_endpoint())?;
            self.resolve_ports(service, number, facts)
        };
        let (resolved_before, resolved_now) = (resolved(before), resolved(now));
        let (Some(known), Some(state)) = (self.pods.get(number), self.services.state_mut(service))
        else {
            return;
        };
        state.note_trigger(known.name(), before.and_then(Facts::trigger_time));
        if state.is_dirty {
            return;
        }
        if let Some(resolved) = resolved_before {
            state.count_ports(resolved, false);
        }
        let is_candidate = resolved_now.is_some();
        if let Some(resolved) = resolved_now {
            state.count_ports(resolved, true);
        }
        for family in FAMILIES {
            let pending = state.pending.of_mut(family);
            if is_candidate {
                pending.insert(number);
            } else {
                pending.remove(&number);
            }
        }
        let slices: Vec<SliceNumber> = known.slices.iter().collect();
        for slice in slices {
            if self
                .slices
                .get(slice)
                .is_some_and(|slice| slice.service == Some(service))
            {
                self.doubt(slice, number);
            }
        }
    }

    /// How a pod resolves the ports of a Service.
    fn resolve_ports(
        &self,
        service: ServiceNumber,
        number: PodNumber,
        facts: &Facts,
    ) -> Option<ports::ResolvedPorts> {
        let service = &self.services.state(service)?.service;
        if !ports::depend_on_pod(service) {
            return Some(ports::resolve_numbers(service));
        }
        let known = self.pods.get(number)?;
        let labels = StringMap::default();
        let pod = self.pods.whole(&self.names, known, facts, labels, true);
        Some(ports::resolve(service, &pod))
    }

    /// An endpoint of a slice must be compared again.
    fn doubt(&mut self, number: SliceNumber, pod: PodNumber) {
        self.unsettle(number);
        if let Some(slice) = self.slices.get_mut(number)
            && let Comparison::Touched(pods) = &mut slice.comparison
        {
            pods.insert(pod);
        }
    }

    /// A slice is settled no more.
    fn unsettle(&mut self, number: SliceNumber) {
        let Some(slice) = self.slices.get_mut(number) else {
            return;
        };
        let (Some(service), Some(family)) = (slice.service, slice.family) else {
            return;
        };
        let Comparison::Settled(facts) = &slice.comparison else {
            return;
        };
        if let Some(state) = self.services.state_mut(service) {
            state.open.insert(number);
            let settled = state.settled.of_mut(family);
            if let Some(group) = settled.get_mut(&slice.ports) {
                group.remove(slice.name(), slice.endpoints.len(), facts);
                if group.slices.is_empty() {
                    settled.remove(&slice.ports);
                }
            }
        }
        slice.comparison = Comparison::Touched(BTreeSet::new());
    }

    fn change_node(&mut self, name: &str, node: Option<&Node<'_>>) -> bool {
        let change = self.nodes.set(&mut self.names, name, node);
        if change.is_moved {
            for pod in self.nodes.pods(&self.names, name) {
                let facts = self.pods.facts(pod).cloned();
                self.touch(pod, facts.as_ref(), facts.as_ref());
            }
        }
        change.concerns_hints
    }

    /// What is to be kept of a slice, and the pods it names.
    fn known_slice(&mut self, slice: &EndpointSlice<'_>) -> (KnownSlice, Vec<PodNumber>) {
        let mut head = slice.clone();
        head.endpoints = Vec::new();
        let head = head.into_owned();
        let mark = self.mark(&head);
        let is_looked_at = mark.is_ours && !mark.is_terminating && !mark.service.is_empty();
        let namespace = &mark.key.namespace;
        let service = is_looked_at.then(|| self.services.number_of(namespace, &mark.service));
        let mut endpoints = Vec::new();
        if is_looked_at {
            let taken = slice.endpoints.iter();
            endpoints = taken
                .map(|endpoint| slices::take(&mut self.names, &mut self.pods, namespace, endpoint))
                .collect();
        }
        let pods = endpoints.iter().filter_map(KnownEndpoint::pod);
        let pods = pods.collect();
        let family = FAMILIES
            .into_iter()
            .find(|family| head.address_type == family.as_str());
        let ports = head.ports.iter().cloned().map(EndpointPort::into_owned);
        let ports = PortMapKey::new(&ports.collect::<Vec<_>>());
        let known = KnownSlice {
            head,
            endpoints,
            service,
            family,
            ports,
            comparison: Comparison::Open,
        };
        (known, pods)
    }

    /// Takes a slice out; the Service it belonged to and the pods it named may be unused now. Pods that do not
    /// `stay` in it may be in no slice any more.
    fn take_slice(
        &mut self,
        number: SliceNumber,
        stays: impl Fn(PodNumber, (Option<ServiceNumber>, Option<AddressType>)) -> bool,
    ) -> Option<(SliceMark, Option<ServiceNumber>, Vec<PodNumber>)> {
        self.unsettle(number);
        let slice = self.slices.get(number)?;
        if let Some(known) = slice
            .service
            .and_then(|service| self.services.get_mut(service))
        {
            known.slices.retain(|other| *other != number);
            if let Some(state) = known.state.as_deref_mut() {
                state.open.remove(&number);
            }
        }
        let slice = self.slices.remove(number)?;
        let mut pods = Vec::new();
        let state = slice
            .service
            .and_then(|service| self.services.state_mut(service))
            .filter(|state| !state.is_dirty);
        if let (Some(state), Some(family)) = (state, slice.family) {
            let place = (slice.service, slice.family);
            let pods = slice.endpoints.iter().filter_map(KnownEndpoint::pod);
            let leaving = pods.filter(|pod| !stays(*pod, place));
            state.pending.of_mut(family).extend(leaving);
        }
        for endpoint in &slice.endpoints {
            slices::release(&mut self.names, endpoint);
            if let Some(pod) = endpoint.pod() {
                if let Some(known) = self.pods.get_mut(pod) {
                    known.slices.remove(number);
                }
                pods.push(pod);
            }
        }
        let mark = self.mark(&slice.head);
        Some((mark, slice.service, pods))
    }

    /// Puts a slice under its Service.
    fn file_slice(&mut self, number: SliceNumber) {
        let Some(slice) = self.slices.get(number) else {
            return;
        };
        let Some(known) = slice
            .service
            .and_then(|service| self.services.get_mut(service))
        else {
            return;
        };
        let slices = &self.slices;
        let is_before = |other: &SliceNumber| {
            slices
                .get(*other)
                .is_some_and(|other| other.name() < slice.name())
        };
        let place = known.slices.partition_point(is_before);
        known.slices.insert(place, number);
        if let Some(state) = known.state.as_deref_mut() {
            state.open.insert(number);
        }
    }

    /// Slices that say what a pod's uid was must go on to say so when it changes.
    fn keep_uid_in_slices(&mut self, pod: PodNumber) {
        let Some(known) = self.pods.get(pod) else {
            return;
        };
        for slice in known.slices.iter() {
            let Some(slice) = self.slices.get_mut(slice) else {
                continue;
            };
            for endpoint in slice
                .endpoints
                .iter_mut()
                .filter(|endpoint| endpoint.pod() == Some(pod))
            {
                let whole = slices::whole(&self.names, &self.pods, endpoint).into_owned();
                slices::release(&mut self.names, endpoint);
                *endpoint = KnownEndpoint::Other(alloc::boxed::Box::new(whole), Some(pod));
            }
        }
    }

    fn slices_of(&self, service: ServiceNumber) -> Vec<SliceNumber> {
        let known = self.services.get(service);
        known.map_or_else(Vec::new, |known| known.slices.clone())
    }

    fn mark(&self, slice: &EndpointSlice<'_>) -> SliceMark {
        let metadata = &slice.metadata;
        let label = |key| metadata.labels.get(key).map_or("", |value| value.as_str());
        let settings = self.options.settings();
        SliceMark {
            key: NamespacedName {
                namespace: metadata.namespace.as_str().into(),
                name: metadata.name.as_str().into(),
            },
            uid: metadata.uid.as_str().into(),
            generation: metadata.generation.unwrap_or_default(),
            service: label(keys::SERVICE_NAME_LABEL).into(),
            is_ours: metadata.labels.get(keys::MANAGED_BY_LABEL).is_some()
                && label(keys::MANAGED_BY_LABEL) == settings.managed_by,
            is_terminating: metadata.deletion_timestamp.is_some(),
        }
    }

    fn whole_slice(&self, number: SliceNumber) -> EndpointSlice<'_> {
        self.slices.whole(&self.names, &self.pods, number)
    }

    /// A pod as far as a plan for a Service that has selected it looks at it.
    fn pod_of_service(&self, number: PodNumber, state: &ServiceState) -> Option<Pod<'_>> {
        let known = self.pods.get(number)?;
        let facts = known.facts.as_ref()?;
        let with_ports = ports::depend_on_pod(&state.service);
        let labels = StringMap::default();
        Some(
            self.pods
                .whole(&self.names, known, facts, labels, with_ports),
        )
    }

    /// Nothing is known of a Service's slices.
    fn open_all(&mut self, service: ServiceNumber) {
        for slice in self.slices_of(service) {
            if let Some(slice) = self.slices.get_mut(slice) {
                slice.comparison = Comparison::Open;
            }
        }
    }
}
