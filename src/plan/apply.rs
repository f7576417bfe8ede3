//! Writes a plan through any client, and reports how far it got.

use alloc::format;
use alloc::vec::Vec;

pub use super::outcome::{Applied, ApplyError, FailedWrite};
use super::slice::StoredSlice;
use super::writing::{Answer, Operation, PlanWrites, Writing, families};
use super::{Plan, SliceRef};
use crate::model::EndpointSlice;
use crate::model::Text;
use crate::model::order::{sort_by, sorted_unique};

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

    /// Did the delete only find nothing, and does the version of Kubernetes take that for success? Since 1.38, it does.
    fn is_gone(&self, _error: &Self::Error) -> bool {
        false
    }
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
            Operation::Delete { namespace, slice } => match writer.delete(namespace, slice) {
                Err(error) if writer.is_gone(&error) => Answer::Gone,
                result => result.into(),
            },
        })
    }

    fn writes(&self) -> PlanWrites<'_, EndpointSlice<'_>> {
        PlanWrites {
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
        let before: Vec<&EndpointSlice<'_>> = before.iter().collect();
        let mut created = self.create.clone();
        self.name_each(&mut created, &before);
        let after = self.after(&before, &created);
        after.into_iter().cloned().collect()
    }

    /// Names the new slices as [`Plan::slices_after`] does.
    #[doc(hidden)]
    pub fn name_created(&mut self, before: &[&EndpointSlice<'_>]) {
        let mut created = core::mem::take(&mut self.create);
        self.name_each(&mut created, before);
        self.create = created;
    }

    /// Takes their names from the new slices again.
    #[doc(hidden)]
    pub fn unname_created(&mut self) {
        for slice in &mut self.create {
            slice.metadata.name = Text::default();
        }
    }

    /// As [`Plan::slices_after`], without copies: the new slices [have names](Plan::name_created) already.
    #[doc(hidden)]
    pub fn named_after<'s>(
        &'s self,
        before: &[&'s EndpointSlice<'s>],
    ) -> Vec<&'s EndpointSlice<'s>> {
        self.after(before, &self.create)
    }

    fn after<'r, 's: 'r>(
        &'s self,
        before: &[&'r EndpointSlice<'s>],
        created: &'r [EndpointSlice<'s>],
    ) -> Vec<&'r EndpointSlice<'s>> {
        let kept = self.kept(before);
        let written = self.update.iter().chain(created);
        let mut after: Vec<&'r EndpointSlice<'s>> = kept.into_iter().chain(written).collect();
        sort_by(&mut after, EndpointSlice::by_name);
        after
    }

    /// The slices that the plan leaves as they are.
    fn kept<'r, 's>(&self, before: &[&'r EndpointSlice<'s>]) -> Vec<&'r EndpointSlice<'s>> {
        let deleted = self.delete.iter().map(|slice| slice.name.as_str());
        let updated = self.update.iter().map(EndpointSlice::name);
        let gone = sorted_unique(deleted.chain(updated));
        let before = before.iter().copied();
        before
            .filter(|slice| gone.binary_search(&slice.name()).is_err())
            .collect()
    }

    /// Names new slices by their prefix and their number, past the names that are taken.
    fn name_each(&self, created: &mut [EndpointSlice<'_>], before: &[&EndpointSlice<'_>]) {
        let kept = self.kept(before).into_iter().map(EndpointSlice::name);
        let updated = self.update.iter().map(EndpointSlice::name);
        let taken = sorted_unique(kept.chain(updated));
        let mut number = 0_usize;
        for slice in created {
            let name = loop {
                let name = format!("{}{number}", slice.metadata.generate_name);
                number += 1;
                if taken.binary_search(&name.as_str()).is_err() {
                    break name;
                }
            };
            slice.metadata.name = name.into();
        }
    }
}
