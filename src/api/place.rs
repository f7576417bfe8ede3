//! Positions in an input: JSON pointers (RFC 6901), and lines and columns.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::json::{MAX_DEPTH, Raw, Reader, Stop};

/// The pointer of the value that a reader was in when it stopped after `at` bytes.
///
/// The text up to there has been read, so it is known to be well-formed.
///
/// `of_object` asks for the innermost object or array around the position, rather than for a value in it.
pub(super) fn pointer_at(text: &str, at: usize, of_object: bool) -> String {
    // The last byte read belongs to the value: its closing quote or bracket, or its first byte.
    let read = at.saturating_sub(1).min(text.len());
    let read = text.as_bytes().get(..read).unwrap_or_default();
    let mut walk = TextWalk::default();
    for byte in read {
        walk.step(*byte);
    }
    let depth = walk.levels.len() - usize::from(of_object && !walk.levels.is_empty());
    walk.levels
        .iter()
        .take(depth)
        .map(WalkLevel::segment)
        .collect()
}

/// The position of a walk through JSON text: the open objects and arrays, and what has been read of a string.
#[derive(Default)]
struct TextWalk {
    levels: Vec<WalkLevel>,
    /// How many more are open. They are in what is skipped, to which no pointer leads.
    deeper: usize,
    string: Option<Vec<u8>>,
    escaped: bool,
}

enum WalkLevel {
    Array(usize),
    /// The last key, once it has been read completely, and whether its value comes next.
    Object(Option<String>, bool),
}

impl WalkLevel {
    fn segment(&self) -> String {
        match self {
            Self::Array(index) => format!("/{index}"),
            Self::Object(Some(key), true) => format!("/{}", escape(key)),
            Self::Object(..) => String::new(),
        }
    }
}

impl TextWalk {
    fn step(&mut self, byte: u8) {
        if let Some(string) = &mut self.string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    let raw = core::mem::take(string);
                    self.string = None;
                    return self.end_string(&raw);
                }
                _ => {}
            }
            string.push(byte);
            return;
        }
        match byte {
            b'"' => self.string = Some(vec![]),
            b'{' | b'[' if self.deeper > 0 || self.levels.len() == MAX_DEPTH => self.deeper += 1,
            b'}' | b']' if self.deeper > 0 => self.deeper -= 1,
            _ if self.deeper > 0 => {}
            b'{' => self.levels.push(WalkLevel::Object(None, false)),
            b'[' => self.levels.push(WalkLevel::Array(0)),
            b'}' | b']' => {
                self.levels.pop();
            }
            b',' => match self.levels.last_mut() {
                Some(WalkLevel::Array(index)) => *index += 1,
                Some(WalkLevel::Object(_, in_value)) => *in_value = false,
                None => {}
            },
            _ => {}
        }
    }

    fn end_string(&mut self, raw: &[u8]) {
        if let Some(WalkLevel::Object(key, in_value)) = self.levels.last_mut()
            && !*in_value
            && self.deeper == 0
        {
            let quoted = [b"\"", raw, b"\""].concat();
            let quoted = String::from_utf8(quoted).unwrap_or_default();
            let name = Reader::new(&quoted).string();
            *key = Some(name.unwrap_or_default().into_owned());
            *in_value = true;
        }
    }
}

/// Escapes one segment of a pointer.
pub(super) fn escape(key: &str) -> String {
    let mut escaped = String::with_capacity(key.len());
    for character in key.chars() {
        match character {
            '~' => escaped.push_str("~0"),
            '/' => escaped.push_str("~1"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Line and column of the last of `count` bytes, both from 1; columns count bytes.
pub(super) fn position_behind(bytes: &[u8], count: usize) -> (usize, usize) {
    let read = bytes.get(..count).unwrap_or(bytes);
    let line = read.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = read.iter().rev().take_while(|byte| **byte != b'\n').count();
    (line, column.max(1))
}

/// Line and column of a byte offset, both from 1; columns count bytes.
pub(super) fn position(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before
        .iter()
        .rev()
        .take_while(|byte| **byte != b'\n')
        .count()
        + 1;
    (line, column)
}

/// Adds line and column to an error that has only a pointer, if the pointer leads anywhere in the text. A pointer to
/// something missing gets the position of what should have held it.
pub fn locate(error: Error, text: &str) -> Error {
    let Some(path) = error.path() else {
        return error;
    };
    let (line, column) = position(text.as_bytes(), offset_of(text, path));
    error.on(line, column)
}

/// The offset of the value that a pointer leads to; if that is missing, of what should have held it.
pub(super) fn offset_of(text: &str, path: &str) -> usize {
    let mut value = text.trim_start();
    for segment in path.split('/').skip(1) {
        match child(value, segment) {
            Some(inner) => value = inner,
            None => break,
        }
    }
    text.len() - text.len().min(distance_to_end(text, value))
}

/// Converts an error found in a part of the text: its pointer and position refer to the whole text.
pub fn within(error: &Error, path: &str, text: &str, part: &str) -> Error {
    let inner = error.path().unwrap_or_default();
    let whole = format!("{path}{inner}");
    let offset = text.len().saturating_sub(distance_to_end(text, part));
    let (first_line, first_column) = position(text.as_bytes(), offset);
    let (line, column) = (error.line().unwrap_or(1), error.column().unwrap_or(1));
    let column = if line == 1 {
        first_column + column - 1
    } else {
        column
    };
    let mut moved = Error::new(error.code(), error.message()).on(first_line + line - 1, column);
    if let Some(mistake) = error.mistake() {
        moved = moved.known_as(mistake);
    }
    if whole.is_empty() {
        moved
    } else {
        moved.at(whole)
    }
}

/// The distance from the start of `part`, which lies in `text`, to the end of `text`.
fn distance_to_end(text: &str, part: &str) -> usize {
    (text.as_ptr() as usize + text.len()).saturating_sub(part.as_ptr() as usize)
}

fn child<'a>(value: &'a str, segment: &str) -> Option<&'a str> {
    let mut reader = Reader::new(value);
    let found = match value.starts_with('[') {
        true => item(&mut reader, segment.parse().ok()?),
        false => field(&mut reader, segment),
    };
    found.ok().flatten().map(Raw::get)
}

fn item<'a>(list: &mut Reader<'a>, wanted: usize) -> Result<Option<Raw<'a>>, Stop> {
    list.begin_array("a sequence")?;
    let mut index = 0;
    while list.next_item(index == 0)? {
        let item = list.raw(None)?;
        if index == wanted {
            return Ok(Some(item));
        }
        index += 1;
    }
    Ok(None)
}

/// The first field of this name, escaped as in pointers.
fn field<'a>(object: &mut Reader<'a>, wanted: &str) -> Result<Option<Raw<'a>>, Stop> {
    object.begin_object("an object")?;
    let mut is_first = true;
    while let Some(key) = object.next_field(is_first)? {
        let value = object.raw(None)?;
        if escape(&key) == wanted {
            return Ok(Some(value));
        }
        is_first = false;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[track_caller]
    fn check(text: &str, path: &str, expected: (usize, usize)) {
        let error = locate(Error::new(Code::InvalidValue, "x").at(path), text);
        assert_eq!((error.line().unwrap(), error.column().unwrap()), expected);
    }

    #[test]
    fn positions_lead_to_pointers() {
        let text = "{\"a\": [1, {\"b/c\\\"\": \"x\"}], \"d\": {}}";
        for (at, expected) in [
            ("1", "/a/0"),
            ("x", "/a/1/b~1c\""),
            ("d", ""),
            ("{}", "/d"),
            ("}}", "/d"),
        ] {
            let read = text.rfind(at).unwrap() + 1;
            assert_eq!(pointer_at(text, read, false), expected, "{at}");
        }
        assert_eq!(pointer_at("[\n {\"a\":\n 7}]", 11, false), "/0/a");
        let deep = "[{\"x\":".repeat(100_000);
        let text = format!("{{\"a\":{deep}0{},\"b\":[7]}}", "}]".repeat(100_000));
        assert_eq!(pointer_at(&text, text.len() - 2, false), "/b/0");
    }

    #[test]
    fn pointers_lead_to_lines() {
        let text = "{\n  \"a\": [1,\n    {\"b/c\": 7}]\n}";
        check(text, "/a", (2, 8));
        check(text, "/a/0", (2, 9));
        check(text, "/a/1/b~1c", (3, 13));
        check(text, "/a/1/missing", (3, 5));
        check(text, "/a/9", (2, 8));
    }
}
