//! A plan's writes in order, one at a time: [`crate::plan::writing`] over `k8s_openapi` slices.

use k8s_openapi::api::discovery::v1::EndpointSlice;

use super::slice;
use crate::plan::writing::{self, Slice};
use crate::tracker::SliceTracker;

/// One write of a plan.
pub type Operation<'p> = writing::Operation<'p, EndpointSlice>;

/// The result of a write.
pub type Answer<E> = writing::Answer<EndpointSlice, E>;

/// Writes a plan one step at a time, as async clients do; [`writing::Writing`] says which writes a refusal prevents.
///
/// ```
/// # use slicewise::k8s::{Answer, Operation, Plan};
/// # use k8s_openapi::api::discovery::v1::EndpointSlice;
/// # struct Api;
/// # #[derive(Debug)] struct Refusal;
/// # impl Api {
/// #     async fn create(&self, slice: &EndpointSlice) -> Result<EndpointSlice, Refusal> { Ok(slice.clone()) }
/// #     async fn replace(&self, slice: &EndpointSlice) -> Result<EndpointSlice, Refusal> { Ok(slice.clone()) }
/// #     async fn delete(&self, _: &str, _: &str) -> Result<(), Refusal> { Ok(()) }
/// # }
/// # fn is_namespace_terminating(_: &Refusal) -> bool { false }
/// async fn write(plan: &Plan, api: &Api) {
///     let mut writing = plan.writing();
///     while let Some(operation) = writing.operation() {
///         let answer = match operation {
///             Operation::Create(slice) => match api.create(slice).await {
///                 Err(refusal) if is_namespace_terminating(&refusal) => Answer::NamespaceTerminating,
///                 result => result.into(),
///             },
///             Operation::Update(slice) => api.replace(slice).await.into(),
///             Operation::Delete { slice, .. } => api.delete(&slice.name, &slice.uid).await.into(),
///         };
///         writing.record(answer);
///     }
///     match writing.finish() {
///         Ok(applied) => assert_eq!(applied.skipped, 0),
///         Err(error) => assert!(!error.failures.is_empty()),
///     }
/// }
/// ```
pub type Writing<'p, E> = writing::Writing<'p, EndpointSlice, E>;

impl Slice for EndpointSlice {
    type Stored = Self;

    fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    fn generate_name(&self) -> &str {
        self.metadata.generate_name.as_deref().unwrap_or_default()
    }

    fn address_type(&self) -> &str {
        &self.address_type
    }

    fn to_stored(&self) -> Self {
        self.clone()
    }

    fn expect_in(&self, tracker: &mut SliceTracker) {
        tracker.update(&slice::metadata_of(self));
    }
}
