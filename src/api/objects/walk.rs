//! The position of a reader in an input.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Base, Halt, list};
use crate::api::{input, place};
use crate::json::{JsonContainer, Stop};
use crate::model::read::ObjectReader;
use crate::model::service::DEFAULT_NAMESPACE;
use crate::{Code, Error};

/// A step on the path to an object.
#[derive(Clone, Debug)]
pub(super) enum Segment {
    /// One of several documents, or of the items of an array.
    Index(usize),
    /// One of the items of a list, in a field.
    Item(&'static str, usize),
    /// A field.
    Field(Cow<'static, str>),
}

/// A reader that knows the path to its position.
pub struct ObjectWalk<'r, 'a> {
    pub(super) reader: &'r mut ObjectReader<'a>,
    base: Base,
    pub(super) path: Vec<Segment>,
    /// The offset of the value that the path leads to.
    pub(super) anchor: usize,
    /// Are lists within lists split into their items? Otherwise they are objects like others.
    pub(super) takes_lists: bool,
    /// What applies if an object of the same name was read before.
    pub(super) again: Again,
    /// Are objects that cannot be read left out? Otherwise they are errors.
    pub(super) leaves_out: bool,
    /// The namespace of objects that name none.
    pub(super) namespace: &'r str,
}

/// What applies if an object of the same name was read before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// It is an error: both are in lists.
    Twice,
    /// If both have a version, the later one counts: `kubectl get --watch` prints each version as a document.
    Version,
    /// The later one counts: it is in a watch event.
    Later,
}

/// What the first keys of an object say about it.
#[derive(Default)]
pub(super) struct Leading<'a> {
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) version: Option<Cow<'a, str>>,
    /// Is the next key one that holds the items of a list?
    pub(super) items: bool,
}

impl<'a> Leading<'a> {
    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    pub(super) fn version(&self) -> &str {
        self.version.as_deref().unwrap_or_default()
    }
}

impl<'r, 'a> ObjectWalk<'r, 'a> {
    /// Objects that name no namespace are in this one.
    pub const fn in_namespace(&mut self, namespace: &'r str) {
        self.namespace = namespace;
    }

    pub const fn new(reader: &'r mut ObjectReader<'a>, base: Base) -> Self {
        Self {
            reader,
            base,
            path: Vec::new(),
            anchor: 0,
            takes_lists: true,
            again: Again::Twice,
            leaves_out: false,
            namespace: DEFAULT_NAMESPACE,
        }
    }

    /// A walk that treats lists within lists as objects of another kind.
    pub const fn of_objects(reader: &'r mut ObjectReader<'a>, base: Base) -> Self {
        let mut walk = Self::new(reader, base);
        walk.takes_lists = false;
        walk
    }

    /// Treats lists within lists as objects of another kind from now on.
    pub const fn take_no_lists(&mut self) {
        self.takes_lists = false;
    }

    /// The reader.
    pub const fn reader(&mut self) -> &mut ObjectReader<'a> {
        self.reader
    }

    /// Its offset and depth.
    pub fn place(&self) -> (usize, usize) {
        (self.reader.at(), self.reader.depth())
    }

    /// Begins a step that no path leads to, and returns where.
    pub fn begin(&mut self) -> usize {
        self.path.clear();
        self.anchor = self.reader.at();
        self.anchor
    }

    /// The position of an offset in the whole input.
    pub fn base_at(&self, offset: usize) -> Base {
        self.base.behind(self.reader.slice(0, offset))
    }

    /// Did it stop because the text ends?
    pub fn is_at_end(&self, halt: &Halt) -> bool {
        matches!(halt, Halt::Stop) && self.reader.has_stopped_at_end()
    }

    /// The next byte that is not whitespace.
    pub fn peek(&mut self) -> Option<u8> {
        self.reader.peek_token()
    }

    /// Reads the value of a field.
    pub fn within<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        self.at(Segment::Field(field.into()), read)
    }

    /// Reads an item of an array.
    pub fn within_item<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        self.at(Segment::Index(index), read)
    }

    fn at<T>(
        &mut self,
        segment: Segment,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let anchor = self.anchor;
        self.path.push(segment);
        self.reader.peek_token();
        self.anchor = self.reader.at();
        let value = read(self)?;
        self.path.pop();
        self.anchor = anchor;
        Ok(value)
    }

    /// Reads objects to which something else applies if they were read before.
    pub(super) fn again<T>(
        &mut self,
        again: Again,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let before = core::mem::replace(&mut self.again, again);
        let value = read(self);
        self.again = before;
        value
    }

    /// Reads again what was skipped, then continues from here.
    pub fn back_at<T>(
        &mut self,
        place: usize,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let (at, depth) = (self.reader.at(), self.reader.depth());
        // The skipped value was one level deeper.
        self.reader.rewind(place, depth + 1);
        let value = read(self)?;
        self.reader.rewind(at, depth);
        Ok(value)
    }

    fn pointer(&self) -> String {
        let segment = |segment: &Segment| match segment {
            Segment::Index(index) => format!("/{index}"),
            Segment::Item(field, index) => format!("/{field}/{index}"),
            Segment::Field(name) => format!("/{}", place::escape(name)),
        };
        self.path.iter().map(segment).collect()
    }

    /// The error that stopped it, with its position in the whole input.
    #[cold]
    pub fn error(&mut self, halt: Halt) -> Error {
        let error = self.unplaced(halt);
        self.placed(error)
    }

    pub(super) fn placed(&self, error: Error) -> Error {
        self.base.placed(error)
    }

    /// The same, with its position in the text.
    #[cold]
    pub(super) fn unplaced(&mut self, halt: Halt) -> Error {
        match halt {
            Halt::Wrong(error) => *error,
            Halt::Stop => {
                let pointer = self.pointer();
                let fault = self.reader.take_fault().unwrap_or_default();
                input::place_fault_in(self.reader.text(), (self.anchor, &pointer), &fault)
            }
        }
    }

    /// An error about a field of the value at the anchor.
    #[cold]
    pub(super) fn wrong(&self, code: Code, field: &str, message: impl Into<String>) -> Halt {
        let text = self.reader.text();
        let part = text.get(self.anchor..).unwrap_or_default();
        let offset = self.anchor + place::offset_of(part, field);
        let (line, column) = place::position(text.as_bytes(), offset);
        let path = format!("{}{field}", self.pointer());
        Halt::Wrong(Box::new(
            Error::new(code, message).at(path).on(line, column),
        ))
    }

    /// An error about a field of the value at an offset.
    #[cold]
    pub fn wrong_at(&mut self, start: usize, code: Code, field: &str, message: &str) -> Halt {
        self.path.clear();
        self.wrong_in(start, code, field, message)
    }

    /// An error about a field of the value that the path leads to.
    #[cold]
    pub fn wrong_in(&mut self, start: usize, code: Code, field: &str, message: &str) -> Halt {
        self.anchor = start;
        self.wrong(code, field, message)
    }

    /// An error about a sibling of the current field.
    #[cold]
    pub fn wrong_beside(&mut self, field: &str, code: Code, message: &str) -> Halt {
        self.path.pop();
        self.anchor = 0;
        let path = format!("{}/{field}", self.pointer());
        let text = self.reader.text();
        Halt::Wrong(Box::new(place::locate(
            Error::new(code, message).at(path),
            text,
        )))
    }

    /// The first keys of the next object, without advancing.
    pub(super) fn leading(&mut self) -> Result<Leading<'a>, Stop> {
        let (start, depth) = (self.reader.at(), self.reader.depth());
        let mut leading = Leading::default();
        self.reader.open()?;
        let mut is_first = true;
        while self.reader.next_in(JsonContainer::Object, is_first)? {
            let key = self.reader.key(is_first)?;
            let said = match &*key {
                "kind" => &mut leading.kind,
                "apiVersion" => &mut leading.version,
                other => {
                    leading.items = other == "items" || list::section_of(other).is_some();
                    break;
                }
            };
            if said.is_some() {
                break;
            }
            self.reader.colon()?;
            *said = Some(match self.reader.is_null()? {
                true => Cow::default(),
                false => self.reader.text_value("a string")?,
            });
            is_first = false;
        }
        self.reader.rewind(start, depth);
        Ok(leading)
    }
}
