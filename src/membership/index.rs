//! Services indexed by their selectors, so that a pod finds its Services without scanning all of them.
//!
//! A selector requires all of its pairs. Each Service is indexed by one of them, the one with the fewest other
//! Services; a pod looks up its own labels, and only compares the selectors it finds there.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::selector;
use crate::model::order::{hash, sort};
use crate::model::{NamespacedName, StringMap, Text};

/// Services with a selector, of all namespaces.
#[derive(Clone, Debug, Default)]
pub struct SelectorIndex {
    services: BTreeMap<NamespacedName, Filed>,
    /// Services by the hash of namespace and label. Only for lookups, never iterated.
    by_label: HashMap<u64, Vec<NamespacedName>, FxBuildHasher>,
}

#[derive(Clone, Debug)]
struct Filed {
    selector: StringMap<'static>,
    under: u64,
}

impl SelectorIndex {
    /// Adds or updates a Service. Without a selector it selects nothing and is removed; an empty selector selects every
    /// pod of the namespace.
    pub fn set(&mut self, service: NamespacedName, selector: Option<&StringMap<'_>>) {
        let filed = self.services.get(&service);
        if filed.map(|filed| &filed.selector) == selector {
            return;
        }
        self.remove(&service);
        let Some(selector) = selector else { return };
        let bucket = |label| {
            let under = file(&service.namespace, label);
            (self.by_label.get(&under).map_or(0, Vec::len), under)
        };
        let rarest = selector.iter().map(bucket).min();
        let under = rarest.map_or_else(|| file_of_all(&service.namespace), |(_, under)| under);
        let own = |text: &Text<'_>| text.clone().into_owned();
        let selector = selector
            .iter()
            .map(|(key, value)| (own(key), own(value)))
            .collect();
        let bucket = self.by_label.entry(under).or_default();
        bucket.push(service.clone());
        self.services.insert(service, Filed { selector, under });
    }

    /// Removes a Service.
    pub fn remove(&mut self, service: &NamespacedName) {
        let Some(Filed { under, .. }) = self.services.remove(service) else {
            return;
        };
        if let Some(bucket) = self.by_label.get_mut(&under) {
            bucket.retain(|other| other != service);
            if bucket.is_empty() {
                self.by_label.remove(&under);
            }
        }
    }

    /// The Services of a namespace whose selector matches these labels, sorted by name.
    pub fn selecting(&self, namespace: &str, labels: &StringMap<'_>) -> Vec<&NamespacedName> {
        let mut files: Vec<u64> = labels.iter().map(|label| file(namespace, label)).collect();
        files.push(file_of_all(namespace));
        let candidates = files.iter().filter_map(|under| self.by_label.get(under));
        let mut services: Vec<_> = candidates
            .flatten()
            .filter(|service| {
                service.namespace == namespace
                    && self
                        .services
                        .get(service)
                        .is_some_and(|filed| selector::matches(&filed.selector, labels))
            })
            .collect();
        sort(&mut services);
        services.dedup();
        services
    }

    /// The maximum number of Services that a pod with one of their labels must check.
    #[doc(hidden)]
    pub fn most_filed_together(&self) -> usize {
        self.by_label
            .values()
            .map(Vec::len)
            .max()
            .unwrap_or_default()
    }

    /// The number of indexed Services.
    pub fn len(&self) -> usize {
        self.services.len()
    }

    /// Is the index empty?
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }
}

fn file(namespace: &str, (key, value): (&Text<'_>, &Text<'_>)) -> u64 {
    hash(&[namespace.as_bytes(), key.as_bytes(), value.as_bytes()])
}

fn file_of_all(namespace: &str) -> u64 {
    hash(&[namespace.as_bytes()])
}
