//! Large inputs: objects are read as they come, and of each only what is needed is kept.

use std::io::Read;
use std::path::Path;

use bumpalo::Bump;
use slicewise::Error;
use slicewise::api::{
    self, Limits, MirrorObjects, MirrorStream, Shape, Slices, SnapshotStream, StreamedSnapshot,
    TrafficObjects, TrafficStream,
};
use slicewise::model::own::{Keeper, Own as _};
use slicewise::model::{EndpointSlice, Text};

use super::input::{Input, begins_as_json, too_large};
use super::{Failure, source};

/// Inputs up to this size are read whole; of larger ones so much is read at once.
const PIECE: usize = 256 << 10;

/// An input of which the beginning has been read.
pub(super) enum Begun {
    /// A small one, or one that has to be read whole: a request, or YAML.
    Whole(Input),
    /// Objects in JSON.
    Objects(Pieces),
}

/// The pieces of an input.
pub(super) struct Pieces {
    first: Vec<u8>,
    source: Box<dyn Read>,
    what: String,
    /// If there is a limit.
    max_input_bytes: Option<usize>,
}

/// Opens the file, or standard input for a subcommand. Without a limit, objects in JSON may be of any size, and anything
/// else of the usual one.
///
/// # Errors
/// When it cannot be read, or as [`Input::read`].
pub(super) fn open(
    file: Option<&Path>,
    command: &str,
    max_input_bytes: Option<usize>,
    what_to_give: &str,
) -> Result<Begun, Failure> {
    let mut source = source::open(file, command)?;
    let small = Limits {
        max_input_bytes: PIECE,
    };
    let mut first = source::read_all(&mut source, file, small)?;
    let is_objects = || begins_as_json(&first) && api::detect(&first) == Shape::Snapshot;
    if first.len() > PIECE && is_objects() {
        return Ok(Begun::Objects(Pieces {
            first,
            source,
            what: source::what(file),
            max_input_bytes,
        }));
    }
    let limits = limits(max_input_bytes);
    let rest = Limits {
        max_input_bytes: limits.max_input_bytes.saturating_sub(first.len()),
    };
    first.append(&mut source::read_all(source, file, rest)?);
    let is_piped = source::named(file).is_none();
    Ok(Begun::Whole(Input::read(
        first,
        is_piped,
        limits,
        what_to_give,
    )?))
}

/// What is taken of what is not read as it comes.
pub(super) fn limits(max_input_bytes: Option<usize>) -> Limits {
    max_input_bytes.map_or_else(Limits::default, |max_input_bytes| Limits {
        max_input_bytes,
    })
}

impl Pieces {
    /// Reads all objects, with what explanations need if they are wanted.
    ///
    /// # Errors
    /// When they cannot be read; nothing is to be said of those that can be then.
    pub(super) fn read(
        self,
        arena: &Arena,
        with_details: bool,
    ) -> Result<StreamedSnapshot<'_>, Failure> {
        let keeper = InArena(&arena.0);
        let mut stream = SnapshotStream::new(&keeper);
        if with_details {
            stream = stream.with_details();
        }
        self.push_to(|piece| stream.push(piece))?;
        Ok(stream.finish()?)
    }

    /// Reads the slices, of an array of slices as well.
    ///
    /// # Errors
    /// As [`Pieces::read`].
    pub(super) fn read_slices(self, arena: &Arena) -> Result<Slices<'_>, Failure> {
        let keeper = InArena(&arena.0);
        let mut stream = SnapshotStream::of_slices(&keeper);
        self.push_to(|piece| stream.push(piece))?;
        Ok(stream.finish()?.snapshot.into())
    }

    /// Reads what traffic depends on.
    ///
    /// # Errors
    /// As [`Pieces::read`].
    pub(super) fn read_traffic(self, arena: &Arena) -> Result<TrafficObjects<'_>, Failure> {
        let keeper = InArena(&arena.0);
        let mut stream = TrafficStream::new(&keeper);
        self.push_to(|piece| stream.push(piece))?;
        Ok(stream.finish()?)
    }

    /// Reads what plans of mirrored slices depend on.
    ///
    /// # Errors
    /// As [`Pieces::read`].
    pub(super) fn read_mirrored(self, arena: &Arena) -> Result<MirrorObjects<'_>, Failure> {
        let keeper = InArena(&arena.0);
        let mut stream = MirrorStream::new(&keeper);
        self.push_to(|piece| stream.push(piece))?;
        Ok(stream.finish()?)
    }

    fn push_to(self, mut push: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure> {
        let Self {
            first,
            mut source,
            what,
            max_input_bytes,
        } = self;
        // Editors and PowerShell put a byte order mark in front.
        let mut piece = first
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&first)
            .to_vec();
        let mut total = 0_usize;
        while !piece.is_empty() {
            total = total.saturating_add(piece.len());
            if let Some(max_input_bytes) = max_input_bytes
                && total > max_input_bytes
            {
                return Err(too_large("the input", Limits { max_input_bytes }).into());
            }
            push(&piece)?;
            piece.clear();
            (&mut source)
                .take(PIECE as u64)
                .read_to_end(&mut piece)
                .map_err(Failure::io(what.as_str()))?;
        }
        Ok(())
    }
}

/// Where the texts of all objects are kept; given back at once.
#[derive(Default)]
pub(super) struct Arena(Bump);

impl Arena {
    /// Keeps a slice that stands on a text.
    pub(super) fn keep<'k>(&'k self, slice: EndpointSlice<'_>) -> EndpointSlice<'k> {
        slice.own(&InArena(&self.0))
    }
}

struct InArena<'k>(&'k Bump);

impl<'k> Keeper<'k> for InArena<'k> {
    fn keep(&self, text: Text<'_>) -> Text<'k> {
        let kept: &'k str = self.0.alloc_str(&text);
        kept.into()
    }
}
