//! What explanations read beyond plans, by object name.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::extras::{
    Beside, ElectionLease, NodeDetail, OtherObject, RecordedEvent, ServiceDetail,
    ServiceDetailSpec, Taint,
};
use super::pod_detail::{DetailMeta, PodDetail};
use slicewise::model::named::by_version;
use slicewise::model::order::sort_by;
use slicewise::model::{Endpoints, Named, NamespacedName, Pod, SortedMap, Text};
use slicewise_traffic::proxy::ProxiedService;

/// What explanations read beyond plans.
#[derive(Debug, Default)]
pub struct ExplanationDetails<'a> {
    /// Sorted by namespace and name, without separate keys: there are many.
    pods: Vec<PodDetail<'a>>,
    services: SortedMap<NamespacedName, ProxiedService<'a>>,
    service_details: SortedMap<NamespacedName, ServiceDetailSpec<'a>>,
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
    /// Details by name; of several versions of an object the newest one counts, as in plans.
    pub fn new(read: Read<'a>) -> Self {
        let (mut events, mut endpoints, mut leases) = (Vec::new(), Vec::new(), Vec::new());
        let mut beside = Vec::new();
        for extra in read.extras {
            match extra {
                OtherObject::Event(event) => events.push(event),
                OtherObject::Endpoints(one) => endpoints.push(one),
                OtherObject::Beside(one) => beside.push(one),
                OtherObject::Lease(lease) => leases.push(lease),
            }
        }
        let mut events = each_newest(events, |one| detailed(&one.metadata));
        sort_by(&mut events, |one, other| one.order().cmp(&other.order()));
        let beside = each_newest(beside, |one: &Beside<'_>| {
            let (metadata, kind) = (&one.metadata, &*one.kind);
            let name = [&*metadata.namespace, kind, &*metadata.name];
            (name, &metadata.resource_version)
        });
        let services = each_newest(read.services, named).into_iter();
        let services = services.map(|one| (NamespacedName::of(&one), one));
        let more = each_newest(read.service_details, |one| detailed(&one.metadata));
        let more = more.into_iter();
        let more = more.map(|service| (service.metadata.key(), service.spec));
        let nodes = each_newest(read.nodes, |one| detailed(&one.metadata)).into_iter();
        let taints = nodes.map(|node| (node.metadata.name.to_string(), node.spec.taints));
        let endpoints = each_newest(endpoints, named).into_iter();
        let endpoints = endpoints.map(|one| (NamespacedName::of(&one), one));
        let leases = each_newest(leases, |one: &ElectionLease<'_>| detailed(&one.metadata));
        let leases = leases.into_iter();
        let leases = leases.map(|lease| (lease.metadata.name.to_string(), lease));
        Self {
            pods: each_newest(read.pods, |one| detailed(&one.metadata)),
            services: services.collect(),
            service_details: more.collect(),
            taints: taints.collect(),
            events,
            endpoints: endpoints.collect(),
            leases: leases.collect(),
            beside,
        }
    }

    /// What a proxy reads of a Service.
    pub fn service(&self, key: &NamespacedName) -> Option<&ProxiedService<'a>> {
        self.services.get(key)
    }

    /// The details of a pod, by its namespace and name.
    pub fn pod(&self, name: (&str, &str)) -> Option<&PodDetail<'a>> {
        self.pods.get(self.place(name)?)
    }

    /// Those of several pods, which are searched for only where they do not follow each other, as those of a workload do.
    pub(super) fn of_pods(&self, pods: &[&Pod<'_>]) -> Vec<Option<&PodDetail<'a>>> {
        let mut next = 0;
        let of_pod = |pod: &&Pod<'_>| {
            let name = pod.full_name();
            let is_it = |detail: &PodDetail<'_>| detail.metadata.full_name() == name;
            if !self.pods.get(next).is_some_and(is_it) {
                next = self.place(name)?;
            }
            next += 1;
            self.pods.get(next - 1)
        };
        pods.iter().map(of_pod).collect()
    }

    fn place(&self, name: (&str, &str)) -> Option<usize> {
        let found = self
            .pods
            .binary_search_by(|pod| pod.metadata.full_name().cmp(&name));
        found.ok()
    }

    /// The `topologyKeys` of a Service.
    pub fn topology_keys(&self, key: &NamespacedName) -> &[Text<'a>] {
        let spec = self.service_details.get(key);
        spec.map_or(&[], |spec| &spec.topology_keys)
    }

    /// The host that a Service is an alias of; empty for other types.
    pub(super) fn external_name(&self, key: &NamespacedName) -> &str {
        let spec = self.service_details.get(key);
        spec.map_or("", |spec| spec.external_name.as_str())
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

/// Namespace, kind and name; and the version.
type Identity<'i> = ([&'i str; 3], &'i str);

fn detailed<'m>(metadata: &'m DetailMeta<'_>) -> Identity<'m> {
    let name = [&*metadata.namespace, "", &*metadata.name];
    (name, &metadata.resource_version)
}

fn named<T: Named>(object: &T) -> Identity<'_> {
    let (namespace, name) = object.full_name();
    ([namespace, "", name], object.version())
}

/// Objects sorted by their names; of several versions the newest one, or the last one if they cannot be compared.
fn each_newest<T>(mut objects: Vec<T>, identity: impl for<'t> Fn(&'t T) -> Identity<'t>) -> Vec<T> {
    // As API servers list them.
    if objects.is_sorted_by(|one, other| identity(one).0 < identity(other).0) {
        return objects;
    }
    sort_by(&mut objects, |one, other| {
        identity(one).0.cmp(&identity(other).0)
    });
    objects.dedup_by(|later, kept| {
        let ((name, version), (kept_name, kept_version)) = (identity(later), identity(kept));
        let is_same = name == kept_name && !name.ends_with(&[""]);
        if is_same && by_version(kept_version, version).is_none_or(Ordering::is_le) {
            core::mem::swap(later, kept);
        }
        is_same
    });
    objects
}
