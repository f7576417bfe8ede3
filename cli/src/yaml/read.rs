//! YAML documents to JSON text, event by event, without recursion; and back from a JSON pointer to a position in the YAML.

use std::collections::{BTreeMap, BTreeSet};

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, Tag};
use slicewise::api::MAX_DEPTH;
use slicewise::json::yaml::{Plain, resolve};
use slicewise::{Code, Error};

use super::refusal::{Source, short};
use super::wanted::Wanted;

/// How much text aliases may add. Without aliases, the JSON is proportional to its YAML.
const MAX_ALIASED_BYTES: usize = 16 << 20;

/// The documents of an input.
#[derive(Debug)]
pub(crate) struct Converted {
    /// One document as its value, several as an array; documents without content are left out.
    pub(crate) json: Vec<u8>,
    /// The number of documents with content; if zero, `json` is empty.
    pub(crate) documents: usize,
}

/// Reads all documents.
///
/// # Errors
/// `InvalidJson` for what is not YAML or not a JSON value, `TooDeep`, `TooLarge` if aliases expand too far, `Unsupported`
/// for merge keys and tags, `InvalidValue` for numbers that JSON cannot express.
pub(crate) fn to_json(text: &str) -> Result<Converted, Error> {
    let mut reader = Reader::new(text, None);
    reader.read()?;
    Ok(reader.finish())
}

/// Line and column (in bytes) of the key or list item that a pointer into [`Converted::json`] names. If it is missing,
/// those of its nearest existing parent.
pub(crate) fn place_of(text: &str, pointer: &str, documents: usize) -> Option<(usize, usize)> {
    let mut reader = Reader::new(text, Wanted::of(pointer, documents));
    // It was read before, so it is valid; if not, there is no position to report.
    reader.read().ok()?;
    reader.wanted?.found
}

struct Reader<'t> {
    source: Source<'t>,
    json: Vec<u8>,
    documents: usize,
    open: Vec<Level>,
    anchors: BTreeMap<usize, Anchored>,
    aliased: usize,
    wanted: Option<Wanted>,
}

/// An open list or map.
struct Level {
    kind: Kind,
    /// Where its JSON begins.
    start: usize,
    anchor: usize,
    /// The depth of its deepest value.
    height: usize,
    /// Whether the wanted pointer leads through it.
    is_wanted: bool,
    /// Whether the wanted pointer leads to or through the next value.
    is_next_wanted: bool,
}

enum Kind {
    List(usize),
    /// The keys so far, and whether the value of the last one is still missing.
    Map(BTreeSet<String>, bool),
}

/// A value with an anchor: its JSON, and its depth.
struct Anchored {
    start: usize,
    end: usize,
    height: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, wanted: Option<Wanted>) -> Self {
        Self {
            source: Source(text),
            json: vec![b'['],
            documents: 0,
            open: Vec::new(),
            anchors: BTreeMap::new(),
            aliased: 0,
            wanted,
        }
    }

    fn finish(mut self) -> Converted {
        // The comma after the last document.
        self.json.pop();
        match self.documents {
            0 => {}
            1 => drop(self.json.drain(..1)),
            _ => self.json.push(b']'),
        }
        Converted {
            json: self.json,
            documents: self.documents,
        }
    }

    fn read(&mut self) -> Result<(), Error> {
        let mut options = Options::default();
        options.emit_comments = false;
        // The scanner looks ahead: without our own limits the error would come later, and at the wrong position.
        options.flow_nesting_limit = MAX_DEPTH - 1;
        options.block_nesting_limit = MAX_DEPTH - 1;
        let mut start = self.json.len();
        for event in Parser::new_from_str_with_options(self.source.0, options) {
            let (event, span) = event.map_err(|error| self.source.mistake(&error))?;
            match event {
                Event::DocumentStart(..) => {
                    start = self.json.len();
                    self.anchors.clear();
                }
                Event::DocumentEnd if self.json.get(start..) == Some(b"null") => {
                    self.json.truncate(start);
                }
                Event::DocumentEnd => {
                    self.json.push(b',');
                    self.documents += 1;
                }
                Event::Scalar(value, style, anchor, tag) => {
                    self.scalar(&value, style, anchor, tag.as_deref(), span)?;
                }
                Event::SequenceStart(_, anchor, tag) => {
                    self.check_tag(tag.as_deref(), "seq", span)?;
                    self.open(Kind::List(0), anchor, span)?;
                }
                Event::MappingStart(_, anchor, tag) => {
                    self.check_tag(tag.as_deref(), "map", span)?;
                    self.open(Kind::Map(BTreeSet::new(), false), anchor, span)?;
                }
                Event::SequenceEnd => self.close(b']'),
                Event::MappingEnd => self.close(b'}'),
                Event::Alias(anchor) => self.alias(anchor, span)?,
                _ => {}
            }
        }
        Ok(())
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
        if let Some(Level {
            kind: Kind::Map(_, false),
            ..
        }) = self.open.last()
        {
            return self.key(value, is_plain && tag.is_none(), span);
        }
        let json = self.json_of(value, is_plain, tag, span)?;
        self.before_value(span);
        let start = self.json.len();
        self.json.extend_from_slice(json.as_bytes());
        self.after_value(anchor, start, 0);
        Ok(())
    }

    /// A scalar as JSON.
    fn json_of(
        &self,
        value: &str,
        is_plain: bool,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<String, Error> {
        let wanted = tag.map(|tag| tag.core_suffix().unwrap_or("unknown"));
        let plain = if wanted == Some("str") || (wanted.is_none() && !is_plain) {
            Plain::Text
        } else {
            resolve(value)
        };
        let fits = match (wanted, &plain) {
            (None | Some("float"), Plain::Unspeakable) => {
                let message = format!(
                    "JSON cannot represent the number `{}`; write a finite one",
                    short(value)
                );
                return Err(self.source.error(Code::InvalidValue, message, span));
            }
            (None | Some("str"), _)
            | (Some("null"), Plain::Null)
            | (Some("bool"), Plain::Bool(_))
            | (Some("int"), Plain::Int(_))
            | (Some("float"), Plain::Int(_) | Plain::Float(_)) => true,
            _ => false,
        };
        if !fits {
            return Err(self.source.bad_tag(span));
        }
        Ok(match plain {
            Plain::Null => "null".to_owned(),
            Plain::Bool(value) => value.to_string(),
            Plain::Int(number) | Plain::Float(number) => number,
            Plain::Unspeakable | Plain::Text => quoted(value),
        })
    }

    fn key(&mut self, key: &str, is_plain: bool, span: Span) -> Result<(), Error> {
        if is_plain && key == "<<" {
            let message = "merge keys (`<<`) are not supported; write the fields out";
            return Err(self.source.error(Code::Unsupported, message, span));
        }
        let is_named = self.wanted_at(self.open.len().saturating_sub(1)) == Some(key);
        let Some(Level {
            kind: Kind::Map(keys, has_key),
            is_wanted,
            is_next_wanted,
            ..
        }) = self.open.last_mut()
        else {
            return Ok(());
        };
        *has_key = true;
        *is_next_wanted = *is_wanted && is_named;
        let (is_found, is_first) = (*is_next_wanted, keys.is_empty());
        if !keys.insert(key.to_owned()) {
            let message = format!("the key `{}` appears twice; leave one out", short(key));
            return Err(self.source.error(Code::InvalidJson, message, span));
        }
        if is_found {
            self.found(self.source.place(span));
        }
        if !is_first {
            self.json.push(b',');
        }
        self.json.extend_from_slice(quoted(key).as_bytes());
        self.json.push(b':');
        Ok(())
    }

    fn open(&mut self, kind: Kind, anchor: usize, span: Span) -> Result<(), Error> {
        self.no_key(span)?;
        // One level is reserved for the array around several documents.
        if self.open.len() + 1 >= MAX_DEPTH {
            return Err(self.source.too_deep(span));
        }
        let is_wanted = self.before_value(span);
        let start = self.json.len();
        self.json.push(match kind {
            Kind::List(_) => b'[',
            Kind::Map(..) => b'{',
        });
        self.open.push(Level {
            kind,
            start,
            anchor,
            height: 0,
            is_wanted,
            is_next_wanted: false,
        });
        Ok(())
    }

    fn close(&mut self, bracket: u8) {
        self.json.push(bracket);
        if let Some(level) = self.open.pop() {
            self.after_value(level.anchor, level.start, level.height + 1);
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Error> {
        self.no_key(span)?;
        let Some(Anchored { start, end, height }) = self.anchors.get(&anchor) else {
            let message = "this alias is inside the value that it refers to";
            return Err(self.source.error(Code::InvalidJson, message, span));
        };
        let (range, height) = (*start..*end, *height);
        self.aliased += range.len();
        if self.aliased > MAX_ALIASED_BYTES {
            let message = format!(
                "aliases (`*name`) expand the input by more than {} MiB; write the values out",
                MAX_ALIASED_BYTES >> 20
            );
            return Err(self.source.error(Code::TooLarge, message, span));
        }
        if self.open.len() + height >= MAX_DEPTH {
            return Err(self.source.too_deep(span));
        }
        self.before_value(span);
        let start = self.json.len();
        self.json.extend_from_within(range);
        self.after_value(0, start, height);
        Ok(())
    }

    /// Keys are strings, the only keys in JSON.
    fn no_key(&self, span: Span) -> Result<(), Error> {
        match self.open.last() {
            Some(Level {
                kind: Kind::Map(_, false),
                ..
            }) => {
                let message = "a key must be a plain or quoted text";
                Err(self.source.error(Code::InvalidJson, message, span))
            }
            _ => Ok(()),
        }
    }

    /// Writes the separator before a value, and returns whether the wanted pointer leads to or through that value.
    fn before_value(&mut self, span: Span) -> bool {
        let depth = self.open.len();
        let is_wanted = match self.open.last_mut() {
            None => self
                .wanted
                .as_ref()
                .is_some_and(|wanted| wanted.document == self.documents),
            Some(Level {
                kind: Kind::List(count),
                is_wanted,
                ..
            }) => {
                let (index, is_wanted) = (*count, *is_wanted);
                *count += 1;
                if index > 0 {
                    self.json.push(b',');
                }
                is_wanted && self.wanted_at(depth - 1) == Some(index.to_string().as_str())
            }
            // Its position is its key's.
            Some(level) => return level.is_next_wanted,
        };
        if is_wanted {
            self.found(self.source.place(span));
        }
        is_wanted
    }

    /// The value that began at `start` is complete.
    fn after_value(&mut self, anchor: usize, start: usize, height: usize) {
        if let Some(level) = self.open.last_mut() {
            level.height = level.height.max(height);
            if let Kind::Map(_, has_key) = &mut level.kind {
                *has_key = false;
            }
        }
        if anchor != 0 {
            let end = self.json.len();
            self.anchors.insert(anchor, Anchored { start, end, height });
        }
    }

    fn wanted_at(&self, depth: usize) -> Option<&str> {
        self.wanted.as_ref()?.segment(depth)
    }

    fn found(&mut self, place: (usize, usize)) {
        if let Some(wanted) = &mut self.wanted {
            wanted.found = Some(place);
        }
    }

    fn check_tag(&self, tag: Option<&Tag>, expected: &str, span: Span) -> Result<(), Error> {
        if tag.is_none_or(|tag| tag.is_yaml_core_schema_tag(expected)) {
            Ok(())
        } else {
            Err(self.source.bad_tag(span))
        }
    }
}

fn quoted(text: &str) -> String {
    // Every string has a JSON form; the fallback satisfies the type system.
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let shown = match to_json(yaml) {
            Ok(converted) => String::from_utf8(converted.json).unwrap(),
            Err(error) => format!(
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
        check("a: &x {b: 1}\nc: {<<: *x}", "Unsupported 2:5");
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

    #[test]
    fn pointers_lead_to_keys_and_items() {
        let yaml = "# ä\nkind: List\nitems:\n- a/b:\n    c: &c {d: 1}\n- {a/b: *c, d: 2}\n";
        for (pointer, expected) in [
            ("", (2, 1)),
            ("/items", (3, 1)),
            ("/items/0", (4, 3)),
            ("/items/0/a~1b/c/d", (5, 12)),
            ("/items/1/a~1b/d", (6, 4)),
            ("/items/1/d", (6, 13)),
            ("/items/1/e", (6, 3)),
            ("/items/7/e", (3, 1)),
            ("/none", (2, 1)),
        ] {
            assert_eq!(place_of(yaml, pointer, 1), Some(expected), "{pointer}");
        }
        let documents = "---\na: 1\n---\n---\na: 2\n";
        assert_eq!(place_of(documents, "/1/a", 2), Some((5, 1)));
        assert_eq!(place_of(documents, "/0/a", 2), Some((2, 1)));
    }
}
