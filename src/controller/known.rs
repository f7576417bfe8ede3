//! Which objects are known, and in which version: what a new list lacks is gone, and what is older came late.
//!
//! Versions are compared as numbers, which the API guarantees since Kubernetes 1.35 (KEP-5504); an object without a
//! version, or with one that is no number, is always taken.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::event::Kind;
use crate::model::NamespacedName;

#[derive(Debug, Default)]
pub(super) struct Known {
    services: Versions,
    pods: Versions,
    nodes: Versions,
    slices: Versions,
    /// Kinds that are being listed object by object, with what has been given so far; `None` where nothing was known
    /// when it began, so that nothing can be missing.
    lists: BTreeMap<Kind, Option<BTreeSet<NamespacedName>>>,
}

type Versions = BTreeMap<NamespacedName, Option<u64>>;

impl Known {
    const fn of(&self, kind: Kind) -> &Versions {
        match kind {
            Kind::Service => &self.services,
            Kind::Pod => &self.pods,
            Kind::Node => &self.nodes,
            Kind::EndpointSlice => &self.slices,
        }
    }

    const fn of_mut(&mut self, kind: Kind) -> &mut Versions {
        match kind {
            Kind::Service => &mut self.services,
            Kind::Pod => &mut self.pods,
            Kind::Node => &mut self.nodes,
            Kind::EndpointSlice => &mut self.slices,
        }
    }

    /// All objects of a kind are going to be given.
    pub(super) fn begin_list(&mut self, kind: Kind) {
        let given = (!self.of(kind).is_empty()).then(BTreeSet::new);
        self.lists.insert(kind, given);
    }

    /// They have been given: those that were not, in order. `None` when no list has begun.
    pub(super) fn end_list(&mut self, kind: Kind) -> Option<Vec<NamespacedName>> {
        let given = self.lists.remove(&kind)?;
        Some(given.map_or_else(Vec::new, |given| self.missing(kind, &given)))
    }

    /// Is a later version known than this one? A list is taken whatever versions it has.
    pub(super) fn is_late(&self, kind: Kind, key: &NamespacedName, version: &str) -> bool {
        if self.lists.contains_key(&kind) {
            return false;
        }
        let known = self.of(kind).get(key).copied().flatten();
        match (known, number(version)) {
            (Some(known), Some(number)) => number < known,
            _ => false,
        }
    }

    pub(super) fn set(&mut self, kind: Kind, key: NamespacedName, version: &str) {
        if let Some(Some(given)) = self.lists.get_mut(&kind) {
            given.insert(key.clone());
        }
        self.of_mut(kind).insert(key, number(version));
    }

    /// Forgets an object. Was it known?
    pub(super) fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        self.of_mut(kind).remove(key).is_some()
    }

    pub(super) fn keys(&self, kind: Kind) -> impl Iterator<Item = &NamespacedName> {
        self.of(kind).keys()
    }

    /// Those of a kind that are not listed, in order.
    pub(super) fn missing(
        &self,
        kind: Kind,
        listed: &BTreeSet<NamespacedName>,
    ) -> Vec<NamespacedName> {
        let missing = self.keys(kind).filter(|key| !listed.contains(*key));
        missing.cloned().collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        Kind::ALL.iter().all(|kind| self.of(*kind).is_empty())
    }
}

fn number(version: &str) -> Option<u64> {
    version.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers_or_not_at_all() {
        let key = NamespacedName {
            namespace: "shop".into(),
            name: "cart".into(),
        };
        let check = |known: &str, version: &str, expected: bool| {
            let mut all = Known::default();
            all.set(Kind::Pod, key.clone(), known);
            assert_eq!(all.is_late(Kind::Pod, &key, version), expected);
            assert!(!all.is_late(Kind::Service, &key, version));
        };
        check("10", "9", true);
        check("10", "10", false);
        check("9", "10", false);
        check("", "1", false);
        check("10", "", false);
        check("b", "a", false);
    }
}
