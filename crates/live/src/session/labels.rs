//! Labels of pods: each distinct set of labels once, with the pods that have it and the Services that select it.
//!
//! The pods of a workload have the same labels, so a Service finds its pods, and a pod its Services, through a few
//! sets.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

use slicewise::model::text::same;
use slicewise::model::{StringMap, Text};

use super::id_sets::{IdSet, IdSets};
use super::ids::{LabelSetId, Name, PodId, ServiceId};
use super::names::NameTable;
use super::slab::{IdsByHash, Slab};

type Pairs = Box<[(Name, Name)]>;

/// Labels that some pods of a namespace have.
#[derive(Clone, Debug)]
pub(super) struct LabelSet {
    namespace: Name,
    /// Sorted by the text of the keys.
    pairs: Pairs,
    uses: u32,
    /// The pods that have these labels.
    pods: IdSet<PodId>,
    /// The Services that select them.
    services: IdSet<ServiceId>,
}

impl LabelSet {
    fn is(&self, names: &NameTable, namespace: &str, labels: &StringMap<'_>) -> bool {
        let is_text = |name: Name, text: &str| same(names.text(name), text);
        let mut pairs = self.pairs.iter().zip(labels.iter());
        is_text(self.namespace, namespace)
            && self.pairs.len() == labels.len()
            && pairs.all(|(own, (key, value))| is_text(own.0, key) && is_text(own.1, value))
    }
}

/// All sets of labels. Each is indexed in [`NameTable`] by each of its values, whatever their keys and its namespace.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelSets {
    sets: Slab<LabelSetId, LabelSet>,
    by_hash: IdsByHash<LabelSetId>,
    /// If the pods of a workload have individual labels, as with StatefulSets, there are as many sets as pods.
    pod_sets: IdSets<PodId>,
    service_sets: IdSets<ServiceId>,
    filed_sets: IdSets<LabelSetId>,
}

impl LabelSets {
    /// Does the set exist?
    pub(super) fn has(&self, id: LabelSetId) -> bool {
        self.sets.get(id).is_some()
    }

    /// The pods with these labels, sorted.
    pub(super) fn pods(&self, id: LabelSetId) -> impl Iterator<Item = PodId> + '_ {
        let set = self.sets.get(id);
        self.pod_sets.iter(set.map_or(IdSet::EMPTY, |set| set.pods))
    }

    /// Adds a pod with these labels.
    pub(super) fn add_pod(&mut self, id: LabelSetId, pod: PodId) {
        if let Some(set) = self.sets.get_mut(id) {
            self.pod_sets.insert(&mut set.pods, pod);
        }
    }

    /// Removes a pod with these labels.
    pub(super) fn remove_pod(&mut self, id: LabelSetId, pod: PodId) {
        if let Some(set) = self.sets.get_mut(id) {
            self.pod_sets.remove(&mut set.pods, pod);
        }
    }

    /// The Services that select them, sorted.
    pub(super) fn services(&self, id: LabelSetId) -> impl Iterator<Item = ServiceId> + '_ {
        let set = self.sets.get(id);
        self.service_sets
            .iter(set.map_or(IdSet::EMPTY, |set| set.services))
    }

    /// Does the Service select them?
    pub(super) fn is_selected(&self, id: LabelSetId, service: ServiceId) -> bool {
        let set = self.sets.get(id);
        set.is_some_and(|set| self.service_sets.contains(set.services, service))
    }

    /// Adds a Service that selects them.
    pub(super) fn add_service(&mut self, id: LabelSetId, service: ServiceId) {
        if let Some(set) = self.sets.get_mut(id) {
            self.service_sets.insert(&mut set.services, service);
        }
    }

    /// Removes a Service that selects them.
    pub(super) fn remove_service(&mut self, id: LabelSetId, service: ServiceId) {
        if let Some(set) = self.sets.get_mut(id) {
            self.service_sets.remove(&mut set.services, service);
        }
    }

    /// The id of a set of these labels, adding a reference. It is usually the one at hand, if given.
    pub(super) fn take(
        &mut self,
        names: &mut NameTable,
        namespace: &str,
        labels: &StringMap<'_>,
        likely: Option<LabelSetId>,
    ) -> LabelSetId {
        if let Some((id, set)) = likely.and_then(|id| Some((id, self.sets.get_mut(id)?)))
            && set.is(names, namespace, labels)
        {
            set.uses += 1;
            return id;
        }
        let namespace = names.take(namespace);
        let pairs = labels.iter();
        let pairs: Pairs = pairs
            .map(|(key, value)| (names.take(key), names.take(value)))
            .collect();
        let hash = FxBuildHasher.hash_one((namespace, &pairs));
        let is_it = |id| {
            let set = self.sets.get(id);
            set.is_some_and(|set| set.namespace == namespace && set.pairs == pairs)
        };
        if let Some(id) = self.by_hash.find(hash, is_it) {
            release_names(names, namespace, &pairs);
            if let Some(set) = self.sets.get_mut(id) {
                set.uses += 1;
            }
            return id;
        }
        let id = self.sets.insert(LabelSet {
            namespace,
            pairs,
            uses: 1,
            pods: IdSet::EMPTY,
            services: IdSet::EMPTY,
        });
        self.by_hash.insert(hash, id);
        let pairs = self.sets.get(id).map_or(&[][..], |set| &set.pairs);
        for (_, value) in pairs {
            self.filed_sets.insert(names.filed_mut(*value), id);
        }
        id
    }

    /// Drops a reference.
    pub(super) fn release(&mut self, names: &mut NameTable, id: LabelSetId) {
        let Some(set) = self.sets.get_mut(id) else {
            return;
        };
        set.uses -= 1;
        if set.uses > 0 {
            return;
        }
        let Some(mut set) = self.sets.remove(id) else {
            return;
        };
        let hash = FxBuildHasher.hash_one((set.namespace, &set.pairs));
        self.by_hash.remove(hash, id);
        for (_, value) in &set.pairs {
            self.filed_sets.remove(names.filed_mut(*value), id);
        }
        self.pod_sets.clear(&mut set.pods);
        self.service_sets.clear(&mut set.services);
        release_names(names, set.namespace, &set.pairs);
    }

    /// Does only one object, which has just taken it, use this set?
    pub(super) fn is_new(&self, id: LabelSetId) -> bool {
        self.sets.get(id).is_some_and(|set| set.uses == 1)
    }

    /// The sets that a selector selects.
    pub(super) fn selected(
        &self,
        names: &NameTable,
        namespace: &str,
        selector: &StringMap<'_>,
    ) -> Vec<LabelSetId> {
        let Some(namespace) = names.find(namespace) else {
            return Vec::new();
        };
        let pairs = selector.iter();
        let pairs: Option<Vec<_>> = pairs
            .map(|(key, value)| Some((names.find(key)?, names.find(value)?)))
            .collect();
        // A text that no pod has selects nothing.
        let Some(pairs) = pairs else {
            return Vec::new();
        };
        let filed = pairs.iter().map(|(_, value)| names.filed(*value));
        let rarest = filed.min_by_key(|filed| self.filed_sets.len(*filed));
        let is_selected = |set: &LabelSet| {
            set.namespace == namespace && pairs.iter().all(|pair| set.pairs.contains(pair))
        };
        let Some(rarest) = rarest else {
            let all = self.sets.iter().filter(|(_, set)| is_selected(set));
            return all.map(|(id, _)| id).collect();
        };
        let filed = self.filed_sets.iter(rarest);
        let selected = filed.filter(|id| self.sets.get(*id).is_some_and(is_selected));
        selected.collect()
    }

    /// The labels as a map.
    pub(super) fn map<'s>(&'s self, names: &'s NameTable, id: LabelSetId) -> StringMap<'s> {
        let pairs = self.sets.get(id).into_iter();
        let text = |name: Name| Text::from(names.text(name));
        pairs
            .flat_map(|set| &set.pairs)
            .map(|(key, value)| (text(*key), text(*value)))
            .collect()
    }

    /// Is there no set?
    pub(super) fn is_empty(&self) -> bool {
        self.sets.is_empty()
            && self.pod_sets.is_empty()
            && self.service_sets.is_empty()
            && self.filed_sets.is_empty()
    }
}

fn release_names(names: &mut NameTable, namespace: Name, pairs: &[(Name, Name)]) {
    names.release(namespace);
    for (key, value) in pairs {
        names.release(*key);
        names.release(*value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(pairs: &[(&'static str, &'static str)]) -> StringMap<'static> {
        let pairs = pairs.iter();
        pairs
            .map(|(key, value)| (Text::from(*key), Text::from(*value)))
            .collect()
    }

    #[test]
    fn pods_with_the_same_labels_share_a_set_as_long_as_any_has_it() {
        let cart = labels(&[("app", "cart")]);
        let (mut sets, mut names) = (LabelSets::default(), NameTable::default());
        let first = sets.take(&mut names, "shop", &cart, None);
        assert!(sets.is_new(first));
        for likely in [None, Some(first)] {
            assert_eq!(sets.take(&mut names, "shop", &cart, likely), first);
            assert!(!sets.is_new(first));
        }
        for (namespace, other) in [
            ("bank", labels(&[("app", "cart")])),
            ("shop", labels(&[("app", "till")])),
            ("shop", labels(&[("tier", "cart")])),
            ("shop", labels(&[("app", "cart"), ("tier", "web")])),
            ("shop", labels(&[])),
        ] {
            let id = sets.take(&mut names, namespace, &other, Some(first));
            assert_ne!(id, first);
            sets.release(&mut names, id);
            assert!(!sets.has(id) && sets.has(first));
        }
        for _ in 0..3 {
            assert!(!sets.is_empty());
            sets.release(&mut names, first);
        }
        assert!(sets.is_empty() && !sets.has(first));
        assert_eq!(names.len(), 0);
    }
}
