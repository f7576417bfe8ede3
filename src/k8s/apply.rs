//! Writes a plan through a blocking client.

use k8s_openapi::api::discovery::v1::EndpointSlice;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;

use super::{Answer, Operation, Plan};
use crate::plan::{SliceRef, apply};

/// Writes slices somewhere: an API server, a file, a test.
pub trait Writer {
    /// The error of a refused write.
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

    /// Did the delete only find nothing, and does the version of Kubernetes take that for success? Since 1.38, it does.
    fn is_gone(&self, _error: &Self::Error) -> bool {
        false
    }
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
pub type Applied = apply::Applied<EndpointSlice>;

/// Some writes failed; others were made.
pub type ApplyError<E> = apply::ApplyError<EndpointSlice, E>;

impl Plan {
    /// Writes the plan in its order; [`crate::plan::writing::Writing`] says which writes a failure prevents.
    ///
    /// # Errors
    /// When any write was refused; the error also lists the writes that were made.
    pub fn apply<W: Writer>(&self, writer: &mut W) -> Result<Applied, ApplyError<W::Error>> {
        self.writing().run(|operation| match operation {
            Operation::Create(slice) => match writer.create(slice) {
                Err(error) if writer.is_namespace_terminating(&error) => {
                    Answer::NamespaceTerminating
                }
                result => result.into(),
            },
            Operation::Update(slice) => writer.update(slice).into(),
            Operation::Delete { namespace, slice } => match writer.delete(namespace, slice) {
                Err(error) if writer.is_gone(&error) => Answer::Gone,
                result => result.into(),
            },
        })
    }
}
