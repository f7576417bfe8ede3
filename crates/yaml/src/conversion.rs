//! YAML documents to JSON text, line by line or event by event, without recursion, and in memory that does not grow with the
//! input.

use std::cell::RefCell;
use std::io::{Cursor, Read};
use std::rc::Rc;

use granit_parser::{Event, FallibleBufferedInput, Options, Parser};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};

use crate::characters::{Characters, Passed};
use crate::emitter::JsonEmitter;
use crate::lines::{BlockLines, LeftLines, LineStep};
use crate::places::Places;
use crate::refusal::{Stopped, mistake};
use crate::tag::Words;

/// How much of a document with anchors is kept, since an alias may repeat any of it.
const MAX_ANCHORED_BYTES: usize = 64 << 20;

/// YAML that is converted as it is read. Documents without content are left out.
pub struct Conversion<'r> {
    input: YamlInput<'r>,
    writer: JsonEmitter,
    max_anchored_bytes: usize,
}

/// What reads the input.
enum YamlInput<'r> {
    Lines(Box<BlockLines<'r>>),
    Events(Box<YamlEvents<'r>>),
}

/// The events of the parser.
struct YamlEvents<'r> {
    events: Parser<'static, FallibleBufferedInput<Characters<'r>>>,
    passed: Rc<RefCell<Passed>>,
    /// How many events about values are still to be skipped.
    skipped: usize,
}

/// All documents.
#[derive(Debug)]
#[non_exhaustive]
pub struct Converted {
    /// One document as its value, several as an array; empty if there are none.
    pub json: Vec<u8>,
    /// Where the lines of the JSON are from.
    pub places: Places,
}

impl<'r> Conversion<'r> {
    /// Nothing is read yet. `source` needs no buffer: it is asked for large pieces.
    pub fn new(source: impl Read + 'r) -> Self {
        Self {
            input: YamlInput::Lines(Box::new(BlockLines::new(Box::new(source)))),
            writer: JsonEmitter::new(),
            max_anchored_bytes: MAX_ANCHORED_BYTES,
        }
    }

    /// The same, of a file with such words.
    pub const fn with_words(mut self, words: Words) -> Self {
        self.writer.words = words;
        self
    }

    /// Reads all of it with the parser.
    #[cfg(test)]
    pub(crate) fn by_events(source: impl Read + 'r) -> Self {
        let left = BlockLines::new(Box::new(source)).leave();
        Self {
            input: YamlInput::Events(Box::new(YamlEvents::new(left))),
            writer: JsonEmitter::new(),
            max_anchored_bytes: MAX_ANCHORED_BYTES,
        }
    }

    /// All documents at once.
    ///
    /// # Errors
    /// When it stops.
    pub fn whole(mut self) -> Result<Converted, Stopped> {
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
    pub fn piece(&mut self, size: usize) -> Result<Option<&[u8]>, Stopped> {
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
    pub fn bytes(&self) -> usize {
        match &self.input {
            YamlInput::Lines(lines) => lines.bytes(),
            YamlInput::Events(events) => events.passed.borrow().bytes,
        }
    }

    /// Where the lines of the JSON are from.
    pub fn into_places(self) -> Places {
        self.writer.places
    }

    /// Where the lines of the JSON so far are from.
    pub const fn places(&self) -> &Places {
        &self.writer.places
    }

    /// Converts the next line or event. Are there more?
    fn step(&mut self) -> Result<bool, Stopped> {
        let lines = match &mut self.input {
            YamlInput::Events(events) => return events.step(&mut self.writer),
            YamlInput::Lines(lines) => lines,
        };
        match lines.step(&mut self.writer)? {
            LineStep::Passed => Ok(true),
            LineStep::End => Ok(false),
            LineStep::Left => {
                let nothing = BlockLines::new(Box::new(std::io::empty()));
                let left = std::mem::replace(&mut **lines, nothing).leave();
                self.input = YamlInput::Events(Box::new(YamlEvents::new(left)));
                Ok(true)
            }
        }
    }
}

impl<'r> YamlEvents<'r> {
    fn new(left: LeftLines<'r>) -> Self {
        let mut options = Options::default();
        options.emit_comments = false;
        // The scanner looks ahead: without our own limits the error would come later, and at the wrong position.
        options.flow_nesting_limit = MAX_DEPTH - 1;
        options.block_nesting_limit = MAX_DEPTH - 1;
        let passed = Passed::behind(&left);
        let source = Cursor::new(left.opening).chain(left.rest);
        let characters = Characters::new(Box::new(source), passed);
        let passed = characters.passed();
        Self {
            events: Parser::new_from_fallible_iter_with_options(characters, options),
            passed,
            skipped: left.events,
        }
    }

    fn step(&mut self, writer: &mut JsonEmitter) -> Result<bool, Stopped> {
        match self.events.next() {
            None => Ok(false),
            Some(Ok((Event::StreamStart | Event::DocumentStart(..), _))) if self.skipped > 0 => {
                Ok(true)
            }
            Some(Ok(_)) if self.skipped > 0 => {
                self.skipped -= 1;
                Ok(true)
            }
            Some(Ok((event, span))) => {
                let place = self.passed.borrow().place(span.start).into();
                Ok(writer.event(event, span.is_empty(), place).map(|()| true)?)
            }
            Some(Err(error)) => {
                let mut passed = self.passed.borrow_mut();
                let fault = passed.fault.take();
                Err(fault.unwrap_or_else(|| mistake(&error, passed.place(*error.marker())).into()))
            }
        }
    }
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
    fn words_of_our_own_files_are_texts() {
        for yaml in ["on: off\ny: [yes, True]\n", "{on: off, y: [yes, True]}"] {
            let conversion = Conversion::new(yaml.as_bytes()).with_words(Words::Texts);
            let json = String::from_utf8(conversion.whole().unwrap().json).unwrap();
            let expected = r#"{"on":"off","y":["yes",true]}"#;
            assert_eq!(json.replace('\n', ""), expected, "{yaml}");
        }
        check("on: off\nn: [yes]\n", r#"{"true":false,"false":[true]}"#);
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
