//! What explanations read beyond plans, by object name.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::extras::{
    Beside, ElectionLease, NodeDetail, OtherObject, RecordedEvent, ServiceDetail, Taint,
};
use super::pod_detail::PodDetail;
use slicewise::model::order::sort_by;
use slicewise::model::{Endpoints, NamespacedName, SortedMap, Text};
use slicewise_traffic::proxy::ProxiedService;

/// What explanations read beyond plans.
#[derive(Debug, Default)]
pub struct ExplanationDetails<'a> {
    /// Sorted by namespace and name, without separate keys: there are many.
    pods: Vec<PodDetail<'a>>,
    services: SortedMap<NamespacedName, ProxiedService<'a>>,
    topology_keys: SortedMap<NamespacedName, Vec<Text<'a>>>,
    taints: SortedMap<String, Vec<Taint<'a>>>,
    /// Sorted by the object they are about, then by their last time.
    events: Vec<RecordedEvent<'a>>,
    endpoints: SortedMap<NamespacedName, Endpoints<'a>>,
    leases: SortedMap<String, ElectionLease<'a>>,
    /// Sorted by namespace, kind and name.
    beside: Vec<Beside<'a>>,
}

/// The same, as read.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Read<'a> {
    /// Details of pods.
    pub pods: Vec<PodDetail<'a>>,
    /// What proxies read of Services.
    pub services: Vec<ProxiedService<'a>>,
    /// Fields of Services that only explanations use.
    pub service_details: Vec<ServiceDetail<'a>>,
    /// Details of nodes.
    pub nodes: Vec<NodeDetail<'a>>,
    /// Other objects.
    pub extras: Vec<OtherObject<'a>>,
}

impl<'a> ExplanationDetails<'a> {
    /// Details by name; of several versions of an object the last one counts.
    pub fn new(read: Read<'a>) -> Self {
        let services = read
            .services
            .into_iter()
            .map(|service| (NamespacedName::of(&service), service));
        let old = read.service_details.into_iter();
        let old = old.map(|service| (service.metadata.key(), service.spec.topology_keys));
        let taints = read.nodes.into_iter();
        let taints = taints.map(|node| (node.metadata.name.to_string(), node.spec.taints));
        let (mut events, mut endpoints, mut leases) = (Vec::new(), Vec::new(), Vec::new());
        let mut beside = Vec::new();
        for extra in read.extras {
            match extra {
                OtherObject::Event(event) => events.push(event),
                OtherObject::Endpoints(one) => endpoints.push((NamespacedName::of(&one), one)),
                OtherObject::Beside(one) => beside.push(one),
                OtherObject::Lease(lease) => leases.push((lease.metadata.name.to_string(), lease)),
            }
        }
        sort_by(&mut beside, |one: &Beside<'_>, other| {
            let key = (&one.metadata.namespace, &one.kind, &one.metadata.name);
            key.cmp(&(&other.metadata.namespace, &other.kind, &other.metadata.name))
        });
        sort_by(&mut events, |one, other| one.order().cmp(&other.order()));
        Self {
            pods: each_last(read.pods),
            services: services.collect(),
            topology_keys: old.collect(),
            taints: taints.collect(),
            events,
            endpoints: endpoints.into_iter().collect(),
            leases: leases.into_iter().collect(),
            beside,
        }
    }

    /// What a proxy reads of a Service.
    pub fn service(&self, key: &NamespacedName) -> Option<&ProxiedService<'a>> {
        self.services.get(key)
    }

    /// The details of a pod, by its namespace and name.
    pub fn pod(&self, name: (&str, &str)) -> Option<&PodDetail<'a>> {
        let found = self
            .pods
            .binary_search_by(|pod| pod.metadata.full_name().cmp(&name));
        self.pods.get(found.ok()?)
    }

    /// The `topologyKeys` of a Service.
    pub fn topology_keys(&self, key: &NamespacedName) -> &[Text<'a>] {
        self.topology_keys.get(key).map_or(&[], Vec::as_slice)
    }

    /// The taints of a node.
    pub fn taints(&self, node: &str) -> &[Taint<'a>] {
        self.taints.get(node).map_or(&[], Vec::as_slice)
    }

    /// The Events about an object, sorted by their last time.
    pub fn events(&self, kind: &str, namespace: &str, name: &str) -> &[RecordedEvent<'a>] {
        let key = (kind, namespace, name);
        let start = self
            .events
            .partition_point(|event| event.about().key() < key);
        let rest = self.events.get(start..).unwrap_or_default();
        let count = rest.partition_point(|event| event.about().key() == key);
        rest.get(..count).unwrap_or_default()
    }

    /// The Endpoints of that name.
    pub fn endpoints(&self, key: &NamespacedName) -> Option<&Endpoints<'a>> {
        self.endpoints.get(key)
    }

    /// Workloads of a namespace, and what leads load balancers to its Services.
    pub(super) fn beside(&self, namespace: &str) -> impl Iterator<Item = &Beside<'a>> {
        let start = self
            .beside
            .partition_point(|one| one.metadata.namespace.as_str() < namespace);
        let rest = self.beside.get(start..).unwrap_or_default().iter();
        rest.take_while(move |one| one.metadata.namespace == *namespace)
    }

    /// The lease of a controller in `kube-system`.
    pub fn lease(&self, name: &str) -> Option<&ElectionLease<'a>> {
        self.leases.get(name)
    }
}

/// Pods sorted by namespace and name; of several versions the last one.
fn each_last(mut pods: Vec<PodDetail<'_>>) -> Vec<PodDetail<'_>> {
    sort_by(&mut pods, |one, other| {
        let key = one.metadata.full_name();
        key.cmp(&other.metadata.full_name())
    });
    pods.dedup_by(|later, kept| {
        let is_same = later.metadata.full_name() == kept.metadata.full_name();
        if is_same {
            core::mem::swap(later, kept);
        }
        is_same
    });
    pods
}
