//! What a caller does with a plan: write it, through any client, and learn how far it got.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::writing::{Answer, Operation, Slice, StoredSlice, Writes, Writing, families};
use super::{Plan, ServiceRef, SliceRef};
use crate::model::{AddressType, EndpointSlice, Text, keys};
use crate::tracker::SliceTracker;

/// Writes slices somewhere: an API server, a file, a test.
pub trait Writer {
    /// What a refused write says.
    type Error;

    /// Creates a slice, which has a `generateName` and no name. Returns it as it was stored.
    ///
    /// # Errors
    /// When the write is refused.
    fn create(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, Self::Error>;

    /// Replaces a slice; name, uid and resourceVersion say which. Returns it as it was stored.
    ///
    /// # Errors
    /// When the write is refused.
    fn update(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, Self::Error>;

    /// Deletes a slice.
    ///
    /// # Errors
    /// When the write is refused.
    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), Self::Error>;

    /// Was the create refused because the namespace is being deleted? The rest of that family is then skipped
    /// without an error, because no retry can help.
    fn is_namespace_terminating(&self, error: &Self::Error) -> bool;
}

/// Writes that were made; `T` is a slice as it is stored.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Applied<T> {
    /// Slices created, as they were stored.
    pub created: Vec<T>,
    /// Slices updated, as they were stored.
    pub updated: Vec<T>,
    /// Slices deleted.
    pub deleted: Vec<SliceRef<'static>>,
    /// Writes not tried, because one before them in their family was refused.
    pub skipped: usize,
    /// A create was refused because the namespace is being deleted.
    pub namespace_terminating: bool,
    /// Families of the Service that were not written to their end, for whatever reason.
    pub incomplete: Families,
}

/// Some of the families a Service can have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Families {
    ipv4: bool,
    ipv6: bool,
}

impl Families {
    /// Is the family one of them?
    pub const fn contains(self, family: AddressType) -> bool {
        match family {
            AddressType::IPv4 => self.ipv4,
            AddressType::IPv6 => self.ipv6,
        }
    }

    /// Adds a family by its name; others than a Service can have are no matter.
    pub(super) fn add(&mut self, family: &str) {
        self.ipv4 |= family == AddressType::IPv4.as_str();
        self.ipv6 |= family == AddressType::IPv6.as_str();
    }
}

// Derived, it would ask the slice for a default.
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
    /// Tells the tracker what to expect from now on. After a partial failure, too: what was done was done.
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
    /// What was done anyway.
    pub applied: Applied<T>,
    /// The first failure of each family, and every failed delete of an unwanted family.
    pub failures: Vec<Failure<E>>,
}

/// A write that failed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Failure<E> {
    /// `create`, `update` or `delete`.
    pub operation: &'static str,
    /// The slice; the generated prefix for creates.
    pub slice: String,
    /// Why.
    pub error: E,
}

impl<T, E: fmt::Display> fmt::Display for ApplyError<T, E> {
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

impl<T: fmt::Debug, E: fmt::Debug + fmt::Display> core::error::Error for ApplyError<T, E> {}

impl Plan<'_> {
    /// All writes in their order: per family creates, updates, deletes, then deletes of unwanted families.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_, EndpointSlice<'_>>> {
        self.writes().in_order().into_iter()
    }

    /// Starts to write the plan step by step.
    pub fn writing<E>(&self) -> Writing<'_, EndpointSlice<'_>, E> {
        Writing::new(&self.writes())
    }

    /// Writes the plan in its order; [`Writing`] says what a failure ends.
    ///
    /// # Errors
    /// When any write was refused; it tells what was done anyway.
    pub fn apply<W: Writer>(
        &self,
        writer: &mut W,
    ) -> Result<Applied<StoredSlice>, ApplyError<StoredSlice, W::Error>> {
        self.writing().run(|operation| match operation {
            Operation::Create(slice) => match writer.create(slice) {
                Err(error) if writer.is_namespace_terminating(&error) => {
                    Answer::NamespaceTerminating
                }
                result => result.into(),
            },
            Operation::Update(slice) => writer.update(slice).into(),
            Operation::Delete { namespace, slice } => writer.delete(namespace, slice).into(),
        })
    }

    fn writes(&self) -> Writes<'_, EndpointSlice<'_>> {
        Writes {
            namespace: &self.service.namespace,
            families: families(&self.hints),
            create: &self.create,
            update: &self.update,
            delete: &self.delete,
        }
    }

    /// The slices of the Service there are once the plan is applied: `before` with updates and deletes by name, and
    /// creates under names made of their prefix and their number in the plan. A what-if, for diffs and tests.
    pub fn slices_after<'s>(&'s self, before: &[EndpointSlice<'s>]) -> Vec<EndpointSlice<'s>> {
        let mut after: BTreeMap<Text<'s>, EndpointSlice<'s>> = before
            .iter()
            .map(|slice| (slice.metadata.name.clone(), slice.clone()))
            .collect();
        for slice in &self.delete {
            after.remove(&slice.name);
        }
        for slice in &self.update {
            after.insert(slice.metadata.name.clone(), slice.clone());
        }
        let mut number = 0_usize;
        for slice in &self.create {
            let name = loop {
                let name = Text::from(format!("{}{number}", slice.metadata.generate_name));
                number += 1;
                if !after.contains_key(&name) {
                    break name;
                }
            };
            let mut created = slice.clone();
            created.metadata.name = name.clone();
            after.insert(name, created);
        }
        after.into_values().collect()
    }
}
