//! A snapshot that is read as its bytes arrive, with what explanations need of it.

use super::explain::{DetailsTaker, Explained, Question, explain_plans, explain_snapshot};
use crate::explain::details::ExplanationDetails;
use slicewise::Error;
use slicewise::api::objects::{Gather, Halt, PendingObject, TakenMark, WantedObjects};
use slicewise::api::options::check_patches;
use slicewise::api::snapshot::SnapshotReading;
use slicewise::api::stream::ObjectStream;
use slicewise::api::{Received, Snapshot, SnapshotPlans};
use slicewise::model::EndpointSlice;
use slicewise::model::own::{Keeper, OffText};
use slicewise::plan::request::Options;
use slicewise::streams;
use slicewise::topology::nodes::NodeIndex;

streams! {
    /// Reads a snapshot piece by piece.
    SnapshotStream of Detailed gives StreamedSnapshot;
}

impl<'s, 'k> SnapshotStream<'s, 'k> {
    /// Reads slices, also from an array whose items do not state their kind.
    pub fn of_slices(keeper: &'s dyn Keeper<'k>) -> Self {
        Self(ObjectStream::of_slices(keeper))
    }

    /// Keeps what explanations need.
    #[must_use]
    pub fn with_details(mut self) -> Self {
        self.0.objects().details = Some(DetailsTaker::default());
        self
    }
}

/// A snapshot whose text is no longer available.
#[non_exhaustive]
pub struct StreamedSnapshot<'k> {
    /// Its objects.
    pub snapshot: Snapshot<'k>,
    details: Option<ExplanationDetails<'k>>,
}

impl StreamedSnapshot<'_> {
    /// Plans every Service, like [`with_snapshot_plans`](super::with_snapshot_plans).
    ///
    /// # Errors
    /// When an option cannot be used.
    pub fn with_plans<T>(
        &self,
        options: &Options<'_>,
        then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
    ) -> Result<T, Error> {
        check_patches(options, "/options")?;
        let nodes = NodeIndex::new(&self.snapshot.nodes);
        let mut plans = self.snapshot.plan(&nodes, options);
        if let Some(details) = &self.details {
            explain_plans(details, &self.snapshot, &nodes, options, &mut plans.plans);
        }
        Ok(then(&plans, &self.snapshot.slices))
    }

    /// Explains it, like [`explained`](super::explained()), if it was read with details.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub fn explained(&self, question: &Question<'_>) -> Result<Explained, Error> {
        self.answer(question, false)
    }

    /// The same for a text that is an overview, or a table: what such do not show is left out.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub fn overview(&self, question: &Question<'_>) -> Result<Explained, Error> {
        self.answer(question, true)
    }

    fn answer(&self, question: &Question<'_>, is_overview: bool) -> Result<Explained, Error> {
        let none = ExplanationDetails::default();
        let details = self.details.as_ref().unwrap_or(&none);
        explain_snapshot(&self.snapshot, details, question, is_overview)
    }
}

/// The objects of a snapshot so far.
#[derive(Default)]
struct Detailed<'k> {
    reading: SnapshotReading<'k>,
    /// What explanations need beyond plans, if they are requested.
    details: Option<DetailsTaker<'k>>,
}

impl<'k> From<Detailed<'k>> for StreamedSnapshot<'k> {
    fn from(detailed: Detailed<'k>) -> Self {
        Self {
            snapshot: detailed.reading.finish(),
            details: detailed.details.map(DetailsTaker::finish),
        }
    }
}

impl WantedObjects for Detailed<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        if let Some(details) = &self.details
            && details.wants(kind, version)
        {
            return true;
        }
        self.reading.wants(kind, version)
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.reading.ignore(kind, version);
    }

    fn received(&mut self) -> Option<&mut Received> {
        self.reading.received()
    }

    fn remove(&mut self, kind: &str, name: (&str, &str)) {
        if self.reading.wants(kind, "") {
            self.reading.remove(kind, name);
        }
        if let Some(details) = &mut self.details {
            details.remove(kind, name);
        }
    }

    fn settle(&mut self) {
        self.reading.settle();
    }

    fn mark(&self) -> TakenMark {
        let beside = self.details.as_ref().map(WantedObjects::mark);
        TakenMark {
            beside: beside.unwrap_or_default().lists,
            ..self.reading.mark()
        }
    }

    fn forget(&mut self, since: TakenMark) {
        self.reading.forget(since);
        if let Some(details) = &mut self.details {
            details.forget(TakenMark {
                lists: since.beside,
                ..since
            });
        }
    }
}

impl<'a, 's, 'k> Gather<'a, OffText<'s, 'k>> for Detailed<'k> {
    fn gather(
        &mut self,
        object: &mut PendingObject<'_, '_, 'a>,
        kind: &str,
        keep: &OffText<'s, 'k>,
    ) -> Result<(), Halt> {
        let is_planned = self.reading.wants(kind, "");
        if is_planned {
            self.reading.gather(object, kind, keep)?;
        }
        if let Some(details) = &mut self.details
            && details.wants(kind, "")
        {
            if is_planned {
                object.again();
            } else {
                self.reading.ignore(kind, "");
            }
            details.gather(object, kind, keep)?;
        }
        Ok(())
    }
}
