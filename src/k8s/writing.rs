//! A plan's writes in their order, one at a time: the caller does the I/O, blocking or async.

use k8s_openapi::api::discovery::v1::EndpointSlice;

use super::{Applied, ApplyError, Plan};
use crate::plan::SliceRef;
use crate::plan::apply::Failure;

/// One write of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation<'p> {
    /// Create this slice; it has a `generateName` and no name.
    Create(&'p EndpointSlice),
    /// Replace the slice of this name, if it still has this `resourceVersion`.
    Update(&'p EndpointSlice),
    /// Delete a slice, if it still has this `uid`.
    Delete {
        /// The slice's namespace.
        namespace: &'p str,
        /// The slice.
        slice: &'p SliceRef<'static>,
    },
}

impl<'p> Operation<'p> {
    /// `create`, `update` or `delete`.
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Update(_) => "update",
            Self::Delete { .. } => "delete",
        }
    }

    /// The slice's name; the prefix the API server completes where it is created.
    pub fn name(&self) -> &'p str {
        let name = match self {
            Self::Create(slice) => slice.metadata.generate_name.as_deref(),
            Self::Update(slice) => slice.metadata.name.as_deref(),
            Self::Delete { slice, .. } => Some(slice.name.as_str()),
        };
        name.unwrap_or_default()
    }

    /// The slice's family: `IPv4`, `IPv6`, or what the API will know some day.
    pub fn address_type(&self) -> &'p str {
        match self {
            Self::Create(slice) | Self::Update(slice) => &slice.address_type,
            Self::Delete { slice, .. } => &slice.address_type,
        }
    }

    /// The slice that is written; `None` for a delete.
    pub const fn slice(&self) -> Option<&'p EndpointSlice> {
        match self {
            Self::Create(slice) | Self::Update(slice) => Some(slice),
            Self::Delete { .. } => None,
        }
    }
}

/// What came of a write.
#[derive(Debug)]
pub enum Answer<E> {
    /// It is done. For creates and updates with the slice as the API server stored it, from which trackers learn its
    /// generation; without it, the slice counts as stored as it was sent.
    Done(Option<Box<EndpointSlice>>),
    /// It was refused.
    Refused(E),
    /// A create was refused because the namespace is being deleted.
    NamespaceTerminating,
}

impl<E> From<Result<EndpointSlice, E>> for Answer<E> {
    fn from(result: Result<EndpointSlice, E>) -> Self {
        result.map_or_else(Self::Refused, |slice| Self::Done(Some(Box::new(slice))))
    }
}

impl<E> From<Result<(), E>> for Answer<E> {
    fn from(result: Result<(), E>) -> Self {
        result.map_or_else(Self::Refused, |()| Self::Done(None))
    }
}

impl Plan {
    /// All writes in their order: per family creates, updates, deletes, then deletes of unwanted families.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let families = self.families();
        let deletes = || {
            let namespace = self.service.namespace.as_str();
            self.delete
                .iter()
                .map(move |slice| Operation::Delete { namespace, slice })
        };
        let mut operations = Vec::new();
        for &family in &families {
            let written = self.create.iter().map(Operation::Create);
            let written = written.chain(self.update.iter().map(Operation::Update));
            let own = |operation: &Operation<'_>| operation.address_type() == family;
            operations.extend(written.chain(deletes()).filter(own));
        }
        let is_wanted = |operation: &Operation<'_>| families.contains(&operation.address_type());
        operations.extend(deletes().filter(|operation| !is_wanted(operation)));
        operations.into_iter()
    }

    /// Starts to write the plan step by step.
    pub fn writing<E>(&self) -> Writing<'_, E> {
        Writing {
            families: self.families(),
            left: self.operations().collect::<Vec<_>>().into_iter(),
            current: None,
            ended: None,
            applied: Applied::default(),
            failures: Vec::new(),
        }
    }

    /// The families of the Service, then any other that a change of the plan has brought in.
    fn families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = Vec::new();
        let wanted = self.hints.iter().map(|report| report.address_type.as_str());
        let written = self
            .create
            .iter()
            .chain(&self.update)
            .map(|slice| &*slice.address_type);
        for family in wanted.chain(written) {
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families
    }
}

/// A plan while it is written. Sans-I/O: ask for the [`Writing::operation`], do it, [`Writing::record`] the answer,
/// until there is none left; then [`Writing::finish`].
///
/// The first failure of a family ends that family, since later writes build on earlier ones; deletes of unwanted
/// families stand alone. A create refused because the namespace is being deleted ends its family quietly, for no
/// retry can help. Reference: `Reconciler.finalize`.
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
#[derive(Debug)]
pub struct Writing<'p, E> {
    /// Those whose writes build on each other; other families are only deleted, each slice on its own.
    families: Vec<&'p str>,
    left: std::vec::IntoIter<Operation<'p>>,
    current: Option<Operation<'p>>,
    /// The family that a failure has ended. Its operations come one after the other.
    ended: Option<&'p str>,
    applied: Applied,
    failures: Vec<Failure<E>>,
}

impl<'p, E> Writing<'p, E> {
    /// The write to make now; the same one until its answer is recorded. `None` when nothing is left.
    pub fn operation(&mut self) -> Option<Operation<'p>> {
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

    /// What came of the write. Without a write under way, nothing happens.
    pub fn record(&mut self, answer: impl Into<Answer<E>>) {
        let Some(operation) = self.current.take() else {
            return;
        };
        let family = operation.address_type();
        let ends = self.families.contains(&family).then_some(family);
        match answer.into() {
            Answer::Done(stored) => self.done(operation, stored),
            Answer::Refused(error) => {
                let (operation, slice) = (operation.verb(), operation.name().to_owned());
                self.failures.push(Failure {
                    operation,
                    slice,
                    error,
                });
                self.ended = ends;
            }
            Answer::NamespaceTerminating => {
                self.applied.namespace_terminating = true;
                self.ended = ends;
            }
        }
    }

    fn done(&mut self, operation: Operation<'p>, stored: Option<Box<EndpointSlice>>) {
        let stored = |sent: &EndpointSlice| stored.map_or_else(|| sent.clone(), |stored| *stored);
        match operation {
            Operation::Create(slice) => self.applied.created.push(stored(slice)),
            Operation::Update(slice) => self.applied.updated.push(stored(slice)),
            Operation::Delete { slice, .. } => self.applied.deleted.push(slice.clone()),
        }
    }

    /// What was done. A write under way without an answer, and all that were left, count as skipped.
    ///
    /// # Errors
    /// When any write was refused; it tells what was done all the same.
    pub fn finish(mut self) -> Result<Applied, ApplyError<E>> {
        self.applied.skipped += self.left.len() + usize::from(self.current.is_some());
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
