//! Where in an input reading is, and what an object there is.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::list::List;
use super::numbers::OTHERS;
use super::{Base, Halt, Said, Standing, Taker, other_slices};
use crate::api::{input, place};
use crate::json::{Container, Reader, Stop};
use crate::{Code, Error};

/// A step on the way to an object.
#[derive(Clone, Debug)]
pub(super) enum Segment {
    /// One of several documents, or of an array.
    Index(usize),
    /// One of the items of a list.
    Item(usize),
    /// A field.
    Field(String),
}

/// A reader with the way to where it is.
pub(in crate::api) struct Walk<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    base: Base,
    pub(super) path: Vec<Segment>,
    /// Where what the path names begins.
    pub(super) anchor: usize,
    /// Are lists within lists taken apart? Else they are objects like others.
    takes_lists: bool,
    /// Is what is next a document of its own? Of one that comes again, as watches tell objects, the last counts.
    pub(super) is_document: bool,
}

/// What an object says of itself with its first keys.
#[derive(Default)]
pub(super) struct Leading<'a> {
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) version: Option<Cow<'a, str>>,
    /// Is `items` the next key?
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

impl<'r, 'a> Walk<'r, 'a> {
    pub(in crate::api) const fn new(reader: &'r mut Reader<'a>, base: Base) -> Self {
        Self {
            reader,
            base,
            path: Vec::new(),
            anchor: 0,
            takes_lists: true,
            is_document: false,
        }
    }

    /// One that takes lists within lists, and as objects, for objects of another kind.
    pub(in crate::api) const fn of_objects(reader: &'r mut Reader<'a>) -> Self {
        let mut walk = Self::new(
            reader,
            Base {
                lines: 0,
                columns: 0,
            },
        );
        walk.takes_lists = false;
        walk
    }

    /// The reader.
    pub(in crate::api) const fn reader(&mut self) -> &mut Reader<'a> {
        self.reader
    }

    /// Where it is, and how deep.
    pub(in crate::api) const fn place(&self) -> (usize, usize) {
        (self.reader.at(), self.reader.depth())
    }

    /// Did it halt because the text ends?
    pub(in crate::api) fn is_at_end(&self, halt: &Halt) -> bool {
        matches!(halt, Halt::Stop) && self.reader.has_stopped_at_end()
    }

    /// The next byte that is no white space.
    pub(in crate::api) fn peek(&mut self) -> Option<u8> {
        self.reader.peek_token()
    }

    /// The object that is next.
    pub(in crate::api) fn standing(&mut self) -> Standing<'_, 'r, 'a> {
        self.reader.peek_token();
        self.anchor = self.reader.at();
        Standing { walk: self }
    }

    /// Reads the value of a field.
    pub(in crate::api) fn within<T>(
        &mut self,
        field: &str,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        self.at(Segment::Field(field.into()), read)
    }

    /// Reads an item of an array.
    pub(in crate::api) fn within_item<T>(
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

    /// Reads once more what has been passed over, and goes on from here.
    pub(in crate::api) fn back_at<T>(
        &mut self,
        place: usize,
        read: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let (at, depth) = (self.reader.at(), self.reader.depth());
        // What has been passed over was one level deeper.
        self.reader.rewind(place, depth + 1);
        let value = read(self)?;
        self.reader.rewind(at, depth);
        Ok(value)
    }

    fn pointer(&self) -> String {
        let segment = |segment: &Segment| match segment {
            Segment::Index(index) => format!("/{index}"),
            Segment::Item(index) => format!("/items/{index}"),
            Segment::Field(name) => format!("/{}", place::escape(name)),
        };
        self.path.iter().map(segment).collect()
    }

    /// What made it halt, with its place in the whole input.
    #[cold]
    pub(in crate::api) fn error(&mut self, halt: Halt) -> Error {
        let error = match halt {
            Halt::Wrong(error) => *error,
            Halt::Stop => {
                let pointer = self.pointer();
                let fault = self.reader.take_fault().unwrap_or_default();
                input::place_fault_in(self.reader.text(), (self.anchor, &pointer), &fault)
            }
        };
        self.base.placed(error)
    }

    /// An error about a field of what stands at the anchor.
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

    /// An error about a field of what began somewhere.
    #[cold]
    pub(in crate::api) fn wrong_at(
        &mut self,
        start: usize,
        code: Code,
        field: &str,
        message: &str,
    ) -> Halt {
        self.path.clear();
        self.wrong_in(start, code, field, message)
    }

    /// The same, of what the path names.
    #[cold]
    pub(in crate::api) fn wrong_in(
        &mut self,
        start: usize,
        code: Code,
        field: &str,
        message: &str,
    ) -> Halt {
        self.anchor = start;
        self.wrong(code, field, message)
    }

    /// An error about a field beside the one that is read.
    #[cold]
    pub(in crate::api) fn wrong_beside(&mut self, field: &str, code: Code, message: &str) -> Halt {
        self.path.pop();
        self.anchor = 0;
        let path = format!("{}/{field}", self.pointer());
        let text = self.reader.text();
        Halt::Wrong(Box::new(place::locate(
            Error::new(code, message).at(path),
            text,
        )))
    }

    /// The first keys of the object that is next, which is not moved past.
    pub(super) fn leading(&mut self) -> Result<Leading<'a>, Stop> {
        let (start, depth) = (self.reader.at(), self.reader.depth());
        let mut leading = Leading::default();
        self.reader.open()?;
        let mut is_first = true;
        while self.reader.next_in(Container::Object, is_first)? {
            let key = self.reader.key(is_first)?;
            let said = match &*key {
                "kind" => &mut leading.kind,
                "apiVersion" => &mut leading.version,
                other => {
                    leading.items = other == "items";
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

    /// All that the object that is next says of itself.
    fn said(&mut self) -> Result<Said<'a>, Stop> {
        let mut said = Said::default();
        let node = self.reader.memory.root(OTHERS);
        self.reader.object(&mut said, Some(node))?;
        Ok(said)
    }

    /// Reads the object that is next, an item of a list, or none.
    pub(in crate::api) fn object(
        &mut self,
        taker: &mut dyn Taker<'a>,
        list: Option<&mut List>,
    ) -> Result<(), Halt> {
        let (start, depth) = (self.reader.at(), self.reader.depth());
        self.anchor = start;
        if self.reader.peek() != Some(b'{') {
            // Whoever reads it says what is wrong.
            self.said()?;
            return Ok(());
        }
        let leading = self.leading()?;
        let is_all_said = leading.kind.is_some() && leading.version.is_some();
        let (kind, version) = match list {
            Some(list) if leading.kind().is_empty() || leading.version().is_empty() => {
                let (of_kind, of_version) = list.of(self)?;
                let or = |own: &str, of: String| if own.is_empty() { of } else { own.into() };
                (
                    or(leading.kind(), of_kind),
                    or(leading.version(), of_version),
                )
            }
            _ => (leading.kind().into(), leading.version().into()),
        };
        if kind.is_empty() && !(leading.items && self.takes_lists) {
            let said = self.said()?;
            let own = (
                &*said.kind,
                if said.api_version.is_empty() {
                    &version
                } else {
                    &*said.api_version
                },
            );
            let is_list = said.items.is_some();
            self.reader.rewind(start, depth);
            return self.known_object(taker, own, is_list);
        }
        let result = self.known_object(taker, (&kind, &version), true);
        match result {
            Err(halt) if !is_all_said => {
                self.said_later(taker, (&kind, &version), (start, depth), halt)
            }
            result => result,
        }
    }

    /// What was taken for one kind is perhaps of another, as it says further on.
    #[cold]
    fn said_later(
        &mut self,
        taker: &mut dyn Taker<'a>,
        taken_for: (&str, &str),
        (start, depth): (usize, usize),
        halt: Halt,
    ) -> Result<(), Halt> {
        let fault = self.reader.take_fault();
        let stopped_at = self.reader.at();
        self.reader.rewind(start, depth);
        if let Ok(said) = self.said() {
            let or = |own: &'_ str, taken: &str| -> String {
                if own.is_empty() {
                    taken.into()
                } else {
                    own.into()
                }
            };
            let kind = or(&said.kind, taken_for.0);
            let version = or(&said.api_version, taken_for.1);
            if (&*kind, &*version) != taken_for {
                self.reader.rewind(start, depth);
                self.anchor = start;
                return self.known_object(taker, (&kind, &version), said.items.is_some());
            }
        }
        self.reader.rewind(stopped_at, depth);
        self.reader.restore_fault(fault);
        Err(halt)
    }

    /// Reads the object that is next, of which it is known what it is.
    fn known_object(
        &mut self,
        taker: &mut dyn Taker<'a>,
        (kind, version): (&str, &str),
        may_be_list: bool,
    ) -> Result<(), Halt> {
        if taker.wants(kind, version) {
            let mut object = Standing { walk: self };
            return taker.take(&mut object, kind);
        }
        if let Some(message) = other_slices(kind, version) {
            return Err(self.wrong(Code::Unsupported, "/apiVersion", message));
        }
        if may_be_list && self.takes_lists && (kind.is_empty() || kind.ends_with("List")) {
            return self.nested_list(taker);
        }
        if kind.is_empty() {
            return Err(self.wrong(Code::MissingField, "/kind", taker.no_kind()));
        }
        let said = self.said()?;
        let kind = if said.kind.is_empty() {
            kind
        } else {
            &*said.kind
        };
        let version = if said.api_version.is_empty() {
            version
        } else {
            &*said.api_version
        };
        taker.ignore(kind, version);
        Ok(())
    }

    fn nested_list(&mut self, taker: &mut dyn Taker<'a>) -> Result<(), Halt> {
        let anchor = self.anchor;
        let mut list = List::object(taker);
        self.reader.open()?;
        while list.step(self, taker)? {}
        self.anchor = anchor;
        list.finish(self, taker).map(drop)
    }
}
