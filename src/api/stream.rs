//! A snapshot that is read as its bytes come, in memory that grows with what is kept of it.
//!
//! Each object is read as soon as all of it has come, and its text is dropped. What is wrong is told with its place in
//! the whole input, and nothing comes of an input that is cut off.

use alloc::vec::Vec;

#[cfg(feature = "explain")]
use super::explain::{Explained, Question, Taken, explain_plans, explain_snapshot};
use super::input::not_utf8;
use super::objects::{Base, Documents, Halt, Standing, Taker, Walk, Wanted};
use super::plan::check_plan_options;
use super::snapshot::{Reading, Snapshot, SnapshotPlans};
use crate::Error;
#[cfg(feature = "explain")]
use crate::explain::details::Details;
use crate::json::{Memory, Reader};
use crate::model::EndpointSlice;
use crate::model::own::{Keeper, OffText};
use crate::plan::request::Options;
use crate::topology::nodes::NodeIndex;

/// Reads a snapshot piece by piece.
pub struct SnapshotStream<'s, 'k> {
    taken: Kept<'s, 'k>,
    documents: Documents,
    memory: Memory,
    depth: usize,
    base: Base,
    /// What has come and is not read yet.
    buffer: Vec<u8>,
    /// With less in the buffer it is not worth trying again.
    wanted: usize,
}

/// A snapshot whose text is gone.
pub struct StreamedSnapshot<'k> {
    /// Its objects.
    pub snapshot: Snapshot<'k>,
    #[cfg(feature = "explain")]
    details: Option<Details<'k>>,
}

impl StreamedSnapshot<'_> {
    /// Plans every Service, as [`with_snapshot_plans`](super::with_snapshot_plans) does.
    ///
    /// # Errors
    /// When an option cannot be used.
    pub fn with_plans<T>(
        &self,
        options: &Options<'_>,
        then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
    ) -> Result<T, Error> {
        check_plan_options(options, "/options")?;
        let nodes = NodeIndex::new(&self.snapshot.nodes);
        #[cfg_attr(
            not(feature = "explain"),
            expect(unused_mut, reason = "explained in place")
        )]
        let mut plans = self.snapshot.plan(&nodes, options);
        #[cfg(feature = "explain")]
        if let Some(details) = &self.details {
            explain_plans(details, &self.snapshot, &nodes, options, &mut plans.plans);
        }
        Ok(then(&plans, &self.snapshot.slices))
    }

    /// Explains it, as [`explained`](super::explained()) does, if it was read with details.
    ///
    /// # Errors
    /// When the question cannot be answered.
    #[cfg(feature = "explain")]
    pub fn explained(&self, question: &Question<'_>) -> Result<Explained, Error> {
        let none = Details::default();
        let details = self.details.as_ref().unwrap_or(&none);
        explain_snapshot(&self.snapshot, details, question)
    }
}

/// What is kept of the objects so far.
struct Kept<'s, 'k> {
    reading: Reading<'k>,
    /// What explanations need beyond what plans do, if they are wanted.
    #[cfg(feature = "explain")]
    details: Option<Taken<'k>>,
    place: OffText<'s, 'k>,
}

impl Wanted for Kept<'_, '_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        self.reading.wants(kind, version)
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.reading.ignore(kind, version);
    }

    fn mark(&self) -> [usize; 5] {
        self.reading.mark()
    }

    fn forget(&mut self, since: [usize; 5]) {
        self.reading.forget(since);
        #[cfg(feature = "explain")]
        if let Some(details) = &mut self.details {
            let [services, pods, ..] = since;
            details.truncate(services, pods);
        }
    }
}

impl<'a> Taker<'a> for Kept<'_, '_> {
    fn take(&mut self, object: &mut Standing<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        self.reading.take(object, kind, &self.place)?;
        #[cfg(feature = "explain")]
        if let Some(details) = &mut self.details
            && matches!(kind, "Pod" | "Service")
        {
            object.again();
            details.take(object, kind, &self.place)?;
        }
        Ok(())
    }
}

impl<'s, 'k> SnapshotStream<'s, 'k> {
    /// A stream whose objects are kept there.
    pub fn new(keeper: &'s dyn Keeper<'k>) -> Self {
        Self {
            taken: Kept {
                reading: Reading::default(),
                #[cfg(feature = "explain")]
                details: None,
                place: OffText(keeper),
            },
            documents: Documents::divided(),
            memory: Memory::default(),
            depth: 0,
            base: Base::default(),
            buffer: Vec::new(),
            wanted: 0,
        }
    }

    /// The same, whose snapshot can be explained.
    #[cfg(feature = "explain")]
    #[must_use]
    pub fn with_details(mut self) -> Self {
        self.taken.details = Some(Taken::default());
        self
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// As [`Snapshot::read`], as soon as it is seen.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < self.wanted {
            return Ok(());
        }
        self.read(false)
    }

    /// The snapshot, when all bytes have come.
    ///
    /// # Errors
    /// As [`Snapshot::read`].
    pub fn finish(mut self) -> Result<StreamedSnapshot<'k>, Error> {
        self.read(true)?;
        Ok(StreamedSnapshot {
            snapshot: self.taken.reading.finish(),
            #[cfg(feature = "explain")]
            details: self.taken.details.map(Taken::finish),
        })
    }

    fn read(&mut self, is_last: bool) -> Result<(), Error> {
        let bytes = self.buffer.as_slice();
        let text = match core::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() && !is_last => {
                let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
                core::str::from_utf8(whole).unwrap_or_default()
            }
            Err(error) => return Err(self.base.placed(not_utf8(bytes, error))),
        };
        let mut reader = Reader::resumed(text, core::mem::take(&mut self.memory), self.depth);
        let mut walk = Walk::new(&mut reader, self.base);
        let mut read = 0;
        let mut depth = self.depth;
        let result = loop {
            let mark = self.taken.mark();
            match self.documents.step(&mut walk, &mut self.taken) {
                Ok(true) => (read, depth) = walk.place(),
                // At the end of what has come, perhaps more comes.
                Ok(false) if !is_last => break Ok(()),
                Ok(false) => {
                    (read, depth) = walk.place();
                    break Ok(());
                }
                Err(halt) if !is_last && walk.is_at_end(&halt) => {
                    self.taken.forget(mark);
                    break Ok(());
                }
                Err(halt) => break Err(walk.error(halt)),
            }
        };
        self.memory = reader.into_memory();
        self.depth = depth;
        self.base = self.base.behind(text.get(..read).unwrap_or_default());
        self.buffer.drain(..read);
        // One large object is not read again for each piece of it.
        self.wanted = self.buffer.len().saturating_mul(2);
        result
    }
}
