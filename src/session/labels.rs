//! Labels of pods: each set of labels once, with the pods that have it and the Services that select it.
//!
//! The pods of a workload have the same labels, so that a Service finds its pods, and a pod its Services, by way of
//! a few sets.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::names::{Name, Names};
use super::pods::PodNumber;
use super::slab::{Numbers, Slab};
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
    pub(super) pods: BTreeSet<PodNumber>,
    /// The Services that select them, in order.
    pub(super) services: Vec<u32>,
}

/// All sets of labels.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelSets {
    sets: Slab<LabelSet>,
    numbers: Numbers,
    /// Sets by the hash of namespace and pair, and by that of the namespace. Only looked up.
    by_pair: HashMap<u64, BTreeSet<u32>, FxBuildHasher>,
}

impl LabelSets {
    pub(super) fn get(&self, number: u32) -> Option<&LabelSet> {
        self.sets.get(number)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut LabelSet> {
        self.sets.get_mut(number)
    }

    /// The number of these labels, used once more.
    pub(super) fn take(
        &mut self,
        names: &mut Names,
        namespace: &str,
        labels: &StringMap<'_>,
    ) -> u32 {
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
        let files: Vec<u64> = files(namespace, &pairs).collect();
        let number = self.sets.insert(LabelSet {
            namespace,
            pairs,
            uses: 1,
            pods: BTreeSet::new(),
            services: Vec::new(),
        });
        self.numbers.insert(hash, number);
        for file in files {
            self.by_pair.entry(file).or_default().insert(number);
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
        let Some(set) = self.sets.remove(number) else {
            return;
        };
        let hash = FxBuildHasher.hash_one((set.namespace, &set.pairs));
        self.numbers.remove(hash, number);
        for file in files(set.namespace, &set.pairs) {
            if let Some(filed) = self.by_pair.get_mut(&file) {
                filed.remove(&number);
                if filed.is_empty() {
                    self.by_pair.remove(&file);
                }
            }
        }
        release_names(names, set.namespace, &set.pairs);
    }

    /// Is this set used by one object only, which has just taken it?
    pub(super) fn is_new(&self, number: u32) -> bool {
        self.sets.get(number).is_some_and(|set| set.uses == 1)
    }

    /// The sets a selector picks out.
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
        let filed = files(namespace, &pairs).map(|file| self.by_pair.get(&file));
        let Some(Some(rarest)) = filed.min_by_key(|filed| filed.map_or(0, BTreeSet::len)) else {
            return Vec::new();
        };
        let is_selected = |number: &&u32| {
            let set = self.sets.get(**number);
            set.is_some_and(|set| {
                set.namespace == namespace && pairs.iter().all(|pair| set.pairs.contains(pair))
            })
        };
        rarest.iter().filter(is_selected).copied().collect()
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
        self.sets.is_empty() && self.by_pair.is_empty()
    }
}

/// Where a set is filed: under its namespace, and under each of its pairs.
fn files(namespace: Name, pairs: &[(Name, Name)]) -> impl Iterator<Item = u64> {
    let of_pair = move |pair: &(Name, Name)| FxBuildHasher.hash_one((namespace, pair));
    let all = FxBuildHasher.hash_one(namespace);
    core::iter::once(all).chain(pairs.iter().map(of_pair))
}

fn release_names(names: &mut Names, namespace: Name, pairs: &[(Name, Name)]) {
    names.release(namespace);
    for (key, value) in pairs {
        names.release(*key);
        names.release(*value);
    }
}
