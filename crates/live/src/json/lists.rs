//! Lists, as an API server or `kubectl` returns them: all objects of some kinds.
//!
//! A known object that is missing from a list is gone. So anything that may be incomplete is refused: one page of a
//! list whose listing has not begun, an object of another kind in it, and a `List` that lacks a whole kind, as printed
//! by `kubectl get pods -o json`. An object that cannot be read is left out, and named.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::api::input::{self, Limits};
use slicewise::api::objects::{
    Documents, Halt, InputPart, ListReader, NO_KIND, ObjectWalk, PendingObject, Taker,
    WantedObjects, ignored_name, is_version, kind_named, other_slices, read_from,
};
use slicewise::json::LayoutMemory;
use slicewise::model::index::GrowingIndex;
use slicewise::model::order::hash;
use slicewise::model::text::shorten;
use slicewise::model::{Named as _, NamespacedName, SortedMap};
use slicewise::{Code, Error};

use super::events::read_versioned;
use crate::controller::{ClusterEvent, Kind, PlanObject, Versioned};
use crate::session::event::Unreadable;

/// What to do with a page of a list whose listing has not begun.
#[doc(hidden)]
pub const ONE_PAGE: &str = "this is one page of a list: before the first one, start a listing with \
                            `{\"type\": \"LISTING\", \"object\": {\"kind\": …}}`, or join the `items` of all pages \
                            and leave `continue` out";

/// What a list holds.
#[derive(Debug)]
pub(crate) struct Listed<'a> {
    /// One event for each kind that was listed.
    pub events: Vec<ClusterEvent<'a>>,
    /// The kinds of its other objects, in the order of the list.
    pub ignored: Vec<String>,
    /// Its objects that cannot be read.
    pub left_out: Vec<Unreadable>,
    /// The token with which to request the next page; empty on the last one.
    pub continue_token: String,
    path: String,
    is_mixed: bool,
}

impl<'a> Listed<'a> {
    /// May it hold objects of all four kinds? If so, it does not say of any kind that there are none.
    pub(crate) const fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// Has it an object of the kind, even if that cannot be read?
    pub(crate) fn holds(&self, of: Kind) -> bool {
        let is_in = |event: &ClusterEvent<'_>| match event {
            ClusterEvent::Listed { kind, objects, .. } => *kind == of && !objects.is_empty(),
            _ => false,
        };
        let mut left_out = self.left_out.iter();
        self.events.iter().any(is_in) || left_out.any(|left_out| left_out.kind == of)
    }

    /// The kind of its objects, if it holds only one.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self.events.as_slice() {
            [ClusterEvent::Listed { kind, .. }] if !self.is_mixed => Some(*kind),
            _ => None,
        }
    }

    /// Its own `metadata.resourceVersion`; empty if it has none.
    pub(crate) fn resource_version(&self) -> &str {
        match self.events.first() {
            Some(ClusterEvent::Listed {
                resource_version, ..
            }) => resource_version,
            _ => "",
        }
    }

    /// Checks that a page belongs to a listing that has begun.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) fn check_page(&self, is_listing: impl Fn(Kind) -> bool) -> Result<(), Error> {
        if self.continue_token.is_empty() || self.kind().is_some_and(is_listing) {
            return Ok(());
        }
        let path = format!("{}/metadata/continue", self.path);
        Err(Error::new(Code::InvalidValue, ONE_PAGE).at(path))
    }

    /// Checks whether the list can be complete: a `List` does not say of any kind that there are none.
    ///
    /// # Errors
    /// When it is a `List` that lacks a kind of which objects are known.
    pub(crate) fn check(&self, is_known: impl Fn(Kind) -> bool) -> Result<(), Error> {
        if !self.is_mixed {
            return Ok(());
        }
        let is_missing = |kind: &Kind| !self.holds(*kind) && is_known(*kind);
        let missing = Kind::ALL.into_iter().find(is_missing);
        let Some(kind) = missing.map(Kind::as_str) else {
            return Ok(());
        };
        let message = format!(
            "this `List` has no {kind}, but some are known: fetch all four kinds together, as in \
             `kubectl get services,pods,nodes,endpointslices -A -o json`, or give a typed list, \
             such as `{kind}List` with empty `items`, to say that there are none"
        );
        Err(Error::new(Code::InvalidValue, message).at(format!("{}/items", self.path)))
    }

    /// The resulting events. If a listing of its kind has begun, the list is a piece of it: its objects become separate
    /// events, and the listing ends with the last page. Objects that cannot be read follow the others in their order.
    pub(crate) fn into_events(self, is_listing: impl Fn(Kind) -> bool) -> Vec<ClusterEvent<'a>> {
        let piece_of = self.kind().filter(|kind| is_listing(*kind));
        let left_out = self.left_out.into_iter();
        let left_out = left_out.map(|object| ClusterEvent::Unreadable(Box::new(object)));
        let Some(kind) = piece_of else {
            return self.events.into_iter().chain(left_out).collect();
        };
        let is_last = self.continue_token.is_empty();
        let objects = self.events.into_iter().flat_map(|event| match event {
            ClusterEvent::Listed { objects, .. } => objects,
            _ => Vec::new(),
        });
        let objects = objects.map(|object| ClusterEvent::Set(Box::new(object)));
        let end = is_last.then_some(ClusterEvent::Synced(kind));
        objects.chain(left_out).chain(end).collect()
    }
}

/// Reads a list: a `PodList` and the like has all objects of its kind, a `List` those of all four kinds. A list of
/// other kinds is ignored, object by object. Reuses the layout of earlier objects of the same kind.
///
/// # Errors
/// When it or one of its objects cannot be read, or an object occurs in it twice.
pub(super) fn read_list_part<'a>(
    part: InputPart<'a, '_>,
    memory: &mut LayoutMemory,
) -> Result<Listed<'a>, Error> {
    let path = part.path;
    part.read(memory, |walk| read(walk, path))
}

fn read<'a>(walk: &mut ObjectWalk<'_, 'a>, path: &str) -> Result<Listed<'a>, Halt> {
    walk.leave_out_unreadable();
    let mut listing = Listing::default();
    let mut list = ListReader::object(&listing);
    let start = walk.standing().start();
    walk.reader()
        .begin_object("an object (Kubernetes object)")?;
    let read = read_all(walk, &mut list, &mut listing);
    check_version(walk, start, &list)?;
    read?;
    check_kind(walk, start, &list, &listing.found)?;
    Ok(listing.listed(&list, path))
}

fn read_all<'a>(
    walk: &mut ObjectWalk<'_, 'a>,
    list: &mut ListReader,
    listing: &mut Listing<'a>,
) -> Result<(), Halt> {
    while list.step(walk, listing)? {}
    Ok(())
}

/// Checks the version of slices, which is more specific than an error about one of them.
pub(super) fn check_version(
    walk: &mut ObjectWalk<'_, '_>,
    start: usize,
    list: &ListReader,
) -> Result<(), Halt> {
    let (kind, version) = list.said();
    let of = kind.strip_suffix("List");
    match of.and_then(|of| other_slices(of, version)) {
        Some(message) => Err(walk.wrong_at(start, Code::Unsupported, "/apiVersion", &message)),
        None => Ok(()),
    }
}

/// Checks that a list that was read is one, and holds what it says.
pub(super) fn check_kind(
    walk: &mut ObjectWalk<'_, '_>,
    start: usize,
    list: &ListReader,
    found: &ListContents,
) -> Result<(), Halt> {
    let (kind, version) = list.said();
    let Some(of) = kind.strip_suffix("List") else {
        let message =
            "this is not a list; its `kind` must be `List`, or a typed list such as `PodList`";
        return Err(walk.wrong_at(start, Code::InvalidValue, "/kind", message));
    };
    if of.is_empty() && !matches!(version, "" | "v1") {
        let message = format!("a `List` is of `v1`, not of `{}`", shorten(version));
        return Err(walk.wrong_at(start, Code::InvalidValue, "/apiVersion", &message));
    }
    // Objects that are missing from a list of one kind are gone, so it must hold no other kind.
    if let Some((index, kind)) = found.other_than(of) {
        let message = format!("this is a {}, in a list of others", shorten(kind));
        let field = format!("/items/{index}/kind");
        return Err(walk.wrong_at(start, Code::InvalidValue, &field, &message));
    }
    Ok(())
}

/// What a list was found to hold so far.
#[derive(Default)]
pub(super) struct ListContents {
    count: usize,
    /// The kinds that plans depend on, each with the index of its first object.
    firsts: SortedMap<Kind, usize>,
    /// Index, kind and name of the others.
    ignored: Vec<(usize, String, String)>,
}

impl ListContents {
    pub(super) fn note(&mut self, kind: Kind) {
        if self.firsts.get(&kind).is_none() {
            *self.firsts.or_default(kind) = self.count;
        }
        self.count += 1;
    }

    pub(super) fn ignore(&mut self, kind: &str, version: &str) {
        let name = ignored_name(kind, version);
        self.ignored.push((self.count, kind.into(), name));
        self.count += 1;
    }

    /// The first object of another kind, if all must be of this one.
    fn other_than(&self, of: &str) -> Option<(usize, &str)> {
        let firsts = self.firsts.iter();
        let firsts = firsts.map(|(kind, index)| (*index, kind.as_str()));
        let ignored = self.ignored.iter();
        let ignored = ignored.map(|(index, kind, _)| (*index, kind.as_str()));
        let others = firsts.chain(ignored).filter(|(_, kind)| *kind != of);
        others.min().filter(|_| !of.is_empty())
    }

    /// The list, without its objects.
    pub(super) fn listed(self, list: &ListReader, path: &str) -> Listed<'static> {
        let (kind, version) = list.said();
        let of = kind.strip_suffix("List").unwrap_or(kind);
        let is_listed =
            |kind: &Kind| of.is_empty() || (kind.as_str() == of && is_version(of, version));
        let events = Kind::ALL.into_iter().filter(is_listed);
        let events = events.map(|kind| ClusterEvent::Listed {
            kind,
            objects: Vec::new(),
            resource_version: list.page().resource_version.clone().into(),
        });
        Listed {
            events: events.collect(),
            ignored: self.ignored.into_iter().map(|(_, _, name)| name).collect(),
            left_out: Vec::new(),
            continue_token: list.page().token.clone(),
            path: path.into(),
            is_mixed: of.is_empty(),
        }
    }
}

/// A list that is being read.
#[derive(Default)]
struct Listing<'a> {
    found: ListContents,
    objects: Vec<Versioned<'a>>,
    names: GrowingIndex,
    left_out: Vec<Unreadable>,
}

impl<'a> Listing<'a> {
    fn listed(self, list: &ListReader, path: &str) -> Listed<'a> {
        let mut listed: Listed<'a> = self.found.listed(list, path);
        listed.left_out = self.left_out;
        for object in self.objects {
            let of = object.kind();
            for event in &mut listed.events {
                if let ClusterEvent::Listed { kind, objects, .. } = event
                    && *kind == of
                {
                    objects.push(object);
                    break;
                }
            }
        }
        listed
    }
}

impl WantedObjects for Listing<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        is_version(kind, version) && kind_named(kind).is_some()
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.found.ignore(kind, version);
    }

    fn leave_out(&mut self, object: Unreadable) {
        self.found.note(object.kind);
        self.left_out.push(object);
    }

    fn no_kind(&self) -> &'static str {
        NO_KIND
    }
}

impl<'a> Taker<'a> for Listing<'a> {
    fn take(&mut self, standing: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        let Some(kind) = kind_named(kind) else {
            return Ok(());
        };
        let object = read_versioned(standing, kind)?;
        let hash = hash_of(&object);
        let is_it = |other: u32| {
            let other = self.objects.get(other as usize);
            other
                .is_some_and(|other| other.kind() == kind && full_name(other) == full_name(&object))
        };
        if self.names.find(hash, is_it).is_some() {
            return Err(twice(standing, kind, &object.key()));
        }
        self.names.push(hash);
        self.found.note(kind);
        self.objects.push(object);
        Ok(())
    }
}

pub(super) fn twice(
    standing: &PendingObject<'_, '_, '_>,
    kind: Kind,
    key: &NamespacedName,
) -> Halt {
    let message = format!("{} `{key}` is listed twice", kind.as_str());
    standing.wrong(Code::DuplicateName, "/metadata/name", &message)
}

fn full_name<'o>(object: &'o Versioned<'_>) -> (&'o str, &'o str) {
    match &object.object {
        PlanObject::Service(service) => service.full_name(),
        PlanObject::Pod(pod) => pod.full_name(),
        PlanObject::Node(node) => node.full_name(),
        PlanObject::EndpointSlice(slice) => slice.full_name(),
    }
}

fn hash_of(object: &Versioned<'_>) -> u64 {
    let (namespace, name) = full_name(object);
    let kind = object.kind().as_str();
    hash(&[kind.as_bytes(), namespace.as_bytes(), name.as_bytes()])
}

/// The token of the next page, as returned by
/// [`SnapshotStream::next_page`](slicewise::api::SnapshotStream::next_page), for callers that keep pages as they are.
///
/// # Errors
/// When it is not JSON.
pub fn next_page(page: &[u8]) -> Result<Option<String>, Error> {
    let text = input::text(page, Limits::new(usize::MAX))?;
    let mut documents = Documents::default();
    read_from(&mut documents, text, &mut NoObjects)?;
    Ok(documents.next_page().map(Into::into))
}

/// A taker that wants no objects.
struct NoObjects;

impl WantedObjects for NoObjects {
    fn wants(&self, _: &str, _: &str) -> bool {
        false
    }

    fn ignore(&mut self, _: &str, _: &str) {}
}

impl<'a> Taker<'a> for NoObjects {
    fn take(&mut self, _: &mut PendingObject<'_, '_, 'a>, _: &str) -> Result<(), Halt> {
        Ok(())
    }
}
