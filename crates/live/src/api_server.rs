//! The part of an API server that an EndpointSlice controller uses: it stores slices, generates names, counts versions
//! and generations, refuses what it must, and reports every change.
//!
//! Reference: `pkg/registry/discovery/endpointslice/strategy.go`, the generic registry store, and the garbage
//! collector, which acts immediately here. Names and uids are sequential, not random.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::time::Duration;

use slicewise::kubernetes::{Behavior, KubernetesVersion};
use slicewise::model::{EndpointSlice, NamespacedName, ObjectMeta, Text, Timestamp};
use slicewise::plan::SliceRef;
use slicewise::plan::apply::{Applied, ApplyError, Writer};
use slicewise::plan::writing::StoredSlice;

mod change;
mod look;
mod refusal;

pub use change::StoredChange;
pub use refusal::{ApiError, Refusal};

/// The prefix of all our uids, followed by a number.
const UID_PREFIX: &str = "00000000-0000-4000-8000-";

/// The result of writing a plan.
pub type StoreOutcome = Result<Applied<StoredSlice>, ApplyError<StoredSlice, ApiError>>;

/// Stores slices as the API server does.
#[derive(Debug, Default)]
pub struct ApiServer {
    slices: BTreeMap<NamespacedName, StoredSlice>,
    /// Names of slices by the Service that owns them.
    owned: BTreeMap<NamespacedName, BTreeSet<String>>,
    revision: u64,
    created: u64,
    terminating: BTreeSet<String>,
    refusals: VecDeque<Refusal>,
    changes: VecDeque<StoredChange>,
    now: Duration,
    kubernetes: KubernetesVersion,
}

impl ApiServer {
    /// The stored slices, sorted by namespace and name.
    pub fn slices(&self) -> impl Iterator<Item = &EndpointSlice<'static>> {
        self.slices.values().map(Arc::as_ref)
    }

    /// All slices of a server that is no longer needed, sorted by namespace and name.
    pub fn into_slices(self) -> impl Iterator<Item = EndpointSlice<'static>> {
        // Pending changes share them.
        drop(self.changes);
        self.slices.into_values().map(Arc::unwrap_or_clone)
    }

    /// The next change that was not returned yet, in the order they were made; `None` if there is none.
    pub fn next_change(&mut self) -> Option<StoredChange> {
        self.changes.pop_front()
    }

    /// The time since 1970 that deletions are stamped with.
    pub fn set_time(&mut self, now: Duration) {
        self.now = now;
    }

    /// Marks a namespace as being deleted: nothing new can be created in it.
    pub fn terminate_namespace(&mut self, namespace: &str) {
        self.terminating.insert(namespace.to_string());
    }

    /// A write by someone else, which is not refused. Missing metadata is filled in; its version is kept if it is later
    /// than any other. Returns the slice as stored; no change is reported.
    pub fn put(&mut self, slice: &EndpointSlice<'_>) -> &EndpointSlice<'static> {
        let mut slice = slice.to_static();
        let given = slice.metadata.resource_version.parse().unwrap_or_default();
        self.revision = (self.revision + 1).max(given);
        let key = NamespacedName::of(&slice);
        let old = self.slices.get(&key);
        if slice.metadata.uid.is_empty() {
            slice.metadata.uid = match old {
                Some(old) => old.metadata.uid.clone(),
                None => self.next_uid(),
            };
        }
        if slice.metadata.generation.is_none() {
            let old = self.slices.get(&key);
            slice.metadata.generation = Some(old.map_or(1, |old| generation_after(old, &slice)));
        }
        slice.metadata.resource_version = self.revision.to_string().into();
        self.unstore(&key);
        self.store(key, slice.into())
    }

    /// Stores a slice that some server stored before, unchanged. Names, uids and versions generated from now on do not
    /// collide with it.
    pub fn restore(&mut self, slice: EndpointSlice<'static>) {
        let metadata = &slice.metadata;
        let version = metadata.resource_version.parse().unwrap_or_default();
        self.revision = self.revision.max(version);
        let number = metadata.uid.strip_prefix(UID_PREFIX);
        let number = number.and_then(|number| u64::from_str_radix(number, 16).ok());
        self.created = self.created.max(number.unwrap_or_default());
        let key = NamespacedName::of(&slice);
        self.unstore(&key);
        self.store(key, slice.into());
    }

    /// A deletion by someone else. Returns the slice in its last state; no change is reported.
    pub fn take(&mut self, key: &NamespacedName) -> Option<EndpointSlice<'static>> {
        let mut slice = Arc::unwrap_or_clone(self.unstore(key)?);
        slice.metadata.resource_version = self.next_revision();
        Some(slice)
    }

    /// Deletes the slices that a deleted Service owned.
    pub fn collect_garbage(&mut self, service: &NamespacedName) {
        for name in self.owned.get(service).cloned().unwrap_or_default() {
            self.delete_key(&key_of(&service.namespace, &name));
        }
    }

    /// The version of a list at this moment.
    pub fn resource_version(&self) -> Text<'static> {
        self.revision.to_string().into()
    }

    /// The number of slices.
    pub fn len(&self) -> usize {
        self.slices.len()
    }

    /// Are there no slices, and no pending changes?
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty() && self.owned.is_empty() && self.changes.is_empty()
    }

    fn store(&mut self, key: NamespacedName, slice: StoredSlice) -> &EndpointSlice<'static> {
        for owner in owners(&slice) {
            let names = self.owned.entry(owner).or_default();
            names.insert(key.name.clone());
        }
        self.slices.entry(key).or_insert(slice)
    }

    fn unstore(&mut self, key: &NamespacedName) -> Option<StoredSlice> {
        let slice = self.slices.remove(key)?;
        for owner in owners(&slice) {
            if let Some(names) = self.owned.get_mut(&owner) {
                names.remove(&key.name);
                if names.is_empty() {
                    self.owned.remove(&owner);
                }
            }
        }
        Some(slice)
    }

    /// Replaces the slice with the same name, which usually has the same owner.
    fn replace(&mut self, key: NamespacedName, slice: StoredSlice) {
        match self.slices.get_mut(&key) {
            Some(old) if old.metadata.owner_references == slice.metadata.owner_references => {
                *old = slice;
            }
            _ => {
                self.unstore(&key);
                self.store(key, slice);
            }
        }
    }

    fn next_revision(&mut self) -> Text<'static> {
        self.revision += 1;
        self.revision.to_string().into()
    }

    fn next_uid(&mut self) -> Text<'static> {
        self.created += 1;
        format!("{UID_PREFIX}{:012x}", self.created).into()
    }

    /// A uid, and an unused name: a server also retries (`RetryGenerateName`).
    fn generated(&mut self, namespace: &str, prefix: &str) -> (Text<'static>, NamespacedName) {
        loop {
            let uid = self.next_uid();
            let key = key_of(namespace, &generated_name(prefix, self.created));
            if !self.slices.contains_key(&key) {
                return (uid, key);
            }
        }
    }

    fn tell(&mut self, slice: &StoredSlice, is_deletion: bool) {
        let slice = Arc::clone(slice);
        self.changes.push_back(StoredChange { is_deletion, slice });
    }

    fn refused(&mut self, namespace: &str, name: &str) -> Result<(), ApiError> {
        match self.refusals.pop_front() {
            Some(refusal) => Err(error(refusal, namespace, name)),
            None => Ok(()),
        }
    }

    fn delete_key(&mut self, key: &NamespacedName) {
        let Some(mut slice) = self.unstore(key).map(Arc::unwrap_or_clone) else {
            return;
        };
        if !has_finalizers(&slice.metadata) {
            slice.metadata.resource_version = self.next_revision();
            self.tell(&slice.into(), true);
            return;
        }
        let is_told = slice.metadata.deletion_timestamp.is_none();
        if slice.metadata.deletion_timestamp.is_none() {
            let seconds = i64::try_from(self.now.as_secs()).unwrap_or(i64::MAX);
            let time = Timestamp::from_unix(seconds, 0).map(|time| time.to_string());
            slice.metadata.deletion_timestamp = Some(time.unwrap_or_default().into());
            slice.metadata.generation = slice.metadata.generation.map(|number| number + 1);
            slice.metadata.resource_version = self.next_revision();
        }
        let slice = slice.into();
        if is_told {
            self.tell(&slice, false);
        }
        self.store(key.clone(), slice);
    }
}

impl Writer for ApiServer {
    type Error = ApiError;

    fn create(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, ApiError> {
        let metadata = &slice.metadata;
        let namespace = &*metadata.namespace;
        let refused_name = if metadata.name.is_empty() {
            &*metadata.generate_name
        } else {
            &*metadata.name
        };
        self.refused(namespace, refused_name)?;
        if self.terminating.contains(namespace) {
            return Err(error(
                Refusal::NamespaceTerminating,
                namespace,
                refused_name,
            ));
        }
        let (uid, key) = if metadata.name.is_empty() {
            self.generated(namespace, &metadata.generate_name)
        } else {
            (self.next_uid(), key_of(namespace, &metadata.name))
        };
        if self.slices.contains_key(&key) {
            return Err(error(Refusal::AlreadyExists, namespace, &key.name));
        }
        let mut stored = slice.to_static();
        stored.metadata.name = key.name.clone().into();
        stored.metadata.uid = uid;
        stored.metadata.generation = Some(1);
        stored.metadata.resource_version = self.next_revision();
        let stored = Arc::new(stored);
        self.store(key, Arc::clone(&stored));
        self.tell(&stored, false);
        Ok(stored)
    }

    fn update(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, ApiError> {
        let (namespace, name) = (&*slice.metadata.namespace, &*slice.metadata.name);
        let refuse = |refusal| Err(error(refusal, namespace, name));
        self.refused(namespace, name)?;
        let key = key_of(namespace, name);
        let Some(old) = self.slices.get(&key) else {
            return refuse(Refusal::NotFound);
        };
        let is_meant = |given: &Text<'_>, stored: &Text<'_>| given.is_empty() || given == stored;
        if !is_meant(&slice.metadata.uid, &old.metadata.uid)
            || !is_meant(
                &slice.metadata.resource_version,
                &old.metadata.resource_version,
            )
        {
            return refuse(Refusal::Conflict);
        }
        if slice.address_type != old.address_type {
            return refuse(Refusal::Invalid);
        }
        let mut stored = slice.to_static();
        stored.metadata.uid = old.metadata.uid.clone();
        stored.metadata.creation_timestamp = old.metadata.creation_timestamp.clone();
        stored.metadata.deletion_timestamp = old.metadata.deletion_timestamp.clone();
        let generation = generation_after(old, slice);
        let is_same = old.metadata.generation == Some(generation);
        stored.metadata.generation = Some(generation);
        stored.metadata.resource_version = old.metadata.resource_version.clone();
        if is_same && stored == **old {
            return Ok(Arc::clone(old));
        }
        stored.metadata.resource_version = self.next_revision();
        let stored = Arc::new(stored);
        self.replace(key, Arc::clone(&stored));
        self.tell(&stored, false);
        Ok(stored)
    }

    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), ApiError> {
        let refuse = |refusal| Err(error(refusal, namespace, &slice.name));
        self.refused(namespace, &slice.name)?;
        let key = key_of(namespace, &slice.name);
        match self.slices.get(&key) {
            None => refuse(Refusal::NotFound),
            Some(old) if old.metadata.uid != slice.uid => refuse(Refusal::Conflict),
            Some(_) => {
                self.delete_key(&key);
                Ok(())
            }
        }
    }

    fn is_namespace_terminating(&self, error: &ApiError) -> bool {
        error.refusal == Refusal::NamespaceTerminating
    }

    fn is_gone(&self, error: &ApiError) -> bool {
        error.refusal == Refusal::NotFound && self.kubernetes.has(Behavior::MissingDeletes)
    }
}

/// The Services that own a slice.
fn owners(slice: &EndpointSlice<'_>) -> impl Iterator<Item = NamespacedName> {
    let services = slice.metadata.owner_references.iter();
    let services = services.filter(|owner| owner.kind == "Service");
    services.map(|owner| key_of(&slice.metadata.namespace, &owner.name))
}

fn error(refusal: Refusal, namespace: &str, name: &str) -> ApiError {
    ApiError {
        refusal,
        namespace: namespace.to_string(),
        name: name.to_string(),
    }
}

fn key_of(namespace: &str, name: &str) -> NamespacedName {
    NamespacedName {
        namespace: namespace.to_string(),
        name: name.to_string(),
    }
}

/// It grows if anything but metadata has changed, or the labels.
fn generation_after(old: &EndpointSlice<'_>, new: &EndpointSlice<'_>) -> i64 {
    let is_same = old.address_type == new.address_type
        && old.endpoints == new.endpoints
        && old.ports == new.ports
        && old.unknown == new.unknown
        && old.metadata.labels == new.metadata.labels;
    old.metadata.generation.unwrap_or_default() + i64::from(!is_same)
}

fn has_finalizers(metadata: &ObjectMeta<'_>) -> bool {
    let mut fields = metadata.unknown.iter();
    fields.any(|(key, value)| key == "finalizers" && value.contains('"'))
}

/// A prefix and five letters or digits, like the API server's names, but sequential.
fn generated_name(prefix: &str, number: u64) -> String {
    const LONGEST_PREFIX: usize = 58;
    let mut name: String = prefix.chars().take(LONGEST_PREFIX).collect();
    name.push_str(&counted_suffix(number, 5));
    name
}

/// A number written with `length` of the letters and digits that generated names use.
#[must_use]
pub fn counted_suffix(number: u64, length: u32) -> String {
    const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let digits = (0..length).rev().filter_map(|power| {
        let digit = number / 27_u64.saturating_pow(power) % 27;
        ALPHABET.get(digit as usize).copied()
    });
    digits.map(char::from).collect()
}

#[cfg(test)]
mod tests;
