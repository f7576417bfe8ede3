//! YAML documents to JSON text, event by event, without recursion, and in memory that does not grow with the input.
//!
//! Each key, list item and closing bracket begins a line of the JSON, so that a line leads back to its place in the YAML.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;
use std::rc::Rc;

use granit_parser::{Event, FallibleBufferedInput, Options, Parser, ScalarStyle, Span, Tag};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};
use slicewise_json::yaml::{PlainScalar, resolve};

use super::characters::{Characters, Passed};
use super::merge::{MapKeys, MergeValue, blank};
use super::places::{InputPosition, Places};
use super::refusal::{Stopped, mistake, short, too_deep_message};

/// How much text aliases may add. Without aliases, the JSON is proportional to its YAML.
const MAX_ALIASED_BYTES: usize = 16 << 20;
/// How much of a document with anchors is kept, since an alias may repeat any of it.
const MAX_ANCHORED_BYTES: usize = 64 << 20;

/// What the names of YAML's own tags begin with.
const TAGS: &str = "tag:yaml.org,2002:";

/// YAML that is converted as it is read. Documents without content are left out.
pub(crate) struct Conversion<'r> {
    events: Parser<'static, FallibleBufferedInput<Characters<'r>>>,
    passed: Rc<RefCell<Passed>>,
    writer: JsonEmitter,
    max_anchored_bytes: usize,
}

/// All documents.
#[derive(Debug)]
pub(crate) struct Converted {
    /// One document as its value, several as an array; empty if there are none.
    pub(crate) json: Vec<u8>,
    pub(crate) places: Places,
}

impl<'r> Conversion<'r> {
    pub(crate) fn new(source: impl Read + 'r) -> Self {
        let mut options = Options::default();
        options.emit_comments = false;
        // The scanner looks ahead: without our own limits the error would come later, and at the wrong position.
        options.flow_nesting_limit = MAX_DEPTH - 1;
        options.block_nesting_limit = MAX_DEPTH - 1;
        let characters = Characters::new(Box::new(source));
        let passed = characters.passed();
        Self {
            events: Parser::new_from_fallible_iter_with_options(characters, options),
            passed: Rc::clone(&passed),
            writer: JsonEmitter::new(passed),
            max_anchored_bytes: MAX_ANCHORED_BYTES,
        }
    }

    /// All documents at once.
    ///
    /// # Errors
    /// When it stops.
    pub(crate) fn whole(mut self) -> Result<Converted, Stopped> {
        self.writer.is_array = true;
        while self.step()? {}
        let JsonEmitter {
            mut json,
            places,
            documents,
            ..
        } = self.writer;
        if documents > 1 {
            json.insert(0, b'[');
            json.push(b']');
        }
        Ok(Converted { json, places })
    }

    /// The next piece of the JSON, of `size` bytes or more unless it is the last one: a document after another.
    ///
    /// # Errors
    /// When it stops.
    pub(crate) fn piece(&mut self, size: usize) -> Result<Option<&[u8]>, Stopped> {
        let writer = &mut self.writer;
        if !writer.has_anchors {
            writer.json.drain(..writer.given);
            writer.dropped += std::mem::take(&mut writer.given);
        }
        writer.places.forget();
        while self.writer.written() < self.writer.given + size {
            if self.writer.has_anchors && self.writer.json.len() > self.max_anchored_bytes {
                let message = format!(
                    "the document has anchors (`&name`) and more than {} MiB; write the values of aliases out",
                    MAX_ANCHORED_BYTES >> 20
                );
                return Err(Error::new(Code::TooLarge, message).into());
            }
            if !self.step()? {
                break;
            }
        }
        let (given, written) = (self.writer.given, self.writer.written());
        self.writer.given = written;
        let piece = self.writer.json.get(given..written).unwrap_or_default();
        Ok((!piece.is_empty()).then_some(piece))
    }

    /// The number of bytes that have been read.
    pub(crate) fn bytes(&self) -> usize {
        self.passed.borrow().bytes
    }

    /// Where the lines of the JSON are from.
    pub(crate) fn into_places(self) -> Places {
        self.writer.places
    }

    pub(crate) const fn places(&self) -> &Places {
        &self.writer.places
    }

    /// Converts the next event. Are there more?
    fn step(&mut self) -> Result<bool, Stopped> {
        match self.events.next() {
            None => Ok(false),
            Some(Ok((event, span))) => Ok(self.writer.event(event, span).map(|()| true)?),
            Some(Err(error)) => {
                let mut passed = self.passed.borrow_mut();
                let fault = passed.fault.take();
                Err(fault.unwrap_or_else(|| mistake(&error, passed.place(*error.marker())).into()))
            }
        }
    }
}

/// Writes events as JSON.
struct JsonEmitter {
    passed: Rc<RefCell<Passed>>,
    json: Vec<u8>,
    /// How much of the JSON has been given away, and how much before that is not here any more.
    given: usize,
    dropped: usize,
    places: Places,
    documents: usize,
    /// Whether several documents become an array.
    is_array: bool,
    open: Vec<OpenLevel>,
    anchors: BTreeMap<usize, Anchored>,
    /// Whether the document has anchors, so that its JSON is still needed.
    has_anchors: bool,
    aliased: usize,
}

/// An open list or map.
struct OpenLevel {
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

/// A value with an anchor: where its JSON is, or the JSON if it was taken out; and its depth.
struct Anchored {
    at: Range<usize>,
    text: Option<Vec<u8>>,
    height: usize,
}

impl JsonEmitter {
    const fn new(passed: Rc<RefCell<Passed>>) -> Self {
        Self {
            passed,
            json: Vec::new(),
            given: 0,
            dropped: 0,
            places: Places::new(),
            documents: 0,
            is_array: false,
            open: Vec::new(),
            anchors: BTreeMap::new(),
            has_anchors: false,
            aliased: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Error> {
        match event {
            Event::DocumentStart(..) => {
                self.anchors.clear();
                self.has_anchors = false;
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar(&value, style, anchor, tag.as_deref(), span)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), "seq", span)?;
                self.open(LevelKind::List { is_empty: true }, anchor, span)?;
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), "map", span)?;
                self.open(LevelKind::Map(MapKeys::default()), anchor, span)?;
            }
            Event::SequenceEnd => self.close(b']'),
            Event::MappingEnd => self.close(b'}'),
            Event::Alias(anchor) => self.alias(anchor, span)?,
            _ => {}
        }
        self.finish_merge()
    }

    /// How much is written and stays.
    fn written(&self) -> usize {
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
            place: (line, column),
        }) = keys.merge.take()
        else {
            return Ok(());
        };
        self.places.truncate(lines);
        let text = self.json.get(start..).unwrap_or_default();
        let error = |code, message| Err(Error::new(code, message).on(line, column));
        let Some(replaced) = keys.take(text, (line, column).into()) else {
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

    /// Copies the values with anchors in a part of the JSON that will go. The parser numbers anchors from the beginning, so
    /// the last ones are those behind the part's beginning.
    fn keep_anchored(&mut self, part: Range<usize>) {
        let anchors = self.anchors.values_mut().rev();
        for anchored in anchors.take_while(|one| one.at.start >= part.start) {
            if anchored.text.is_none() && part.contains(&anchored.at.start) {
                anchored.text = self.json.get(anchored.at.clone()).map(<[u8]>::to_vec);
            }
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<(), Error> {
        let is_plain = style == ScalarStyle::Plain;
        // The parser reports empty values as `~`.
        let value = if is_plain && span.is_empty() {
            ""
        } else {
            value
        };
        if self.open.last().is_some_and(OpenLevel::wants_key) {
            let is_merge = match tag {
                None => is_plain,
                Some(tag) => tag.suffix_in_namespace(TAGS).as_deref() == Some("merge"),
            };
            return self.key(value, is_merge && value == "<<", span);
        }
        let plain = self.plain(value, is_plain, tag, span)?;
        if self.open.is_empty() && plain == PlainScalar::Null {
            // A document without content.
            return Ok(());
        }
        self.before_value(span);
        let start = self.json.len();
        match plain {
            PlainScalar::Null => self.json.extend_from_slice(b"null"),
            PlainScalar::Bool(true) => self.json.extend_from_slice(b"true"),
            PlainScalar::Bool(false) => self.json.extend_from_slice(b"false"),
            PlainScalar::Int(number) | PlainScalar::Float(number) => {
                self.json.extend_from_slice(number.as_bytes());
            }
            PlainScalar::Unspeakable | PlainScalar::Text => quote(value, &mut self.json),
        }
        self.after_value(anchor, start, 0);
        Ok(())
    }

    /// What a scalar stands for.
    fn plain(
        &self,
        value: &str,
        is_plain: bool,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<PlainScalar, Error> {
        let wanted = tag.map(|tag| tag.core_suffix().unwrap_or("unknown"));
        let plain = if wanted == Some("str") || (wanted.is_none() && !is_plain) {
            PlainScalar::Text
        } else {
            resolve(value)
        };
        let fits = match (wanted, &plain) {
            (None | Some("float"), PlainScalar::Unspeakable) => {
                let message = format!(
                    "JSON cannot represent the number `{}`; write a finite one",
                    short(value)
                );
                return Err(self.error(Code::InvalidValue, message, span));
            }
            (None | Some("str"), _)
            | (Some("null"), PlainScalar::Null)
            | (Some("bool"), PlainScalar::Bool(_))
            | (Some("int"), PlainScalar::Int(_))
            | (Some("float"), PlainScalar::Int(_) | PlainScalar::Float(_)) => true,
            _ => false,
        };
        match fits {
            true => Ok(plain),
            false => Err(self.bad_tag(tag, span)),
        }
    }

    fn key(&mut self, key: &str, is_merge: bool, span: Span) -> Result<(), Error> {
        let place = self.passed.borrow().place(span.start);
        let Some(OpenLevel {
            kind: LevelKind::Map(keys),
            ..
        }) = self.open.last_mut()
        else {
            return Ok(());
        };
        if is_merge {
            keys.has_key = true;
            keys.merge = Some(MergeValue {
                start: self.json.len(),
                lines: self.places.count(),
                place,
            });
            // What it replaces is still needed.
            self.has_anchors = true;
            return Ok(());
        }
        let Some(is_first) = keys.add(key) else {
            let message = format!("the key `{}` appears twice; leave one out", short(key));
            return Err(self.error(Code::InvalidJson, message, span));
        };
        let start = self.dropped + self.member(key, is_first, place.into());
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

    fn open(&mut self, kind: LevelKind, anchor: usize, span: Span) -> Result<(), Error> {
        self.no_key(span)?;
        // One level is reserved for the array around several documents.
        if self.open.len() + 1 >= MAX_DEPTH {
            return Err(self.error(Code::TooDeep, too_deep_message(), span));
        }
        self.has_anchors |= anchor != 0;
        let place = self.before_value(span);
        let start = self.json.len();
        self.json.push(match kind {
            LevelKind::List { .. } => b'[',
            LevelKind::Map(_) => b'{',
        });
        self.open.push(OpenLevel {
            kind,
            place,
            start,
            anchor,
            height: 0,
        });
        Ok(())
    }

    fn close(&mut self, bracket: u8) {
        if let Some(level) = self.open.pop() {
            if let LevelKind::Map(keys) = level.kind {
                for (is_first, key, value, place) in keys.merged() {
                    self.member(&key, is_first, place);
                    self.json.extend_from_slice(&value);
                }
            }
            self.line(level.place);
            self.json.push(bracket);
            self.after_value(level.anchor, level.start, level.height + 1);
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Error> {
        self.no_key(span)?;
        let Some(Anchored { at, text, height }) = self.anchors.get(&anchor) else {
            let message = "this alias is inside the value that it refers to";
            return Err(self.error(Code::InvalidJson, message, span));
        };
        let height = *height;
        let value = text.as_deref().or_else(|| self.json.get(at.clone()));
        self.aliased += at.len();
        if self.aliased > MAX_ALIASED_BYTES {
            let message = format!(
                "aliases (`*name`) expand the input by more than {} MiB; write the values out",
                MAX_ALIASED_BYTES >> 20
            );
            return Err(self.error(Code::TooLarge, message, span));
        }
        if self.open.len() + height >= MAX_DEPTH {
            return Err(self.error(Code::TooDeep, too_deep_message(), span));
        }
        // All of it is at the place of the alias.
        let repeated = value.unwrap_or_default().iter().copied();
        let repeated: Vec<u8> = repeated.filter(|byte| *byte != b'\n').collect();
        self.before_value(span);
        let start = self.json.len();
        self.json.extend_from_slice(&repeated);
        self.after_value(0, start, height);
        Ok(())
    }

    /// Keys are strings, the only keys in JSON.
    fn no_key(&self, span: Span) -> Result<(), Error> {
        if self.open.last().is_some_and(OpenLevel::wants_key) {
            let message = "a key must be a plain or quoted text";
            return Err(self.error(Code::InvalidJson, message, span));
        }
        Ok(())
    }

    /// Writes what separates a value from the previous one; the place is that of its key, if it has one.
    fn before_value(&mut self, span: Span) -> InputPosition {
        let place = self.place(span);
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
            Some(_) => return self.places.last().unwrap_or(place),
        }
        self.line(place);
        place
    }

    /// Begins a line of the JSON.
    fn line(&mut self, place: InputPosition) {
        if self.places.last().is_some() {
            self.json.push(b'\n');
        }
        self.places.add(place);
    }

    /// The value that began at `start` is complete.
    fn after_value(&mut self, anchor: usize, start: usize, height: usize) {
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

    fn check_tag(&self, tag: Option<&Tag>, expected: &str, span: Span) -> Result<(), Error> {
        if tag.is_none_or(|tag| tag.is_yaml_core_schema_tag(expected)) {
            Ok(())
        } else {
            Err(self.bad_tag(tag, span))
        }
    }

    fn bad_tag(&self, tag: Option<&Tag>, span: Span) -> Error {
        let tag = tag.map_or_else(String::new, |tag| {
            format!("{}{}", tag.original_handle(), tag.suffix())
        });
        let message = format!(
            "the tag `{}` is unknown, or does not match its value; remove it",
            short(&tag)
        );
        self.error(Code::Unsupported, message, span)
    }

    fn error(&self, code: Code, message: impl Into<String>, span: Span) -> Error {
        let (line, column) = self.passed.borrow().place(span.start);
        Error::new(code, message).on(line, column)
    }

    fn place(&self, span: Span) -> InputPosition {
        self.passed.borrow().place(span.start).into()
    }
}

fn quote(text: &str, json: &mut Vec<u8>) {
    // Every string has a JSON form, and a vector takes it.
    let _ = serde_json::to_writer(json, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_json(yaml: &str) -> Result<Converted, Stopped> {
        Conversion::new(yaml.as_bytes()).whole()
    }

    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let shown = match to_json(yaml) {
            Ok(converted) => String::from_utf8(converted.json).unwrap().replace('\n', ""),
            Err(Stopped::Unread(error)) => error.to_string(),
            Err(Stopped::Refused(error)) => format!(
                "{} {}:{}",
                error.code().as_str(),
                error.line().unwrap(),
                error.column().unwrap()
            ),
        };
        let begin: String = yaml.chars().take(80).collect();
        assert_eq!(shown, expected, "{begin}");
    }

    #[test]
    fn documents_become_json() {
        check("", "");
        check("# nothing\n---\n---\nnull\n", "");
        check("a: 1", r#"{"a":1}"#);
        check("---\na: 1\n---\n---\n[b]\n...\n", r#"[{"a":1},["b"]]"#);
        check(
            "a: {b: [], c: {}}\n1: ~\n\"q\\\"\": 'x\n  y'\n",
            r#"{"a":{"b":[],"c":{}},"1":null,"q\"":"x y"}"#,
        );
        check(
            "a: &x [1, {b: 2}]\nc: *x\nd: [*x]\n",
            r#"{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":[[1,{"b":2}]]}"#,
        );
    }

    #[test]
    fn refusals_have_a_code_and_a_place() {
        check("a: 1\nä: {b: 1, b: 2}", "InvalidJson 2:12");
        check("a: {<<: 1}", "InvalidJson 1:5");
        check("a: &x [1]\nc: {<<: [*x]}", "InvalidJson 2:5");
        check("a: !mine b", "Unsupported 1:10");
        check("a: !!int b", "Unsupported 1:10");
        check("? [a]\n: b", "InvalidJson 1:3");
        check("a: .inf", "InvalidValue 1:4");
        check("a: &x [*x]", "InvalidJson 1:8");
        check("a: [1", "InvalidJson 1:4");
        check(&"[".repeat(50_000), "TooDeep 1:100");
        let blocks: String = (0..200)
            .map(|depth| format!("{}a:\n", " ".repeat(depth)))
            .collect();
        check(&blocks, "TooDeep 100:100");
    }

    #[test]
    fn aliases_are_bounded_in_size_and_depth() {
        let bomb = |of: fn(usize) -> String| -> String {
            let lines = (1..200).map(|level| format!("a{level}: &a{level} {}\n", of(level - 1)));
            "a0: &a0 [x]\n".to_owned() + &lines.collect::<String>()
        };
        check(
            &bomb(|level| format!("[*a{level}, *a{level}, *a{level}]")),
            "TooLarge 15:12",
        );
        check(&bomb(|level| format!("[*a{level}]")), "TooDeep 99:12");
    }

    /// Where an error in a line that begins with this JSON is placed.
    #[track_caller]
    fn check_place(yaml: &str, begin: &str, expected: (usize, usize)) {
        let Converted { json, places } = to_json(yaml).unwrap();
        let json = String::from_utf8(json).unwrap();
        let line = json.lines().position(|line| line.starts_with(begin));
        let error = Error::new(Code::MissingField, "none").on(line.unwrap() + 1, 1);
        let placed = places.placed(error);
        assert_eq!(
            placed.line().zip(placed.column()),
            Some(expected),
            "{begin}"
        );
    }

    #[test]
    fn lines_lead_to_keys_and_items() {
        let yaml = "# ä\nkind: List\nitems:\n- a/b:\n    c: &c {d: [1,\n       2]}\n- {ä: 1, a/c: *c, d: 2}\n- 7\n";
        for (begin, expected) in [
            ("{", (2, 1)),
            ("\"items\"", (3, 1)),
            ("\"a/b\"", (4, 3)),
            ("\"d\":[", (5, 12)),
            ("2", (6, 8)),
            ("]", (5, 12)),
            ("\"ä\"", (7, 4)),
            ("\"a/c\":{\"d\":[1,2]}", (7, 11)),
            ("\"d\":2", (7, 20)),
            ("7", (8, 3)),
        ] {
            check_place(yaml, begin, expected);
        }
        check_place("---\na: 1\n---\n---\nb: 2\n", "\"b\"", (5, 1));
    }

    /// Pieces are the same documents, one after another.
    #[test]
    fn pieces_are_the_whole() {
        let item = "- a: [1, {b: \"x\"}]\n  c: d\n";
        let plain = format!("items:\n{}", item.repeat(1000));
        let with_anchors = format!("d: &d [7]\ne: *d\nf: [*d]\n{plain}");
        for (yaml, held) in [(&plain, false), (&with_anchors, true)] {
            let whole = to_json(yaml).unwrap().json;
            let several = format!("--- ~\n---\n{yaml}---\n{yaml}---\n...\n");
            let mut conversion = Conversion::new(several.as_bytes());
            let (mut json, mut count, mut most) = (Vec::new(), 0, 0);
            while let Some(piece) = conversion.piece(100).unwrap() {
                json.extend_from_slice(piece);
                count += 1;
                most = most.max(conversion.writer.json.len());
            }
            assert_eq!(json, [whole.as_slice(), whole.as_slice()].join(&b'\n'));
            assert!(count > 100, "{count}");
            assert_eq!(most > whole.len() / 10, held, "{most}");
            assert_eq!(conversion.bytes(), several.len());
        }
    }

    #[test]
    fn what_may_be_repeated_is_bounded() {
        let yaml = format!("a: &a\n{}", "  - 0123456789\n".repeat(1000));
        let mut conversion = Conversion::new(yaml.as_bytes());
        conversion.max_anchored_bytes = 10_000;
        let stopped = loop {
            match conversion.piece(100) {
                Ok(piece) => assert!(piece.is_some(), "all of it"),
                Err(stopped) => break stopped,
            }
        };
        assert!(matches!(stopped, Stopped::Refused(error) if error.code() == Code::TooLarge));
    }
}
