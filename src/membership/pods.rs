//! Pods by the labels that selectors ask for, so that a Service finds its pods without comparing all of its namespace.

use alloc::vec::Vec;

use crate::model::order::{Grouped, hash, sorted_unique};
use crate::model::{Pod, Service, StringMap, Text};
use crate::plan::is_selected;

/// The pods of an input, for Services that are known beforehand.
#[derive(Debug)]
pub struct PodsByLabel<'p>(Grouped<u64, &'p Pod<'p>>);

impl<'p> PodsByLabel<'p> {
    /// Indexes pods for these Services.
    pub fn new<'s>(
        pods: impl Iterator<Item = &'p Pod<'p>>,
        services: impl Iterator<Item = &'s Service<'s>>,
    ) -> Self {
        let mut asked = Vec::new();
        for service in services.filter(|service| service.is_reconciled()) {
            let namespace = service.metadata.namespace.as_bytes();
            let before = asked.len();
            let keys = service.spec.selector.iter().flat_map(StringMap::iter);
            asked.extend(keys.map(|(key, _)| hash(&[namespace, key.as_bytes()])));
            if asked.len() == before {
                asked.push(hash(&[namespace]));
            }
        }
        let asked = sorted_unique(asked);
        let is_asked = |key: u64| asked.binary_search(&key).is_ok();
        let mut entries = Vec::new();
        for pod in pods {
            let namespace = pod.metadata.namespace.as_bytes();
            for (key, value) in pod.metadata.labels.iter() {
                if is_asked(hash(&[namespace, key.as_bytes()])) {
                    let label = hash(&[namespace, key.as_bytes(), value.as_bytes()]);
                    entries.push((label, pod));
                }
            }
            let all = hash(&[namespace]);
            if is_asked(all) {
                entries.push((all, pod));
            }
        }
        Self(Grouped::new(entries))
    }

    /// The pods that a Service selects, in the order in which they were indexed.
    pub fn of(&self, service: &Service<'_>) -> Vec<&'p Pod<'p>> {
        let candidates = self.candidates(service).iter().map(|(_, pod)| *pod);
        candidates.filter(|pod| is_selected(pod, service)).collect()
    }

    /// Does a Service select a pod?
    #[doc(hidden)]
    pub fn has_any(&self, service: &Service<'_>) -> bool {
        let mut candidates = self.candidates(service).iter();
        candidates.any(|(_, pod)| is_selected(pod, service))
    }

    /// Pods among which are all that a Service selects: different labels may have the same hash.
    fn candidates(&self, service: &Service<'_>) -> &[(u64, &'p Pod<'p>)] {
        let namespace = service.metadata.namespace.as_bytes();
        let selector = service.spec.selector.iter().flat_map(StringMap::iter);
        let with = |(key, value): (&Text<'_>, &Text<'_>)| {
            self.0
                .of(&hash(&[namespace, key.as_bytes(), value.as_bytes()]))
        };
        let fewest = selector.map(with).min_by_key(|pods| pods.len());
        fewest.unwrap_or_else(|| self.0.of(&hash(&[namespace])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names<'a>(pods: &[&Pod<'a>]) -> Vec<String> {
        pods.iter()
            .map(|pod| pod.metadata.name.to_string())
            .collect()
    }

    #[test]
    fn services_find_what_they_select() {
        let pods = r#"[
            {"metadata": {"namespace": "a", "name": "1", "labels": {"app": "x", "tier": "web"}}},
            {"metadata": {"namespace": "a", "name": "2", "labels": {"app": "x"}}},
            {"metadata": {"namespace": "a", "name": "3"}},
            {"metadata": {"namespace": "b", "name": "4", "labels": {"app": "x"}}}
        ]"#;
        let pods: Vec<Pod<'_>> = serde_json::from_str(pods).unwrap();
        let services = r#"[
            {"metadata": {"namespace": "a", "name": "both"}, "spec": {"selector": {"app": "x", "tier": "web"}}},
            {"metadata": {"namespace": "a", "name": "one"}, "spec": {"selector": {"app": "x"}}},
            {"metadata": {"namespace": "a", "name": "all"}, "spec": {"selector": {}}},
            {"metadata": {"namespace": "a", "name": "none"}, "spec": {}},
            {"metadata": {"namespace": "a", "name": "other"}, "spec": {"selector": {"app": "y"}}},
            {"metadata": {"namespace": "a", "name": "alias"}, "spec": {"type": "ExternalName", "selector": {"app": "x"}}},
            {"metadata": {"namespace": "b", "name": "there"}, "spec": {"selector": {"app": "x"}}}
        ]"#;
        let services: Vec<Service<'_>> = serde_json::from_str(services).unwrap();
        let index = PodsByLabel::new(pods.iter(), services.iter());
        let found: Vec<_> = services
            .iter()
            .map(|service| names(&index.of(service)))
            .collect();
        let expected: [&[&str]; 7] = [&["1"], &["1", "2"], &["1", "2", "3"], &[], &[], &[], &["4"]];
        assert_eq!(found, expected);
    }
}
