//! Watch events among the documents of an input, as `kubectl get --watch --output-watch-events -o json` prints them.
//!
//! An object in one replaces an earlier one of the same name, wherever that stood, or removes it.

use alloc::format;

use super::numbers::{HEADS, STATUSES};
use super::walk::{Again, ObjectWalk};
use super::{Halt, PendingObject, Taker, other_slices};
use crate::Code;
use crate::json::{JsonContainer, Stop};
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::model::{StringMap, Text};

/// The types of events that a watch sends.
const TYPES: [&str; 5] = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"];

/// What a watch event says of its object.
#[derive(Clone, Copy)]
pub enum WatchEventKind {
    /// It is like this.
    There,
    /// It was deleted.
    Gone,
}

slim_object! {
    /// An error status from an API server.
    #[derive(Debug, Default)]
    pub struct ErrorStatus<'a>("Status") {
        "code" pub code: Option<i64>;
        "reason" pub reason: Text<'a>;
        "message" pub message: Text<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    pub struct PartialObject<'a>("Kubernetes object") {
        "kind" pub kind: Text<'a>;
        "apiVersion" pub api_version: Text<'a>;
        "metadata" pub metadata: PartialMeta<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    pub struct PartialMeta<'a>("ObjectMeta") {
        "name" pub name: Text<'a>;
        "namespace" pub namespace: Text<'a>;
        "resourceVersion" pub resource_version: Text<'a>;
        "annotations" pub annotations: StringMap<'a>;
    }
}

impl PartialObject<'_> {
    /// Namespace and name of an object that was deleted.
    ///
    /// # Errors
    /// When it has no name.
    pub fn removed(&self, standing: &PendingObject<'_, '_, '_>) -> Result<(&str, &str), Halt> {
        let metadata = &self.metadata;
        if metadata.name.is_empty() {
            let message = format!(
                "this {} has no name; a deletion needs at least `metadata.name`",
                shorten(&self.kind)
            );
            return Err(standing.wrong(Code::MissingField, "/metadata/name", &message));
        }
        Ok((&metadata.namespace, &metadata.name))
    }
}

/// Reads a watch event; its type determines how the object is read. Are other fields allowed?
pub fn read_event_as<'a, T>(
    walk: &mut ObjectWalk<'_, 'a>,
    takes_others: bool,
    mut read_object: impl FnMut(&mut ObjectWalk<'_, 'a>, &str) -> Result<T, Halt>,
) -> Result<T, Halt> {
    let reader = walk.reader();
    reader.begin_object("an object (watch event)")?;
    let (mut event_type, mut watched) = (None, None);
    let (mut object, mut has_object) = (None, false);
    let mut is_first = true;
    while let Some(key) = walk.reader().next_field_but(is_first, |key| {
        (key == "type" && event_type.is_some()) || (key == "object" && has_object)
    })? {
        is_first = false;
        match &*key {
            "type" if walk.reader().is_null()? => {}
            "type" => {
                event_type =
                    Some(walk.within("type", |walk| Ok(walk.reader().text_value("a string")?))?)
            }
            "object" if walk.reader().is_null()? => has_object = true,
            "object" => {
                has_object = true;
                match &event_type {
                    Some(event_type) => {
                        watched =
                            Some(walk.within("object", |walk| read_object(walk, event_type))?);
                    }
                    // How to read it depends on the type, which is still to come.
                    None => object = Some(walk.reader().pass()?),
                }
            }
            other if !takes_others => {
                return Err(walk.reader().unknown(other, &["type", "object"]).into());
            }
            _ => walk.reader().skip(None)?,
        }
    }
    let Some(event_type) = event_type else {
        return Err(walk.reader().missing_field("type").into());
    };
    if let Some(object) = object {
        watched = Some(walk.back_at(object, |walk| {
            walk.within("object", |walk| read_object(walk, &event_type))
        })?);
    }
    watched.ok_or_else(|| walk.reader().missing_field("object").into())
}

impl<'a> ObjectWalk<'_, 'a> {
    /// Is the next value a watch event, judging by its first keys? Some objects have a `type`, but not one of these.
    pub fn is_event(&mut self) -> Result<bool, Stop> {
        if self.reader.peek() != Some(b'{') {
            return Ok(false);
        }
        let (start, depth) = self.place();
        self.reader.open()?;
        let is_event = self.reader.next_in(JsonContainer::Object, true)?
            && match &*self.reader.key(true)? {
                "object" => true,
                "type" => self.has_type()?,
                _ => false,
            };
        self.reader.rewind(start, depth);
        Ok(is_event)
    }

    fn has_type(&mut self) -> Result<bool, Stop> {
        self.reader.colon()?;
        if self.reader.peek_token() != Some(b'"') {
            return Ok(false);
        }
        let value = self.reader.text_value("a string")?;
        Ok(TYPES.contains(&&*value)
            || (self.reader.next_in(JsonContainer::Object, false)?
                && self.reader.key(false)? == "object"))
    }

    /// Reads the next document, which is a watch event.
    pub(super) fn event(&mut self, taker: &mut dyn Taker<'a>) -> Result<(), Halt> {
        self.event_with(&mut |walk, told| match told {
            WatchEventKind::There => walk.again(Again::Later, |walk| walk.object(taker, None)),
            WatchEventKind::Gone => walk.removal(taker),
        })
    }

    /// Reads a watch event for a caller that reads the object.
    pub fn event_with(
        &mut self,
        read_object: &mut dyn FnMut(&mut ObjectWalk<'_, 'a>, WatchEventKind) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let start = self.anchor;
        read_event_as(self, true, |walk, event_type| match event_type {
            "ADDED" | "MODIFIED" => read_object(walk, WatchEventKind::There),
            "DELETED" => read_object(walk, WatchEventKind::Gone),
            "BOOKMARK" => Ok(walk.reader.skip(None)?),
            "ERROR" => Err(ended(walk.standing())?),
            other => {
                let message = format!(
                    "`{}` is not a watch event; use ADDED, MODIFIED, DELETED, BOOKMARK or ERROR",
                    shorten(other)
                );
                walk.path.pop();
                Err(walk.wrong_in(start, Code::InvalidValue, "/type", &message))
            }
        })
    }

    /// Reads the name of an object that was deleted.
    fn removal(&mut self, taker: &mut dyn Taker<'a>) -> Result<(), Halt> {
        let mut standing = self.standing();
        let head: PartialObject<'_> = standing.read(HEADS)?;
        let (kind, version) = (&*head.kind, &*head.api_version);
        if kind.is_empty() {
            return Err(standing.wrong(Code::MissingField, "/kind", taker.no_kind()));
        }
        if let Some(message) = other_slices(kind, version) {
            return Err(standing.wrong(Code::Unsupported, "/apiVersion", &message));
        }
        if taker.wants(kind, version) {
            taker.remove(kind, head.removed(&standing)?);
        }
        Ok(())
    }
}

/// The error for a watch that the API server ended.
fn ended(mut standing: PendingObject<'_, '_, '_>) -> Result<Halt, Halt> {
    let status: ErrorStatus<'_> = standing.read(STATUSES)?;
    let message = format!(
        "the API server ended the watch: `{}`; start it again",
        shorten(&status.message)
    );
    Ok(standing.wrong(Code::InvalidValue, "", &message))
}
