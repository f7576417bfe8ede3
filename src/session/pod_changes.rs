//! Pods and Nodes come, change and go: what becomes dirty with them.

use alloc::string::String;
use alloc::vec::Vec;

use super::Session;
use super::event::Kind;
use super::pods::{Facts, PodNumber};
use super::services::{FAMILIES, ServiceNumber, ServiceState};
use super::slices::SliceNumber;
use crate::membership::change::{PodChange, PodVersion};
use crate::model::{NamespacedName, Node, Pod, StringMap};
use crate::reconcile::ports;

impl Session {
    /// A pod came or changed. The Services it concerns are returned, by name (see [`crate::membership`]); a pod
    /// of the same `resourceVersion` as before concerns none, though a plan that is made for another reason shows it as
    /// it came last.
    pub fn set_pod(&mut self, pod: &Pod<'_>, resource_version: &str) -> Vec<NamespacedName> {
        self.note_given(Kind::Pod, pod);
        let (namespace, name) = (&pod.metadata.namespace, &pod.metadata.name);
        let uid = &pod.metadata.uid;
        let number = self.pods.number_of(&mut self.names, namespace, name, uid);
        let concerned = self.concerned(number, Some((pod, resource_version)));
        let known = self.pods.get(number);
        let is_another = known.is_some_and(|known| known.uid() != uid.as_str());
        if is_another {
            self.keep_uid_in_slices(number);
        }
        let facts = self.pods.take(&mut self.names, &mut self.labels, pod);
        if self.labels.is_new(facts.labels) {
            self.link(namespace, pod, facts.labels);
        }
        if self.pods.facts(number) == Some(&facts) {
            self.pods.release(&mut self.names, &mut self.labels, &facts);
            let before = self.pods.facts(number).cloned();
            self.pods.set(number, before.clone(), uid, resource_version);
            if is_another {
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
        self.note_given(Kind::Node, node);
        self.change_node(&node.metadata.name, Some(node))
    }

    /// A Node is gone. May hints change with it?
    pub fn remove_node(&mut self, name: &str) -> bool {
        self.change_node(name, None)
    }

    /// The Services that select the pod as it is now, by name.
    pub fn services_of_pod(&self, key: &NamespacedName) -> Vec<NamespacedName> {
        let number = self.pods.find(&self.names, &key.namespace, &key.name);
        let pod = number.and_then(|number| self.whole_pod(number));
        let new = pod.as_ref().map(|pod| PodVersion {
            pod,
            resource_version: "",
        });
        let change = PodChange::new(None, new);
        let services = change.map(|change| change.services(&self.selectors));
        services.into_iter().flatten().cloned().collect()
    }

    /// The Services a change of a pod concerns.
    pub(super) fn concerned(
        &self,
        number: PodNumber,
        new: Option<(&Pod<'_>, &str)>,
    ) -> Vec<NamespacedName> {
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

    pub(super) fn whole_pod(&self, number: PodNumber) -> Option<Pod<'_>> {
        let known = self.pods.get(number)?;
        let facts = known.facts.as_ref()?;
        let labels = self.labels.map(&self.names, facts.labels);
        Some(self.pods.whole(&self.names, known, facts, labels, true))
    }

    /// What a pod held that it no longer does.
    pub(super) fn let_go(&mut self, number: PodNumber, before: &Facts, now: Option<&Facts>) {
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
    pub(super) fn touch(&mut self, number: PodNumber, before: Option<&Facts>, now: Option<&Facts>) {
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

    pub(super) fn touch_in(
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
        if now.is_none() {
            state.forget_trigger(known.name());
        }
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
    pub(super) fn resolve_ports(
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

    /// A pod as far as a plan for a Service that has selected it looks at it.
    pub(super) fn pod_of_service(
        &self,
        number: PodNumber,
        state: &ServiceState,
    ) -> Option<Pod<'_>> {
        let known = self.pods.get(number)?;
        let facts = known.facts.as_ref()?;
        let with_ports = ports::depend_on_pod(&state.service);
        let labels = StringMap::default();
        Some(
            self.pods
                .whole(&self.names, known, facts, labels, with_ports),
        )
    }
}
