//! Expected generations of slices: have our writes shown up yet?
//!
//! Reference: `EndpointSliceTracker`. Between a write and the watch event that reports it, a cache is stale, and
//! planning over it would undo or repeat our own work. Lookups create no entries, and deleting a Service drops its
//! whole set: both leaked memory in the reference once.
//!
//! A list of all slices ends the wait for those missing from it, but only if it is newer than their write: an older
//! list says nothing about them.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::model::{EndpointSlice, NamespacedName, keys};

/// The facts about a slice that the tracker needs.
pub trait TrackedSlice {
    /// Namespace.
    fn namespace(&self) -> &str;
    /// The Service it is labelled with; empty if it has no such label.
    fn service_name(&self) -> &str;
    /// Its uid.
    fn uid(&self) -> &str;
    /// How often its content has changed; 0 if unknown.
    fn generation(&self) -> i64;
    /// Its `metadata.resourceVersion`; empty if unknown. Only used for slices that were written.
    fn resource_version(&self) -> &str {
        ""
    }
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

    fn resource_version(&self) -> &str {
        &self.metadata.resource_version
    }
}

/// The point in time that a list of all slices shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListMoment {
    /// The version of the list. It is compared with those of writes as a number, which the API guarantees since
    /// Kubernetes 1.35 (KEP-5504).
    Version(u64),
    /// The list was requested after this many writes had been acknowledged ([`SliceTracker::writes`]), and shows that
    /// state or a later one.
    AfterWrites(u64),
    /// Unknown; it may be any.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrackedState {
    Generation(i64),
    Deletion,
}

impl TrackedState {
    /// Does the observed state show the write? `None` is a slice that does not exist.
    fn is_shown_by(self, generation: Option<i64>) -> bool {
        match self {
            Self::Generation(written) => generation.is_some_and(|read| written <= read),
            Self::Deletion => generation.is_none(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct ExpectedWrite {
    state: TrackedState,
    /// The version of the write, if it is a number.
    version: Option<u64>,
    /// The number of the write.
    write: u64,
    /// Does the slice as last seen show the write?
    is_shown: bool,
}

impl ExpectedWrite {
    /// Would a list of that moment show the write?
    fn is_before(self, moment: ListMoment) -> bool {
        match moment {
            ListMoment::Version(listed) => self.version.is_some_and(|version| version <= listed),
            ListMoment::AfterWrites(writes) => self.write <= writes,
            ListMoment::Unknown => false,
        }
    }
}

/// The expectations for the slices of one Service.
#[derive(Debug, Clone, Default)]
struct OfService {
    /// The uid of the Service that was synced last; empty if unknown.
    service_uid: String,
    by_uid: BTreeMap<String, ExpectedWrite>,
    /// The number of writes that are not visible yet.
    behind: usize,
}

impl OfService {
    fn set(&mut self, uid: &str, expected: ExpectedWrite) {
        self.remove(uid);
        self.behind += usize::from(!expected.is_shown);
        self.by_uid.insert(uid.to_owned(), expected);
    }

    fn remove(&mut self, uid: &str) -> Option<ExpectedWrite> {
        let expected = self.by_uid.remove(uid)?;
        self.behind -= usize::from(!expected.is_shown);
        Some(expected)
    }

    /// Records the observed generation of a slice; `None` if it does not exist.
    fn read(&mut self, uid: &str, generation: Option<i64>) {
        if let Some(expected) = self.by_uid.get_mut(uid) {
            self.behind -= usize::from(!expected.is_shown);
            expected.is_shown = expected.state.is_shown_by(generation);
            self.behind += usize::from(!expected.is_shown);
        }
    }

    fn retain(&mut self, mut stays: impl FnMut(&str, ExpectedWrite) -> bool) {
        self.by_uid.retain(|uid, expected| stays(uid, *expected));
        let behind = self.by_uid.values().filter(|expected| !expected.is_shown);
        self.behind = behind.count();
    }
}

/// Expected generations by slice uid, per Service.
///
/// A caller that caches slices reports every slice it sees or loses ([`SliceTracker::see`], [`SliceTracker::lose`]), so
/// that [`SliceTracker::is_stale`] need not visit any; one that lists slices each time passes them all to
/// [`SliceTracker::stale_slices`].
#[derive(Debug, Clone, Default)]
pub struct SliceTracker {
    services: BTreeMap<NamespacedName, OfService>,
    writes: u64,
}

impl SliceTracker {
    /// Is anything expected of the slice?
    pub fn has(&self, slice: &impl TrackedSlice) -> bool {
        self.expected(slice).is_some()
    }

    /// Is the slice newer than what we know, so that its Service must be synced?
    pub fn should_sync(&self, slice: &impl TrackedSlice) -> bool {
        match self.expected(slice).map(|expected| expected.state) {
            None => true,
            Some(TrackedState::Generation(generation)) => slice.generation() > generation,
            // The reference keeps -1 for an expected deletion, so any generation is newer.
            Some(TrackedState::Deletion) => slice.generation() > -1,
        }
    }

    /// Reports the current state of a tracked slice of a Service. Also to be called after a write: the event may have
    /// arrived before the answer.
    pub fn see(&mut self, slice: &impl TrackedSlice) {
        if let Some(expected) = self.services.get_mut(&service_key(slice)) {
            expected.read(slice.uid(), Some(slice.generation()));
        }
    }

    /// Reports that a slice no longer belongs to its Service, is being deleted, or is gone.
    pub fn lose(&mut self, slice: &impl TrackedSlice) {
        if let Some(expected) = self.services.get_mut(&service_key(slice)) {
            expected.read(slice.uid(), None);
        }
    }

    /// Says which Service is about to be synced: what is expected of a predecessor of the same name, by uid, is forgotten.
    /// For versions of Kubernetes that do so.
    #[doc(hidden)]
    pub fn follow(&mut self, service: &NamespacedName, uid: &str) {
        let known = match self.services.get_mut(service) {
            Some(known) => known,
            None => self.services.entry(service.clone()).or_default(),
        };
        if known.service_uid == uid {
            return;
        }
        if !known.service_uid.is_empty() && !uid.is_empty() {
            *known = OfService::default();
        }
        known.service_uid = uid.to_owned();
    }

    /// Are the Service's slices, as reported, older than our writes?
    pub fn is_stale(&self, service: &NamespacedName) -> bool {
        let expected = self.services.get(service);
        expected.is_some_and(|expected| expected.behind > 0)
    }

    /// Are these slices of the Service older than our writes? `slices` must not include those being deleted.
    pub fn stale_slices<'s, S: TrackedSlice + 's>(
        &self,
        service: &NamespacedName,
        slices: impl IntoIterator<Item = &'s S>,
    ) -> bool {
        let Some(OfService { by_uid, .. }) = self.services.get(service) else {
            return false;
        };
        let mut found = 0;
        for slice in slices {
            let Some(expected) = by_uid.get(slice.uid()) else {
                continue;
            };
            if !expected.state.is_shown_by(Some(slice.generation())) {
                return true;
            }
            found += 1;
        }
        let written = by_uid.values();
        let written = written.filter(|expected| expected.state != TrackedState::Deletion);
        found < written.count()
    }

    /// The number of acknowledged writes.
    pub const fn writes(&self) -> u64 {
        self.writes
    }

    /// Records a slice that we have written or seen.
    pub fn update(&mut self, slice: &impl TrackedSlice) {
        self.set(slice, TrackedState::Generation(slice.generation()));
    }

    /// Records that we have deleted a slice.
    pub fn expect_deletion(&mut self, slice: &impl TrackedSlice) {
        self.set(slice, TrackedState::Deletion);
    }

    /// Removes a deleted slice. Was the deletion expected? It counts as expected for an unknown slice.
    pub fn handle_deletion(&mut self, slice: &impl TrackedSlice) -> bool {
        let expected = self.services.get_mut(&service_key(slice));
        let expected = expected.and_then(|expected| expected.remove(slice.uid()));
        expected.is_none_or(|expected| expected.state == TrackedState::Deletion)
    }

    /// Must a list of that moment include the slice, if it still exists? True if nothing is expected of it.
    pub fn is_shown(&self, slice: &impl TrackedSlice, moment: ListMoment) -> bool {
        let expected = self.expected(slice);
        expected.is_none_or(|expected| expected.is_before(moment))
    }

    /// Removes slices that do not exist, given the uids of those that do, after a list of all of them that is newer
    /// than our write. Returns the Services that were waiting for one of these. (The reference would keep waiting.)
    #[doc(hidden)]
    pub fn retain_slices<'s>(
        &mut self,
        moment: ListMoment,
        uids: impl Fn(&NamespacedName) -> BTreeSet<&'s str>,
    ) -> Vec<NamespacedName> {
        let mut waited = Vec::new();
        self.services.retain(|service, expected| {
            let there = uids(service);
            let mut has_waited = false;
            expected.retain(|uid, expected| {
                let is_deletion = expected.state == TrackedState::Deletion;
                // A slice missing after its deletion stays missing, whatever the moment: it does not come back.
                let stays = there.contains(uid) || !(is_deletion || expected.is_before(moment));
                has_waited |= !stays && !is_deletion;
                stays
            });
            if has_waited {
                waited.push(service.clone());
            }
            !expected.by_uid.is_empty()
        });
        waited
    }

    /// Removes a deleted Service and all its slices.
    pub fn delete_service(&mut self, service: &NamespacedName) {
        self.services.remove(service);
    }

    /// The number of Services with expectations.
    pub fn len(&self) -> usize {
        self.services.len()
    }

    /// Are there no expectations?
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    fn expected(&self, slice: &impl TrackedSlice) -> Option<ExpectedWrite> {
        let expected = self.services.get(&service_key(slice))?;
        expected.by_uid.get(slice.uid()).copied()
    }

    fn set(&mut self, slice: &impl TrackedSlice, state: TrackedState) {
        self.writes += 1;
        let expected = ExpectedWrite {
            state,
            version: slice.resource_version().parse().ok(),
            write: self.writes,
            is_shown: state.is_shown_by(None),
        };
        let of_service = self.services.entry(service_key(slice)).or_default();
        of_service.set(slice.uid(), expected);
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
        assert!(
            !tracker.should_sync(&slice("a", -1)),
            "the reference expects generation -1"
        );
        assert!(tracker.handle_deletion(&slice("a", 2)));
        assert!(!tracker.has(&slice("a", 2)));
        tracker.update(&slice("b", 1));
        assert!(
            !tracker.handle_deletion(&slice("b", 1)),
            "someone else deleted it"
        );
        assert!(tracker.handle_deletion(&slice("c", 1)));
    }

    #[test]
    fn what_is_seen_and_lost_counts_as_if_all_slices_were_given() {
        let mut tracker = SliceTracker::default();
        let mut seen: Vec<EndpointSlice<'static>> = Vec::new();
        // Every call with every slice, in an order that reaches most states.
        for step in 0..5000_usize {
            let uid = ["a", "b", "c"][step / 5 % 3];
            let mut slice = slice(uid, (step % 7) as i64);
            slice.metadata.resource_version = format!("{step}").into();
            let place = seen.iter().position(|slice| slice.metadata.uid == uid);
            match step * step / 3 % 8 {
                0 => tracker.update(&slice),
                1 => tracker.expect_deletion(&slice),
                2 => drop(tracker.handle_deletion(&slice)),
                3 if step % 11 == 0 => tracker.delete_service(&cart()),
                3 => {
                    let moment = ListMoment::Version((step as u64).saturating_sub(5));
                    tracker.retain_slices(moment, |_| [uid].into());
                }
                4 | 5 => {
                    seen.extend(place.is_none().then(|| slice.clone()));
                    if let Some(place) = place {
                        seen[place] = slice;
                    }
                }
                _ => drop(place.map(|place| tracker.lose(&seen.remove(place)))),
            }
            // As after a write, the known state is reported again.
            for slice in &seen {
                tracker.see(slice);
            }
            let stale = tracker.stale_slices(&cart(), &seen);
            assert_eq!(tracker.is_stale(&cart()), stale, "after step {step}");
        }
    }

    fn written(uid: &'static str, version: &'static str) -> EndpointSlice<'static> {
        let mut slice = slice(uid, 1);
        slice.metadata.resource_version = version.into();
        slice
    }

    #[test]
    fn a_new_list_ends_the_wait_for_what_it_lacks() {
        let mut tracker = SliceTracker::default();
        for uid in ["a", "b"] {
            tracker.update(&written(uid, "7"));
        }
        tracker.expect_deletion(&slice("c", 1));
        let moment = ListMoment::Version(7);
        assert_eq!(tracker.retain_slices(moment, |_| ["a", "b"].into()), []);
        assert_eq!(tracker.retain_slices(moment, |_| ["a"].into()), [cart()]);
        assert!(!tracker.stale_slices(&cart(), [&slice("a", 1)]));
        assert_eq!(tracker.retain_slices(moment, |_| [].into()), [cart()]);
        assert!(tracker.is_empty());
    }

    #[test]
    fn a_list_of_an_earlier_moment_than_a_write_does_not_end_its_wait() {
        let mut tracker = SliceTracker::default();
        tracker.update(&written("a", "50"));
        let before = ListMoment::AfterWrites(0);
        for moment in [ListMoment::Version(49), ListMoment::Unknown, before] {
            assert_eq!(tracker.retain_slices(moment, |_| [].into()), []);
            assert!(!tracker.is_shown(&slice("a", 1), moment));
            assert!(tracker.stale_slices::<EndpointSlice<'_>>(&cart(), []));
        }
        // A slice without a version cannot be compared.
        tracker.update(&slice("b", 1));
        let listed = tracker.retain_slices(ListMoment::Version(50), |_| [].into());
        assert_eq!(listed, [cart()]);
        assert!(tracker.has(&slice("b", 1)));
        let now = ListMoment::AfterWrites(tracker.writes());
        for uid in ["b", "never written"] {
            assert!(tracker.is_shown(&slice(uid, 1), now), "{uid}");
        }
        assert_eq!(tracker.retain_slices(now, |_| [].into()), [cart()]);
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
            assert_eq!((tracker.len(), tracker.is_empty()), (1, false));
            tracker.delete_service(&service_key(&slice));
        }
        assert_eq!((tracker.len(), tracker.is_empty()), (0, true));
    }
}
