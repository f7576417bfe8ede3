//! What a caller does with a plan: write it, through any client, and learn how far it got.

use std::collections::BTreeMap;
use std::fmt;

use super::{Plan, SliceRef};
use crate::model::{EndpointSlice, Text};

/// Writes slices somewhere: an API server, a file, a test.
pub trait Writer {
    /// What a refused write says.
    type Error;

    /// Creates a slice; it has a `generateName` and no name.
    ///
    /// # Errors
    /// When the write is refused.
    fn create(&mut self, slice: &EndpointSlice<'_>) -> Result<(), Self::Error>;

    /// Replaces a slice; name, uid and resourceVersion say which.
    ///
    /// # Errors
    /// When the write is refused.
    fn update(&mut self, slice: &EndpointSlice<'_>) -> Result<(), Self::Error>;

    /// Deletes a slice.
    ///
    /// # Errors
    /// When the write is refused.
    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), Self::Error>;

    /// Was the create refused because the namespace is being deleted? The rest of that family is then dropped
    /// without an error, for no retry can help.
    fn is_namespace_terminating(&self, error: &Self::Error) -> bool;
}

/// Writes that were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Applied {
    /// Slices created.
    pub created: usize,
    /// Slices updated.
    pub updated: usize,
    /// Slices deleted.
    pub deleted: usize,
    /// A create was refused because the namespace is being deleted.
    pub namespace_terminating: bool,
}

/// Some writes failed; others were made.
#[derive(Debug)]
pub struct ApplyError<E> {
    /// What was done all the same.
    pub applied: Applied,
    /// The first failure of each family, and every failed delete of an unwanted family.
    pub failures: Vec<Failure<E>>,
}

/// A write that failed.
#[derive(Debug)]
pub struct Failure<E> {
    /// `create`, `update` or `delete`.
    pub operation: &'static str,
    /// The slice; the generated prefix for creates.
    pub slice: String,
    /// Why.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for ApplyError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, failure) in self.failures.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(
                formatter,
                "{separator}failed to {} EndpointSlice {}: {}",
                failure.operation, failure.slice, failure.error
            )?;
        }
        Ok(())
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ApplyError<E> {}

impl Plan<'_> {
    /// Writes the plan: per family creates, updates, deletes, until the first failure of that family; slices of
    /// families the Service no longer has go last. Reference: `Reconciler.finalize`.
    ///
    /// # Errors
    /// When any write was refused; it tells what was done all the same.
    pub fn apply<W: Writer>(&self, writer: &mut W) -> Result<Applied, ApplyError<W::Error>> {
        let mut applied = Applied::default();
        let mut failures = Vec::new();
        for report in &self.hints {
            if let Err(failure) =
                self.apply_family(report.address_type.as_str(), writer, &mut applied)
            {
                failures.push(failure);
            }
        }
        let is_unwanted = |slice: &&SliceRef<'_>| {
            self.hints
                .iter()
                .all(|report| slice.address_type != report.address_type.as_str())
        };
        for slice in self.delete.iter().filter(is_unwanted) {
            match writer.delete(&self.service.namespace, slice) {
                Ok(()) => applied.deleted += 1,
                Err(error) => failures.push(Failure {
                    operation: "delete",
                    slice: slice.name.to_string(),
                    error,
                }),
            }
        }
        if failures.is_empty() {
            Ok(applied)
        } else {
            Err(ApplyError { applied, failures })
        }
    }

    fn apply_family<W: Writer>(
        &self,
        family: &str,
        writer: &mut W,
        applied: &mut Applied,
    ) -> Result<(), Failure<W::Error>> {
        for slice in self
            .create
            .iter()
            .filter(|slice| slice.address_type == *family)
        {
            match writer.create(slice) {
                Ok(()) => applied.created += 1,
                Err(error) if writer.is_namespace_terminating(&error) => {
                    applied.namespace_terminating = true;
                    return Ok(());
                }
                Err(error) => {
                    return Err(Failure {
                        operation: "create",
                        slice: slice.metadata.generate_name.to_string(),
                        error,
                    });
                }
            }
        }
        for slice in self
            .update
            .iter()
            .filter(|slice| slice.address_type == *family)
        {
            writer.update(slice).map_err(|error| Failure {
                operation: "update",
                slice: slice.name().to_owned(),
                error,
            })?;
            applied.updated += 1;
        }
        for slice in self
            .delete
            .iter()
            .filter(|slice| slice.address_type == *family)
        {
            let failed = |error| Failure {
                operation: "delete",
                slice: slice.name.to_string(),
                error,
            };
            writer
                .delete(&self.service.namespace, slice)
                .map_err(failed)?;
            applied.deleted += 1;
        }
        Ok(())
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
