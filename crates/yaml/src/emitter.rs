//! Values as JSON text. Each key, list item and closing bracket begins a line of the JSON, so that a line leads back to its
//! place in the YAML.

use std::collections::BTreeMap;

use granit_parser::{Event, ScalarStyle, Tag};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};
use slicewise_json::yaml::PlainScalar;

use crate::anchor::Anchored;
use crate::merge::{MapKeys, MergeValue, blank};
use crate::places::{InputPosition, Places};
use crate::refusal::{refused, short, too_deep_message};
use crate::tag::{Words, check_tag, is_merge_tag, key_of, plain};

/// Writes values as JSON.
pub(crate) struct JsonEmitter {
    pub(crate) json: Vec<u8>,
    /// How much of the JSON has been given away, and how much before that is not here any more.
    pub(crate) given: usize,
    pub(crate) dropped: usize,
    pub(crate) places: Places,
    pub(crate) documents: usize,
    pub(crate) words: Words,
    /// Whether several documents become an array.
    pub(crate) is_array: bool,
    pub(crate) open: Vec<OpenLevel>,
    pub(crate) anchors: BTreeMap<usize, Anchored>,
    /// Whether the document has anchors, so that its JSON is still needed.
    pub(crate) has_anchors: bool,
    pub(crate) aliased: usize,
    /// Of maps that have ended, for others.
    spare: Vec<MapKeys>,
}

/// An open list or map.
pub(crate) struct OpenLevel {
    kind: LevelKind,
    place: InputPosition,
    /// Where its JSON begins.
    start: usize,
    anchor: usize,
    /// The depth of its deepest value.
    height: usize,
}

enum LevelKind {
    List { is_empty: bool },
    Map(MapKeys),
}

impl OpenLevel {
    /// Is it a map that expects a key?
    const fn wants_key(&self) -> bool {
        matches!(&self.kind, LevelKind::Map(keys) if !keys.has_key)
    }
}

impl JsonEmitter {
    pub(crate) const fn new() -> Self {
        Self {
            json: Vec::new(),
            given: 0,
            dropped: 0,
            places: Places::new(),
            documents: 0,
            words: Words::Booleans,
            is_array: false,
            open: Vec::new(),
            anchors: BTreeMap::new(),
            has_anchors: false,
            aliased: 0,
            spare: Vec::new(),
        }
    }

    pub(crate) fn event(
        &mut self,
        event: Event<'_>,
        is_empty: bool,
        at: InputPosition,
    ) -> Result<(), Error> {
        match event {
            Event::DocumentStart(..) => self.begin_document(),
            Event::Scalar(value, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                // The parser reports empty values as `~`.
                let value = if is_plain && is_empty { "" } else { &value };
                self.scalar(value, is_plain, anchor, tag.as_deref(), at)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                check_tag(tag.as_deref(), "seq", at)?;
                self.open(true, anchor, at)?;
            }
            Event::MappingStart(_, anchor, tag) => {
                check_tag(tag.as_deref(), "map", at)?;
                self.open(false, anchor, at)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => self.alias(anchor, at)?,
            _ => {}
        }
        self.finish_merge()
    }

    /// Another document begins: it does not know the anchors of the one before.
    pub(crate) fn begin_document(&mut self) {
        self.anchors.clear();
        self.has_anchors = false;
    }

    /// How much is written and stays.
    pub(crate) fn written(&self) -> usize {
        let merge = |level: &OpenLevel| match &level.kind {
            LevelKind::Map(keys) => keys.merge.map(|merge| merge.start),
            LevelKind::List { .. } => None,
        };
        self.open.iter().find_map(merge).unwrap_or(self.json.len())
    }

    /// Takes the value of a merge key out again, once it is complete, and merges it.
    fn finish_merge(&mut self) -> Result<(), Error> {
        let Some(OpenLevel {
            kind: LevelKind::Map(keys),
            ..
        }) = self.open.last_mut()
        else {
            return Ok(());
        };
        if keys.has_key {
            return Ok(());
        }
        let Some(MergeValue {
            start,
            lines,
            place,
        }) = keys.merge.take()
        else {
            return Ok(());
        };
        self.places.truncate(lines);
        let text = self.json.get(start..).unwrap_or_default();
        let error = |code, message: &str| Err(refused(code, message, place));
        let Some(replaced) = keys.take(text, place) else {
            let message = "`<<` merges a map or a list of maps, and this is neither";
            return error(Code::InvalidJson, message);
        };
        self.keep_anchored(start..self.json.len());
        self.json.truncate(start);
        for member in replaced {
            let begun = self.dropped + self.given;
            if member.start < begun {
                let message =
                    "`<<` replaces a key above it; write that below `<<`, or leave it out";
                return error(Code::Unsupported, message);
            }
            let member = member.start - self.dropped..member.end - self.dropped;
            self.keep_anchored(member.clone());
            blank(&mut self.json, member);
        }
        Ok(())
    }

    pub(crate) fn write_scalar(&mut self, value: &str, plain: &PlainScalar) {
        match plain {
            PlainScalar::Null => self.json.extend_from_slice(b"null"),
            PlainScalar::Bool(true) => self.json.extend_from_slice(b"true"),
            PlainScalar::Bool(false) => self.json.extend_from_slice(b"false"),
            PlainScalar::Int(number) | PlainScalar::Float(number) => {
                self.json.extend_from_slice(number.as_bytes());
            }
            PlainScalar::Unspeakable | PlainScalar::Text => quote(value, &mut self.json),
        }
    }

    /// Returns where its JSON begins, counted from the beginning of all text.
    pub(crate) fn scalar(
        &mut self,
        value: &str,
        is_plain: bool,
        anchor: usize,
        tag: Option<&Tag>,
        at: InputPosition,
    ) -> Result<usize, Error> {
        if self.open.last().is_some_and(OpenLevel::wants_key) {
            if anchor != 0 {
                self.anchor_key(value, is_plain, anchor, tag, at)?;
            }
            self.key(value, is_plain, tag, at)?;
            return Ok(self.dropped + self.json.len());
        }
        let plain = plain(value, is_plain, tag, self.words, at)?;
        if self.open.is_empty() && plain == PlainScalar::Null {
            // A document without content.
            return Ok(self.dropped + self.json.len());
        }
        self.before_value(at);
        let start = self.json.len();
        self.write_scalar(value, &plain);
        self.after_value(anchor, start, 0);
        Ok(self.dropped + start)
    }

    pub(crate) fn key(
        &mut self,
        text: &str,
        is_plain: bool,
        tag: Option<&Tag>,
        at: InputPosition,
    ) -> Result<(), Error> {
        let Some(OpenLevel {
            kind: LevelKind::Map(keys),
            ..
        }) = self.open.last_mut()
        else {
            return Ok(());
        };
        if text == "<<" && tag.map_or(is_plain, is_merge_tag) {
            keys.has_key = true;
            keys.merge = Some(MergeValue {
                start: self.json.len(),
                lines: self.places.count(),
                place: at,
            });
            // What it replaces is still needed.
            self.has_anchors = true;
            return Ok(());
        }
        let key = key_of(text, is_plain, tag, self.words, at)?;
        let Some(is_first) = keys.add(key) else {
            let message = format!("the key `{}` appears twice; leave one out", short(key));
            return Err(refused(Code::InvalidJson, message, at));
        };
        let start = self.dropped + self.member(key, is_first, at);
        if let Some(OpenLevel {
            kind: LevelKind::Map(keys),
            ..
        }) = self.open.last_mut()
        {
            keys.begin(start);
        }
        Ok(())
    }

    /// Begins a member of a map; returns where its text begins.
    fn member(&mut self, key: &str, is_first: bool, place: InputPosition) -> usize {
        if !is_first {
            self.json.push(b',');
        }
        self.line(place);
        let start = self.json.len();
        quote(key, &mut self.json);
        self.json.push(b':');
        start
    }

    pub(crate) fn open(
        &mut self,
        is_list: bool,
        anchor: usize,
        at: InputPosition,
    ) -> Result<(), Error> {
        self.no_key(at)?;
        // One level is reserved for the array around several documents.
        if self.open.len() + 1 >= MAX_DEPTH {
            return Err(refused(Code::TooDeep, too_deep_message(), at));
        }
        self.has_anchors |= anchor != 0;
        let place = self.before_value(at);
        let start = self.json.len();
        self.json.push(if is_list { b'[' } else { b'{' });
        let kind = match is_list {
            true => LevelKind::List { is_empty: true },
            false => LevelKind::Map(self.spare.pop().unwrap_or_default()),
        };
        self.open.push(OpenLevel {
            kind,
            place,
            start,
            anchor,
            height: 0,
        });
        Ok(())
    }

    pub(crate) fn close(&mut self) {
        let Some(level) = self.open.pop() else {
            return;
        };
        let bracket = match level.kind {
            LevelKind::List { .. } => b']',
            LevelKind::Map(mut keys) => {
                for (is_first, key, value, place) in keys.merged() {
                    self.member(&key, is_first, place);
                    self.json.extend_from_slice(&value);
                }
                keys.clear();
                self.spare.push(keys);
                b'}'
            }
        };
        self.line(level.place);
        self.json.push(bracket);
        self.after_value(level.anchor, level.start, level.height + 1);
    }

    /// Keys are strings, the only keys in JSON.
    pub(crate) fn no_key(&self, at: InputPosition) -> Result<(), Error> {
        if self.open.last().is_some_and(OpenLevel::wants_key) {
            let message = "a key must be a plain or quoted text";
            return Err(refused(Code::InvalidJson, message, at));
        }
        Ok(())
    }

    /// Writes what separates a value from the previous one; the place is that of its key, if it has one.
    pub(crate) fn before_value(&mut self, at: InputPosition) -> InputPosition {
        match self.open.last_mut() {
            None => {
                if self.documents > 0 && self.is_array {
                    self.json.push(b',');
                }
                self.documents += 1;
            }
            Some(OpenLevel {
                kind: LevelKind::List { is_empty },
                ..
            }) => {
                if !std::mem::take(is_empty) {
                    self.json.push(b',');
                }
            }
            Some(_) => return self.places.last().unwrap_or(at),
        }
        self.line(at);
        at
    }

    /// Begins a line of the JSON.
    fn line(&mut self, place: InputPosition) {
        if self.places.last().is_some() {
            self.json.push(b'\n');
        }
        self.places.add(place);
    }

    /// The value that began at `start` is complete.
    pub(crate) fn after_value(&mut self, anchor: usize, start: usize, height: usize) {
        if let Some(level) = self.open.last_mut() {
            level.height = level.height.max(height);
            if let LevelKind::Map(keys) = &mut level.kind {
                keys.complete(self.dropped + self.json.len());
            }
        }
        if anchor != 0 {
            self.has_anchors = true;
            let at = start..self.json.len();
            let text = None;
            self.anchors.insert(anchor, Anchored { at, text, height });
        }
    }
}

fn quote(text: &str, json: &mut Vec<u8>) {
    // Looks at all bytes at once, and nearly always finds none to escape.
    let is_as_it_is = |all, byte| all & (byte >= b' ') & (byte != b'"') & (byte != b'\\');
    if text.bytes().fold(true, is_as_it_is) {
        json.push(b'"');
        json.extend_from_slice(text.as_bytes());
        json.push(b'"');
        return;
    }
    // Every string has a JSON form, and a vector takes it.
    let _ = serde_json::to_writer(json, text);
}
