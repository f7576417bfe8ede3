//! A session for callers that judge changes: it stores the endpoints of every manager's slices, and knows which pods
//! and slices have an address.
//!
//! Plans use none of this. Results do not depend on the order in which objects arrived.

use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::model::order::{hash, sort_by, sorted_unique};
use slicewise::model::{EndpointSlice, NamespacedName, Node, Pod, Service, StringMap, ip};
use slicewise::plan::request::Options;
use slicewise::reconcile::ports::NamedPort;
use slicewise::topology::nodes::{NodeIndex, NodeZones, ZoneShare};
use slicewise::tracker::TrackedSlice as _;

use super::ids::{LabelSetId, PodId, SliceId};
use super::known_endpoints::KnownEndpoint;
use super::nodes::ZoneTable;
use super::pods::{EndpointFacts, KnownPod};
use super::slab::IdsByHash;
use super::slices::KnownSlice;
use super::{Session, known_endpoints};

/// Indexes of pods and slices, by hash.
#[derive(Clone, Debug, Default)]
pub(super) struct Observed {
    /// Pods by address.
    pods: IdsByHash<PodId>,
    /// Slices by address.
    pub(super) slices: IdsByHash<SliceId>,
    /// Slices by the Service they are labelled with.
    labelled: IdsByHash<SliceId>,
}

impl Observed {
    pub(super) fn note_pod(
        &mut self,
        id: PodId,
        before: Option<&EndpointFacts>,
        now: Option<&EndpointFacts>,
    ) {
        for address in before.into_iter().flat_map(EndpointFacts::addresses) {
            self.pods.remove(hash_of(&address.ip), id);
        }
        for address in now.into_iter().flat_map(EndpointFacts::addresses) {
            self.pods.insert(hash_of(&address.ip), id);
        }
    }

    pub(super) fn note_slice(&mut self, id: SliceId, slice: &KnownSlice) {
        self.labelled.insert(hash_of_service(&slice.head), id);
        for address in indexed_addresses(slice) {
            self.slices.insert(hash_of(&address), id);
        }
    }

    pub(super) fn forget_slice(&mut self, id: SliceId, slice: &KnownSlice) {
        self.labelled.remove(hash_of_service(&slice.head), id);
        for address in indexed_addresses(slice) {
            self.slices.remove(hash_of(&address), id);
        }
    }
}

/// Each address of a slice once: the API accepts a slice with the same one 100,000 times, and an index of hashes is
/// slow with equal ones. The names in an `FQDN` slice are no addresses.
fn indexed_addresses(slice: &KnownSlice) -> Vec<IpAddr> {
    if slice.family.is_none() {
        return Vec::new();
    }
    sorted_unique(addresses_of(slice))
}

/// The valid addresses of a slice, in order.
fn addresses_of(slice: &KnownSlice) -> impl Iterator<Item = IpAddr> + '_ {
    slice.endpoints.iter().flat_map(|endpoint| {
        let (usual, other) = match endpoint {
            KnownEndpoint::Usual(usual) => (Some(usual.address()), &[][..]),
            KnownEndpoint::Other(endpoint, _) => (None, endpoint.addresses.as_slice()),
        };
        let other = other.iter().filter_map(|address| ip::parse(address));
        usual.into_iter().chain(other)
    })
}

fn hash_of(address: &IpAddr) -> u64 {
    match address {
        IpAddr::V4(address) => hash(&[&address.octets()]),
        IpAddr::V6(address) => hash(&[&address.octets()]),
    }
}

fn hash_of_service(head: &EndpointSlice<'_>) -> u64 {
    let namespace = head.metadata.namespace.as_bytes();
    hash(&[namespace, head.service_name().as_bytes()])
}

/// A pod of the cluster.
#[derive(Clone, Copy, Debug)]
pub struct ObservedPod<'s> {
    session: &'s Session,
    known: &'s KnownPod,
    pub(super) facts: &'s EndpointFacts,
    pub(super) id: PodId,
}

impl<'s> ObservedPod<'s> {
    /// Its name.
    pub fn name(&self) -> &'s str {
        self.known.name()
    }

    /// Its namespace.
    pub fn namespace(&self) -> &'s str {
        self.session.names.text(self.known.namespace)
    }

    /// Its node; empty if it has none.
    pub fn node_name(&self) -> &'s str {
        self.session.names.text(self.facts.node)
    }

    /// Has it terminated for good?
    pub const fn is_terminal(&self) -> bool {
        self.facts.is_terminal
    }

    /// Its addresses.
    pub fn addresses(&self) -> impl Iterator<Item = IpAddr> + 's {
        self.facts.addresses().iter().map(|address| address.ip)
    }

    /// Its labels.
    pub fn labels(&self) -> StringMap<'s> {
        self.session
            .labels
            .map(&self.session.names, self.facts.labels)
    }

    /// Its container ports.
    pub fn ports(&self) -> impl Iterator<Item = NamedPort<'s>> + 's {
        self.session
            .pods
            .container_ports(&self.session.names, self.facts)
    }
}

/// A slice of the cluster, whoever manages it.
#[derive(Clone, Copy, Debug)]
pub struct ObservedSlice<'s> {
    /// All of it except its endpoints.
    pub head: &'s EndpointSlice<'static>,
    pub(super) known: &'s KnownSlice,
}

impl<'s> ObservedSlice<'s> {
    /// Its valid addresses, in order.
    pub fn addresses(&self) -> impl Iterator<Item = IpAddr> + 's {
        addresses_of(self.known)
    }

    /// Does it have no endpoints?
    pub const fn is_empty(&self) -> bool {
        self.known.endpoints.is_empty()
    }

    /// The number of its endpoints.
    pub const fn len(&self) -> usize {
        self.known.endpoints.len()
    }

    /// The number of its endpoints with a hint to a zone.
    pub fn hinted(&self) -> usize {
        let is_hinted = |endpoint: &&KnownEndpoint| known_endpoints::has_zone_hint(endpoint);
        self.known.endpoints.iter().filter(is_hinted).count()
    }
}

#[doc(hidden)]
impl Session {
    /// A session with an empty cluster, for callers that judge changes: it stores the endpoints of all slices and finds
    /// them by address.
    pub fn observer(options: Options<'static>) -> Self {
        Self {
            observed: Some(Default::default()),
            ..Self::new(options)
        }
    }

    /// Adds or changes a pod without computing the affected Services.
    pub fn observe_pod(&mut self, pod: &Pod<'_>) {
        self.change_pod(pod, &pod.metadata.resource_version, false);
    }

    /// A pod by name.
    pub fn observed_pod(&self, namespace: &str, name: &str) -> Option<ObservedPod<'_>> {
        self.observed(self.pods.find(&self.names, namespace, name)?)
    }

    pub(super) fn observed(&self, id: PodId) -> Option<ObservedPod<'_>> {
        let known = self.pods.get(id)?;
        let facts = known.facts.as_ref()?;
        Some(ObservedPod {
            session: self,
            known,
            facts,
            id,
        })
    }

    /// The pods of a namespace that have an address, sorted by name. Pods on the host network share theirs.
    pub fn pods_at(&self, namespace: &str, address: IpAddr) -> Vec<ObservedPod<'_>> {
        match self.names.find(namespace) {
            Some(namespace) => self.pods_with(address, |pod| pod.known.namespace == namespace),
            None => Vec::new(),
        }
    }

    /// The pods of all namespaces that have an address, sorted by name.
    pub fn pods_anywhere_at(&self, address: IpAddr) -> Vec<ObservedPod<'_>> {
        self.pods_with(address, |_| true)
    }

    fn pods_with(
        &self,
        address: IpAddr,
        is_meant: impl Fn(&ObservedPod<'_>) -> bool,
    ) -> Vec<ObservedPod<'_>> {
        let Some(observed) = &self.observed else {
            return Vec::new();
        };
        let ids = observed.pods.all(hash_of(&address));
        let pods = ids.filter_map(|id| self.observed(id));
        // A pod that has terminated keeps its address, which another pod may have by now.
        let has_it = |pod: &ObservedPod<'_>| {
            is_meant(pod) && !pod.is_terminal() && pod.addresses().any(|other| other == address)
        };
        let mut pods: Vec<_> = pods.filter(has_it).collect();
        sort_by(&mut pods, |a, b| {
            (a.name(), a.namespace()).cmp(&(b.name(), b.namespace()))
        });
        pods.dedup_by_key(|pod| pod.id);
        pods
    }

    /// The pods that a selector selects, sorted by name.
    pub fn selected_pods(&self, namespace: &str, selector: &StringMap<'_>) -> Vec<ObservedPod<'_>> {
        let sets = self.labels.selected(&self.names, namespace, selector);
        let pods = sets.into_iter().flat_map(|set| self.labels.pods(set));
        let mut pods: Vec<_> = pods.filter_map(|pod| self.observed(pod)).collect();
        sort_by(&mut pods, |a, b| a.name().cmp(b.name()));
        pods
    }

    /// The sets of labels that a selector selects, sorted, each with the number of pods that have it.
    pub fn selected_labels(
        &self,
        namespace: &str,
        selector: &StringMap<'_>,
    ) -> Vec<(StringMap<'_>, usize)> {
        let sets = self.labels.selected(&self.names, namespace, selector);
        let counted = |set: LabelSetId| {
            let labels = self.labels.map(&self.names, set);
            (labels, self.labels.pods(set).count())
        };
        let mut sets: Vec<_> = sets.into_iter().map(counted).collect();
        sort_by(&mut sets, |(a, _), (b, _)| a.iter().cmp(b.iter()));
        sets
    }

    /// The slices that are labelled with a Service, sorted by name.
    pub fn slices_labelled(&self, service: &NamespacedName) -> Vec<ObservedSlice<'_>> {
        let wanted = hash(&[service.namespace.as_bytes(), service.name.as_bytes()]);
        let ids = self
            .observed
            .iter()
            .flat_map(|observed| observed.labelled.all(wanted));
        self.slices_of_service(service, ids)
    }

    /// Those of them that may have one of these addresses, sorted by name. The index only has hashes, so the caller
    /// looks at [their addresses](ObservedSlice::addresses).
    pub fn slices_holding<'a>(
        &self,
        service: &NamespacedName,
        addresses: impl Iterator<Item = &'a IpAddr>,
    ) -> Vec<ObservedSlice<'_>> {
        let ids = addresses.flat_map(|address| {
            let observed = self.observed.iter();
            observed.flat_map(|observed| observed.slices.all(hash_of(address)))
        });
        self.slices_of_service(service, sorted_unique(ids).into_iter())
    }

    fn slices_of_service(
        &self,
        service: &NamespacedName,
        ids: impl Iterator<Item = SliceId>,
    ) -> Vec<ObservedSlice<'_>> {
        let known = ids.filter_map(|id| self.slices.get(id));
        let is_its = |slice: &&KnownSlice| {
            let head = &slice.head;
            *head.metadata.namespace == *service.namespace && head.service_name() == service.name
        };
        let mut slices: Vec<_> = known
            .filter(is_its)
            .map(|known| ObservedSlice {
                head: &known.head,
                known,
            })
            .collect();
        sort_by(&mut slices, |a, b| a.known.name().cmp(b.known.name()));
        slices.dedup_by(|a, b| a.known.name() == b.known.name());
        slices
    }

    /// All Services whose slices a controller manages, sorted by namespace and name.
    pub fn reconciled_services(&self) -> Vec<&Service<'static>> {
        let states = self
            .services
            .iter()
            .filter_map(|known| known.state.as_deref());
        let services = states.map(|state| &state.service);
        let mut services: Vec<_> = services.filter(|service| service.is_reconciled()).collect();
        sort_by(&mut services, |a, b| {
            let (a, b) = (&a.metadata, &b.metadata);
            (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name))
        });
        services
    }

    /// Computes the CPU of nodes again if they have changed, so that queries need not.
    pub fn refresh_nodes(&mut self) {
        self.nodes.refresh(&self.names);
    }

    /// The zone of a node, if it has one; `None` if the node does not exist.
    pub fn zone_of_node(&self, name: &str) -> Option<Option<&str>> {
        let (node, _) = self.nodes.get(&self.names, name)?;
        Some(node.zone().map(|zone| self.names.text(zone)))
    }

    /// Is any node in that zone?
    pub fn has_zone(&self, zone: &str) -> bool {
        let zone = self.names.find(zone).filter(|zone| !zone.is_empty());
        zone.is_some_and(|zone| self.nodes.iter().any(|(_, node)| node.zone() == Some(zone)))
    }

    /// All nodes sorted by name, each with its zone if it has one.
    pub fn nodes_by_name(&self) -> Vec<(&str, Option<&str>)> {
        let text = |name| self.names.text(name);
        let nodes = self.nodes.iter();
        sorted_unique(nodes.map(|(name, node)| (text(name), node.zone().map(text))))
    }

    /// The nodes as they are, or as they would be after this one is changed or deleted.
    pub fn with_nodes<T>(
        &self,
        changed: Option<(&str, Option<&Node<'_>>)>,
        then: impl FnOnce(&NodeIndex<'_>) -> T,
    ) -> T {
        let zones = ZoneTable {
            nodes: &self.nodes,
            names: &self.names,
        };
        let Some((name, node)) = changed else {
            let shares = self.nodes.current_shares(&self.names);
            return then(&NodeIndex::kept(&zones, shares));
        };
        let changed = ChangedNode { zones, name, node };
        let shares = changed.shares();
        then(&NodeIndex::kept(&changed, shares))
    }
}

/// The nodes, with one replaced.
struct ChangedNode<'n> {
    zones: ZoneTable<'n>,
    name: &'n str,
    node: Option<&'n Node<'n>>,
}

impl ChangedNode<'_> {
    fn shares(&self) -> Option<Vec<ZoneShare<'_>>> {
        let ZoneTable { nodes, names } = &self.zones;
        nodes.shares_with(names, self.name, self.node)
    }
}

impl NodeZones for ChangedNode<'_> {
    fn zone(&self, name: &str) -> Option<Option<&str>> {
        if name == self.name {
            return Some(self.node?.zone().map(|zone| zone.as_str()));
        }
        self.zones.zone(name)
    }
}
