//! A snapshot that is read as its bytes arrive, with what explanations need of it.

use alloc::string::String;

use super::explain::{DetailsTaker, Explained, Question, Workers, explain_plans, explain_snapshot};
use super::upgrade::{UpgradeQuestion, of_snapshot};
use crate::explain::details::ExplanationDetails;
use crate::upgrade::Upgrade;
use slicewise::api::options::check_explained_options;
use slicewise::api::{self, Snapshot, SnapshotPlans};
use slicewise::model::EndpointSlice;
use slicewise::model::own::Keeper;
use slicewise::plan::request::Options;
use slicewise::topology::nodes::NodeIndex;
use slicewise::{Error, streams};

streams! {
    /// Reads what explanations need beyond plans, piece by piece.
    DetailsStream of DetailsTaker gives StreamedDetails;
}

/// What explanations need beyond plans.
#[derive(Default)]
pub struct StreamedDetails<'k>(ExplanationDetails<'k>);

impl<'k> From<DetailsTaker<'k>> for StreamedDetails<'k> {
    fn from(taker: DetailsTaker<'k>) -> Self {
        Self(taker.finish())
    }
}

/// Reads a snapshot piece by piece.
pub struct SnapshotStream<'s, 'k> {
    keeper: &'s dyn Keeper<'k>,
    snapshot: api::SnapshotStream<'s, 'k>,
    details: Option<DetailsStream<'s, 'k>>,
}

impl<'s, 'k> SnapshotStream<'s, 'k> {
    /// A stream that stores its objects with the keeper.
    pub fn new(keeper: &'s dyn Keeper<'k>) -> Self {
        Self {
            keeper,
            snapshot: api::SnapshotStream::new(keeper),
            details: None,
        }
    }

    /// Reads slices, also from an array whose items do not state their kind.
    pub fn of_slices(keeper: &'s dyn Keeper<'k>) -> Self {
        Self {
            snapshot: api::SnapshotStream::of_slices(keeper),
            ..Self::new(keeper)
        }
    }

    /// Keeps what explanations need.
    #[must_use]
    pub fn with_details(mut self) -> Self {
        self.details = Some(DetailsStream::new(self.keeper));
        self
    }

    /// Objects that name no namespace are in this one, as with `kubectl --namespace`.
    #[must_use]
    pub fn in_namespace(mut self, namespace: &str) -> Self {
        self.snapshot = self.snapshot.in_namespace(namespace);
        self.details = self.details.map(|one| one.in_namespace(namespace));
        self
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// Those of reading the whole input at once, as soon as they can be detected.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.snapshot.push(bytes)?;
        let details = self.details.as_mut();
        details.map_or(Ok(()), |details| details.push(bytes))
    }

    /// Starts another input: the previous one must be complete, and positions start again.
    ///
    /// # Errors
    /// When the previous one is cut off.
    pub fn next_input(&mut self) -> Result<(), Error> {
        self.snapshot.next_input()?;
        let details = self.details.as_mut();
        details.map_or(Ok(()), DetailsStream::next_input)
    }

    /// The token of the page after the one that was read: empty if it was the last; `None` if it was not a list.
    ///
    /// # Errors
    /// When it is cut off.
    pub fn next_page(&mut self) -> Result<Option<String>, Error> {
        if let Some(details) = &mut self.details {
            details.next_page()?;
        }
        self.snapshot.next_page()
    }

    /// The result, once all bytes have arrived.
    ///
    /// # Errors
    /// Those of reading the whole input at once.
    pub fn finish(self) -> Result<StreamedSnapshot<'k>, Error> {
        let snapshot = self.snapshot.finish()?.snapshot;
        let details = self.details.map(DetailsStream::finish).transpose()?;
        Ok(StreamedSnapshot { snapshot, details })
    }
}

/// A snapshot whose text is no longer available.
#[non_exhaustive]
pub struct StreamedSnapshot<'k> {
    /// Its objects.
    pub snapshot: Snapshot<'k>,
    details: Option<StreamedDetails<'k>>,
}

impl<'k> StreamedSnapshot<'k> {
    /// With details that another stream has read from the same input.
    #[must_use]
    pub fn with_details(mut self, details: StreamedDetails<'k>) -> Self {
        self.details = Some(details);
        self
    }

    /// Plans every Service, like [`with_snapshot_plans`](super::with_snapshot_plans).
    ///
    /// # Errors
    /// When an option cannot be used.
    pub fn with_plans<T>(
        &self,
        options: &Options<'_>,
        then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
    ) -> Result<T, Error> {
        check_explained_options(options, "/options")?;
        let nodes = NodeIndex::new(&self.snapshot.nodes);
        let mut plans = self.snapshot.plan(&nodes, options);
        if let Some(StreamedDetails(details)) = &self.details {
            explain_plans(details, &self.snapshot, &nodes, options, &mut plans.plans);
        }
        Ok(then(&plans, &self.snapshot.slices))
    }

    /// Explains it, like [`explained`](super::explained()), if it was read with details.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub fn explained(
        &self,
        question: &Question<'_>,
        workers: &impl Workers,
    ) -> Result<Explained, Error> {
        self.answer(question, false, workers)
    }

    /// The same for a text that is an overview, or a table: what such do not show is left out.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub fn overview(
        &self,
        question: &Question<'_>,
        workers: &impl Workers,
    ) -> Result<Explained, Error> {
        self.answer(question, true, workers)
    }

    /// Compares what two versions of Kubernetes do with it, like [`with_upgrade`](super::with_upgrade), if it was read
    /// with details.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub fn with_upgrade<T>(
        &self,
        question: &UpgradeQuestion<'_>,
        then: impl FnOnce(&Upgrade<'_>) -> T,
    ) -> Result<T, Error> {
        let none = StreamedDetails::default();
        let StreamedDetails(details) = self.details.as_ref().unwrap_or(&none);
        of_snapshot(&self.snapshot, details, question, then)
    }

    fn answer(
        &self,
        question: &Question<'_>,
        is_overview: bool,
        workers: &impl Workers,
    ) -> Result<Explained, Error> {
        let none = StreamedDetails::default();
        let StreamedDetails(details) = self.details.as_ref().unwrap_or(&none);
        explain_snapshot(&self.snapshot, details, question, is_overview, workers)
    }
}
