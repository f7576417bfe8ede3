//! Finds out the kind of the next object in an input, and passes it to the taker.

use alloc::borrow::Cow;
use alloc::string::String;

use super::list::ListReader;
use super::numbers::OTHERS;
use super::standing::PendingObject;
use super::walk::{Leading, ObjectWalk};
use super::{Halt, ObjectHeader, Taker, other_slices};
use crate::Code;
use crate::json::Stop;

impl<'a> ObjectWalk<'_, 'a> {
    /// The identity of the next object, read completely.
    fn said(&mut self) -> Result<ObjectHeader<'a>, Stop> {
        let mut said = ObjectHeader::default();
        let node = self.reader.memory.root(OTHERS);
        self.reader.object(&mut said, Some(node))?;
        Ok(said)
    }

    /// Reads the next value as an object, which may be an item of a list.
    pub fn object(
        &mut self,
        taker: &mut dyn Taker<'a>,
        mut list: Option<&mut ListReader>,
    ) -> Result<(), Halt> {
        let before = self.before_object();
        match self.read_object(taker, list.as_deref_mut()) {
            Err(halt) if self.leaves_out && !self.is_at_end(&halt) => {
                taker.leave_out(self.unread(list, before, halt)?);
                Ok(())
            }
            result => result,
        }
    }

    fn read_object(
        &mut self,
        taker: &mut dyn Taker<'a>,
        list: Option<&mut ListReader>,
    ) -> Result<(), Halt> {
        let (start, depth) = (self.reader.at(), self.reader.depth());
        self.anchor = start;
        if self.reader.peek() != Some(b'{') {
            // Reading it reports what is wrong.
            self.said()?;
            return Ok(());
        }
        let leading = self.leading()?;
        let is_all_said = leading.kind.is_some() && leading.version.is_some();
        let Leading { kind, version, .. } = leading;
        let mut kind = kind.unwrap_or_default();
        let mut version = version.unwrap_or_default();
        if let Some(list) = list
            && (kind.is_empty() || version.is_empty())
        {
            let (of_kind, of_version) = list.of(self)?;
            let or = |own: &mut Cow<'a, str>, of: String| {
                if own.is_empty() {
                    *own = of.into();
                }
            };
            or(&mut kind, of_kind);
            or(&mut version, of_version);
        }
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

    /// An object that was assumed to be of one kind may state another one further on.
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

    /// Reads the next object, whose kind is known.
    fn known_object(
        &mut self,
        taker: &mut dyn Taker<'a>,
        (kind, version): (&str, &str),
        may_be_list: bool,
    ) -> Result<(), Halt> {
        if taker.wants(kind, version) {
            let mut object = PendingObject { walk: self };
            return taker.take(&mut object, kind);
        }
        if let Some(message) = other_slices(kind, version) {
            return Err(self.wrong(Code::Unsupported, "/apiVersion", message));
        }
        if may_be_list && self.takes_lists && (kind.is_empty() || kind.ends_with("List")) {
            return self.nested_list(taker, (kind, version));
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

    fn nested_list(
        &mut self,
        taker: &mut dyn Taker<'a>,
        taken_for: (&str, &str),
    ) -> Result<(), Halt> {
        let anchor = self.anchor;
        let mut list = ListReader::nested(taker, taken_for);
        self.reader.open()?;
        while list.step(self, taker)? {}
        self.anchor = anchor;
        list.finish(self, taker).map(drop)
    }
}
