//! One page of a list, taken as its bytes arrive: each object is applied as soon as it is complete, so that memory does
//! not grow with the page.
//!
//! Its kind is being listed, so that what was applied of a page that turns out to be unusable does no harm: the kind
//! counts as listed only after its last page, and a listing that starts again settles what has gone.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};

use slicewise::api::objects::{
    Halt, ListReader, NO_KIND, ObjectWalk, PendingObject, Taker, WantedObjects, is_version,
    kind_named,
};
use slicewise::api::pieces::{InputPieces, Steps};
use slicewise::model::NamespacedName;
use slicewise::{Code, Error};

use super::applied::AppliedEvents;
use super::events::read_versioned;
use super::intake::{ClusterState, take_event, take_listed};
use super::lists::{ListContents, check_kind, check_version, twice};
use crate::session::event::{ClusterEvent, Kind, Unreadable};

/// A page of a list that is being read. Several can be read at the same time, of different kinds.
#[derive(Default)]
pub struct ListPieces {
    pieces: InputPieces,
    page: ListPage,
}

/// What has been read of a page.
#[derive(Default)]
struct ListPage {
    list: Option<ListReader>,
    /// Its kind and version, as far as they have been read.
    said: (String, String),
    has_ended: bool,
    found: ListContents,
    names: BTreeSet<(Kind, NamespacedName)>,
    /// Objects that cannot be read; there are few.
    unread: BTreeSet<(Kind, NamespacedName)>,
    applied: AppliedEvents,
    /// A kind that is not being listed.
    unlisted: Option<Kind>,
}

impl ListPieces {
    /// The number of bytes for which there is room.
    #[doc(hidden)]
    pub fn buffered(&self) -> usize {
        self.pieces.buffered()
    }

    /// Takes the next bytes.
    #[doc(hidden)]
    pub fn push(&mut self, bytes: &[u8], kept: &mut dyn ClusterState) -> Result<(), Error> {
        let page = &mut self.page;
        self.pieces.push(bytes, &mut Applying { page, kept })?;
        self.page.check_listing()
    }

    /// All bytes have arrived.
    #[doc(hidden)]
    pub fn finish(mut self, kept: &mut dyn ClusterState) -> Result<AppliedEvents, Error> {
        let page = &mut self.page;
        let mut applying = Applying { page, kept };
        self.pieces.end(&mut applying)?;
        self.page.check_listing()?;
        let mut page = self.page;
        let Some(list) = page.list.take() else {
            return Ok(page.applied);
        };
        let listed = page.found.listed(&list, "");
        if listed.is_mixed() {
            let message = "a `List` of several kinds cannot be taken in pieces; give a list of each kind, such as a `PodList`";
            return Err(Error::new(Code::InvalidValue, message).at("/kind"));
        }
        if let Some(kind) = listed.kind() {
            check_is_listing(kind, kept)?;
        }
        take_listed(listed, kept, &mut page.applied)?;
        Ok(page.applied)
    }
}

impl ListPage {
    /// Remembers what the list has said of itself, which few steps change.
    fn note_said(&mut self, (kind, version): (&str, &str)) {
        if self.said.0 != kind || self.said.1 != version {
            self.said = (kind.to_string(), version.to_string());
        }
    }

    fn check_listing(&self) -> Result<(), Error> {
        self.unlisted.map_or(Ok(()), |kind| Err(not_listing(kind)))
    }

    /// May the object be applied at once? Not if the list is one of others.
    fn is_of(&self, kind: Kind) -> bool {
        let (of, version) = &self.said;
        let of = of.strip_suffix("List").unwrap_or(of);
        of.is_empty() || (of == kind.as_str() && is_version(of, version))
    }
}

fn check_is_listing(kind: Kind, kept: &dyn ClusterState) -> Result<(), Error> {
    match kept.is_listing(kind) {
        true => Ok(()),
        false => Err(not_listing(kind)),
    }
}

fn not_listing(kind: Kind) -> Error {
    let kind = kind.as_str();
    let message = format!(
        "a list is only taken in pieces while its kind is being listed: before the first page, start a listing with \
         `{{\"type\": \"LISTING\", \"object\": {{\"kind\": \"{kind}\", …}}}}`"
    );
    Error::new(Code::InvalidValue, message)
}

/// A page, and what its objects are applied to.
struct Applying<'t> {
    page: &'t mut ListPage,
    kept: &'t mut dyn ClusterState,
}

impl Applying<'_> {
    fn apply(&mut self, event: &ClusterEvent<'_>, kind: Kind) {
        self.page.found.note(kind);
        if !self.kept.is_listing(kind) {
            self.page.unlisted = Some(kind);
        } else if self.page.is_of(kind) {
            take_event(event, self.kept, &mut self.page.applied);
        }
    }
}

impl Steps for Applying<'_> {
    fn step<'a>(&mut self, walk: &mut ObjectWalk<'_, 'a>) -> Result<bool, Halt> {
        walk.leave_out_unreadable();
        walk.take_no_lists();
        if self.page.has_ended {
            walk.reader().end()?;
            return Ok(false);
        }
        let Some(mut list) = self.page.list.take() else {
            walk.reader()
                .begin_object("an object (Kubernetes object)")?;
            self.page.list = Some(ListReader::object(self));
            return Ok(true);
        };
        self.page.note_said(list.said());
        let step = list.step(walk, self);
        let list = self.page.list.insert(list);
        if step? {
            return Ok(true);
        }
        let start = walk.standing().start();
        check_version(walk, start, list)?;
        check_kind(walk, start, list, &self.page.found)?;
        self.page.has_ended = true;
        Ok(true)
    }
}

impl WantedObjects for Applying<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        is_version(kind, version) && kind_named(kind).is_some()
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.page.found.ignore(kind, version);
    }

    fn leave_out(&mut self, object: Unreadable) {
        let kind = object.kind;
        self.page.unread.insert((kind, object.key.clone()));
        self.apply(&ClusterEvent::Unreadable(Box::new(object)), kind);
    }

    fn no_kind(&self) -> &'static str {
        NO_KIND
    }
}

impl<'a> Taker<'a> for Applying<'_> {
    fn take(&mut self, standing: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        let Some(kind) = kind_named(kind) else {
            return Ok(());
        };
        let object = read_versioned(standing, kind)?;
        let name = (kind, object.key());
        if self.page.names.contains(&name) {
            return Err(twice(standing, kind, &name.1));
        }
        if self.page.unread.contains(&name) {
            // As in a list that is read at once, what cannot be read counts.
            self.page.found.note(kind);
            self.page.applied.taken += 1;
        } else {
            self.apply(&ClusterEvent::Set(Box::new(object)), kind);
        }
        self.page.names.insert(name);
        Ok(())
    }
}
