//! How far the writes of a plan got.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::slice::Slice;
use super::{ServiceRef, SliceRef};
use crate::model::{EndpointSlice, Families, keys};
use crate::tracker::SliceTracker;

/// Writes that were made; `T` is a slice as stored.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Applied<T> {
    /// Slices created, as stored.
    pub created: Vec<T>,
    /// Slices updated, as stored.
    pub updated: Vec<T>,
    /// Slices deleted.
    pub deleted: Vec<SliceRef<'static>>,
    /// Writes not attempted because an earlier one in their family was refused.
    pub skipped: usize,
    /// A create was refused because the namespace is being deleted.
    pub namespace_terminating: bool,
    /// Families of the Service that were not written completely, for any reason.
    pub incomplete: Families,
}

// Derived, it would require a default for slices.
impl<T> Default for Applied<T> {
    fn default() -> Self {
        Self {
            created: Vec::new(),
            updated: Vec::new(),
            deleted: Vec::new(),
            skipped: 0,
            namespace_terminating: false,
            incomplete: Families::default(),
        }
    }
}

impl<T: Slice> Applied<T> {
    /// Tells the tracker what to expect from now on, also after a partial failure: the other writes were made.
    pub fn record(&self, service: &ServiceRef<'_>, tracker: &mut SliceTracker) {
        for stored in self.created.iter().chain(&self.updated) {
            stored.expect_in(tracker);
        }
        for deleted in &self.deleted {
            let mut gone = EndpointSlice::default();
            gone.metadata.namespace = service.namespace.clone();
            gone.metadata.uid = deleted.uid.clone();
            gone.metadata
                .labels
                .insert(keys::SERVICE_NAME_LABEL.into(), service.name.clone());
            tracker.expect_deletion(&gone);
        }
    }
}

/// Some writes failed; others were made.
#[derive(Debug)]
#[non_exhaustive]
pub struct ApplyError<T, E> {
    /// The writes that were made.
    pub applied: Applied<T>,
    /// The first failure of each family, and every failed delete of an unwanted family.
    pub failures: Vec<FailedWrite<E>>,
}

/// A write that failed.
#[derive(Debug)]
#[non_exhaustive]
pub struct FailedWrite<E> {
    /// `create`, `update` or `delete`.
    pub operation: &'static str,
    /// The slice; the generated prefix for creates.
    pub slice: String,
    /// The error.
    pub error: E,
}

impl<T, E: fmt::Display> fmt::Display for ApplyError<T, E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, failure) in self.failures.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            let FailedWrite {
                operation,
                slice,
                error,
            } = failure;
            write!(
                formatter,
                "{separator}failed to {operation} EndpointSlice {slice}: {error}"
            )?;
        }
        Ok(())
    }
}

impl<T: fmt::Debug, E: fmt::Debug + fmt::Display> core::error::Error for ApplyError<T, E> {}
