//! Pods as the session stores them: only what endpoints depend on.
//!
//! A pod is identified by namespace and name. It has an id from the moment that it exists or a slice names it, so
//! slices find their pods, and pods their slices, without comparing names.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use slicewise::model::conditions::ReadyCondition;
use slicewise::model::pod::{self, PodIp};
use slicewise::model::prefetch::prefetch_text;
use slicewise::model::{Pod, PodFacts, Service, Timestamp};
use slicewise::reconcile::ports::{self, NamedPort, ResolvedPorts};

use super::ids::{LabelSetId, Name, PodId, PortListId};
use super::labels::LabelSets;
use super::names::NameTable;
use super::pod_slices::PodSlices;
use super::port_lists::PortLists;
use super::slab::{IdsByHash, Slab};

/// A pod that exists in the cluster or that a slice names.
#[derive(Clone, Debug)]
pub(super) struct KnownPod {
    pub(super) namespace: Name,
    /// Name, uid and resource version, concatenated.
    texts: Box<str>,
    name_end: u32,
    uid_end: u32,
    /// Its facts; `None` if only slices name it.
    pub(super) facts: Option<EndpointFacts>,
    /// Slices that name it.
    pub(super) slices: PodSlices,
}

/// The facts that endpoints depend on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EndpointFacts {
    pub(super) node: Name,
    hostname: Name,
    subdomain: Name,
    /// The id of its labels.
    pub(super) labels: LabelSetId,
    /// The id of its container ports.
    ports: PortListId,
    addresses: PodAddresses,
    /// The status of its `Ready` condition, and when that last changed, in less space than an `Option` of both.
    ready: Option<bool>,
    ready_since: Timestamp,
    has_ready_since: bool,
    pub(super) has_pod_ip: bool,
    pub(super) is_terminal: bool,
    is_terminating: bool,
}

/// The addresses of a pod; nearly all have one.
#[derive(Clone, Debug, PartialEq)]
enum PodAddresses {
    None,
    One(PodIp),
    Many(Box<[PodIp]>),
}

impl EndpointFacts {
    /// May it be an endpoint at all? See [`Pod::may_be_endpoint`].
    pub(super) const fn may_be_endpoint(&self) -> bool {
        let has_address = self.has_pod_ip || !matches!(self.addresses, PodAddresses::None);
        pod::may_be_endpoint(has_address, self.is_terminal)
    }

    const fn names(&self) -> [Name; 3] {
        [self.node, self.hostname, self.subdomain]
    }

    /// Its addresses.
    pub(super) fn addresses(&self) -> &[PodIp] {
        match &self.addresses {
            PodAddresses::None => &[],
            PodAddresses::One(address) => core::slice::from_ref(address),
            PodAddresses::Many(addresses) => addresses,
        }
    }

    /// When it last became ready or unready: its trigger time.
    pub(super) fn trigger_time(&self) -> Option<Timestamp> {
        self.ready().and_then(ReadyCondition::trigger_time)
    }

    /// The `Ready` condition.
    pub(super) fn ready(&self) -> Option<ReadyCondition> {
        self.ready.map(|status| ReadyCondition {
            status,
            last_transition_time: self.ready_since(),
        })
    }

    fn ready_since(&self) -> Option<Timestamp> {
        self.has_ready_since.then_some(self.ready_since)
    }

    pub(super) const fn is_terminating(&self) -> bool {
        self.is_terminating
    }
}

impl KnownPod {
    pub(super) fn name(&self) -> &str {
        self.texts.get(..self.name_end as usize).unwrap_or_default()
    }

    pub(super) fn uid(&self) -> &str {
        let range = self.name_end as usize..self.uid_end as usize;
        self.texts.get(range).unwrap_or_default()
    }

    pub(super) fn resource_version(&self) -> &str {
        self.texts.get(self.uid_end as usize..).unwrap_or_default()
    }

    fn set_texts(&mut self, uid: &str, resource_version: &str) {
        let same = self.uid_end as usize;
        if self.uid() == uid {
            // Usually only the version has changed, and the new one is as long as the old one.
            let texts = core::mem::take(&mut self.texts);
            let mut texts = String::from(texts);
            texts.truncate(same);
            texts.push_str(resource_version);
            self.texts = texts.into_boxed_str();
            return;
        }
        (self.texts, self.name_end, self.uid_end) = joined(self.name(), uid, resource_version);
    }
}

fn joined(name: &str, uid: &str, resource_version: &str) -> (Box<str>, u32, u32) {
    let end = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let texts = format!("{name}{uid}{resource_version}").into_boxed_str();
    (texts, end(name.len()), end(name.len() + uid.len()))
}

/// All pods that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Pods {
    pods: Slab<PodId, KnownPod>,
    by_hash: IdsByHash<PodId>,
    ports: PortLists,
}

impl Pods {
    pub(super) fn get(&self, id: PodId) -> Option<&KnownPod> {
        self.pods.get(id)
    }

    pub(super) fn prefetch(&self, id: PodId) {
        self.pods.prefetch(id);
    }

    /// Prefetches its name and uid, once [`Self::prefetch`] has had its time.
    pub(super) fn prefetch_texts(&self, id: PodId) {
        if let Some(pod) = self.pods.get(id) {
            prefetch_text(&pod.texts);
        }
    }

    pub(super) fn get_mut(&mut self, id: PodId) -> Option<&mut KnownPod> {
        self.pods.get_mut(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (PodId, &KnownPod)> {
        self.pods.iter()
    }

    pub(super) fn facts(&self, id: PodId) -> Option<&EndpointFacts> {
        self.pods.get(id)?.facts.as_ref()
    }

    pub(super) fn find(&self, names: &NameTable, namespace: &str, name: &str) -> Option<PodId> {
        let namespace = names.find(namespace)?;
        self.id(pod_hash(namespace, name), namespace, name)
    }

    fn id(&self, hash: u64, namespace: Name, name: &str) -> Option<PodId> {
        let is_it = |id| {
            let pod = self.pods.get(id);
            pod.is_some_and(|pod| pod.namespace == namespace && pod.name() == name)
        };
        self.by_hash.find(hash, is_it)
    }

    /// The id of a pod, which is known from now on.
    pub(super) fn id_of(
        &mut self,
        names: &mut NameTable,
        namespace: &str,
        name: &str,
        uid: &str,
    ) -> PodId {
        if let Some(id) = self.find(names, namespace, name) {
            return id;
        }
        let namespace = names.take(namespace);
        let (texts, name_end, uid_end) = joined(name, uid, "");
        let id = self.pods.insert(KnownPod {
            namespace,
            texts,
            name_end,
            uid_end,
            facts: None,
            slices: PodSlices::default(),
        });
        self.by_hash.insert(pod_hash(namespace, name), id);
        id
    }

    /// Removes a pod that neither exists in the cluster nor is named by a slice.
    pub(super) fn forget_unused(&mut self, names: &mut NameTable, id: PodId) {
        let is_unused = |pod: &&KnownPod| pod.facts.is_none() && pod.slices.is_empty();
        let Some(pod) = self.pods.get(id).filter(is_unused) else {
            return;
        };
        let hash = pod_hash(pod.namespace, pod.name());
        self.by_hash.remove(hash, id);
        if let Some(pod) = self.pods.remove(id) {
            names.release(pod.namespace);
        }
    }

    /// Stores the facts about a pod; [`Pods::release`] frees them. Most of them are usually unchanged.
    pub(super) fn take(
        &mut self,
        names: &mut NameTable,
        labels: &mut LabelSets,
        id: PodId,
        pod: &Pod<'_>,
    ) -> EndpointFacts {
        let before = self.facts(id);
        let before = before.map(|before| (before.names(), before.labels, before.ports));
        let ports = self.ports.take(names, pod, before.map(|(.., ports)| ports));
        let [node, hostname, subdomain] = before.map_or([Name::EMPTY; 3], |(names, ..)| names);
        let ready = pod.status.ready;
        let ready_since = ready.and_then(|ready| ready.last_transition_time);
        EndpointFacts {
            node: names.take_again(&pod.spec.node_name, node),
            hostname: names.take_again(&pod.spec.hostname, hostname),
            subdomain: names.take_again(&pod.spec.subdomain, subdomain),
            labels: labels.take(
                names,
                &pod.metadata.namespace,
                &pod.metadata.labels,
                before.map(|(_, labels, _)| labels),
            ),
            ports,
            addresses: match pod.status.pod_ips.as_slice() {
                [] => PodAddresses::None,
                [only] => PodAddresses::One(*only),
                several => PodAddresses::Many(several.into()),
            },
            ready: ready.map(|ready| ready.status),
            ready_since: ready_since.unwrap_or(Timestamp::EPOCH),
            has_ready_since: ready_since.is_some(),
            has_pod_ip: !pod.status.pod_ip.is_empty(),
            is_terminal: pod.is_terminal(),
            is_terminating: pod.is_terminating(),
        }
    }

    /// Frees what [`Pods::take`] stored.
    pub(super) fn release(
        &mut self,
        names: &mut NameTable,
        labels: &mut LabelSets,
        facts: &EndpointFacts,
    ) {
        for name in facts.names() {
            names.release(name);
        }
        labels.release(names, facts.labels);
        self.ports.release(names, facts.ports);
    }

    /// Sets the uid and version of a pod.
    pub(super) fn set_texts(&mut self, id: PodId, uid: &str, resource_version: &str) {
        if let Some(pod) = self.pods.get_mut(id)
            && (pod.uid() != uid || pod.resource_version() != resource_version)
        {
            pod.set_texts(uid, resource_version);
        }
    }

    /// Sets the facts about a pod, with its uid and version; returns the old facts.
    pub(super) fn set(
        &mut self,
        id: PodId,
        facts: Option<EndpointFacts>,
        uid: &str,
        resource_version: &str,
    ) -> Option<EndpointFacts> {
        self.set_texts(id, uid, resource_version);
        let pod = self.pods.get_mut(id)?;
        core::mem::replace(&mut pod.facts, facts)
    }

    /// The facts about a pod of the cluster that endpoints depend on.
    pub(super) fn pod<'s>(&'s self, names: &'s NameTable, id: PodId) -> Option<PodFacts<'s>> {
        let known = self.pods.get(id)?;
        let facts = known.facts.as_ref()?;
        Some(PodFacts {
            namespace: names.text(known.namespace),
            name: known.name(),
            uid: known.uid(),
            node_name: names.text(facts.node),
            hostname: names.text(facts.hostname),
            subdomain: names.text(facts.subdomain),
            addresses: facts.addresses(),
            is_ready: facts.ready == Some(true),
            is_terminating: facts.is_terminating,
            may_be_endpoint: facts.may_be_endpoint(),
        })
    }

    /// Its container ports, in lookup order.
    pub(super) fn container_ports<'s>(
        &'s self,
        names: &'s NameTable,
        facts: &EndpointFacts,
    ) -> impl Iterator<Item = NamedPort<'s>> + Clone {
        self.ports.list(names, facts.ports)
    }

    /// How it resolves the ports of a Service.
    pub(super) fn resolve_ports(
        &self,
        names: &NameTable,
        service: &Service<'_>,
        facts: &EndpointFacts,
    ) -> ResolvedPorts {
        ports::resolve_among(service, &self.container_ports(names, facts))
    }

    /// Is there no pod?
    pub(super) fn is_empty(&self) -> bool {
        self.pods.is_empty() && self.ports.is_empty()
    }
}

fn pod_hash(namespace: Name, name: &str) -> u64 {
    use core::hash::{BuildHasher as _, Hash as _, Hasher as _};
    let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
    namespace.hash(&mut hasher);
    name.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn few_pods_share_a_hash() {
        let mut names = NameTable::default();
        let [shop, bank] = ["shop", "bank"].map(|name| names.take(name));
        let hashes = [(shop, "p"), (shop, "q"), (bank, "p")];
        let hashes = hashes.map(|(namespace, name)| pod_hash(namespace, name));
        assert_eq!(BTreeSet::from(hashes).len(), 3);
    }
}
