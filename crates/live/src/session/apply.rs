//! Applies watch events that bring anything new.
//!
//! Watches deliver late and twice, and lists overtake them. Versions are compared as numbers, which the API guarantees
//! since Kubernetes 1.35 (KEP-5504); an object without a numeric version is always taken.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use slicewise::model::order::gathered;
use slicewise::model::{Named, NamespacedName};

use super::Session;
use super::event::{ClusterEvent, Kind, ObjectRef, Reception, Versioned, VersionedRef};
use super::follow::{self, SessionFollower};

impl Session {
    /// Applies an event and returns its effect; the state is consistent in any case.
    pub fn apply(&mut self, event: &ClusterEvent<'_>) -> Reception {
        follow::take(self, event)
    }

    /// Starts a list of all objects of a kind, which are given one by one.
    pub(crate) fn begin_list(&mut self, kind: Kind) {
        let given = self.knows(kind).then(BTreeSet::new);
        self.lists.insert(kind, given);
        self.unreadable.begin_list(kind);
        self.forget_deletions(kind);
    }

    /// Is a kind being listed, object by object?
    pub fn is_listing(&self, kind: Kind) -> bool {
        self.lists.contains_key(&kind)
    }

    /// Ends a list and returns the known objects that were not in it, by name. `None` if no list was started.
    pub(crate) fn end_list(&mut self, kind: Kind) -> Option<Vec<NamespacedName>> {
        let given = self.lists.remove(&kind)?;
        self.unreadable.end_list(kind);
        let Some(given) = given else {
            return Some(Vec::new());
        };
        let mut keys = self.keys(kind);
        keys.retain(|key| !given.contains(key));
        Some(keys)
    }

    pub(super) fn note_given(&mut self, kind: Kind, object: &impl Named) {
        if let Some(Some(given)) = self.lists.get_mut(&kind) {
            given.insert(NamespacedName::of(object));
        }
    }

    /// Records an object as being in the current list, if any, although it cannot be read.
    pub(crate) fn note_listed(&mut self, kind: Kind, key: &NamespacedName) {
        if let Some(Some(given)) = self.lists.get_mut(&kind) {
            given.insert(key.clone());
        }
    }

    /// Records the deletion of an object, whether it was known or not: older events about it come late.
    pub(crate) fn note_deletion(&mut self, kind: Kind, key: &NamespacedName, version: &str) {
        if let Some(version) = number(version) {
            self.deletions.note(kind, key, version);
        }
    }

    /// Forgets the deletions of a kind because it is listed again: what the list contains exists.
    pub(crate) fn forget_deletions(&mut self, kind: Kind) {
        self.deletions.forget(kind);
    }

    /// Is this version of an object older than its deletion? The last 1000 deletions of each kind since its last list
    /// are remembered.
    pub(crate) fn is_before_deletion(
        &self,
        kind: Kind,
        key: &NamespacedName,
        version: &str,
    ) -> bool {
        let deletion = self.deletions.version(kind, key);
        let versions = deletion.zip(number(version));
        versions.is_some_and(|(deletion, version)| version < deletion)
    }

    /// Is there a later version of the object than this one, read or not, or its later deletion? Lists are taken regardless of
    /// versions.
    pub(crate) fn is_late(&self, kind: Kind, name: (&str, &str), version: &str) -> bool {
        if self.is_listing(kind) {
            return false;
        }
        let key = || {
            let (namespace, name) = (name.0.into(), name.1.into());
            NamespacedName { namespace, name }
        };
        if self.unreadable.count(kind) > 0
            && let Some(unread) = self.unreadable.version(kind, &key())
            && number(version).is_some_and(|number| number < unread)
        {
            return true;
        }
        match (self.version(kind, name), number(version)) {
            (Some(Some(known)), Some(number)) => number < known,
            (Some(_), _) => false,
            (None, _) => self.is_before_deletion(kind, &key(), version),
        }
    }

    /// Does the cluster have the object?
    pub fn has(&self, kind: Kind, key: &NamespacedName) -> bool {
        self.version(kind, (&key.namespace, &key.name)).is_some()
    }

    /// Does the cluster have any object of a kind?
    pub fn knows(&self, kind: Kind) -> bool {
        match kind {
            Kind::Service => self.services.iter().any(|known| known.state.is_some()),
            Kind::Pod => self.pods.iter().any(|(_, pod)| pod.facts.is_some()),
            Kind::Node => self.nodes.iter().next().is_some(),
            Kind::EndpointSlice => self.slices.iter().next().is_some(),
        }
    }

    /// The number of objects of a kind in the cluster.
    pub fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Service => {
                let known = self.services.iter();
                known.filter(|known| known.state.is_some()).count()
            }
            Kind::Pod => self
                .pods
                .iter()
                .filter(|(_, pod)| pod.facts.is_some())
                .count(),
            Kind::Node => self.nodes.iter().count(),
            Kind::EndpointSlice => self.slices.iter().count(),
        }
    }

    /// The objects of a kind in the cluster, sorted by name.
    pub fn keys(&self, kind: Kind) -> Vec<NamespacedName> {
        let mut keys: Vec<NamespacedName> = match kind {
            Kind::Service => {
                let known = self.services.iter();
                let known = known.filter(|known| known.state.is_some());
                known.map(|known| known.key.clone()).collect()
            }
            Kind::Pod => {
                let known = self.pods.iter().map(|(_, pod)| pod);
                let known = known.filter(|pod| pod.facts.is_some());
                let key = |pod: &super::pods::KnownPod| NamespacedName {
                    namespace: self.names.text(pod.namespace).into(),
                    name: pod.name().into(),
                };
                known.map(key).collect()
            }
            Kind::Node => {
                let key = |name| NamespacedName {
                    namespace: Default::default(),
                    name: self.names.text(name).into(),
                };
                self.nodes.iter().map(|(name, _)| key(name)).collect()
            }
            Kind::EndpointSlice => {
                let known = self.slices.iter();
                known
                    .map(|(_, slice)| NamespacedName::of(&slice.head))
                    .collect()
            }
        };
        slicewise::model::order::sort(&mut keys);
        keys
    }

    /// The known objects of a kind that are not listed, sorted by name.
    pub(crate) fn missing(&self, kind: Kind, listed: &[Versioned<'_>]) -> Vec<NamespacedName> {
        let listed = listed.iter().filter(|object| object.kind() == kind);
        let listed: BTreeSet<NamespacedName> = gathered(listed.map(Versioned::key));
        let mut keys = self.keys(kind);
        keys.retain(|key| !listed.contains(key));
        keys
    }

    /// The version of a known object; the inner `None` stands for a version that is not a number.
    fn version(&self, kind: Kind, (namespace, name): (&str, &str)) -> Option<Option<u64>> {
        match kind {
            Kind::Service => {
                let id = self.services.find(namespace, name)?;
                Some(self.services.state(id)?.version)
            }
            Kind::Pod => {
                let pod = self.pods.find(&self.names, namespace, name)?;
                let pod = self.pods.get(pod).filter(|pod| pod.facts.is_some())?;
                Some(number(pod.resource_version()))
            }
            Kind::Node => {
                let (_, version) = self.nodes.get(&self.names, name)?;
                Some(version)
            }
            Kind::EndpointSlice => {
                let slice = self.slices.get(self.slices.find(namespace, name)?)?;
                Some(number(&slice.head.metadata.resource_version))
            }
        }
    }
}

impl SessionFollower for Session {
    fn session(&mut self) -> &mut Session {
        self
    }

    fn set(&mut self, seen: VersionedRef<'_>) {
        match seen.object {
            ObjectRef::Service(service) => self.set_service(service),
            ObjectRef::Pod(pod) => drop(self.change_pod(pod, seen.resource_version, false)),
            ObjectRef::Node(node) => drop(self.set_node(node)),
            ObjectRef::EndpointSlice(slice) => drop(self.set_slice(slice)),
        }
    }

    fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        if !self.has(kind, key) {
            return false;
        }
        match kind {
            Kind::Service => drop(self.remove_service(key)),
            Kind::Pod => drop(self.remove_pod(key)),
            Kind::Node => drop(self.remove_node(&key.name)),
            Kind::EndpointSlice => drop(self.remove_slice(key)),
        }
        true
    }
}

/// A version as a number, if it is one.
pub(super) fn number(version: &str) -> Option<u64> {
    version.parse().ok()
}
