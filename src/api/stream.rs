//! A snapshot that is read as its bytes arrive, in memory that grows with what is kept. An input that is cut off gives no
//! result.

use alloc::string::String;

use super::objects::{
    Documents, Gather, Halt, ObjectWalk, PendingObject, TakenMark, Taker, WantedObjects,
};
use super::options::check_plan_options;
use super::pieces::{InputPieces, Steps};
use super::received::Received;
use super::snapshot::{Snapshot, SnapshotReading};
use super::snapshot_plans::SnapshotPlans;
use crate::Error;
use crate::model::EndpointSlice;
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::own::{Keeper, OffText};
use crate::plan::request::Options;
use crate::topology::nodes::NodeIndex;

/// Reads the objects of an input piece by piece.
pub struct ObjectStream<'s, 'k, T> {
    read: StreamedObjects<'s, 'k, T>,
    pieces: InputPieces,
}

/// The objects of an input so far.
struct StreamedObjects<'s, 'k, T> {
    taken: OwnedObjects<'s, 'k, T>,
    documents: Documents,
}

impl<'s, 'k, T: for<'a> Gather<'a, OffText<'s, 'k>>> Steps for StreamedObjects<'s, 'k, T> {
    fn step<'a>(&mut self, walk: &mut ObjectWalk<'_, 'a>) -> Result<bool, Halt> {
        let mark = self.taken.mark();
        let step = self.documents.step(walk, &mut self.taken);
        // It may be read again.
        step.inspect_err(|_| self.taken.forget(mark))
    }
}

/// Declares streams and what they collect.
#[macro_export]
#[doc(hidden)]
macro_rules! streams {
    ($($(#[$meta:meta])* $Name:ident of $Gathered:ident gives $Given:ident;)*) => {$(
        $(#[$meta])*
        pub struct $Name<'s, 'k>($crate::api::stream::ObjectStream<'s, 'k, $Gathered<'k>>);

        impl<'s, 'k> $Name<'s, 'k> {
            /// A stream that stores its objects with the keeper.
            pub fn new(keeper: &'s dyn $crate::model::own::Keeper<'k>) -> Self {
                Self($crate::api::stream::ObjectStream::of_objects(keeper))
            }

            /// Objects that name no namespace are in this one, as with `kubectl --namespace`.
            #[must_use]
            pub fn in_namespace(mut self, namespace: &str) -> Self {
                self.0.in_namespace(namespace);
                self
            }

            /// Takes the next bytes.
            ///
            /// # Errors
            /// Those of reading the whole input at once, as soon as they can be detected.
            pub fn push(&mut self, bytes: &[u8]) -> Result<(), $crate::Error> {
                self.0.push(bytes)
            }

            /// Starts another input: the previous one must be complete, and positions start again.
            ///
            /// # Errors
            /// When the previous one is cut off.
            pub fn next_input(&mut self) -> Result<(), $crate::Error> {
                self.0.next_input()
            }

            /// The token of the page after the one that was read: empty if it was the last; `None` if it was not a
            /// list.
            ///
            /// # Errors
            /// When it is cut off.
            pub fn next_page(&mut self) -> Result<Option<alloc::string::String>, $crate::Error> {
                self.0.next_page()
            }

            /// The result, once all bytes have arrived.
            ///
            /// # Errors
            /// Those of reading the whole input at once.
            pub fn finish(self) -> Result<$Given<'k>, $crate::Error> {
                self.0.finish().map(Into::into)
            }
        }
    )*};
}
#[doc(hidden)]
pub use streams;

streams! {
    /// Reads a snapshot piece by piece.
    SnapshotStream of SnapshotReading gives StreamedSnapshot;
}

impl<'s, 'k> SnapshotStream<'s, 'k> {
    /// Reads slices, also from an array whose items do not state their kind.
    pub fn of_slices(keeper: &'s dyn Keeper<'k>) -> Self {
        Self(ObjectStream::of_slices(keeper))
    }
}

/// A snapshot whose text is no longer available.
#[non_exhaustive]
pub struct StreamedSnapshot<'k> {
    /// Its objects.
    pub snapshot: Snapshot<'k>,
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
        check_plan_options(options, "/options")?;
        let nodes = NodeIndex::new(&self.snapshot.nodes);
        let plans = self.snapshot.plan(&nodes, options);
        Ok(then(&plans, &self.snapshot.slices))
    }
}

impl<'k> From<SnapshotReading<'k>> for StreamedSnapshot<'k> {
    fn from(reading: SnapshotReading<'k>) -> Self {
        Self {
            snapshot: reading.finish(),
        }
    }
}

/// Objects that no longer borrow from their text.
struct OwnedObjects<'s, 'k, T> {
    objects: T,
    place: OffText<'s, 'k>,
}

impl<T: WantedObjects> WantedObjects for OwnedObjects<'_, '_, T> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        self.objects.wants(kind, version)
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.objects.ignore(kind, version);
    }

    fn received(&mut self) -> Option<&mut Received> {
        self.objects.received()
    }

    fn remove(&mut self, kind: &str, name: (&str, &str)) {
        self.objects.remove(kind, name);
    }

    fn settle(&mut self) {
        self.objects.settle();
    }

    fn mark(&self) -> TakenMark {
        self.objects.mark()
    }

    fn forget(&mut self, since: TakenMark) {
        self.objects.forget(since);
    }
}

impl<'a, 's, 'k, T: Gather<'a, OffText<'s, 'k>>> Taker<'a> for OwnedObjects<'s, 'k, T> {
    fn take(&mut self, object: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        self.objects.gather(object, kind, &self.place)
    }
}

impl<'s, 'k, T: Default + for<'a> Gather<'a, OffText<'s, 'k>>> ObjectStream<'s, 'k, T> {
    /// A stream of objects that state their kind.
    pub fn of_objects(keeper: &'s dyn Keeper<'k>) -> Self {
        Self::new(keeper, Documents::default())
    }

    /// Takes the items of an array as slices if they do not state their kind.
    pub fn of_slices(keeper: &'s dyn Keeper<'k>) -> Self {
        Self::new(keeper, Documents::of(KIND, API_VERSION))
    }

    pub fn new(keeper: &'s dyn Keeper<'k>, documents: Documents) -> Self {
        Self {
            read: StreamedObjects {
                taken: OwnedObjects {
                    objects: T::default(),
                    place: OffText(keeper),
                },
                documents: documents.divided(),
            },
            pieces: InputPieces::default(),
        }
    }

    /// Objects that name no namespace are in this one.
    pub fn in_namespace(&mut self, namespace: &str) {
        self.pieces.in_namespace(namespace);
    }

    /// The objects so far.
    pub const fn objects(&mut self) -> &mut T {
        &mut self.read.taken.objects
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// Those of reading the whole input at once, as soon as they can be detected.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.pieces.push(bytes, &mut self.read)
    }

    /// Starts another input.
    ///
    /// # Errors
    /// When the previous one is cut off.
    pub fn next_input(&mut self) -> Result<(), Error> {
        self.pieces.end(&mut self.read)?;
        self.read.documents.restart();
        self.pieces.restart();
        Ok(())
    }

    /// The token of the page after the one that was read.
    ///
    /// # Errors
    /// When it is cut off.
    pub fn next_page(&mut self) -> Result<Option<String>, Error> {
        self.pieces.end(&mut self.read)?;
        Ok(self.read.documents.next_page().map(Into::into))
    }

    /// What was collected, once all bytes have arrived.
    ///
    /// # Errors
    /// Those of reading the whole input at once.
    pub fn finish(mut self) -> Result<T, Error> {
        self.pieces.end(&mut self.read)?;
        self.read.taken.settle();
        Ok(self.read.taken.objects)
    }
}
