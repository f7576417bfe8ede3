//! A plan's writes in order, one at a time: the caller does the I/O, blocking or async.
//!
//! This is the only place that knows the order of writes and the consequences of a refusal; the plans of every
//! interface are written through it, whatever the type of their slices. Reference: `Reconciler.finalize`.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::outcome::{Applied, ApplyError, FailedWrite};
pub use super::slice::{Slice, StoredSlice};
use super::{HintsReport, SliceRef};
use crate::model::AddressType;

/// One write of a plan.
#[derive(Debug, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the API creates, updates and deletes"
)]
pub enum Operation<'p, S> {
    /// Create this slice; it has a `generateName` and no name.
    Create(&'p S),
    /// Replace the slice with this name, if it still has this `resourceVersion`.
    Update(&'p S),
    /// Delete a slice, if it still has this `uid`.
    Delete {
        /// The slice's namespace.
        namespace: &'p str,
        /// The slice.
        slice: &'p SliceRef<'p>,
    },
}

// Derived, they would require the same of the slice.
impl<S> Clone for Operation<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Operation<'_, S> {}

impl<'p, S: Slice> Operation<'p, S> {
    /// `create`, `update` or `delete`.
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Update(_) => "update",
            Self::Delete { .. } => "delete",
        }
    }

    /// The slice's name; for a create, the prefix from which the API server generates it.
    pub fn name(&self) -> &'p str {
        match self {
            Self::Create(slice) => slice.generate_name(),
            Self::Update(slice) => slice.name(),
            Self::Delete { slice, .. } => &slice.name,
        }
    }

    /// The slice's family: `IPv4`, `IPv6`, or one that the API may add.
    pub fn address_type(&self) -> &'p str {
        match self {
            Self::Create(slice) | Self::Update(slice) => slice.address_type(),
            Self::Delete { slice, .. } => &slice.address_type,
        }
    }

    /// The slice that is written; `None` for a delete.
    pub const fn slice(&self) -> Option<&'p S> {
        match self {
            Self::Create(slice) | Self::Update(slice) => Some(slice),
            Self::Delete { .. } => None,
        }
    }
}

/// The result of a write; `T` is a slice as stored.
#[derive(Debug)]
#[non_exhaustive]
pub enum Answer<T, E> {
    /// It succeeded. Creates and updates include the slice as the API server stored it, which tells trackers its
    /// generation; without it, the slice counts as stored unchanged.
    Done(Option<Box<T>>),
    /// It was refused.
    Refused(E),
    /// A create was refused because the namespace is being deleted.
    NamespaceTerminating,
    /// A delete found nothing, which is as good, but not a write. Only for versions of Kubernetes that see it so; for
    /// others, the delete was refused.
    Gone,
}

impl<T: Slice, E> From<Result<T, E>> for Answer<T, E> {
    fn from(result: Result<T, E>) -> Self {
        result.map_or_else(Self::Refused, |slice| Self::Done(Some(Box::new(slice))))
    }
}

impl<T, E> From<Result<(), E>> for Answer<T, E> {
    fn from(result: Result<(), E>) -> Self {
        result.map_or_else(Self::Refused, |()| Self::Done(None))
    }
}

/// The writes of a plan, whatever the type of its slices.
#[doc(hidden)]
#[derive(Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a plan that was read is one, too"
)]
pub struct PlanWrites<'p, S> {
    pub namespace: &'p str,
    /// The families of the Service, in order.
    pub families: Vec<&'p str>,
    pub create: &'p [S],
    pub update: &'p [S],
    pub delete: &'p [SliceRef<'p>],
}

/// The families of a plan, in order.
pub(crate) fn families<'p>(hints: &[HintsReport<'_>]) -> Vec<&'p str> {
    hints
        .iter()
        .map(|report| report.address_type.as_str())
        .collect()
}

impl<'p, S: Slice> PlanWrites<'p, S> {
    /// All writes in their order: per family creates, updates, deletes, then deletes of unwanted families.
    pub(crate) fn in_order(&self) -> Vec<Operation<'p, S>> {
        let families = self.families();
        let namespace = self.namespace;
        let deletes = || {
            let delete = move |slice| Operation::Delete { namespace, slice };
            self.delete.iter().map(delete)
        };
        let mut operations = Vec::new();
        for &family in &families {
            let written = self.create.iter().map(Operation::Create);
            let written = written.chain(self.update.iter().map(Operation::Update));
            let own = |operation: &Operation<'p, S>| operation.address_type() == family;
            operations.extend(written.chain(deletes()).filter(own));
        }
        let is_wanted = |operation: &Operation<'p, S>| families.contains(&operation.address_type());
        operations.extend(deletes().filter(|operation| !is_wanted(operation)));
        operations
    }

    /// The families of the Service, followed by any others that a changed plan has introduced: no write is dropped.
    fn families(&self) -> Vec<&'p str> {
        let mut families: Vec<&str> = Vec::new();
        let wanted = self.families.iter().copied();
        let written = self.create.iter().chain(self.update);
        for family in wanted.chain(written.map(Slice::address_type)) {
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families
    }
}

/// Writes a plan. Sans-I/O: get the [`Writing::operation`], do it, [`Writing::record`] the answer, until there is none
/// left; then call [`Writing::finish`].
///
/// The first failure in a family ends that family, since later writes build on earlier ones; deletes of unwanted
/// families are independent. A create refused because the namespace is being deleted ends its family without an error,
/// because retrying cannot help. Reference: `Reconciler.finalize`.
///
/// ```
/// use slicewise::model::EndpointSlice;
/// use slicewise::plan::Plan;
/// use slicewise::plan::writing::{Answer, Operation};
/// # use slicewise::plan::writing::{Slice as _, StoredSlice};
/// # struct Api;
/// # #[derive(Debug)] struct Refusal;
/// # impl Api {
/// #     async fn create(&self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, Refusal> { Ok(slice.to_stored()) }
/// #     async fn replace(&self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, Refusal> { Ok(slice.to_stored()) }
/// #     async fn delete(&self, _: &str, _: &str) -> Result<(), Refusal> { Ok(()) }
/// # }
/// # fn is_namespace_terminating(_: &Refusal) -> bool { false }
///
/// async fn write(plan: &Plan<'_>, api: &Api) {
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
#[derive(Debug)]
pub struct Writing<'p, S: Slice, E> {
    /// Families whose writes build on each other; slices of other families are deleted independently.
    families: Vec<&'p str>,
    left: alloc::vec::IntoIter<Operation<'p, S>>,
    current: Option<Operation<'p, S>>,
    /// The family that a failure has ended. Its operations are consecutive.
    ended: Option<&'p str>,
    applied: Applied<S::Stored>,
    failures: Vec<FailedWrite<E>>,
}

impl<'p, S: Slice, E> Writing<'p, S, E> {
    /// None of the writes is made yet.
    #[doc(hidden)]
    pub fn new(writes: &PlanWrites<'p, S>) -> Self {
        Self {
            families: writes.families(),
            left: writes.in_order().into_iter(),
            current: None,
            ended: None,
            applied: Applied::default(),
            failures: Vec::new(),
        }
    }

    /// The next write; the same one until its answer is recorded. `None` if nothing is left.
    pub fn operation(&mut self) -> Option<Operation<'p, S>> {
        while self.current.is_none() {
            let next = self.left.next()?;
            if self.ended == Some(next.address_type()) {
                self.applied.skipped += 1;
            } else {
                self.current = Some(next);
            }
        }
        self.current
    }

    /// Records the result of the write. Does nothing if no write is in progress.
    pub fn record(&mut self, answer: impl Into<Answer<S::Stored, E>>) {
        let Some(operation) = self.current.take() else {
            return;
        };
        let family = operation.address_type();
        match answer.into() {
            Answer::Done(stored) => self.done(operation, stored),
            Answer::Refused(error) => {
                let (operation, slice) = (operation.verb(), operation.name().to_owned());
                self.failures.push(FailedWrite {
                    operation,
                    slice,
                    error,
                });
                self.end(family);
            }
            Answer::NamespaceTerminating => {
                self.applied.namespace_terminating = true;
                self.end(family);
            }
            Answer::Gone => {}
        }
    }

    /// Skips the remaining writes of this family, if they build on each other.
    fn end(&mut self, family: &'p str) {
        self.ended = self.families.contains(&family).then_some(family);
        self.note_incomplete(family);
    }

    fn note_incomplete(&mut self, family: &str) {
        if let Some(known) = AddressType::named(family)
            && self.families.contains(&family)
        {
            self.applied.incomplete.insert(known);
        }
    }

    fn done(&mut self, operation: Operation<'p, S>, stored: Option<Box<S::Stored>>) {
        let stored = |sent: &S| stored.map_or_else(|| sent.to_stored(), |stored| *stored);
        match operation {
            Operation::Create(slice) => self.applied.created.push(stored(slice)),
            Operation::Update(slice) => self.applied.updated.push(stored(slice)),
            Operation::Delete { slice, .. } => {
                self.applied.deleted.push(slice.clone().into_owned())
            }
        }
    }

    /// Executes and records writes until nothing is left.
    #[doc(hidden)]
    pub fn run(
        mut self,
        mut write: impl FnMut(Operation<'p, S>) -> Answer<S::Stored, E>,
    ) -> Result<Applied<S::Stored>, ApplyError<S::Stored, E>> {
        while let Some(operation) = self.operation() {
            self.record(write(operation));
        }
        self.finish()
    }

    /// The writes that were made. A write without an answer, and all that were left, count as skipped.
    ///
    /// # Errors
    /// When any write was refused; the error also lists the writes that were made.
    pub fn finish(mut self) -> Result<Applied<S::Stored>, ApplyError<S::Stored, E>> {
        let left: Vec<_> = self.current.into_iter().chain(&mut self.left).collect();
        self.applied.skipped += left.len();
        for operation in left {
            self.note_incomplete(operation.address_type());
        }
        let Self {
            applied, failures, ..
        } = self;
        if failures.is_empty() {
            Ok(applied)
        } else {
            Err(ApplyError { applied, failures })
        }
    }
}

impl SliceRef<'_> {
    /// This reference without borrowing from the plan.
    pub fn into_owned(self) -> SliceRef<'static> {
        SliceRef {
            name: self.name.into_owned(),
            uid: self.uid.into_owned(),
            resource_version: self.resource_version.into_owned(),
            address_type: self.address_type.into_owned(),
        }
    }
}
