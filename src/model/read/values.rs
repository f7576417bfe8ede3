//! Reads values other than objects from JSON text.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::condition::Condition;
use super::reader::ObjectReader;
use super::{Integer, Scalar, Slot};
use crate::json::{Class, LayoutMember, LayoutNode, Numeral, Stop};
use crate::model::conditions::ReadyCondition;
use crate::model::few::Few;
use crate::model::order::SortedMap;
use crate::model::text::{StringMap, Text};

impl<'a> ObjectReader<'a> {
    #[inline(never)]
    pub(super) fn rarer_value(
        &mut self,
        slot: Slot<'_, 'a>,
        member: Option<LayoutMember>,
    ) -> Result<(), Stop> {
        match slot {
            Slot::Texts(place) => *place = self.texts()?.into_vec(),
            Slot::FewTexts(place) => *place = self.texts()?,
            Slot::Strings(place) => {
                *place = self.texts()?.iter().map(ToString::to_string).collect();
            }
            Slot::Map(place) => *place = self.map()?,
            Slot::OptionalMap(place) => *place = Some(self.map()?),
            Slot::Bool(place) => *place = self.flag()?,
            Slot::OptionalBool(place) => *place = Some(self.flag()?),
            Slot::Integer(place) => self.integer(place)?,
            Slot::Scalar(place) => self.scalar(place)?,
            Slot::Conditions(place) => {
                let node = self.memory.child(member);
                *place = self.conditions(node)?;
            }
            Slot::Counts(place) => *place = Some(self.counts()?),
            Slot::OfKind(place, number) => {
                let node = self.memory.root(number);
                self.object(place.grow(), Some(node))?;
            }
            Slot::Raw(place) => *place = Some(self.raw(member)?),
            Slot::Json(place) => *place = self.raw(member)?.get().into(),
            _ => self.skip(member)?,
        }
        Ok(())
    }

    /// Reads a list of conditions, of which only one counts.
    fn conditions(&mut self, node: Option<LayoutNode>) -> Result<Option<ReadyCondition>, Stop> {
        let (start, depth) = (self.at(), self.depth());
        let mut item = None;
        if let Some(node) = node {
            item = self.memory.only_item(node);
            let mut condition = Condition::default();
            if self.follow(&mut condition, node) {
                if let Ok(ready) = condition.ready() {
                    return Ok(ready);
                }
                self.rewind(start, depth);
            }
        }
        self.begin_array("a list of conditions")?;
        let (mut ready, mut is_first) = (None, true);
        while self.next_item(is_first)? {
            let mut condition = Condition::default();
            self.object(&mut condition, item)?;
            is_first = false;
            if ready.is_none() {
                ready = condition
                    .ready()
                    .map_err(|message| self.stop_in_array(&message))?;
            }
        }
        if let Some(node) = node {
            self.note_form(None, node, start);
        }
        Ok(ready)
    }

    fn texts(&mut self) -> Result<Few<Text<'a>>, Stop> {
        self.begin_array("a list of strings")?;
        let mut texts = Few::new();
        while self.next_item(texts.is_empty())? {
            texts.push(self.text_value("a string")?.into());
        }
        Ok(texts)
    }

    fn map(&mut self) -> Result<StringMap<'a>, Stop> {
        self.begin_object("an object whose values are strings")?;
        let mut pairs = Vec::new();
        while !self.is_end_of_object(pairs.is_empty())? {
            let key = self.key(pairs.is_empty())?;
            self.colon()?;
            // Go reads `null` as the empty string here.
            let value = match self.is_null()? {
                true => Cow::default(),
                false => self.text_value("a string")?,
            };
            pairs.push((Text::from(key), Text::from(value)));
        }
        let map = StringMap::of_distinct(pairs).map_err(|key| self.duplicate(&key))?;
        self.close();
        Ok(map)
    }

    fn counts(&mut self) -> Result<SortedMap<String, i64>, Stop> {
        self.begin_object("an object whose values are integers")?;
        let mut counts = Vec::new();
        while !self.is_end_of_object(counts.is_empty())? {
            let key = self.key(counts.is_empty())?.into_owned();
            self.colon()?;
            let mut count = 0_i64;
            self.integer(&mut CheckedInteger(&mut count))?;
            counts.push((key, count));
        }
        let counts = SortedMap::of_distinct(counts).map_err(|key| self.duplicate(&key))?;
        self.close();
        Ok(counts)
    }

    fn flag(&mut self) -> Result<bool, Stop> {
        match self.peek_token() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.wrong_type("a boolean")),
        }
    }

    fn integer(&mut self, place: &mut dyn Integer) -> Result<(), Stop> {
        let Some(b'-' | b'0'..=b'9') = self.peek_token() else {
            return Err(self.wrong_type(place.what()));
        };
        let start = self.at();
        let taken = match self.numeral()? {
            Numeral::Unsigned(number) => {
                let number = i64::try_from(number).ok();
                number.and_then(|number| place.set(number))
            }
            Numeral::Signed(number) => place.set(number),
            Numeral::Float => {
                let message = format!(
                    "invalid type: floating point `{}`, expected {}",
                    self.spelt(start),
                    place.what()
                );
                return Err(self.stop(Class::Type, &message));
            }
        };
        taken.ok_or_else(|| {
            let message = format!(
                "invalid value: integer `{}`, expected {}",
                self.slice(start, self.at()),
                place.what()
            );
            self.stop(Class::Value, &message)
        })
    }

    fn scalar(&mut self, place: &mut dyn Scalar<'a>) -> Result<(), Stop> {
        let first = self.peek_token();
        let taken = match first {
            Some(b'"') => {
                let text = self.string()?;
                place.set(text.into(), false)
            }
            Some(b'-' | b'0'..=b'9') if place.takes_numbers() => {
                let start = self.at();
                let spelt = match self.numeral()? {
                    Numeral::Float => self.spelt(start),
                    Numeral::Unsigned(number) => number.to_string(),
                    Numeral::Signed(number) => number.to_string(),
                };
                place.set(spelt.into(), true)
            }
            _ => return Err(self.wrong_scalar(place)),
        };
        taken.map_err(|message| self.stop(Class::Value, &message))
    }

    /// Where any value is accepted, `serde_json` looks further to name what it found, so the position is further on.
    #[cold]
    fn wrong_scalar(&mut self, place: &dyn Scalar<'a>) -> Stop {
        let is_container = matches!(self.peek(), Some(b'[' | b'{'));
        let is_object = self.peek() == Some(b'{');
        self.wrong_type(place.what());
        if !is_container || !place.takes_numbers() {
            return Stop;
        }
        let fault = self.take_fault();
        self.advance();
        let message = fault.map(|fault| fault.message).unwrap_or_default();
        let stop = if is_object {
            self.stop_in_object(Class::Type, &message)
        } else {
            self.stop_in_array(&message)
        };
        self.set_class(Class::Type);
        stop
    }
}

/// An integer, named as in `serde`.
struct CheckedInteger<'c>(&'c mut i64);

impl Integer for CheckedInteger<'_> {
    fn what(&self) -> &'static str {
        "i64"
    }

    fn set(&mut self, number: i64) -> Option<()> {
        *self.0 = number;
        Some(())
    }
}
