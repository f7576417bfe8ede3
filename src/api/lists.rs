//! Lists, as an API server or `kubectl` returns them: all objects of some kinds.
//!
//! A known object that is missing from a list is gone. So anything that may be incomplete is refused: one page of a
//! list whose listing has not begun, an object of another kind in it, and a `List` that lacks a whole kind, as printed
//! by `kubectl get pods -o json`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::events::{NO_KIND, read_versioned};
use super::input::{self, Limits};
use super::objects::{
    Documents, Halt, List, Part, Standing, Taker, Walk, Wanted, ignored_name, is_version,
    other_slices, read_from,
};
use super::received::Page;
use crate::controller::{Event, Kind, Object, Versioned};
use crate::json::Memory;
use crate::model::Named as _;
use crate::model::index::GrowingIndex;
use crate::model::order::hash;
use crate::model::text::shorten;
use crate::{Code, Error};

/// What a list holds.
#[derive(Debug)]
pub(crate) struct Listed<'a> {
    /// One event for each kind that was listed.
    pub events: Vec<Event<'a>>,
    /// The kinds of its other objects, in the order of the list.
    pub ignored: Vec<String>,
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

    /// The kind of its objects, if it holds only one.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self.events.as_slice() {
            [Event::Listed { kind, .. }] if !self.is_mixed => Some(*kind),
            _ => None,
        }
    }

    /// Its own `metadata.resourceVersion`; empty if it has none.
    pub(crate) fn resource_version(&self) -> &str {
        match self.events.first() {
            Some(Event::Listed {
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
        let message = "this is one page of a list: before the first one, start a listing with \
                       `{\"type\": \"LISTING\", \"object\": {\"kind\": …}}`, or join the `items` of all pages \
                       and leave `continue` out";
        let path = format!("{}/metadata/continue", self.path);
        Err(Error::new(Code::InvalidValue, message).at(path))
    }

    /// Checks whether the list can be complete: a `List` does not say of any kind that there are none.
    ///
    /// # Errors
    /// When it is a `List` that lacks a kind of which objects are known.
    pub(crate) fn check(&self, is_known: impl Fn(Kind) -> bool) -> Result<(), Error> {
        if !self.is_mixed {
            return Ok(());
        }
        let missing = self.events.iter().find_map(|event| match event {
            Event::Listed { kind, objects, .. } if objects.is_empty() && is_known(*kind) => {
                Some(kind.as_str())
            }
            _ => None,
        });
        let Some(kind) = missing else { return Ok(()) };
        let message = format!(
            "this `List` has no {kind}, but some are known: fetch all four kinds together, as in \
             `kubectl get services,pods,nodes,endpointslices -A -o json`, or give a typed list, \
             such as `{kind}List` with empty `items`, to say that there are none"
        );
        Err(Error::new(Code::InvalidValue, message).at(format!("{}/items", self.path)))
    }

    /// The resulting events. If a listing of its kind has begun, the list is a piece of it: its objects become separate
    /// events, and the listing ends with the last page.
    pub(crate) fn into_events(self, is_listing: impl Fn(Kind) -> bool) -> Vec<Event<'a>> {
        let Some(kind) = self.kind().filter(|kind| is_listing(*kind)) else {
            return self.events;
        };
        let is_last = self.continue_token.is_empty();
        let objects = self.events.into_iter().flat_map(|event| match event {
            Event::Listed { objects, .. } => objects,
            _ => Vec::new(),
        });
        let objects = objects.map(|object| Event::Set(Box::new(object)));
        let end = is_last.then_some(Event::Synced(kind));
        objects.chain(end).collect()
    }
}

/// Reads a list: a `PodList` and the like has all objects of its kind, a `List` those of all four kinds. A list of
/// other kinds is ignored, object by object. Reuses the layout of earlier objects of the same kind.
///
/// # Errors
/// When it or one of its objects cannot be read, or an object occurs in it twice.
pub(super) fn read_list_part<'a>(
    part: Part<'a, '_>,
    memory: &mut Memory,
) -> Result<Listed<'a>, Error> {
    let path = part.path;
    part.read(memory, |walk| read(walk, path))
}

fn read<'a>(walk: &mut Walk<'_, 'a>, path: &str) -> Result<Listed<'a>, Halt> {
    let mut listing = Listing::default();
    let mut list = List::object(&listing);
    let start = walk.standing().start();
    walk.reader()
        .begin_object("an object (Kubernetes object)")?;
    let read = read_all(walk, &mut list, &mut listing);
    let (kind, version) = list.said();
    // More specific than the error about one of its items.
    if let Some(message) = kind
        .strip_suffix("List")
        .and_then(|of| other_slices(of, version))
    {
        return Err(walk.wrong_at(start, Code::Unsupported, "/apiVersion", &message));
    }
    read?;
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
    if let Some((index, kind)) = listing.other_than(of) {
        let message = format!("this is a {}, in a list of others", shorten(kind));
        let field = format!("/items/{index}/kind");
        return Err(walk.wrong_at(start, Code::InvalidValue, &field, &message));
    }
    Ok(listing.listed((of, version), list.page(), path))
}

fn read_all<'a>(
    walk: &mut Walk<'_, 'a>,
    list: &mut List,
    listing: &mut Listing<'a>,
) -> Result<(), Halt> {
    while list.step(walk, listing)? {}
    Ok(())
}

/// A list that is being read.
#[derive(Default)]
struct Listing<'a> {
    /// The objects, each with its index.
    objects: Vec<(usize, Versioned<'a>)>,
    names: GrowingIndex,
    /// Index, kind and name of the others.
    ignored: Vec<(usize, String, String)>,
}

impl<'a> Listing<'a> {
    fn count(&self) -> usize {
        self.objects.len() + self.ignored.len()
    }

    /// The first object of another kind, if all must be of this one.
    fn other_than(&self, of: &str) -> Option<(usize, &str)> {
        let objects = self.objects.iter();
        let objects = objects.map(|(index, object)| (*index, object.kind().as_str()));
        let ignored = self.ignored.iter();
        let ignored = ignored.map(|(index, kind, _)| (*index, kind.as_str()));
        let others = objects.chain(ignored).filter(|(_, kind)| *kind != of);
        others.min().filter(|_| !of.is_empty())
    }

    fn listed(self, (of, version): (&str, &str), page: &Page, path: &str) -> Listed<'a> {
        let is_listed =
            |kind: &Kind| of.is_empty() || (kind.as_str() == of && is_version(of, version));
        let kinds = Kind::ALL.into_iter().filter(is_listed);
        let mut lists: Vec<(Kind, Vec<Versioned<'a>>)> =
            kinds.map(|kind| (kind, Vec::new())).collect();
        for (_, object) in self.objects {
            let kind = object.kind();
            if let Some((_, objects)) = lists.iter_mut().find(|(listed, _)| *listed == kind) {
                objects.push(object);
            }
        }
        let events = lists.into_iter().map(|(kind, objects)| Event::Listed {
            kind,
            objects,
            resource_version: page.resource_version.clone().into(),
        });
        Listed {
            events: events.collect(),
            ignored: self.ignored.into_iter().map(|(_, _, name)| name).collect(),
            continue_token: page.token.clone(),
            path: path.into(),
            is_mixed: of.is_empty(),
        }
    }
}

impl Wanted for Listing<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        is_version(kind, version) && Kind::ALL.iter().any(|known| known.as_str() == kind)
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        let name = ignored_name(kind, version);
        self.ignored.push((self.count(), kind.into(), name));
    }

    fn no_kind(&self) -> &'static str {
        NO_KIND
    }
}

impl<'a> Taker<'a> for Listing<'a> {
    fn take(&mut self, standing: &mut Standing<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        let known = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
        let Some(kind) = known else { return Ok(()) };
        let object = read_versioned(standing, kind)?;
        let hash = hash_of(&object);
        let is_it = |other: u32| {
            let other = self.objects.get(other as usize);
            other.is_some_and(|(_, other)| {
                other.kind() == kind && full_name(other) == full_name(&object)
            })
        };
        if self.names.find(hash, is_it).is_some() {
            let message = format!("{} `{}` is listed twice", kind.as_str(), object.key());
            return Err(standing.wrong(Code::DuplicateName, "/metadata/name", &message));
        }
        self.names.push(hash);
        self.objects.push((self.count(), object));
        Ok(())
    }
}

fn full_name<'o>(object: &'o Versioned<'_>) -> (&'o str, &'o str) {
    match &object.object {
        Object::Service(service) => service.full_name(),
        Object::Pod(pod) => pod.full_name(),
        Object::Node(node) => node.full_name(),
        Object::EndpointSlice(slice) => slice.full_name(),
    }
}

fn hash_of(object: &Versioned<'_>) -> u64 {
    let (namespace, name) = full_name(object);
    let kind = object.kind().as_str();
    hash(&[kind.as_bytes(), namespace.as_bytes(), name.as_bytes()])
}

/// The token of the next page, as returned by [`SnapshotStream::next_page`](super::SnapshotStream::next_page), for
/// callers that keep pages as they are.
///
/// # Errors
/// When it is not JSON.
pub fn next_page(page: &[u8]) -> Result<Option<String>, Error> {
    let text = input::text(page, Limits::new(usize::MAX))?;
    let mut documents = Documents::default();
    read_from(&mut documents, text, &mut Unread)?;
    Ok(documents.next_page().map(Into::into))
}

/// A taker that wants no objects.
struct Unread;

impl Wanted for Unread {
    fn wants(&self, _: &str, _: &str) -> bool {
        false
    }

    fn ignore(&mut self, _: &str, _: &str) {}
}

impl<'a> Taker<'a> for Unread {
    fn take(&mut self, _: &mut Standing<'_, '_, 'a>, _: &str) -> Result<(), Halt> {
        Ok(())
    }
}
