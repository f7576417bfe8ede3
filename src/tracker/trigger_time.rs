//! When did the change happen that a sync is about to publish?
//!
//! Reference: `TriggerTimeTracker`. Consumers subtract this time from their own clock to measure how long a change
//! takes to reach them.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::model::conditions::ReadyCondition;
use crate::model::{NamespacedName, Pod, Service, Timestamp};

#[derive(Debug, Clone, Default)]
struct SeenTriggerTimes {
    service: Option<Timestamp>,
    pods: BTreeMap<String, Timestamp>,
}

/// Trigger times as of the last sync of each Service.
#[derive(Debug, Clone, Default)]
pub struct TriggerTimeTracker {
    services: BTreeMap<NamespacedName, SeenTriggerTimes>,
}

impl TriggerTimeTracker {
    /// The oldest trigger time that changed since the last call for this Service; its creation time on the first call.
    /// `None` if nothing changed.
    ///
    /// A pod's trigger time is the last transition of its `Ready` condition, a Service's is its creation.
    pub fn compute<'p>(
        &mut self,
        service: &Service<'_>,
        pods: impl IntoIterator<Item = &'p Pod<'p>>,
    ) -> Option<Timestamp> {
        let key = service.key();
        let before = self.services.get(&key);
        let created = service
            .metadata
            .creation_timestamp
            .filter(|time| !time.is_zero());
        let mut changed: Option<Timestamp> = None;
        let mut note = |time: Timestamp, last: Option<Timestamp>| {
            if last.is_none_or(|last| time > last) {
                changed = Some(changed.map_or(time, |oldest| oldest.min(time)));
            }
        };
        let mut pod_times = BTreeMap::new();
        for pod in pods {
            let time = pod.status.ready.and_then(ReadyCondition::trigger_time);
            if let Some(time) = time {
                let name = pod.metadata.name.as_str();
                note(time, before.and_then(|seen| seen.pods.get(name)).copied());
                pod_times.insert(name.to_owned(), time);
            }
        }
        if let Some(created) = created {
            note(created, before.and_then(|seen| seen.service));
        }
        let is_new = before.is_none();
        self.services.insert(
            key,
            SeenTriggerTimes {
                service: created,
                pods: pod_times,
            },
        );
        if is_new { created } else { changed }
    }

    /// Removes a deleted Service.
    pub fn delete_service(&mut self, service: &NamespacedName) {
        self.services.remove(service);
    }

    /// The number of known Services.
    pub fn len(&self) -> usize {
        self.services.len()
    }

    /// Are no Services known?
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(minute: u8) -> String {
        format!("2026-01-02T03:{minute:02}:00Z")
    }

    fn service(created: u8) -> String {
        format!(
            r#"{{"metadata": {{"namespace": "shop", "name": "cart", "creationTimestamp": "{}"}}}}"#,
            time(created)
        )
    }

    fn pod(name: &str, ready: u8) -> String {
        let condition = format!(
            r#"{{"type": "Ready", "status": "True", "lastTransitionTime": "{}"}}"#,
            time(ready)
        );
        format!(
            r#"{{"metadata": {{"namespace": "shop", "name": "{name}"}}, "status": {{"conditions": [{condition}]}}}}"#
        )
    }

    /// One sync: when the Service was created, when each pod became ready, and the expected trigger time.
    #[track_caller]
    fn check(
        tracker: &mut TriggerTimeTracker,
        created: u8,
        pods: &[(&str, u8)],
        expected: Option<u8>,
    ) {
        let service = service(created);
        let service: Service<'_> = serde_json::from_str(&service).unwrap();
        let pods: Vec<String> = pods.iter().map(|(name, ready)| pod(name, *ready)).collect();
        let pods: Vec<Pod<'_>> = pods
            .iter()
            .map(|pod| serde_json::from_str(pod).unwrap())
            .collect();
        let computed = tracker.compute(&service, &pods);
        assert_eq!(computed.map(|time| time.to_string()), expected.map(time));
    }

    #[test]
    fn first_sight_is_the_creation_of_the_service() {
        check(&mut TriggerTimeTracker::default(), 1, &[], Some(1));
        check(
            &mut TriggerTimeTracker::default(),
            3,
            &[("a", 1), ("b", 2)],
            Some(3),
        );
    }

    #[test]
    fn later_it_is_the_oldest_change() {
        let mut tracker = TriggerTimeTracker::default();
        check(&mut tracker, 0, &[("a", 1), ("b", 2)], Some(0));
        check(&mut tracker, 0, &[("a", 1), ("b", 2)], None);
        check(&mut tracker, 0, &[("a", 5), ("b", 4)], Some(4));
        check(&mut tracker, 0, &[("a", 5)], None);
        check(&mut tracker, 0, &[("a", 5), ("b", 4)], Some(4));
        check(&mut tracker, 0, &[("a", 5), ("b", 3)], None);
        check(&mut tracker, 6, &[("a", 5), ("b", 3)], Some(6));
    }

    #[test]
    fn a_service_made_anew_is_new() {
        let mut tracker = TriggerTimeTracker::default();
        assert_eq!((tracker.len(), tracker.is_empty()), (0, true));
        check(&mut tracker, 0, &[("a", 1)], Some(0));
        check(&mut tracker, 0, &[("a", 1)], None);
        assert_eq!((tracker.len(), tracker.is_empty()), (1, false));
        tracker.delete_service(&NamespacedName {
            namespace: "shop".into(),
            name: "cart".into(),
        });
        assert!(tracker.is_empty());
        check(&mut tracker, 3, &[("a", 1)], Some(3));
    }
}
