//! Labels of pods: each set of labels once, with the pods that have it and the Services that select it.
//!
//! The pods of a workload have the same labels, so that a Service finds its pods, and a pod its Services, by way of
//! a few sets.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

use super::ids::{PodNumber, ServiceNumber};
use super::names::{Name, Names};
use super::number_sets::{NumberSet, NumberSets};
use super::slab::{Numbers, Slab};
use crate::model::text::same;
use crate::model::{StringMap, Text};

type Pairs = Box<[(Name, Name)]>;

/// Labels that some pods of a namespace have.
#[derive(Clone, Debug)]
pub(super) struct LabelSet {
    namespace: Name,
    /// In the order of the keys' texts.
    pairs: Pairs,
    uses: u32,
    /// The pods that have these labels.
    pods: NumberSet,
    /// The Services that select them.
    services: NumberSet,
}

impl LabelSet {
    fn is(&self, names: &Names, namespace: &str, labels: &StringMap<'_>) -> bool {
        let is_text = |name: Name, text: &str| same(names.text(name), text);
        let mut pairs = self.pairs.iter().zip(labels.iter());
        is_text(self.namespace, namespace)
            && self.pairs.len() == labels.len()
            && pairs.all(|(own, (key, value))| is_text(own.0, key) && is_text(own.1, value))
    }
}

/// All sets of labels. Each is filed in [`Names`] under each of its values, whatever their keys and its namespace.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelSets {
    sets: Slab<LabelSet>,
    numbers: Numbers,
    /// Where pods of workloads that name each of them, as StatefulSets do, have labels of their own, there are as many
    /// sets as pods.
    numbers_of: NumberSets,
}

impl LabelSets {
    /// Is there a set of that number?
    pub(super) fn has(&self, number: u32) -> bool {
        self.sets.get(number).is_some()
    }

    /// The pods that have these labels, in order.
    pub(super) fn pods(&self, number: u32) -> impl Iterator<Item = PodNumber> + '_ {
        let set = self.sets.get(number);
        self.numbers_of
            .iter(set.map_or(NumberSet::EMPTY, |set| set.pods))
    }

    /// A pod has these labels now.
    pub(super) fn add_pod(&mut self, number: u32, pod: PodNumber) {
        if let Some(set) = self.sets.get_mut(number) {
            self.numbers_of.insert(&mut set.pods, pod);
        }
    }

    /// A pod has these labels no more.
    pub(super) fn remove_pod(&mut self, number: u32, pod: PodNumber) {
        if let Some(set) = self.sets.get_mut(number) {
            self.numbers_of.remove(&mut set.pods, pod);
        }
    }

    /// The Services that select them, in order.
    pub(super) fn services(&self, number: u32) -> impl Iterator<Item = ServiceNumber> + '_ {
        let set = self.sets.get(number);
        self.numbers_of
            .iter(set.map_or(NumberSet::EMPTY, |set| set.services))
    }

    /// Does the Service select them?
    pub(super) fn is_selected(&self, number: u32, service: ServiceNumber) -> bool {
        let set = self.sets.get(number);
        set.is_some_and(|set| self.numbers_of.contains(set.services, service))
    }

    /// A Service selects them now.
    pub(super) fn add_service(&mut self, number: u32, service: ServiceNumber) {
        if let Some(set) = self.sets.get_mut(number) {
            self.numbers_of.insert(&mut set.services, service);
        }
    }

    /// A Service selects them no more.
    pub(super) fn remove_service(&mut self, number: u32, service: ServiceNumber) {
        if let Some(set) = self.sets.get_mut(number) {
            self.numbers_of.remove(&mut set.services, service);
        }
    }

    /// The number of these labels, used once more. Mostly it is the one at hand, if there is one.
    pub(super) fn take(
        &mut self,
        names: &mut Names,
        namespace: &str,
        labels: &StringMap<'_>,
        likely: Option<u32>,
    ) -> u32 {
        if let Some((number, set)) =
            likely.and_then(|number| Some((number, self.sets.get_mut(number)?)))
            && set.is(names, namespace, labels)
        {
            set.uses += 1;
            return number;
        }
        let namespace = names.take(namespace);
        let pairs = labels.iter();
        let pairs: Pairs = pairs
            .map(|(key, value)| (names.take(key), names.take(value)))
            .collect();
        let hash = FxBuildHasher.hash_one((namespace, &pairs));
        let is_it = |number| {
            let set = self.sets.get(number);
            set.is_some_and(|set| set.namespace == namespace && set.pairs == pairs)
        };
        if let Some(number) = self.numbers.find(hash, is_it) {
            release_names(names, namespace, &pairs);
            if let Some(set) = self.sets.get_mut(number) {
                set.uses += 1;
            }
            return number;
        }
        let number = self.sets.insert(LabelSet {
            namespace,
            pairs,
            uses: 1,
            pods: NumberSet::EMPTY,
            services: NumberSet::EMPTY,
        });
        self.numbers.insert(hash, number);
        let pairs = self.sets.get(number).map_or(&[][..], |set| &set.pairs);
        for (_, value) in pairs {
            self.numbers_of.insert(names.filed_mut(*value), number);
        }
        number
    }

    /// One use less.
    pub(super) fn release(&mut self, names: &mut Names, number: u32) {
        let Some(set) = self.sets.get_mut(number) else {
            return;
        };
        set.uses -= 1;
        if set.uses > 0 {
            return;
        }
        let Some(mut set) = self.sets.remove(number) else {
            return;
        };
        let hash = FxBuildHasher.hash_one((set.namespace, &set.pairs));
        self.numbers.remove(hash, number);
        for (_, value) in &set.pairs {
            self.numbers_of.remove(names.filed_mut(*value), number);
        }
        self.numbers_of.clear(&mut set.pods);
        self.numbers_of.clear(&mut set.services);
        release_names(names, set.namespace, &set.pairs);
    }

    /// Is this set used by one object only, which has just taken it?
    pub(super) fn is_new(&self, number: u32) -> bool {
        self.sets.get(number).is_some_and(|set| set.uses == 1)
    }

    /// The sets a selector selects.
    pub(super) fn selected(
        &self,
        names: &Names,
        namespace: &str,
        selector: &StringMap<'_>,
    ) -> Vec<u32> {
        let Some(namespace) = names.find(namespace) else {
            return Vec::new();
        };
        let pairs = selector.iter();
        let pairs: Option<Vec<_>> = pairs
            .map(|(key, value)| Some((names.find(key)?, names.find(value)?)))
            .collect();
        // A text no pod has selects none.
        let Some(pairs) = pairs else {
            return Vec::new();
        };
        let filed = pairs.iter().map(|(_, value)| names.filed(*value));
        let rarest = filed.min_by_key(|filed| self.numbers_of.len(*filed));
        let is_selected = |set: &LabelSet| {
            set.namespace == namespace && pairs.iter().all(|pair| set.pairs.contains(pair))
        };
        let Some(rarest) = rarest else {
            let all = self.sets.iter().filter(|(_, set)| is_selected(set));
            return all.map(|(number, _)| number).collect();
        };
        let filed = self.numbers_of.iter(rarest);
        let selected = filed.filter(|number| self.sets.get(*number).is_some_and(is_selected));
        selected.collect()
    }

    /// The labels as a map.
    pub(super) fn map<'s>(&'s self, names: &'s Names, number: u32) -> StringMap<'s> {
        let pairs = self.sets.get(number).into_iter();
        let text = |name: Name| Text::from(names.text(name));
        pairs
            .flat_map(|set| &set.pairs)
            .map(|(key, value)| (text(*key), text(*value)))
            .collect()
    }

    /// Is nothing kept?
    pub(super) fn is_empty(&self) -> bool {
        self.sets.is_empty() && self.numbers_of.is_empty()
    }
}

fn release_names(names: &mut Names, namespace: Name, pairs: &[(Name, Name)]) {
    names.release(namespace);
    for (key, value) in pairs {
        names.release(*key);
        names.release(*value);
    }
}
