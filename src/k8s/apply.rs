//! Writing a plan through a blocking client, and what came of it.

use std::fmt;

use k8s_openapi::api::discovery::v1::EndpointSlice;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;

use super::{Answer, Operation, Plan, slice};
use crate::model::keys;
use crate::plan::apply::Failure;
use crate::plan::{ServiceRef, SliceRef};
use crate::tracker::SliceTracker;

/// Writes slices somewhere: an API server, a file, a test.
pub trait Writer {
    /// What a refused write says.
    type Error;

    /// Creates a slice, which has a `generateName` and no name. Returns it as it was stored.
    ///
    /// # Errors
    /// When the write is refused.
    fn create(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, Self::Error>;

    /// Replaces a slice; name, uid and resourceVersion say which. Returns it as it was stored.
    ///
    /// # Errors
    /// When the write is refused.
    fn update(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, Self::Error>;

    /// Deletes a slice.
    ///
    /// # Errors
    /// When the write is refused.
    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), Self::Error>;

    /// Was the create refused because the namespace is being deleted? See [`is_namespace_terminating`].
    fn is_namespace_terminating(&self, error: &Self::Error) -> bool;
}

/// Does an API server's answer say that nothing can be created because the namespace is being deleted?
pub fn is_namespace_terminating(status: &Status) -> bool {
    let causes = status
        .details
        .as_ref()
        .and_then(|details| details.causes.as_ref());
    let mut causes = causes.into_iter().flatten();
    causes.any(|cause| cause.reason.as_deref() == Some("NamespaceTerminating"))
}

/// Writes that were made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Applied {
    /// Slices created, as they were stored.
    pub created: Vec<EndpointSlice>,
    /// Slices updated, as they were stored.
    pub updated: Vec<EndpointSlice>,
    /// Slices deleted.
    pub deleted: Vec<SliceRef<'static>>,
    /// Writes not tried, because one before them in their family was refused.
    pub skipped: usize,
    /// A create was refused because the namespace is being deleted.
    pub namespace_terminating: bool,
}

impl Applied {
    /// Tells the tracker what to expect from now on. After a partial failure, too: what was done was done.
    pub fn record(&self, service: &ServiceRef<'_>, tracker: &mut SliceTracker) {
        for stored in self.created.iter().chain(&self.updated) {
            tracker.update(&slice::metadata_of(stored));
        }
        for deleted in &self.deleted {
            let mut gone = crate::model::EndpointSlice::default();
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
pub struct ApplyError<E> {
    /// What was done all the same.
    pub applied: Applied,
    /// The first failure of each family, and every failed delete of an unwanted family.
    pub failures: Vec<Failure<E>>,
}

impl<E: fmt::Display> fmt::Display for ApplyError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, failure) in self.failures.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            let Failure {
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

impl<E: fmt::Debug + fmt::Display> std::error::Error for ApplyError<E> {}

impl Plan {
    /// Writes the plan in its order; [`super::Writing`] says what a failure ends.
    ///
    /// # Errors
    /// When any write was refused; it tells what was done all the same.
    pub fn apply<W: Writer>(&self, writer: &mut W) -> Result<Applied, ApplyError<W::Error>> {
        let mut writing = self.writing();
        while let Some(operation) = writing.operation() {
            writing.record(match operation {
                Operation::Create(slice) => match writer.create(slice) {
                    Err(error) if writer.is_namespace_terminating(&error) => {
                        Answer::NamespaceTerminating
                    }
                    result => result.into(),
                },
                Operation::Update(slice) => writer.update(slice).into(),
                Operation::Delete { namespace, slice } => writer.delete(namespace, slice).into(),
            });
        }
        writing.finish()
    }
}
