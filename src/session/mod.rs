//! The cluster as last seen: objects come and go one at a time, and each Service can be planned from what is there.
//!
//! Only the calls of [`Session`] change it. A plan from here is the plan a request with the same objects would get;
//! what the reference keeps between syncs, hints and trigger times, is kept here as well.

mod mark;
mod nodes;
mod slices;

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

pub use mark::SliceMark;

use crate::membership::change::{PodChange, PodVersion};
use crate::membership::index::SelectorIndex;
use crate::model::{EndpointSlice, NamespacedName, Node, Pod, Service};
use crate::plan::request::Options;
use crate::plan::{Plan, is_selected, plan_service};
use crate::topology::cache::TopologyCache;
use crate::topology::nodes::NodeIndex;
use crate::tracker::TriggerTimeTracker;
use nodes::Nodes;
use slices::Slices;

/// Services, pods, nodes and slices of a cluster, and what plans remember of each other.
#[derive(Debug)]
pub struct Session {
    options: Options<'static>,
    services: BTreeMap<NamespacedName, Service<'static>>,
    selectors: SelectorIndex,
    pods: BTreeMap<NamespacedName, StoredPod>,
    nodes: Nodes,
    slices: Slices,
    hints: TopologyCache,
    trigger_times: TriggerTimeTracker,
}

#[derive(Debug)]
struct StoredPod {
    pod: Pod<'static>,
    resource_version: String,
}

impl StoredPod {
    const fn version(&self) -> PodVersion<'_> {
        PodVersion {
            pod: &self.pod,
            resource_version: self.resource_version.as_str(),
        }
    }
}

impl Session {
    /// A cluster without objects.
    pub fn new(options: Options<'static>) -> Self {
        Self {
            options,
            services: BTreeMap::new(),
            selectors: SelectorIndex::default(),
            pods: BTreeMap::new(),
            nodes: Nodes::default(),
            slices: Slices::default(),
            hints: TopologyCache::default(),
            trigger_times: TriggerTimeTracker::default(),
        }
    }

    /// How plans are made.
    pub const fn options(&self) -> &Options<'static> {
        &self.options
    }

    /// A Service came or changed.
    pub fn set_service(&mut self, service: &Service<'_>) {
        let key = service.key();
        let selector = service.spec.selector.as_ref();
        self.selectors.set(key.clone(), selector);
        self.services.insert(key, service.clone().into_owned());
    }

    /// A Service went; its hints and trigger times are forgotten. Was it known?
    pub fn remove_service(&mut self, key: &NamespacedName) -> bool {
        self.selectors.remove(key);
        self.hints.delete_service(key);
        self.trigger_times.delete_service(key);
        self.services.remove(key).is_some()
    }

    /// Does anybody keep slices for the Service ([`Service::is_reconciled`])? `None` when there is no such Service.
    pub fn is_reconciled(&self, key: &NamespacedName) -> Option<bool> {
        self.services.get(key).map(Service::is_reconciled)
    }

    /// A pod came or changed. Returns the Services that concerns, by name ([`PodChange`] has the rules).
    pub fn set_pod(&mut self, pod: &Pod<'_>, resource_version: &str) -> Vec<NamespacedName> {
        let key = NamespacedName::of(pod);
        let stored = StoredPod {
            pod: pod.clone().into_owned(),
            resource_version: resource_version.to_owned(),
        };
        let old = self.pods.insert(key.clone(), stored);
        let new = self.pods.get(&key);
        self.concerned(old.as_ref(), new)
    }

    /// A pod went. Returns the Services that concerns, by name.
    pub fn remove_pod(&mut self, key: &NamespacedName) -> Vec<NamespacedName> {
        let old = self.pods.remove(key);
        self.concerned(old.as_ref(), None)
    }

    /// The Services that select the pod as it is now, by name.
    pub fn services_of_pod(&self, key: &NamespacedName) -> Vec<NamespacedName> {
        self.concerned(None, self.pods.get(key))
    }

    fn concerned(&self, old: Option<&StoredPod>, new: Option<&StoredPod>) -> Vec<NamespacedName> {
        let version = StoredPod::version;
        let change = PodChange::new(old.map(version), new.map(version));
        let services = change.map(|change| change.services(&self.selectors));
        services.unwrap_or_default().into_iter().cloned().collect()
    }

    /// A node came or changed. May that change hints? As the reference has it (`addNode`, `updateNode`): when the
    /// node is new, became ready or unready, or changed its zone.
    pub fn set_node(&mut self, node: &Node<'_>) -> bool {
        self.nodes.set(node)
    }

    /// A node went. Was it known, so that hints may change?
    pub fn remove_node(&mut self, name: &str) -> bool {
        self.nodes.remove(name)
    }

    /// A slice came or changed. Returns what was known of it before.
    pub fn set_slice(&mut self, slice: &EndpointSlice<'_>) -> Option<SliceMark> {
        let mark = SliceMark::new(slice, self.options.settings().managed_by);
        self.slices.set(mark, slice)
    }

    /// What is known of a slice.
    pub fn slice_mark(&self, key: &NamespacedName) -> Option<&SliceMark> {
        self.slices.mark(key)
    }

    /// A slice went. Returns what was known of it.
    pub fn remove_slice(&mut self, key: &NamespacedName) -> Option<SliceMark> {
        self.slices.remove(key)
    }

    /// The slices that are the Service's and ours and not pending deletion, by name.
    pub fn slice_marks(&self, service: &NamespacedName) -> Vec<&SliceMark> {
        let marks = self.slices.of(service).map(|(mark, _)| mark);
        marks
            .filter(|mark| mark.is_ours && !mark.is_pending_deletion)
            .collect()
    }

    /// The Service's plan; what it leaves of hints and trigger times is remembered. `None` when there is no such
    /// Service.
    pub fn sync(&mut self, key: &NamespacedName) -> Option<Plan<'_>> {
        let service = self.services.get(key)?;
        let first = NamespacedName {
            namespace: key.namespace.clone(),
            name: String::new(),
        };
        let pods = self.pods.range(first..);
        let pods: Vec<&Pod<'_>> = pods
            .take_while(|(pod, _)| pod.namespace == key.namespace)
            .map(|(_, stored)| &stored.pod)
            .filter(|pod| is_selected(pod, service))
            .collect();
        let trigger_time = service
            .is_reconciled()
            .then(|| self.trigger_times.compute(service, pods.iter().copied()))
            .flatten();
        let slices = self.slices.of(key).map(|(_, slice)| slice);
        let nodes = NodeIndex::new(self.nodes.all());
        let plan = plan_service(
            service,
            pods,
            slices.collect(),
            &[],
            &nodes,
            &self.options,
            self.hints.service(key),
            trigger_time,
        )
        .into_owned();
        self.hints.commit(key.clone(), plan.state.hints.clone());
        Some(plan)
    }

    /// Services whose hints the nodes as they are now no longer bear out, by name.
    pub fn overloaded_services(&self) -> Vec<NamespacedName> {
        if !self.options.settings().topology_hints {
            return Vec::new();
        }
        let nodes = NodeIndex::new(self.nodes.all());
        let services = self.hints.overloaded_services(nodes.zone_shares());
        services.cloned().collect()
    }

    /// Is there no object, and is nothing remembered of any?
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
            && self.selectors.is_empty()
            && self.pods.is_empty()
            && self.nodes.all().is_empty()
            && self.slices.is_empty()
            && self.hints.is_empty()
            && self.trigger_times.is_empty()
    }
}

#[cfg(test)]
mod tests;
