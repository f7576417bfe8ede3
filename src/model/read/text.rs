//! Reads JSON text into tables.

use alloc::borrow::Cow;
use alloc::format;

use super::reader::ObjectReader;
use super::{Grow, Object, Others, Shape, Slot, wrong_claim};
use crate::json::{Class, Fault, LayoutMember, LayoutNode, Stop, UNKNOWN, stands_at};

/// Was this field seen before? Unknown fields may occur twice.
const fn is_seen(seen: u32, field: u8) -> bool {
    field != UNKNOWN && seen & (1 << field) != 0
}

/// How much of an object has been read.
#[derive(Clone, Copy)]
struct Progress {
    /// The memory of such objects, and of the last key.
    node: Option<LayoutNode>,
    previous: Option<LayoutMember>,
    is_first: bool,
    /// Fields that were seen, as bits.
    seen: u32,
    /// Fields that had a value.
    present: u32,
}

impl Progress {
    const fn of(node: Option<LayoutNode>) -> Self {
        Self {
            node,
            previous: None,
            is_first: true,
            seen: 0,
            present: 0,
        }
    }
}

/// Reads an object that makes up the whole text.
///
/// # Errors
/// The first error in the text.
pub fn read_text<'a, T: Object<'a> + Default>(text: &'a str) -> Result<T, Fault> {
    let mut object = T::default();
    let mut reader = ObjectReader::new(text);
    let node = reader.memory.root(0);
    let read = reader.object(&mut object, Some(node));
    match read.and_then(|()| reader.end()) {
        Ok(()) => Ok(object),
        Err(Stop) => Err(reader.into_fault()),
    }
}

/// Reads text into tables.
impl<'a> ObjectReader<'a> {
    /// Reads an object in place.
    ///
    /// # Errors
    /// If it is not an object, lacks a required field, or a field cannot be read.
    pub fn object(
        &mut self,
        object: &mut dyn Object<'a>,
        node: Option<LayoutNode>,
    ) -> Result<(), Stop> {
        let shape = object.shape();
        if self.peek_token() != Some(b'{') {
            return Err(self.wrong_type(&format!("an object ({})", shape.what)));
        }
        let start = self.at();
        let (passes_others, keeps_others) = match object.others() {
            Others::Pass => (true, false),
            Others::Keep(_) => (false, true),
            Others::Refuse => (false, false),
        };
        if let Some(node) = node {
            self.memory
                .use_table(node, core::ptr::from_ref(shape).addr());
            // Keys that are kept or refused have to be looked at.
            if passes_others && self.follow(object, node) {
                return Ok(());
            }
        }
        self.open()?;
        let mut progress = Progress::of(node);
        let (keys, mut is_as_known) = (self.begin_keys(), true);
        while !self.is_end_of_object(progress.is_first)? {
            let start = self.at();
            self.note_key(start);
            let (field, member) = match self.expected_key(progress) {
                Some((field, member)) => (field, Some(member)),
                None => {
                    is_as_known = false;
                    self.other_key(object, progress)?
                }
            };
            if field != UNKNOWN {
                self.field(object, shape, (field, member), &mut progress)?;
            } else if keeps_others {
                self.keep(object, member, start)?;
            } else {
                self.skip(member)?;
            }
            progress.previous = member.or(progress.previous);
            progress.is_first = false;
        }
        self.end_keys(keys, is_as_known)?;
        self.finish(object, shape, progress)?;
        if passes_others && let Some(node) = node {
            self.note_form(Some(shape), node, start);
        }
        Ok(())
    }

    /// Reads the next key, with the colon after it, if it is the expected one: its field, and the memory of it.
    #[inline]
    fn expected_key(&mut self, progress: Progress) -> Option<(u8, LayoutMember)> {
        let (text, at) = (self.text().as_bytes(), self.at());
        let memory = &self.memory;
        let (member, field, lead) = memory.expect(progress.node?, progress.previous, text, at)?;
        if is_seen(progress.seen, field) {
            return None;
        }
        self.advance_by(lead);
        Some((field, member))
    }

    /// Reads any other key.
    #[inline(never)]
    fn other_key(
        &mut self,
        object: &mut dyn Object<'a>,
        progress: Progress,
    ) -> Result<(u8, Option<LayoutMember>), Stop> {
        let shape = object.shape();
        let start = self.at();
        self.peek_token();
        let quote = self.at();
        let name = self.key(progress.is_first)?;
        let len = self.at() - quote;
        let field = shape.field(&name);
        if is_seen(progress.seen, field) {
            return Err(self.duplicate(&name));
        }
        if field == UNKNOWN && matches!(object.others(), Others::Refuse) {
            return Err(self.unknown(&name, shape.keys));
        }
        self.colon()?;
        self.peek_token();
        let lead = self
            .text()
            .as_bytes()
            .get(start..self.at())
            .unwrap_or_default();
        // A key with escapes is not spelt like its name.
        let is_plain = matches!(name, Cow::Borrowed(_));
        let member = progress.node.filter(|_| is_plain).and_then(|node| {
            let key = (quote - start, len);
            self.memory.learn(node, progress.previous, lead, key, field)
        });
        Ok((field, member))
    }

    #[inline]
    fn field(
        &mut self,
        object: &mut dyn Object<'a>,
        shape: &'static Shape,
        (field, member): (u8, Option<LayoutMember>),
        progress: &mut Progress,
    ) -> Result<(), Stop> {
        let bit = 1 << field;
        progress.seen |= bit;
        if let Some(expected) = shape.expects(field) {
            return self.claim(expected);
        }
        if self.value(object.slot(field.into()), member)? {
            progress.present |= bit;
        }
        Ok(())
    }

    /// Keeps a field that has no place of its own. Its key, which begins at `start`, has been read.
    fn keep(
        &mut self,
        object: &mut dyn Object<'a>,
        member: Option<LayoutMember>,
        start: usize,
    ) -> Result<(), Stop> {
        let (value, depth) = (self.at(), self.depth());
        self.rewind(start, depth);
        let name = self.key(true)?;
        self.rewind(value, depth);
        let raw = self.raw(member)?;
        if let Others::Keep(unknown) = object.others() {
            unknown.push(name.into(), raw);
        }
        Ok(())
    }

    /// The stated kind or version must be the expected one.
    fn claim(&mut self, expected: &str) -> Result<(), Stop> {
        let claimed = if self.is_null()? {
            Cow::default()
        } else {
            self.text_value("a string")?
        };
        match wrong_claim(&claimed, expected) {
            Some(wrong) => Err(self.stop_in_object(Class::Value, &wrong)),
            None => Ok(()),
        }
    }

    fn finish(
        &mut self,
        object: &mut dyn Object<'a>,
        shape: &'static Shape,
        progress: Progress,
    ) -> Result<(), Stop> {
        if let Others::Keep(unknown) = object.others()
            && let Some(key) = unknown.repeated()
        {
            return Err(self.duplicate(key));
        }
        let missing = shape.required & !progress.present;
        match shape.keys.get(missing.trailing_zeros() as usize) {
            None => {
                self.close();
                Ok(())
            }
            Some(key) => {
                self.stop_in_object(Class::Missing, &format!("missing field `{key}`"));
                Err(self.about(key))
            }
        }
    }

    /// Reads a value into its place; returns whether there was one.
    #[inline]
    pub(super) fn value(
        &mut self,
        slot: Slot<'_, 'a>,
        member: Option<LayoutMember>,
    ) -> Result<bool, Stop> {
        if self.is_null()? {
            return Ok(false);
        }
        match slot {
            Slot::Text(place) => place.set(self.text_value("a string")?),
            Slot::OptionalText(place) => {
                let text = self.text_value("a string")?;
                place.get_or_insert_default().set(text);
            }
            Slot::Object(place) => {
                let node = self.memory.child(member);
                self.object(place, node)?;
            }
            Slot::OptionalObject(place) => {
                let node = self.memory.child(member);
                self.object(place.grow(), node)?;
            }
            Slot::List(place) => {
                let node = self.memory.child(member);
                self.list(place, node)?;
            }
            other => self.rarer_value(other, member)?,
        }
        Ok(true)
    }

    /// Reads objects. An item with the same text as a known one was read before, at the same depth.
    #[inline]
    fn list(&mut self, place: &mut dyn Grow<'a>, node: Option<LayoutNode>) -> Result<(), Stop> {
        self.begin_array("a list of objects")?;
        place.begin();
        let mut is_first = true;
        while self.next_item(is_first)? {
            is_first = false;
            let start = self.at();
            if let Some(known) = place.known()
                && stands_at(self.text().as_bytes(), start, known.as_bytes())
            {
                self.advance_by(known.len());
                place.repeat();
                continue;
            }
            self.object(place.grow(), node)?;
            place.note(self.slice(start, self.at()));
        }
        Ok(())
    }
}
