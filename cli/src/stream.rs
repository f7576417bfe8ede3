//! Large inputs: objects are read one by one, and only the needed fields of each are kept.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

use slicewise::api::request_stream::RequestStream;
use slicewise::api::{self, InputShape, Limits, SliceList, Snapshot};
use slicewise::model::keys::SERVICE_NAME_LABEL;
use slicewise::model::{Named as _, Text};
use slicewise::{Code, Error};
use slicewise_diagnosis::{DetailsStream, SnapshotStream, StreamedDetails, StreamedSnapshot};
use slicewise_sources::{MirrorObjects, MirrorStream};
use slicewise_traffic::routing::ClientSelector;
use slicewise_traffic::{TrafficObjects, TrafficStream};
use slicewise_yaml::{Conversion, Places, Words};

use crate::arena::{Arena, InArena};
use crate::failure::CommandFailure;
use crate::input::{
    ReadableInput, begins_as_json, begins_as_yaml, blank_warnings, placed, too_large, without_mark,
};
use crate::origin::{CommandInput, Origin, ServicesArgs};
use crate::selection::Selection;
use crate::source;
use crate::threads;
use crate::usage::or_ndjson;

#[cfg(not(target_family = "wasm"))]
use slicewise_cluster::list::ClusterLists;

/// Inputs up to this size are read at once; larger ones in chunks of this size.
const PIECE: usize = 256 << 10;
/// Up to this size, requests are read at once: their options may ask for explanations, which need more of the text.
const LARGE_REQUEST: usize = 1 << 20;
/// How many pieces may wait for a second reader.
const PIECES_AHEAD: usize = 8;

/// An input whose beginning has been read.
pub(crate) enum Begun<'s, R = ReadableInput> {
    /// A request, or what is neither.
    Request(R),
    /// Objects, however few.
    Objects(ObjectPieces<'s>),
}

/// A request, or what is neither.
pub(crate) enum RequestInput {
    Read(ReadableInput),
    /// Much JSON.
    Large(UnreadInput),
}

/// An input of which only the beginning has been read.
pub(crate) struct UnreadInput {
    first: Vec<u8>,
    rest: source::Source,
    file: Option<PathBuf>,
    max_input_bytes: Option<usize>,
    wanted: CommandInput,
}

/// Objects that are read in pieces.
pub(crate) struct ObjectPieces<'s> {
    of: InputSource,
    /// The limit, if any.
    max_input_bytes: Option<usize>,
    /// The Services to keep.
    selection: Selection<'s>,
}

enum InputSource {
    /// A small file that has been read.
    Read(ReadableInput),
    One(InputFile),
    Several(Vec<PathBuf>, CommandInput),
    #[cfg(not(target_family = "wasm"))]
    Cluster(Box<ClusterLists>),
}

/// One file, or standard input.
struct InputFile {
    of: InputFormat,
    what: String,
}

enum InputFormat {
    /// What has been read of it, and the rest.
    Json(Vec<u8>, source::Source),
    Yaml(Box<Conversion<'static>>),
}

/// Opens what a command's arguments name, and returns the only Service of interest, if there is one.
///
/// # Errors
/// As for [`ServicesArgs::resolve`] and [`open`], or if a request, which has one Service, is to be selected from.
pub(crate) fn open_services(
    of: &ServicesArgs,
    wanted: CommandInput,
) -> Result<(Begun<'_>, Option<&str>), CommandFailure> {
    let (begun, service) = begin_services(of, wanted)?;
    Ok((begun.read()?, service))
}

/// The same, but leaves large requests to the caller.
///
/// # Errors
/// As for [`open_services`].
pub(crate) fn begin_services(
    of: &ServicesArgs,
    wanted: CommandInput,
) -> Result<(Begun<'_, RequestInput>, Option<&str>), CommandFailure> {
    let asked = of.resolve()?;
    let begun = begin(asked.origin, wanted, of.max_input_bytes())?;
    Ok((begun.select(asked.selection)?, asked.service))
}

/// Opens an input. Without a limit, objects may have any size; what is read at once must keep to the usual limit.
///
/// # Errors
/// If it cannot be read, or as for [`ReadableInput::read`].
pub(crate) fn open(
    origin: Origin<'_>,
    wanted: CommandInput,
    max_input_bytes: Option<usize>,
) -> Result<Begun<'static>, CommandFailure> {
    begin(origin, wanted, max_input_bytes)?.read()
}

fn begin(
    origin: Origin<'_>,
    wanted: CommandInput,
    max_input_bytes: Option<usize>,
) -> Result<Begun<'static, RequestInput>, CommandFailure> {
    let pieces = |of| {
        Begun::Objects(ObjectPieces {
            of,
            max_input_bytes,
            selection: Selection::default(),
        })
    };
    let one = |file| {
        Ok(match open_one(file, wanted, max_input_bytes)? {
            Opened::Whole(input) if input.is_request() => Begun::Request(RequestInput::Read(input)),
            Opened::Whole(input) => pieces(InputSource::Read(input)),
            Opened::Objects(one) => pieces(InputSource::One(one)),
            Opened::Request(large) => Begun::Request(RequestInput::Large(large)),
        })
    };
    match origin {
        Origin::File(file) => one(file),
        Origin::Files(files) => match source::expand(files)?.as_slice() {
            [only] => one(Some(only)),
            files => Ok(pieces(InputSource::Several(files.to_vec(), wanted))),
        },
        #[cfg(not(target_family = "wasm"))]
        Origin::Cluster(from) => {
            let lists = from.lists(wanted)?;
            Ok(pieces(InputSource::Cluster(Box::new(lists))))
        }
        #[cfg(target_family = "wasm")]
        Origin::Cluster(_) => Err(crate::usage::without_cluster(wanted.resources).into()),
    }
}

/// A file that has been opened.
enum Opened {
    Whole(ReadableInput),
    /// Many objects.
    Objects(InputFile),
    Request(UnreadInput),
}

fn open_one(
    file: Option<&Path>,
    wanted: CommandInput,
    max_input_bytes: Option<usize>,
) -> Result<Opened, CommandFailure> {
    let mut source = source::open(file, wanted.command)?;
    let mut first = Vec::new();
    source::read_on(&mut first, &mut source, file, Limits::new(PIECE))?;
    blank_warnings(&mut first);
    if first.len() > PIECE && is_objects(&first) {
        let of = match begins_as_json(&first) {
            true => InputFormat::Json(first, source),
            false => {
                let bytes = Cursor::new(without_mark(&first).to_vec());
                InputFormat::Yaml(Box::new(Conversion::new(bytes.chain(source))))
            }
        };
        let what = source::what(file);
        return Ok(Opened::Objects(InputFile { of, what }));
    }
    if first.len() > PIECE {
        source::read_on(&mut first, &mut source, file, Limits::new(LARGE_REQUEST))?;
    }
    let is_large = first.len() > LARGE_REQUEST && begins_as_json(&first);
    let unread = UnreadInput {
        first,
        rest: source,
        file: file.map(Path::to_path_buf),
        max_input_bytes,
        wanted,
    };
    match is_large {
        true => Ok(Opened::Request(unread)),
        false => unread.read().map(Opened::Whole),
    }
}

impl RequestInput {
    /// Reads all of it.
    ///
    /// # Errors
    /// As for [`ReadableInput::read`].
    pub(crate) fn read(self) -> Result<ReadableInput, CommandFailure> {
        match self {
            Self::Read(input) => Ok(input),
            Self::Large(unread) => unread.read(),
        }
    }
}

impl UnreadInput {
    fn read(mut self) -> Result<ReadableInput, CommandFailure> {
        let (file, limits) = (self.file.as_deref(), limits(self.max_input_bytes));
        source::read_on(&mut self.first, self.rest, file, limits)?;
        let is_piped = source::named(file).is_none();
        ReadableInput::read(
            Words::Booleans,
            self.first,
            is_piped,
            limits,
            self.wanted.what_to_give,
        )
    }

    /// Passes all of it on.
    ///
    /// # Errors
    /// If it cannot be read, is too large, or is refused.
    pub(crate) fn push_to(self, stream: &mut RequestStream<'_, '_>) -> Result<(), CommandFailure> {
        let mut room = Room::new(self.max_input_bytes);
        let what = source::what(self.file.as_deref());
        push_json(&self.first, self.rest, &what, &mut |piece| {
            room.take(piece.len())?;
            stream.push(piece).map_err(|error| or_ndjson(error).into())
        })
    }
}

/// Whether an input contains objects, by its beginning: its first key tells.
fn is_objects(first: &[u8]) -> bool {
    if begins_as_json(first) {
        return api::detect(first) == InputShape::Snapshot;
    }
    const KEY: usize = 16;
    begins_as_yaml(first) && {
        let mut conversion = Conversion::new(without_mark(first));
        let json = conversion.piece(KEY).ok().flatten();
        json.is_some_and(|json| api::detect(json) == InputShape::Snapshot)
    }
}

/// The limits for inputs that are not streamed.
pub(crate) fn limits(max_input_bytes: Option<usize>) -> Limits {
    max_input_bytes.map_or_else(Limits::default, |max_input_bytes| {
        Limits::new(max_input_bytes)
    })
}

/// A consumer of objects in pieces.
trait GatherPieces {
    type Gathered;

    /// Objects that name no namespace are in this one.
    fn in_namespace(self, namespace: &str) -> Self;

    fn push(&mut self, bytes: &[u8]) -> Result<(), Error>;

    fn next_input(&mut self) -> Result<(), Error>;

    #[cfg(not(target_family = "wasm"))]
    fn next_page(&mut self) -> Result<Option<String>, Error>;

    fn finish(self) -> Result<Self::Gathered, Error>;
}

macro_rules! gathers {
    ($($Stream:ident gives $Given:ident;)*) => {$(
        impl<'k> GatherPieces for $Stream<'_, 'k> {
            type Gathered = $Given<'k>;

            fn in_namespace(self, namespace: &str) -> Self {
                $Stream::in_namespace(self, namespace)
            }

            fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
                $Stream::push(self, bytes)
            }

            fn next_input(&mut self) -> Result<(), Error> {
                $Stream::next_input(self)
            }

            #[cfg(not(target_family = "wasm"))]
            fn next_page(&mut self) -> Result<Option<String>, Error> {
                $Stream::next_page(self)
            }

            fn finish(self) -> Result<$Given<'k>, Error> {
                $Stream::finish(self)
            }
        }
    )*};
}

gathers! {
    SnapshotStream gives StreamedSnapshot;
    TrafficStream gives TrafficObjects;
    MirrorStream gives MirrorObjects;
}

/// What was read, why optional lists of a cluster were left out, and what is still to be selected.
type Gathered<'s, T> = (T, Vec<String>, Selection<'s>);

/// A stream of details, whose bytes another thread receives as well for the objects themselves.
struct SharedPieces<'s, 'k> {
    /// An error only counts if the objects can be read.
    details: Result<DetailsStream<'s, 'k>, Error>,
    pieces: SyncSender<Piece>,
    /// Those that have been read, whose memory serves again: the system takes its time to clear more.
    used: &'s Receiver<Vec<u8>>,
}

/// For another thread, in the memory of a piece that has been used, if there is one.
fn copied(piece: &[u8], used: &Receiver<Vec<u8>>) -> Vec<u8> {
    let mut copy = used.try_recv().unwrap_or_default();
    copy.clear();
    copy.extend_from_slice(piece);
    copy
}

enum Piece {
    Bytes(Vec<u8>),
    /// Without it, the rest could not be read.
    End,
}

/// Only told if neither the thread nor the file that did not go on says why.
fn cut_off() -> Error {
    Error::new(Code::IncompleteInput, "not all objects were read")
}

impl SharedPieces<'_, '_> {
    fn send(&self, piece: Piece) -> Result<(), Error> {
        self.pieces.send(piece).map_err(|_| cut_off())
    }
}

impl<'k> GatherPieces for SharedPieces<'_, 'k> {
    type Gathered = Result<StreamedDetails<'k>, Error>;

    fn in_namespace(self, namespace: &str) -> Self {
        let details = self.details.map(|details| details.in_namespace(namespace));
        Self { details, ..self }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.send(Piece::Bytes(copied(bytes, self.used)))?;
        if let Ok(details) = &mut self.details {
            let pushed = details.push(bytes);
            pushed.unwrap_or_else(|error| self.details = Err(error));
        }
        Ok(())
    }

    fn next_input(&mut self) -> Result<(), Error> {
        Ok(())
    }

    #[cfg(not(target_family = "wasm"))]
    fn next_page(&mut self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn finish(self) -> Result<Self::Gathered, Error> {
        self.send(Piece::End)?;
        Ok(self.details.and_then(DetailsStream::finish))
    }
}

/// `None` if not all pieces came.
fn read_objects<'k>(
    pieces: &Receiver<Piece>,
    used: &Sender<Vec<u8>>,
    arena: &'k Arena,
    namespace: Option<&str>,
) -> Result<Option<StreamedSnapshot<'k>>, Error> {
    let keeper = arena.keeper();
    let mut stream = SnapshotStream::new(&keeper);
    if let Some(namespace) = namespace {
        stream = stream.in_namespace(namespace);
    }
    for piece in pieces {
        match piece {
            Piece::Bytes(bytes) => {
                stream.push(&bytes)?;
                let _ = used.send(bytes);
            }
            Piece::End => return stream.finish().map(Some),
        }
    }
    Ok(None)
}

impl<'s> Begun<'s, RequestInput> {
    /// Reads a request.
    fn read(self) -> Result<Begun<'s>, CommandFailure> {
        Ok(match self {
            Self::Request(input) => Begun::Request(input.read()?),
            Self::Objects(pieces) => Begun::Objects(pieces),
        })
    }
}

impl<'s, R> Begun<'s, R> {
    /// Keeps only the selected Services.
    fn select(self, selection: Selection<'s>) -> Result<Self, Error> {
        if selection.is_all() {
            return Ok(self);
        }
        match self {
            Self::Objects(pieces) => Ok(Self::Objects(ObjectPieces {
                selection,
                ..pieces
            })),
            Self::Request(_) => {
                let message = "a request has one Service; --namespace and --selector select from objects, so leave them out";
                Err(Error::new(Code::InvalidValue, message))
            }
        }
    }

    /// The only namespace it covers, if that is known in advance.
    pub(crate) fn namespace(&self) -> Option<&str> {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Self::Objects(ObjectPieces {
                of: InputSource::Cluster(lists),
                ..
            }) => lists.namespace(),
            _ => None,
        }
    }
}

impl<'s> ObjectPieces<'s> {
    /// Reads all objects, including those for explanations if there is another arena for them.
    ///
    /// # Errors
    /// If they cannot be read; no partial result is used then.
    pub(crate) fn read<'k>(
        self,
        arena: &'k Arena,
        details: Option<&'k mut Arena>,
    ) -> Result<StreamedSnapshot<'k>, CommandFailure> {
        let keeper = arena.keeper();
        let is_selected = self.is_selected();
        let is_large = matches!(&self.of, InputSource::One(one) if one.is_json());
        let (mut read, left_out, selection) = match details {
            Some(details) if is_large && threads::are_several() => {
                self.read_at_once(&keeper, details)?
            }
            Some(_) => self.gather(|| SnapshotStream::new(&keeper).with_details())?,
            None => self.gather(|| SnapshotStream::new(&keeper))?,
        };
        for why in left_out {
            read.snapshot.received.leave_out(why);
        }
        let Snapshot {
            services, slices, ..
        } = &mut read.snapshot;
        selection.choose(|is_selected| {
            services.retain(|one| is_selected(one.full_name(), &one.metadata.labels));
        })?;
        slices.retain(|slice| selection.is_in(&slice.metadata.namespace));
        if is_selected {
            keep_slices_of_services(&mut read.snapshot);
        }
        Ok(read)
    }

    /// Reads one file for what explanations need of its objects, and in another thread, which takes as long, for the objects.
    fn read_at_once<'k>(
        self,
        keeper: &InArena<'k>,
        of_objects: &'k mut Arena,
    ) -> Result<Gathered<'s, StreamedSnapshot<'k>>, CommandFailure> {
        let namespace = self.selection.namespace().map(str::to_owned);
        thread::scope(|scope| {
            let (pieces, received) = mpsc::sync_channel(PIECES_AHEAD);
            let (done, used) = mpsc::channel();
            let objects = scope
                .spawn(move || read_objects(&received, &done, of_objects, namespace.as_deref()));
            let gathered = self.gather(|| SharedPieces {
                details: Ok(DetailsStream::new(keeper)),
                pieces: pieces.clone(),
                used: &used,
            });
            drop(pieces);
            let objects = threads::joined(objects)?;
            let (details, left_out, selection) = gathered?;
            let read = objects.ok_or_else(cut_off)?.with_details(details?);
            Ok((read, left_out, selection))
        })
    }

    /// Reads slices, also from an array of slices.
    ///
    /// # Errors
    /// As for [`ObjectPieces::read`].
    pub(crate) fn read_slices(self, arena: &Arena) -> Result<SliceList<'_>, CommandFailure> {
        let keeper = arena.keeper();
        let (read, ..) = self.gather(|| SnapshotStream::of_slices(&keeper))?;
        Ok(read.snapshot.into())
    }

    /// Reads what traffic depends on, including the pods if clients are selected among them.
    ///
    /// # Errors
    /// As for [`ObjectPieces::read`].
    pub(crate) fn read_traffic<'k>(
        self,
        arena: &'k Arena,
        clients: Option<&ClientSelector>,
    ) -> Result<TrafficObjects<'k>, CommandFailure> {
        let keeper = arena.keeper();
        let (mut read, left_out, selection) = self.gather(|| match clients {
            Some(clients) => TrafficStream::new(&keeper).with_clients(clients.clone()),
            None => TrafficStream::new(&keeper),
        })?;
        for why in left_out {
            read.leave_out(why);
        }
        selection.choose(|is_selected| read.retain_services(is_selected))?;
        Ok(read)
    }

    /// Reads what plans of mirrored slices depend on.
    ///
    /// # Errors
    /// As for [`ObjectPieces::read`].
    pub(crate) fn read_mirrored(self, arena: &Arena) -> Result<MirrorObjects<'_>, CommandFailure> {
        let keeper = arena.keeper();
        let is_selected = self.is_selected();
        let (mut read, _, selection) = self.gather(|| MirrorStream::new(&keeper))?;
        let is_in = |namespace: &str| selection.is_in(namespace);
        selection.choose(|is_selected| read.retain(is_selected, is_in))?;
        if is_selected {
            read.retain_of_services();
        }
        Ok(read)
    }

    /// Whether a selector left out Services of the namespaces that are read.
    fn is_selected(&self) -> bool {
        match &self.of {
            #[cfg(not(target_family = "wasm"))]
            InputSource::Cluster(lists) => lists.is_selected(),
            _ => self.selection.has_labels(),
        }
    }

    /// Reads all objects.
    fn gather<G: GatherPieces>(
        self,
        begin: impl Fn() -> G,
    ) -> Result<Gathered<'s, G::Gathered>, CommandFailure> {
        let mut room = Room::new(self.max_input_bytes);
        let namespace = self.selection.namespace();
        let begin = || match namespace {
            Some(namespace) => begin().in_namespace(namespace),
            None => begin(),
        };
        let (gathered, left_out) = match self.of {
            InputSource::Read(input) => {
                let mut gathering = begin();
                let pushed = gathering.push(input.json());
                let finished = pushed.and_then(|()| gathering.finish());
                (finished.map_err(|error| input.placed(error))?, Vec::new())
            }
            InputSource::One(one) => {
                let mut gathering = begin();
                let places = one.push_to(&mut gathering, &mut room)?;
                let finished = gathering.finish();
                let gathered = finished.map_err(|error| placed(places.as_ref(), error))?;
                (gathered, Vec::new())
            }
            InputSource::Several(files, wanted) => {
                (several(&files, wanted, begin(), &mut room)?, Vec::new())
            }
            #[cfg(not(target_family = "wasm"))]
            InputSource::Cluster(lists) => lists.attempt(|| {
                let mut gathering = begin();
                let mut room = Room::new(self.max_input_bytes);
                let mut is_first = true;
                let left_out = lists.read(&mut |page| {
                    room.take(page.len())?;
                    if !std::mem::take(&mut is_first) {
                        gathering.next_input()?;
                    }
                    let mut pieces = page.chunks(PIECE);
                    pieces.try_for_each(|piece| gathering.push(piece))?;
                    gathering.next_page()
                })?;
                Ok((lists.readable(gathering.finish())?, left_out))
            })?,
        };
        Ok((gathered, left_out, self.selection))
    }
}

/// Drops the slices of missing Services, so that nothing is reported about them.
fn keep_slices_of_services(snapshot: &mut Snapshot<'_>) {
    let services = snapshot.services.iter();
    let services: BTreeSet<(&str, &str)> = services
        .map(|service| (&*service.metadata.namespace, &*service.metadata.name))
        .collect();
    snapshot.slices.retain(|slice| {
        let service = slice.metadata.labels.get(SERVICE_NAME_LABEL);
        let service = service.map_or("", Text::as_str);
        service.is_empty() || services.contains(&(&*slice.metadata.namespace, service))
    });
}

/// Reads several files as if they were one; errors name the file.
fn several<G: GatherPieces>(
    files: &[PathBuf],
    wanted: CommandInput,
    mut gathering: G,
    room: &mut Room,
) -> Result<G::Gathered, CommandFailure> {
    let mut places = None;
    for (number, file) in files.iter().enumerate() {
        let mut read = || -> Result<(), CommandFailure> {
            places = match open_one(Some(file), wanted, room.limit)? {
                Opened::Whole(input) if !input.is_request() => {
                    room.take(input.json().len())?;
                    let pushed = gathering.push(input.json());
                    pushed.map_err(|error| input.placed(error))?;
                    input.into_places()
                }
                Opened::Objects(one) => one.push_to(&mut gathering, room)?,
                Opened::Whole(_) | Opened::Request(_) => {
                    let message = "a request contains everything it needs; give it alone";
                    return Err(Error::new(Code::InvalidValue, message).into());
                }
            };
            // The end of the last file is the end of the input.
            if number + 1 < files.len() {
                let ended = gathering.next_input();
                ended.map_err(|error| placed(places.as_ref(), error))?;
            }
            Ok(())
        };
        read().map_err(|failure| source::within(failure, file))?;
    }
    gathering.finish().map_err(|error| {
        let failure = placed(places.as_ref(), error).into();
        match files.last() {
            Some(last) => source::within(failure, last),
            None => failure,
        }
    })
}

/// The number of bytes read so far, and the limit.
struct Room {
    limit: Option<usize>,
    total: usize,
}

impl Room {
    const fn new(limit: Option<usize>) -> Self {
        Self { limit, total: 0 }
    }

    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        self.total = self.total.saturating_add(bytes);
        match self.limit {
            Some(max_input_bytes) if self.total > max_input_bytes => {
                Err(too_large("the input", Limits::new(max_input_bytes)))
            }
            _ => Ok(()),
        }
    }
}

impl InputFile {
    const fn is_json(&self) -> bool {
        matches!(self.of, InputFormat::Json(..))
    }

    /// Passes all of it on, and returns where its JSON is from if it was YAML.
    fn push_to(
        self,
        gathering: &mut impl GatherPieces,
        room: &mut Room,
    ) -> Result<Option<Places>, CommandFailure> {
        match self.of {
            InputFormat::Json(first, rest) => {
                push_json(&first, rest, &self.what, &mut |piece| {
                    room.take(piece.len())?;
                    Ok(gathering.push(piece)?)
                })?;
                Ok(None)
            }
            InputFormat::Yaml(mut conversion) => {
                let mut read = 0;
                loop {
                    let piece = conversion.piece(PIECE);
                    let piece =
                        piece.map_err(|stopped| CommandFailure::of_yaml(stopped, &self.what))?;
                    let Some(piece) = piece else {
                        return Ok(Some(conversion.into_places()));
                    };
                    let pushed = gathering.push(piece);
                    pushed.map_err(|error| conversion.places().placed(error))?;
                    room.take(conversion.bytes() - read)?;
                    read = conversion.bytes();
                }
            }
        }
    }
}

/// Passes on all of an input, of which the first bytes have been read.
fn push_json(
    first: &[u8],
    rest: source::Source,
    what: &str,
    push: &mut impl FnMut(&[u8]) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    for piece in without_mark(first).chunks(PIECE) {
        push(piece)?;
    }
    let read = match threads::are_several() {
        true => read_ahead(rest, push)?,
        false => read_in_turn(rest, push)?,
    };
    read.map_err(CommandFailure::io(what))
}

/// Passes on what a source holds, piece by piece.
fn read_in_turn<E>(
    source: impl Read,
    push: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<io::Result<()>, E> {
    let mut source = BufReader::with_capacity(PIECE, source);
    loop {
        let piece = match source.fill_buf() {
            Ok([]) => return Ok(Ok(())),
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Err(error)),
        };
        push(piece)?;
        let read = piece.len();
        source.consume(read);
    }
}

/// The same, while another thread reads what comes next. It is not waited for if a piece is refused: the source may never end.
fn read_ahead<E>(
    source: impl Read + Send + 'static,
    push: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<io::Result<()>, E> {
    let (ahead, pieces) = mpsc::sync_channel(PIECES_AHEAD);
    let (done, used) = mpsc::channel::<Vec<u8>>();
    let read_all = move || read_in_turn(source, &mut |piece| ahead.send(copied(piece, &used)));
    let reading = match thread::Builder::new().spawn(read_all) {
        Ok(reading) => reading,
        Err(error) => return Ok(Err(error)),
    };
    for piece in pieces {
        push(&piece)?;
        let _ = done.send(piece);
    }
    // Its pieces have all been received.
    Ok(threads::returned(reading.join()).unwrap_or(Ok(())))
}
