//! Turns watch events, as an API server sends them, into events of the controller.
//!
//! Tolerated: events that come late, twice or for unknown objects (the controller handles them), deletions with no more
//! than a kind and a name, objects of other kinds, and errors that end a watch, after which the caller lists again.
//! `LISTING`, which no API server sends, begins a list that comes in pieces. An object that cannot be read is left out,
//! and named. Anything else is an error with a pointer, and nothing of the input is taken.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use slicewise::api::objects::ErrorStatus;
use slicewise::api::objects::numbers::{HEADS, NODES, PODS, SERVICES, SLICES, STATUSES};
use slicewise::api::objects::{
    Halt, InputPart, NO_KIND, ObjectWalk, PartialObject, PendingObject, TakenMark, Taker,
    WantedObjects, ignored_name, is_version, kind_named, other_slices, read_event_as, read_named,
    unreadable,
};
use slicewise::json::LayoutMemory;
use slicewise::model::text::shorten;
use slicewise::model::{NamespacedName, Text};
use slicewise::{Code, Error};

use crate::controller::{ClusterEvent, Kind, PlanObject, Versioned};
use crate::session::event::Unreadable;

/// Set to `true` on the bookmark that ends the initial events of a watch.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// An event of a watch.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadEvent<'a> {
    /// An event for the controller.
    Event(ClusterEvent<'a>),
    /// The progress of the watch of a kind.
    Bookmark {
        /// The kind.
        kind: Kind,
        /// The version at which the watch can be resumed.
        resource_version: Text<'a>,
        /// Does it end the initial events?
        is_end: bool,
    },
    /// The watch ended with an error.
    Ended(ErrorStatus<'a>),
    /// An object of another kind, which it names.
    Ignored(String),
}

/// Reads one watch event, or an array of them; objects are read as the last ones of their kind were. Those that cannot
/// be read are left out if they can be named.
///
/// # Errors
/// When one of the events cannot be read; none should be taken then.
pub(super) fn read_some<'a>(
    part: InputPart<'a, '_>,
    memory: &mut LayoutMemory,
) -> Result<Vec<ReadEvent<'a>>, Error> {
    part.read(memory, |walk| {
        walk.leave_out_unreadable();
        let mut events = Vec::new();
        if walk.peek() == Some(b'[') {
            let mut is_first = true;
            walk.reader().begin_array("a list")?;
            while walk.reader().next_item(is_first)? {
                let index = events.len();
                events.push(walk.within_item(index, read_event)?);
                is_first = false;
            }
        } else {
            events.push(read_event(walk)?);
        }
        Ok(events)
    })
}

/// Reads the event that a text begins with; says where it ends.
pub(super) fn read_first<'a>(
    text: &'a str,
    memory: &mut LayoutMemory,
) -> Result<(ReadEvent<'a>, usize), Error> {
    InputPart::all(text).begin(memory, |walk| {
        walk.leave_out_unreadable();
        let event = read_event(walk)?;
        let (end, _) = walk.place();
        Ok((event, end))
    })
}

/// Reads one object of a kind, as the API server sends it; it need not state its kind. The key names it if it cannot be
/// read.
///
/// # Errors
/// When it cannot be read: what could still be told about it, and why.
pub fn read_kind(
    kind: Kind,
    text: &str,
    key: impl FnOnce() -> NamespacedName,
) -> Result<Versioned<'_>, Box<Unreadable>> {
    let read = InputPart::all(text).read(&mut LayoutMemory::default(), |walk| {
        read_versioned(&mut walk.standing(), kind)
    });
    read.map_err(|error| Box::new(unreadable(kind, text, error, key)))
}

/// One object of the kinds that plans depend on, or the name of another kind.
#[derive(Default)]
struct EventObject<'a> {
    object: Option<Versioned<'a>>,
    left_out: Option<Unreadable>,
    ignored: String,
}

impl WantedObjects for EventObject<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        is_version(kind, version) && Kind::ALL.iter().any(|known| known.as_str() == kind)
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.ignored = ignored_name(kind, version);
    }

    fn forget(&mut self, _: TakenMark) {
        self.object = None;
    }

    fn leave_out(&mut self, object: Unreadable) {
        self.left_out = Some(object);
    }

    fn no_kind(&self) -> &'static str {
        NO_KIND
    }
}

impl<'a> Taker<'a> for EventObject<'a> {
    fn take(&mut self, object: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        self.object = match kind_named(kind) {
            Some(kind) => Some(read_versioned(object, kind)?),
            None => None,
        };
        Ok(())
    }
}

/// Reads an object of the kind, with its version.
pub(super) fn read_versioned<'a>(
    standing: &mut PendingObject<'_, '_, 'a>,
    kind: Kind,
) -> Result<Versioned<'a>, Halt> {
    let object = match kind {
        Kind::Service => PlanObject::Service(read_named(standing, SERVICES)?),
        Kind::Pod => PlanObject::Pod(read_named(standing, PODS)?),
        Kind::Node => PlanObject::Node(read_named(standing, NODES)?),
        Kind::EndpointSlice => PlanObject::EndpointSlice(read_named(standing, SLICES)?),
    };
    let resource_version = match &object {
        PlanObject::Service(service) => &service.metadata.resource_version,
        PlanObject::Pod(pod) => &pod.metadata.resource_version,
        PlanObject::Node(node) => &node.metadata.resource_version,
        PlanObject::EndpointSlice(slice) => &slice.metadata.resource_version,
    };
    let resource_version = resource_version.clone();
    Ok(Versioned::new(object, resource_version))
}

fn read_event<'a>(walk: &mut ObjectWalk<'_, 'a>) -> Result<ReadEvent<'a>, Halt> {
    read_event_as(walk, true, read_watched)
}

/// Reads the object of an event of that type.
fn read_watched<'a>(
    walk: &mut ObjectWalk<'_, 'a>,
    event_type: &str,
) -> Result<ReadEvent<'a>, Halt> {
    if matches!(event_type, "ADDED" | "MODIFIED") {
        let mut one = EventObject::default();
        walk.object(&mut one, None)?;
        return Ok(match (one.object, one.left_out) {
            (Some(object), _) => ReadEvent::Event(ClusterEvent::Set(Box::new(object))),
            (_, Some(object)) => ReadEvent::Event(ClusterEvent::Unreadable(Box::new(object))),
            _ => ReadEvent::Ignored(one.ignored),
        });
    }
    if event_type == "ERROR" {
        return Ok(ReadEvent::Ended(walk.standing().read(STATUSES)?));
    }
    let before = walk.before_object();
    let mut standing = walk.standing();
    let head: PartialObject<'_> = match standing.read(HEADS) {
        // It has gone, whatever it was.
        Err(halt) if event_type == "DELETED" => {
            let object = walk.unread(None, before, halt)?;
            return Ok(ReadEvent::Event(ClusterEvent::Removed {
                kind: object.kind,
                key: object.key,
                resource_version: object.resource_version.into(),
            }));
        }
        head => head?,
    };
    let Some(kind) = kind_of(&standing, &head)? else {
        return Ok(ReadEvent::Ignored(ignored_name(
            &head.kind,
            &head.api_version,
        )));
    };
    match event_type {
        "DELETED" => Ok(ReadEvent::Event(removal(&standing, kind, &head)?)),
        "BOOKMARK" => {
            let ends = head.metadata.annotations.get(INITIAL_EVENTS_END);
            Ok(ReadEvent::Bookmark {
                kind,
                is_end: ends.is_some_and(|value| *value == "true"),
                resource_version: head.metadata.resource_version,
            })
        }
        "LISTING" => Ok(ReadEvent::Event(ClusterEvent::Listing(kind))),
        other => {
            let message = format!(
                "`{}` is not a watch event type; it must be ADDED, MODIFIED, DELETED, BOOKMARK, ERROR or LISTING",
                shorten(other)
            );
            Err(walk.wrong_beside("type", Code::InvalidValue, &message))
        }
    }
}

/// The kind of an object, if it is one of ours.
pub(super) fn kind_of(
    standing: &PendingObject<'_, '_, '_>,
    head: &PartialObject<'_>,
) -> Result<Option<Kind>, Halt> {
    let (kind, version) = (&*head.kind, &*head.api_version);
    if kind.is_empty() {
        return Err(standing.wrong(Code::MissingField, "/kind", NO_KIND));
    }
    if let Some(message) = other_slices(kind, version) {
        return Err(standing.wrong(Code::Unsupported, "/apiVersion", &message));
    }
    let known = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
    Ok(known.filter(|_| is_version(kind, version)))
}

fn removal<'a>(
    standing: &PendingObject<'_, '_, 'a>,
    kind: Kind,
    head: &PartialObject<'a>,
) -> Result<ClusterEvent<'a>, Halt> {
    let (namespace, name) = head.removed(standing)?;
    let namespace = match kind {
        Kind::Node => "",
        _ => namespace,
    };
    Ok(ClusterEvent::Removed {
        kind,
        key: NamespacedName {
            namespace: namespace.into(),
            name: name.into(),
        },
        resource_version: head.metadata.resource_version.clone(),
    })
}
