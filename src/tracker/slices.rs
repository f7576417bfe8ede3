//! Expected generations of slices: has what we wrote come back yet?
//!
//! Reference: `EndpointSliceTracker`. Between a write and the watch event that reports it, a cache is stale, and
//! planning over it would undo or repeat our own work. Reading creates nothing, and deleting a Service drops its
//! whole set: both leaked memory in the reference once.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::model::{EndpointSlice, NamespacedName, keys};

/// What the tracker looks at of a slice.
pub trait TrackedSlice {
    /// Namespace.
    fn namespace(&self) -> &str;
    /// The Service it says it belongs to; empty when it does not say.
    fn service_name(&self) -> &str;
    /// Identity.
    fn uid(&self) -> &str;
    /// How often its content has changed; 0 when it does not say.
    fn generation(&self) -> i64;
}

impl TrackedSlice for EndpointSlice<'_> {
    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn service_name(&self) -> &str {
        let label = self.metadata.labels.get(keys::SERVICE_NAME_LABEL);
        label.map(|name| name.as_str()).unwrap_or_default()
    }

    fn uid(&self) -> &str {
        &self.metadata.uid
    }

    fn generation(&self) -> i64 {
        self.metadata.generation.unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Generation(i64),
    Deletion,
}

/// Expected generations by slice uid, per Service.
#[derive(Debug, Clone, Default)]
pub struct SliceTracker {
    services: BTreeMap<NamespacedName, BTreeMap<String, Expected>>,
}

impl SliceTracker {
    /// Is anything expected of the slice?
    pub fn has(&self, slice: &impl TrackedSlice) -> bool {
        self.expected(slice).is_some()
    }

    /// Is the slice newer than what we know, so that its Service must be synced?
    pub fn should_sync(&self, slice: &impl TrackedSlice) -> bool {
        match self.expected(slice) {
            None => true,
            Some(Expected::Generation(generation)) => slice.generation() > generation,
            // The reference keeps -1 for an expected deletion, so any generation is newer.
            Some(Expected::Deletion) => slice.generation() > -1,
        }
    }

    /// Are the Service's slices as read older than what we wrote? `slices` leaves out those pending deletion.
    pub fn stale_slices<'s, S: TrackedSlice + 's>(
        &self,
        service: &NamespacedName,
        slices: impl IntoIterator<Item = &'s S>,
    ) -> bool {
        let Some(expected) = self.services.get(service) else {
            return false;
        };
        let mut found = 0;
        for slice in slices {
            match expected.get(slice.uid()) {
                None => {}
                Some(Expected::Generation(generation)) if *generation <= slice.generation() => {
                    found += 1;
                }
                Some(_) => return true,
            }
        }
        let written = expected.values();
        found
            < written
                .filter(|expected| **expected != Expected::Deletion)
                .count()
    }

    /// Remembers a slice we have written, or seen.
    pub fn update(&mut self, slice: &impl TrackedSlice) {
        self.set(slice, Expected::Generation(slice.generation()));
    }

    /// Remembers that we have deleted a slice.
    pub fn expect_deletion(&mut self, slice: &impl TrackedSlice) {
        self.set(slice, Expected::Deletion);
    }

    /// Forgets a slice that is gone. Was that expected? A slice we know nothing of counts as expected.
    pub fn handle_deletion(&mut self, slice: &impl TrackedSlice) -> bool {
        let Some(expected) = self.services.get_mut(&service_key(slice)) else {
            return true;
        };
        expected
            .remove(slice.uid())
            .is_none_or(|expected| expected == Expected::Deletion)
    }

    /// Forgets all slices but those that are there, by their uids: after a new list of all of them. Returns the
    /// Services that waited for a slice which is not there. (The reference would wait on.)
    pub fn retain_slices<'s>(
        &mut self,
        uids: impl Fn(&NamespacedName) -> BTreeSet<&'s str>,
    ) -> Vec<NamespacedName> {
        let mut waited = Vec::new();
        self.services.retain(|service, expected| {
            let there = uids(service);
            let is_missing = |(uid, expected): (&String, &Expected)| {
                *expected != Expected::Deletion && !there.contains(uid.as_str())
            };
            if expected.iter().any(is_missing) {
                waited.push(service.clone());
            }
            expected.retain(|uid, _| there.contains(uid.as_str()));
            !expected.is_empty()
        });
        waited
    }

    /// Forgets a deleted Service and all its slices.
    pub fn delete_service(&mut self, service: &NamespacedName) {
        self.services.remove(service);
    }

    /// Services something is expected of.
    pub fn len(&self) -> usize {
        self.services.len()
    }

    /// Is nothing expected?
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    fn expected(&self, slice: &impl TrackedSlice) -> Option<Expected> {
        self.services
            .get(&service_key(slice))?
            .get(slice.uid())
            .copied()
    }

    fn set(&mut self, slice: &impl TrackedSlice, expected: Expected) {
        self.services
            .entry(service_key(slice))
            .or_default()
            .insert(slice.uid().to_owned(), expected);
    }
}

fn service_key(slice: &impl TrackedSlice) -> NamespacedName {
    NamespacedName {
        namespace: slice.namespace().to_owned(),
        name: slice.service_name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Text;

    fn slice(uid: &'static str, generation: i64) -> EndpointSlice<'static> {
        let mut slice = EndpointSlice::default();
        slice.metadata.namespace = "shop".into();
        slice.metadata.uid = uid.into();
        slice.metadata.generation = Some(generation);
        slice
            .metadata
            .labels
            .insert(keys::SERVICE_NAME_LABEL.into(), Text::from("cart"));
        slice
    }

    fn cart() -> NamespacedName {
        NamespacedName {
            namespace: "shop".into(),
            name: "cart".into(),
        }
    }

    #[test]
    fn a_write_makes_older_reads_stale() {
        let mut tracker = SliceTracker::default();
        assert!(!tracker.stale_slices(&cart(), [&slice("a", 1)]));
        tracker.update(&slice("a", 2));
        assert!(tracker.has(&slice("a", 1)));
        assert!(tracker.stale_slices(&cart(), [&slice("a", 1)]));
        assert!(
            tracker.stale_slices::<EndpointSlice<'_>>(&cart(), []),
            "a slice we wrote is missing"
        );
        assert!(!tracker.stale_slices(&cart(), [&slice("a", 2), &slice("b", 1)]));
        assert!(!tracker.should_sync(&slice("a", 2)));
        assert!(tracker.should_sync(&slice("a", 3)));
        assert!(tracker.should_sync(&slice("b", 1)));
    }

    #[test]
    fn expected_deletions() {
        let mut tracker = SliceTracker::default();
        tracker.expect_deletion(&slice("a", 2));
        assert!(
            tracker.stale_slices(&cart(), [&slice("a", 2)]),
            "the deletion has not come back yet"
        );
        assert!(!tracker.stale_slices::<EndpointSlice<'_>>(&cart(), []));
        assert!(tracker.should_sync(&slice("a", 0)));
        assert!(tracker.handle_deletion(&slice("a", 2)));
        assert!(!tracker.has(&slice("a", 2)));
        tracker.update(&slice("b", 1));
        assert!(
            !tracker.handle_deletion(&slice("b", 1)),
            "somebody else deleted it"
        );
        assert!(tracker.handle_deletion(&slice("c", 1)));
    }

    #[test]
    fn a_new_list_ends_the_wait_for_what_it_lacks() {
        let mut tracker = SliceTracker::default();
        for uid in ["a", "b"] {
            tracker.update(&slice(uid, 1));
        }
        tracker.expect_deletion(&slice("c", 1));
        assert_eq!(tracker.retain_slices(|_| ["a", "b"].into()), []);
        assert_eq!(tracker.retain_slices(|_| ["a"].into()), [cart()]);
        assert!(!tracker.stale_slices(&cart(), [&slice("a", 1)]));
        assert_eq!(tracker.retain_slices(|_| [].into()), [cart()]);
        assert!(tracker.is_empty());
    }

    #[test]
    fn churn_leaves_nothing_behind() {
        let mut tracker = SliceTracker::default();
        for round in 0..1000 {
            let mut slice = slice("a", round);
            slice.metadata.labels.insert(
                keys::SERVICE_NAME_LABEL.into(),
                Text::from(format!("service-{round}")),
            );
            assert!(
                !tracker.has(&slice)
                    && tracker.should_sync(&slice)
                    && tracker.handle_deletion(&slice)
            );
            assert!(tracker.is_empty(), "reading created an entry");
            tracker.update(&slice);
            tracker.delete_service(&service_key(&slice));
        }
        assert!(tracker.is_empty());
    }
}
