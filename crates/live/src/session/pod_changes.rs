//! Changes of Pods and Nodes, and what becomes dirty with them.

use alloc::string::String;
use alloc::vec::Vec;

use slicewise::membership::change::{PodChange, PodVersion};
use slicewise::model::{AddressType, NamespacedName, Node, Pod};
use slicewise::reconcile::ports;

use super::Session;
use super::event::Kind;
use super::ids::{PodId, ServiceId, SliceId};
use super::pods::EndpointFacts;

impl Session {
    /// Adds or changes a pod. Returns the affected Services, sorted by name (see [`slicewise::membership`]). A pod with
    /// the same `resourceVersion` as before affects none, but plans that are made for other reasons use its latest
    /// state.
    pub fn set_pod(&mut self, pod: &Pod<'_>, resource_version: &str) -> Vec<NamespacedName> {
        self.change_pod(pod, resource_version, true)
    }

    /// Adds or changes a pod; computes the affected Services only if `is_asked`.
    pub(super) fn change_pod(
        &mut self,
        pod: &Pod<'_>,
        resource_version: &str,
        is_asked: bool,
    ) -> Vec<NamespacedName> {
        self.note_given(Kind::Pod, pod);
        let (namespace, name) = (&pod.metadata.namespace, &pod.metadata.name);
        let uid = &pod.metadata.uid;
        let id = self.pods.id_of(&mut self.names, namespace, name, uid);
        let known = self.pods.get(id);
        let is_another = known.is_some_and(|known| known.uid() != uid.as_str());
        let facts = self.pods.take(&mut self.names, &mut self.labels, id, pod);
        let is_same = self.pods.facts(id) == Some(&facts);
        // Every event of a terminating pod counts, even if it changes nothing.
        let concerned = if !is_asked || is_same && !facts.is_terminating() {
            Vec::new()
        } else {
            self.concerned(id, Some(PodVersion::new(pod, resource_version)))
        };
        if is_another {
            self.keep_uid_in_slices(id);
        }
        if is_same {
            self.pods.release(&mut self.names, &mut self.labels, &facts);
            self.pods.set_texts(id, uid, resource_version);
            if is_another {
                self.touch(id, Some(&facts), Some(&facts));
            }
            return concerned;
        }
        if self.labels.is_new(facts.labels) {
            self.link(namespace, pod, facts.labels);
        }
        let (labels, node) = (facts.labels, facts.node);
        let before = self
            .pods
            .set(id, Some(facts.clone()), uid, resource_version);
        if let Some(observed) = &mut self.observed {
            observed.note_pod(id, before.as_ref(), Some(&facts));
        }
        if before.as_ref().is_none_or(|before| before.labels != labels) {
            self.labels.add_pod(labels, id);
        }
        if before.as_ref().is_none_or(|before| before.node != node) {
            self.nodes.add_pod(node, id);
        }
        self.touch(id, before.as_ref(), Some(&facts));
        if let Some(before) = before {
            self.let_go(id, &before, Some(&facts));
        }
        concerned
    }

    /// Removes a pod. Returns the affected Services, sorted by name.
    pub fn remove_pod(&mut self, key: &NamespacedName) -> Vec<NamespacedName> {
        let Some(id) = self.pods.find(&self.names, &key.namespace, &key.name) else {
            return Vec::new();
        };
        let concerned = self.concerned(id, None);
        let Some(known) = self.pods.get(id) else {
            return concerned;
        };
        let uid = String::from(known.uid());
        let before = self.pods.set(id, None, &uid, "");
        if let Some(observed) = &mut self.observed {
            observed.note_pod(id, before.as_ref(), None);
        }
        if let Some(before) = before {
            self.touch(id, Some(&before), None);
            self.let_go(id, &before, None);
        }
        self.pods.forget_unused(&mut self.names, id);
        concerned
    }

    /// Adds or changes a Node. May hints change as a result? Only its zone and readiness count (reference:
    /// `updateNode`).
    pub fn set_node(&mut self, node: &Node<'_>) -> bool {
        self.note_given(Kind::Node, node);
        self.change_node(&node.metadata.name, Some(node))
    }

    /// Removes a Node. May hints change as a result?
    pub fn remove_node(&mut self, name: &str) -> bool {
        self.change_node(name, None)
    }

    /// The Services that select the pod in its current state, sorted by name.
    pub fn services_of_pod(&self, key: &NamespacedName) -> Vec<NamespacedName> {
        let id = self.pods.find(&self.names, &key.namespace, &key.name);
        id.map_or_else(Vec::new, |id| self.concerned(id, None))
    }

    /// The Services that a change of a pod affects; `None` if it is deleted.
    pub(super) fn concerned(&self, id: PodId, new: Option<PodVersion<'_>>) -> Vec<NamespacedName> {
        let labels = self.pods.facts(id).map(|facts| facts.labels);
        let labels = labels.map(|labels| self.labels.map(&self.names, labels));
        let old = labels.as_ref().and_then(|labels| {
            Some(PodVersion {
                pod: self.pods.pod(&self.names, id)?,
                labels,
                resource_version: self.pods.get(id)?.resource_version(),
            })
        });
        let change = PodChange::new(old, new, self.options.settings().kubernetes);
        let services = change.map(|change| change.services(&self.selectors));
        services.into_iter().flatten().cloned().collect()
    }

    /// Releases what a pod no longer uses.
    pub(super) fn let_go(
        &mut self,
        id: PodId,
        before: &EndpointFacts,
        now: Option<&EndpointFacts>,
    ) {
        if now.is_none_or(|now| now.labels != before.labels) {
            self.labels.remove_pod(before.labels, id);
        }
        if now.is_none_or(|now| now.node != before.node) {
            self.nodes.remove_pod(before.node, id);
        }
        let set = before.labels;
        let services: Vec<ServiceId> = self.labels.services(set).collect();
        self.pods.release(&mut self.names, &mut self.labels, before);
        if !self.labels.has(set) {
            for service in services {
                if let Some(state) = self.services.state_mut(service) {
                    state.label_sets.remove(set);
                }
            }
        }
    }

    /// Marks what becomes dirty when a pod changes between these states.
    pub(super) fn touch(
        &mut self,
        id: PodId,
        before: Option<&EndpointFacts>,
        now: Option<&EndpointFacts>,
    ) {
        let services_of = |facts: Option<&EndpointFacts>| -> Vec<ServiceId> {
            let sets = facts.into_iter();
            sets.flat_map(|facts| self.labels.services(facts.labels))
                .collect()
        };
        let (had, has) = (services_of(before), services_of(now));
        let lost = had
            .iter()
            .filter(|service| has.binary_search(service).is_err());
        let concerned: Vec<ServiceId> = has.iter().chain(lost).copied().collect();
        for service in concerned {
            let before = before.filter(|_| had.binary_search(&service).is_ok());
            let now = now.filter(|_| has.binary_search(&service).is_ok());
            self.touch_in(service, id, before, now);
        }
    }

    pub(super) fn touch_in(
        &mut self,
        service: ServiceId,
        id: PodId,
        before: Option<&EndpointFacts>,
        now: Option<&EndpointFacts>,
    ) {
        let resolved = |facts: Option<&EndpointFacts>| {
            let facts = facts.filter(|facts| facts.may_be_endpoint())?;
            self.resolve_ports(service, facts)
        };
        let (resolved_before, resolved_now) = (resolved(before), resolved(now));
        let (Some(known), Some(state)) = (self.pods.get(id), self.services.state_mut(service))
        else {
            return;
        };
        state.note_trigger(known.name(), before.and_then(EndpointFacts::trigger_time));
        if now.is_none() {
            state.forget_trigger(known.name());
        }
        if state.is_dirty {
            return;
        }
        let is_candidate = resolved_now.is_some();
        if resolved_before != resolved_now {
            if let Some(resolved) = resolved_before {
                state.count_ports(resolved, false);
            }
            if let Some(resolved) = resolved_now {
                state.count_ports(resolved, true);
            }
        }
        for family in AddressType::ALL {
            let pending = state.pending.of_mut(family);
            if is_candidate {
                pending.insert(id);
            } else {
                pending.remove(&id);
            }
        }
        let slices: Vec<SliceId> = known.slices.iter().collect();
        for slice in slices {
            if self
                .slices
                .get(slice)
                .is_some_and(|slice| slice.service == Some(service))
            {
                self.doubt(slice, id);
            }
        }
    }

    /// How a pod resolves the ports of a Service.
    pub(super) fn resolve_ports(
        &self,
        service: ServiceId,
        facts: &EndpointFacts,
    ) -> Option<ports::ResolvedPorts> {
        let service = &self.services.state(service)?.service;
        if !ports::depend_on_pod(service) {
            return Some(ports::resolve_numbers(service));
        }
        Some(self.pods.resolve_ports(&self.names, service, facts))
    }

    pub(super) fn change_node(&mut self, name: &str, node: Option<&Node<'_>>) -> bool {
        let change = self.nodes.set(&mut self.names, name, node);
        if change.is_moved {
            for pod in self.nodes.pods(&self.names, name) {
                let facts = self.pods.facts(pod).cloned();
                self.touch(pod, facts.as_ref(), facts.as_ref());
            }
        }
        change.concerns_hints
    }
}
