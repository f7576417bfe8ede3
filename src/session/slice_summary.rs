//! What the controller looks at of a slice, without its endpoints.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use crate::model::{EndpointSlice, NamespacedName, keys};
use crate::tracker::TrackedSlice;

/// What the controller looks at of a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SliceSummary {
    /// Namespace and name.
    pub key: NamespacedName,
    /// Identity.
    pub uid: String,
    /// How often its content has changed.
    pub generation: i64,
    /// The Service it says it belongs to; empty when it does not say.
    pub service: String,
    /// Is it ours to write, by its managed-by label?
    pub is_ours: bool,
    /// Does it wait for its finalizers only?
    pub is_pending_deletion: bool,
}

impl SliceSummary {
    /// Looks at a slice.
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

    /// Does a plan for its Service look at it?
    pub const fn is_tracked(&self) -> bool {
        self.is_ours && !self.is_pending_deletion && !self.service.is_empty()
    }

    /// Has it been a slice of its Service to write, and is no longer?
    pub fn is_left_by(&self, new: &Self) -> bool {
        let is_counted = |mark: &Self| mark.is_ours && !mark.is_pending_deletion;
        is_counted(self) && (!is_counted(new) || self.service != new.service)
    }

    /// The Service it belongs to; `None` when it does not say.
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
