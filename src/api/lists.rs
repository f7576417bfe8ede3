//! Lists, as an API server or `kubectl` gives them: all there is of some kinds.
//!
//! What is known and not in a list is gone. So whatever may be less than all is refused: one page of a list, an object
//! of another kind in it, and a `List` in which a whole kind is missing, as `kubectl get pods -o json` prints it.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::events::{Head, Part, is_version_read, kind_of, read_head, read_object};
use super::snapshot::ignored_name;
use super::{fast_event, input};
use crate::controller::{Event, Kind, Versioned};
use crate::json::Raw;
use crate::model::text::shorten;
use crate::{Code, Error};

/// What a list holds.
#[derive(Debug)]
pub struct Listed<'a> {
    /// One event for each kind that was listed.
    pub events: Vec<Event<'a>>,
    /// The kinds of its other objects, in their order.
    pub ignored: Vec<String>,
    /// Where the items are, if they may be of all four kinds.
    mixed_items: Option<String>,
}

impl Listed<'_> {
    /// Looks whether the list may be one of all there is: a `List` says of no kind that there is none.
    ///
    /// # Errors
    /// When it is a `List` without an object of a kind of which one is known.
    pub fn check(&self, is_known: impl Fn(Kind) -> bool) -> Result<(), Error> {
        let Some(path) = &self.mixed_items else {
            return Ok(());
        };
        let missing = self.events.iter().find_map(|event| match event {
            Event::Listed { kind, objects, .. } if objects.is_empty() && is_known(*kind) => {
                Some(kind.as_str())
            }
            _ => None,
        });
        let Some(kind) = missing else { return Ok(()) };
        let message = format!(
            "this `List` holds no {kind}, but some are known: get all four kinds together, as in \
             `kubectl get services,pods,nodes,endpointslices -A -o json`, or give a typed list, \
             such as `{kind}List` with empty `items`, to say that there are none"
        );
        Err(Error::new(Code::InvalidValue, message).at(path.clone()))
    }
}

/// Reads a list: a `PodList` and the like has all objects of its kind, a `List` those of all four kinds. A list of
/// other kinds is ignored, object by object.
///
/// # Errors
/// When it or one of its objects cannot be read, an object is in it twice, or it is one page of several.
pub fn read_list(text: &str) -> Result<Listed<'_>, Error> {
    let root = input::decode_raw(text)?;
    read_list_part(Part {
        whole: text,
        text: root.get(),
        path: "",
    })
}

/// As [`read_list`], for a part of an input.
pub(super) fn read_list_part<'a>(part: Part<'a, '_>) -> Result<Listed<'a>, Error> {
    let head = read_head(part)?;
    let Some(of) = head.kind.strip_suffix("List") else {
        let message = "this is no list; its `kind` must be `List`, or `PodList` and the like";
        return Err(part.wrong(Code::InvalidValue, "/kind", message));
    };
    if !head.metadata.continue_token.is_empty() {
        let message =
            "this is one page of a list; join the `items` of all pages, and leave `continue` out";
        return Err(part.wrong(Code::InvalidValue, "/metadata/continue", message));
    }
    let kinds = kinds_of(part, of, &head.api_version)?;
    let (objects, ignored) = if kinds.is_empty() {
        (Vec::new(), strangers(part, &head, of)?)
    } else {
        read_items(part, &head, of)?
    };
    let mut lists: Vec<(Kind, Vec<Versioned<'a>>)> =
        kinds.into_iter().map(|kind| (kind, Vec::new())).collect();
    for object in objects {
        let kind = object.kind();
        if let Some((_, objects)) = lists.iter_mut().find(|(listed, _)| *listed == kind) {
            objects.push(object);
        }
    }
    let resource_version = &head.metadata.resource_version;
    let events = lists.into_iter().map(|(kind, objects)| Event::Listed {
        kind,
        objects,
        resource_version: resource_version.clone(),
    });
    Ok(Listed {
        events: events.collect(),
        ignored,
        mixed_items: of.is_empty().then(|| format!("{}/items", part.path)),
    })
}

/// The kinds of which it is a list; none where it is one of strangers.
fn kinds_of(part: Part<'_, '_>, of: &str, version: &str) -> Result<Vec<Kind>, Error> {
    if of.is_empty() {
        if !matches!(version, "" | "v1") {
            let message = format!("a `List` is of `v1`, not of `{}`", shorten(version));
            return Err(part.wrong(Code::InvalidValue, "/apiVersion", message));
        }
        return Ok(Kind::ALL.into());
    }
    match Kind::ALL.into_iter().find(|kind| kind.as_str() == of) {
        Some(kind) if is_version_read(part, kind, version)? => Ok([kind].into()),
        _ => Ok(Vec::new()),
    }
}

fn items<'a>(part: Part<'a, '_>, head: &Head<'a>) -> Result<Vec<Raw<'a>>, Error> {
    let Some(items) = head.items else {
        return Ok(Vec::new());
    };
    let items = Part {
        text: items.get(),
        path: &format!("{}/items", part.path),
        ..part
    };
    input::decode_items(items.text).map_err(|error| items.placed(&error))
}

/// The objects of a list that are of our kinds, each once, and the kinds of the others.
fn read_items<'a>(
    part: Part<'a, '_>,
    head: &Head<'a>,
    of: &str,
) -> Result<(Vec<Versioned<'a>>, Vec<String>), Error> {
    let (mut objects, mut ignored, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (index, item) in items(part, head)?.into_iter().enumerate() {
        let path = format!("{}/items/{index}", part.path);
        let item = Part {
            text: item.get(),
            path: &path,
            ..part
        };
        let object = match read_item(item, of)? {
            Item::Read(object) => object,
            Item::Ignored(kind) => {
                ignored.push(kind);
                continue;
            }
        };
        let (kind, key) = (object.kind(), object.key());
        if !of.is_empty() && kind.as_str() != of {
            return Err(another_kind(item, kind.as_str()));
        }
        if !seen.insert((kind, key)) {
            let message = format!("{} `{}` is listed twice", kind.as_str(), object.key());
            return Err(item.wrong(Code::DuplicateName, "/metadata/name", message));
        }
        objects.push(object);
    }
    Ok((objects, ignored))
}

/// What a list of one kind lacks is gone; so it must hold no other.
fn another_kind(part: Part<'_, '_>, kind: &str) -> Error {
    let message = format!("this is a {}, in a list of others", shorten(kind));
    part.wrong(Code::InvalidValue, "/kind", message)
}

#[expect(clippy::large_enum_variant, reason = "none is kept")]
enum Item<'a> {
    Read(Versioned<'a>),
    Ignored(String),
}

fn read_item<'a>(part: Part<'a, '_>, of: &str) -> Result<Item<'a>, Error> {
    let listed = Kind::ALL.into_iter().find(|kind| kind.as_str() == of);
    // The items of a `PodList` and the like need not say what they are; anything wrong is told below.
    if let Some(object) = listed.and_then(|kind| fast_event::item(part.text, kind)) {
        return Ok(Item::Read(object));
    }
    let head = read_head(part)?;
    Ok(match kind_of(part, &head, of)? {
        Some(kind) => Item::Read(read_object(part, kind, &head)?),
        None if listed.is_some() => return Err(another_kind(part, &head.kind)),
        None => Item::Ignored(ignored_name(&head.kind, &head.api_version)),
    })
}

/// The kinds of the items of a list of strangers, which they need not say.
fn strangers(part: Part<'_, '_>, head: &Head<'_>, of: &str) -> Result<Vec<String>, Error> {
    let kind = |(index, item): (usize, Raw<'_>)| {
        let path = format!("{}/items/{index}", part.path);
        let item = Part {
            text: item.get(),
            path: &path,
            ..part
        };
        let own = read_head(item)?.kind;
        if !own.is_empty() && *own != *of {
            return Err(another_kind(item, &own));
        }
        Ok(ignored_name(of, &head.api_version))
    };
    items(part, head)?
        .into_iter()
        .enumerate()
        .map(kind)
        .collect()
}
