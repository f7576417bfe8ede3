//! The facts about a slice that the controller needs, without its endpoints.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use slicewise::model::{EndpointSlice, NamespacedName, keys};
use slicewise::tracker::TrackedSlice;

/// The facts about a slice that the controller needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SliceSummary {
    /// Namespace and name.
    pub key: NamespacedName,
    /// Its uid.
    pub uid: String,
    /// How often its content has changed.
    pub generation: i64,
    /// The Service it is labelled with; empty if it has no such label.
    pub service: String,
    /// Is it ours to write, by its managed-by label?
    pub is_ours: bool,
    /// Is it being deleted, waiting only for its finalizers?
    pub is_pending_deletion: bool,
}

impl SliceSummary {
    /// Summarizes a slice.
    pub fn new(slice: &EndpointSlice<'_>, managed_by: &str) -> Self {
        let metadata = &slice.metadata;
        let manager = metadata.labels.get(keys::MANAGED_BY_LABEL);
        Self {
            key: NamespacedName::of(slice),
            uid: metadata.uid.to_string(),
            generation: slice.generation(),
            service: slice.service_name().to_owned(),
            is_ours: manager.is_some_and(|manager| *manager == *managed_by),
            is_pending_deletion: metadata.deletion_timestamp.is_some(),
        }
    }

    /// Do plans of its Service use it?
    pub const fn is_tracked(&self) -> bool {
        self.is_ours && !self.is_pending_deletion && !self.service.is_empty()
    }

    /// Was it tracked for its Service, and no longer is?
    pub fn is_left_by(&self, new: &Self) -> bool {
        let is_counted = |summary: &Self| summary.is_ours && !summary.is_pending_deletion;
        is_counted(self) && (!is_counted(new) || self.service != new.service)
    }

    /// The Service it is labelled with; `None` if it has no such label.
    pub fn service_key(&self) -> Option<NamespacedName> {
        (!self.service.is_empty()).then(|| NamespacedName {
            namespace: self.key.namespace.clone(),
            name: self.service.clone(),
        })
    }
}

impl TrackedSlice for SliceSummary {
    fn namespace(&self) -> &str {
        &self.key.namespace
    }

    fn service_name(&self) -> &str {
        &self.service
    }

    fn uid(&self) -> &str {
        &self.uid
    }

    fn generation(&self) -> i64 {
        self.generation
    }
}
