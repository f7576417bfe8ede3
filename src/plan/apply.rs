//! Writes a plan through any client, and reports how far it got.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

pub use super::outcome::{Applied, ApplyError, Failure};
use super::slice::StoredSlice;
use super::writing::{Answer, Operation, Writes, Writing, families};
use super::{Plan, SliceRef};
use crate::model::{EndpointSlice, Text};

/// Writes slices somewhere: an API server, a file, a test.
pub trait Writer {
    /// The error of a refused write.
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

    /// Was the create refused because the namespace is being deleted? The rest of that family is then skipped without
    /// an error, because retrying cannot help.
    fn is_namespace_terminating(&self, error: &Self::Error) -> bool;
}

impl Plan<'_> {
    /// All writes in their order: per family creates, updates, deletes, then deletes of unwanted families.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_, EndpointSlice<'_>>> {
        self.writes().in_order().into_iter()
    }

    /// Starts to write the plan step by step.
    pub fn writing<E>(&self) -> Writing<'_, EndpointSlice<'_>, E> {
        Writing::new(&self.writes())
    }

    /// Writes the plan in its order; [`Writing`] says which writes a failure prevents.
    ///
    /// # Errors
    /// When any write was refused; the error also lists the writes that were made.
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

    /// The slices of the Service after the plan is applied: `before` with updates and deletes by name, and new slices
    /// named by their prefix and their index in the plan. A what-if, for diffs and tests.
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
