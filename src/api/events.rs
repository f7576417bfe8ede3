//! Watch events, as an API server sends them, into events of the controller.
//!
//! What is tolerated: events that come late, twice or for objects that are not known (the controller sees to that),
//! deletions that hold no more than a kind and a name, objects of other kinds, and errors that end a watch, after which
//! the caller lists again. Anything else that is wrong is an error with a pointer, and nothing of the input is taken.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::plan::{check_names, check_slices};
use super::snapshot::ignored_name;
use super::{fast_event, input, place};
use crate::controller::{Event, Kind, Object, Versioned};
use crate::json::Raw;
use crate::model::endpoint_slice::API_VERSION;
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::model::{EndpointSlice, Named, NamespacedName, Node, Pod, Service, StringMap, Text};
use crate::{Code, Error};

/// Set to `true` on the bookmark that ends the initial events of a watch.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// What a watch has told.
#[derive(Debug)]
pub enum Watched<'a> {
    /// Something the controller wants to know.
    Event(Event<'a>),
    /// How far the watch has come; no more.
    Bookmark,
    /// An object of another kind, which is named; or the end of the watch by an error, a `Status`.
    Ignored(String),
}

slim_object! {
    #[derive(Default)]
    struct WatchEvent<'a>("watch event") {
        "type" event_type: Text<'a> = required;
        "object" object: Option<Raw<'a>> = required;
    }
}

slim_object! {
    #[derive(Default)]
    pub(super) struct Head<'a>("Kubernetes object") {
        "kind" pub(super) kind: Text<'a>;
        "apiVersion" pub(super) api_version: Text<'a>;
        "metadata" pub(super) metadata: HeadMeta<'a>;
        "items" pub(super) items: Option<Raw<'a>>;
    }
}

slim_object! {
    #[derive(Default)]
    pub(super) struct HeadMeta<'a>("ObjectMeta") {
        "name" name: Text<'a>;
        "namespace" namespace: Text<'a>;
        "resourceVersion" pub(super) resource_version: Text<'a>;
        "annotations" annotations: StringMap<'a>;
        "continue" pub(super) continue_token: Text<'a>;
    }
}

/// A part of an input: its text, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Part<'a, 'p> {
    /// The whole input, for positions.
    pub(super) whole: &'a str,
    /// The part.
    pub(super) text: &'a str,
    /// Its pointer.
    pub(super) path: &'p str,
}

impl<'a> Part<'a, '_> {
    pub(super) fn wrong(self, code: Code, field: &str, message: impl Into<String>) -> Error {
        let path = format!("{}{field}", self.path);
        place::locate(Error::new(code, message).at(path), self.whole)
    }

    pub(super) fn placed(self, error: &Error) -> Error {
        place::within(error, self.path, self.whole, self.text)
    }
}

/// Reads one watch event, or an array of them.
///
/// # Errors
/// When one of them cannot be read; then none is to be taken.
pub fn read_events(text: &str) -> Result<Vec<Watched<'_>>, Error> {
    if let Some(event) = fast_event::read(text) {
        return Ok([Watched::Event(event)].into());
    }
    let root = input::decode_raw(text)?;
    let part = Part {
        whole: text,
        text: root.get(),
        path: "",
    };
    read_some(part)
}

/// As [`read_events`], for a part of an input.
pub(super) fn read_some<'a>(part: Part<'a, '_>) -> Result<Vec<Watched<'a>>, Error> {
    if !part.text.starts_with('[') {
        return Ok([read_event(part)?].into());
    }
    let items = input::decode_items(part.text).map_err(|error| part.placed(&error))?;
    let read = |(index, item): (usize, &Raw<'a>)| {
        read_event(Part {
            text: item.get(),
            path: &format!("{}/{index}", part.path),
            ..part
        })
    };
    items.iter().enumerate().map(read).collect()
}

/// Reads one object of a kind, as the API server sends it; it need not say its kind.
///
/// # Errors
/// When it cannot be read.
pub fn read_kind(kind: Kind, text: &str) -> Result<Versioned<'_>, Error> {
    let root = input::decode_raw(text)?;
    let part = Part {
        whole: text,
        text: root.get(),
        path: "",
    };
    let head = read_head(part)?;
    read_object(part, kind, &head)
}

fn read_event<'a>(part: Part<'a, '_>) -> Result<Watched<'a>, Error> {
    if let Some(event) = fast_event::read(part.text) {
        return Ok(Watched::Event(event));
    }
    let event: WatchEvent<'a> = input::decode(part.text).map_err(|error| part.placed(&error))?;
    let Some(object) = event.object else {
        return Err(part.wrong(
            Code::MissingField,
            "/object",
            "a watch event needs an `object`",
        ));
    };
    let object = Part {
        text: object.get(),
        path: &format!("{}/object", part.path),
        ..part
    };
    let head = read_head(object)?;
    if &*event.event_type == "ERROR" {
        return Ok(Watched::Ignored("Status".to_owned()));
    }
    let Some(kind) = kind_of(object, &head, "")? else {
        return Ok(Watched::Ignored(ignored_name(
            &head.kind,
            &head.api_version,
        )));
    };
    match &*event.event_type {
        "ADDED" | "MODIFIED" => {
            let versioned = read_object(object, kind, &head)?;
            Ok(Watched::Event(Event::Set(Box::new(versioned))))
        }
        "DELETED" => Ok(Watched::Event(removal(object, kind, &head)?)),
        "BOOKMARK" => {
            let ends = head.metadata.annotations.get(INITIAL_EVENTS_END);
            let is_end = ends.is_some_and(|value| *value == "true");
            Ok(if is_end {
                Watched::Event(Event::Synced(kind))
            } else {
                Watched::Bookmark
            })
        }
        other => {
            let message = format!(
                "`{}` is no type of a watch event; it must be ADDED, MODIFIED, DELETED, BOOKMARK or ERROR",
                shorten(other)
            );
            Err(part.wrong(Code::InvalidValue, "/type", message))
        }
    }
}

pub(super) fn read_head<'a>(part: Part<'a, '_>) -> Result<Head<'a>, Error> {
    input::decode(part.text).map_err(|error| part.placed(&error))
}

/// Which of our kinds an object is; `None` for any other. What it does not say itself, its list may.
pub(super) fn kind_of(
    part: Part<'_, '_>,
    head: &Head<'_>,
    of_list: &str,
) -> Result<Option<Kind>, Error> {
    let own = Some(&*head.kind).filter(|kind| !kind.is_empty());
    let kind = own.unwrap_or(of_list);
    if kind.is_empty() {
        let message = "this object has no `kind`; take objects as the API server sends them";
        return Err(part.wrong(Code::MissingField, "/kind", message));
    }
    let Some(known) = Kind::ALL.into_iter().find(|known| known.as_str() == kind) else {
        return Ok(None);
    };
    let is_ours = is_version_read(part, known, &head.api_version)?;
    Ok(is_ours.then_some(known))
}

/// Is that the kind in the API version that is read? A version that is not said is.
pub(super) fn is_version_read(
    part: Part<'_, '_>,
    known: Kind,
    version: &str,
) -> Result<bool, Error> {
    let expected = match known {
        Kind::EndpointSlice => API_VERSION,
        _ => "v1",
    };
    if version.is_empty() || version == expected {
        return Ok(true);
    }
    if known == Kind::EndpointSlice && version.starts_with("discovery.k8s.io/") {
        let message = format!(
            "EndpointSlices of `{}` are not read; get them as {API_VERSION}",
            shorten(version)
        );
        return Err(part.wrong(Code::Unsupported, "/apiVersion", message));
    }
    Ok(false)
}

pub(super) fn read_object<'a>(
    part: Part<'a, '_>,
    kind: Kind,
    head: &Head<'a>,
) -> Result<Versioned<'a>, Error> {
    let placed = |error: Error| part.placed(&error);
    let object = match kind {
        Kind::Service => {
            let service: Service<'a> = input::decode(part.text).map_err(placed)?;
            Object::Service(named(part, service)?)
        }
        Kind::Pod => {
            let pod: Pod<'a> = input::decode(part.text).map_err(placed)?;
            Object::Pod(named(part, pod)?)
        }
        Kind::Node => {
            let node: Node<'a> = input::decode(part.text).map_err(placed)?;
            Object::Node(named(part, node)?)
        }
        Kind::EndpointSlice => {
            let slice: EndpointSlice<'a> = input::decode(part.text).map_err(placed)?;
            check_slices("", core::slice::from_ref(&slice)).map_err(|error| of_one(part, error))?;
            Object::EndpointSlice(named(part, slice)?)
        }
    };
    Ok(Versioned {
        object,
        resource_version: head.metadata.resource_version.clone(),
    })
}

pub(super) fn named<T: Named>(part: Part<'_, '_>, object: T) -> Result<T, Error> {
    check_names("", core::slice::from_ref(&object)).map_err(|error| of_one(part, error))?;
    Ok(object)
}

/// An error about the first of a list, as one about the object.
fn of_one(part: Part<'_, '_>, error: Error) -> Error {
    let path = part.path.to_owned();
    place::locate(place::relocate(error, &[path]), part.whole)
}

fn removal<'a>(part: Part<'a, '_>, kind: Kind, head: &Head<'a>) -> Result<Event<'a>, Error> {
    let metadata = &head.metadata;
    if metadata.name.is_empty() {
        let message = format!(
            "this {} has no name; a deletion needs `metadata.name` at least",
            kind.as_str()
        );
        return Err(part.wrong(Code::MissingField, "/metadata/name", message));
    }
    let namespace = match kind {
        Kind::Node => String::new(),
        _ => metadata.namespace.to_string(),
    };
    Ok(Event::Removed {
        kind,
        key: NamespacedName {
            namespace,
            name: metadata.name.to_string(),
        },
        resource_version: metadata.resource_version.clone(),
    })
}
