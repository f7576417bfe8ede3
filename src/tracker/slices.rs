//! Expected generations of slices: has what we wrote come back yet?
//!
//! Reference: `EndpointSliceTracker`. Between a write and the watch event that reports it, a cache is stale, and
//! planning over it would undo or repeat our own work. Reading creates nothing, and deleting a Service drops its
//! whole set: both leaked memory in the reference once.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

use crate::model::{EndpointSlice, NamespacedName, keys};

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
    pub fn has(&self, slice: &EndpointSlice<'_>) -> bool {
        self.expected(slice).is_some()
    }

    /// Is the slice newer than what we know, so that its Service must be synced?
    pub fn should_sync(&self, slice: &EndpointSlice<'_>) -> bool {
        match self.expected(slice) {
            None => true,
            Some(Expected::Generation(generation)) => Self::generation(slice) > generation,
            // The reference keeps -1 for an expected deletion, so any generation is newer.
            Some(Expected::Deletion) => Self::generation(slice) > -1,
        }
    }

    /// Are the Service's slices as read older than what we wrote? `slices` leaves out those pending deletion.
    pub fn stale_slices<'s>(
        &self,
        service: &NamespacedName,
        slices: impl IntoIterator<Item = &'s EndpointSlice<'s>>,
    ) -> bool {
        let Some(expected) = self.services.get(service) else {
            return false;
        };
        let mut given = BTreeMap::new();
        for slice in slices {
            given.insert(slice.metadata.uid.to_string(), ());
            let is_older = match expected.get(slice.metadata.uid.as_str()) {
                None => false,
                Some(Expected::Deletion) => true,
                Some(Expected::Generation(generation)) => *generation > Self::generation(slice),
            };
            if is_older {
                return true;
            }
        }
        expected
            .iter()
            .any(|(uid, expected)| *expected != Expected::Deletion && !given.contains_key(uid))
    }

    /// Remembers a slice we have written, or seen.
    pub fn update(&mut self, slice: &EndpointSlice<'_>) {
        self.set(slice, Expected::Generation(Self::generation(slice)));
    }

    /// Remembers that we have deleted a slice.
    pub fn expect_deletion(&mut self, slice: &EndpointSlice<'_>) {
        self.set(slice, Expected::Deletion);
    }

    /// Forgets a slice that is gone. Was that expected? A slice we know nothing of counts as expected.
    pub fn handle_deletion(&mut self, slice: &EndpointSlice<'_>) -> bool {
        let Some(expected) = self.services.get_mut(&service_key(slice)) else {
            return true;
        };
        expected
            .remove(slice.metadata.uid.as_str())
            .is_none_or(|expected| expected == Expected::Deletion)
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

    fn expected(&self, slice: &EndpointSlice<'_>) -> Option<Expected> {
        self.services
            .get(&service_key(slice))?
            .get(slice.metadata.uid.as_str())
            .copied()
    }

    fn set(&mut self, slice: &EndpointSlice<'_>, expected: Expected) {
        self.services
            .entry(service_key(slice))
            .or_default()
            .insert(slice.metadata.uid.to_string(), expected);
    }

    fn generation(slice: &EndpointSlice<'_>) -> i64 {
        slice.metadata.generation.unwrap_or_default()
    }
}

fn service_key(slice: &EndpointSlice<'_>) -> NamespacedName {
    let name = slice
        .metadata
        .labels
        .get(keys::SERVICE_NAME_LABEL)
        .map(ToString::to_string)
        .unwrap_or_default();
    NamespacedName {
        namespace: slice.metadata.namespace.to_string(),
        name,
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
            tracker.stale_slices(&cart(), []),
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
        assert!(!tracker.stale_slices(&cart(), []));
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
