//! Large reviews without what nobody reads, so that they need not be held in memory.
//!
//! Values that no policy reads become `""`. They are checked as they pass: a value with a fault becomes a short one with
//! the same fault at the same place in the order of the text. Judging what remains therefore gives the same verdict, or
//! an error of the same code, message and path; only its line and column refer to what remains.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::MAX_REVIEW_BYTES;
use super::envelope::fields_of_review;
use super::request::too_large;
use slicewise::Error;
use slicewise::model::read::tree::Tree;
use slicewise_json::{JsonContainer, Nesting, Reader};

mod dropped;
mod encoding;
mod state;

use encoding::Encoding;
use state::{Digit, SieveState};

/// Takes a review piece by piece: see [`Reviewer::start_review`](super::Reviewer::start_review).
pub struct ReviewSieve {
    kept: Vec<u8>,
    /// How many bytes have arrived.
    count: usize,
    encoding: Encoding,
    state: SieveState,
    /// The innermost open object or array, and those around it.
    inside: Option<JsonContainer>,
    around: Nesting,
    /// What is read of the values that are being read by their fields, of which the last is the innermost.
    trees: Vec<Tree>,
    /// Where the last key that was kept begins.
    key: usize,
    mode: SieveMode,
    /// How many objects and arrays are open in a value that is kept or dropped as a whole.
    deep: usize,
    /// The keys of the objects that are open in a dropped value, as written, behind a zero for each object.
    keys: Vec<u8>,
    /// Stands for a dropped value.
    instead: String,
    /// The first half of a surrogate pair has just been read.
    is_half: bool,
}

/// How to treat the current value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SieveMode {
    /// Some of its fields or items are read.
    Fields,
    Keep,
    Drop,
}

const NOTHING: &str = r#""""#;

impl Default for ReviewSieve {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            count: 0,
            encoding: Encoding::default(),
            state: SieveState::Value,
            inside: None,
            around: Nesting::default(),
            trees: Vec::from([fields_of_review()]),
            key: 0,
            mode: SieveMode::Fields,
            deep: 0,
            keys: Vec::new(),
            instead: NOTHING.into(),
            is_half: false,
        }
    }
}

impl ReviewSieve {
    /// Takes the next bytes of the review.
    pub fn push(&mut self, bytes: &[u8]) {
        self.count = self.count.saturating_add(bytes.len());
        if self.count > MAX_REVIEW_BYTES {
            self.kept = Vec::new();
            self.state = SieveState::Over;
            return;
        }
        self.encoding.push(bytes);
        let mut rest = bytes;
        while let Some((byte, behind)) = rest.split_first() {
            if self.state == SieveState::Over {
                return;
            }
            rest = match self.state {
                SieveState::Text(is_key) if !is_special(*byte) => self.plain(rest, is_key),
                SieveState::Text(false) if rest.first_chunk().is_some_and(is_low_escape) => {
                    self.low_escapes(rest)
                }
                _ => {
                    self.step(*byte);
                    behind
                }
            };
        }
    }

    /// The review without what nobody reads, once all bytes have arrived.
    ///
    /// # Errors
    /// `TooLarge`. Everything else that is wrong with a review is found when it is judged.
    pub fn finish(mut self) -> Result<Vec<u8>, Error> {
        if self.count > MAX_REVIEW_BYTES {
            return Err(too_large(self.count));
        }
        if self.mode == SieveMode::Drop && self.state != SieveState::Over {
            self.stand_in();
        }
        if self.encoding.is_wrong() {
            self.kept.push(NO_UTF8);
        }
        Ok(self.kept)
    }

    /// Reads the plain part of a text; returns what follows.
    fn plain<'b>(&mut self, bytes: &'b [u8], is_key: bool) -> &'b [u8] {
        let end = bytes.iter().position(|byte| is_special(*byte));
        let (plain, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        self.end_half();
        if is_key {
            self.note_key(plain);
        }
        if self.mode != SieveMode::Drop {
            self.kept.extend_from_slice(plain);
        }
        rest
    }

    /// Reads such escapes in a text that is no key. What is largest in a review is full of them: an API server escapes
    /// `<`, `>` and `&`.
    fn low_escapes<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let (all, _) = bytes.as_chunks();
        let others = all.iter().position(|escape| !is_low_escape(escape));
        let length = others.unwrap_or(all.len()) * size_of::<Escape>();
        let (escapes, rest) = bytes.split_at(length);
        self.end_half();
        if self.mode != SieveMode::Drop {
            self.kept.extend_from_slice(escapes);
        }
        rest
    }

    fn step(&mut self, byte: u8) {
        if let SieveState::Number(digit) = self.state
            && digit.next(byte).is_none()
            && digit.may_end(byte)
        {
            self.end_value();
        }
        let is_space = matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        let is_mark = BOM.get(self.count_of_mark()) == Some(&byte);
        if (is_space && !self.state.is_in_scalar()) || is_mark {
            if self.mode != SieveMode::Drop {
                self.kept.push(byte);
            }
            return;
        }
        self.token(byte);
    }

    /// How much of a byte order mark has been kept; more than it has if there cannot be one.
    fn count_of_mark(&self) -> usize {
        match BOM.starts_with(&self.kept)
            && self.state == SieveState::Value
            && self.mode != SieveMode::Drop
        {
            true => self.kept.len(),
            false => BOM.len(),
        }
    }

    fn token(&mut self, byte: u8) {
        let next = match (self.state, byte) {
            (SieveState::ArrayBegins, b']') => return self.close(byte),
            (SieveState::ObjectBegins, b'}') => return self.close(byte),
            (SieveState::Value | SieveState::ArrayBegins, _) => return self.value(byte),
            (SieveState::ObjectBegins | SieveState::NextKey, b'"') => {
                self.key = self.kept.len();
                SieveState::Text(true)
            }
            (SieveState::Colon, b':') => SieveState::Value,
            (SieveState::After, b',') => match self.inside {
                Some(JsonContainer::Array) => SieveState::Value,
                Some(JsonContainer::Object) => SieveState::NextKey,
                None => return self.fault(byte),
            },
            (SieveState::After, b']') if self.inside == Some(JsonContainer::Array) => {
                return self.close(byte);
            }
            (SieveState::After, b'}') if self.inside == Some(JsonContainer::Object) => {
                return self.close(byte);
            }
            (SieveState::Text(is_key), b'"') => return self.end_text(is_key),
            (SieveState::Text(is_key), b'\\') => SieveState::Escape(is_key),
            (SieveState::Escape(is_key), b'u') => SieveState::Digits(is_key, 0, 0),
            (
                SieveState::Escape(is_key),
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
            ) => {
                self.end_half();
                SieveState::Text(is_key)
            }
            (SieveState::Digits(is_key, count, value), b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                let digit = char::from(byte).to_digit(16).unwrap_or_default() as u16;
                let unit = value << 4 | digit;
                match count {
                    3 => {
                        self.end_unit(unit);
                        SieveState::Text(is_key)
                    }
                    _ => SieveState::Digits(is_key, count + 1, unit),
                }
            }
            (SieveState::Word(word, count), _) if word.as_bytes().get(count) == Some(&byte) => {
                if count + 1 == word.len() {
                    self.copy(byte);
                    return self.end_value();
                }
                SieveState::Word(word, count + 1)
            }
            (SieveState::Number(digit), _) => match digit.next(byte) {
                Some(digit) => SieveState::Number(digit),
                None => return self.fault(byte),
            },
            _ => return self.fault(byte),
        };
        self.copy(byte);
        if self.state.is_in_key() || next == SieveState::Text(true) {
            self.note_key(&[byte]);
        }
        self.state = next;
    }

    /// Notes a part of a key in a dropped value.
    fn note_key(&mut self, part: &[u8]) {
        if self.mode == SieveMode::Drop {
            self.keys.extend_from_slice(part);
        }
    }

    fn copy(&mut self, byte: u8) {
        if self.mode != SieveMode::Drop {
            self.kept.push(byte);
        }
    }

    /// A value begins.
    fn value(&mut self, byte: u8) {
        if self.mode == SieveMode::Fields {
            self.choose(byte);
        }
        let next = match byte {
            b'"' => SieveState::Text(false),
            b'-' => SieveState::Number(Digit::Minus),
            b'0' => SieveState::Number(Digit::Zero),
            b'1'..=b'9' => SieveState::Number(Digit::Whole),
            b'n' => SieveState::Word("null", 1),
            b't' => SieveState::Word("true", 1),
            b'f' => SieveState::Word("false", 1),
            b'{' => SieveState::ObjectBegins,
            b'[' => SieveState::ArrayBegins,
            _ => return self.fault(byte),
        };
        self.copy(byte);
        self.state = next;
        if matches!(byte, b'{' | b'[') {
            if let Some(container) = self.inside.replace(JsonContainer::opened_by(Some(byte))) {
                self.around.push(container);
            }
            self.deep += usize::from(self.mode != SieveMode::Fields);
            if self.mode == SieveMode::Drop && byte == b'{' {
                self.keys.push(0);
            }
        }
    }

    /// Decides how to treat the value that begins with this byte.
    fn choose(&mut self, byte: u8) {
        let part = match (self.trees.last(), self.inside) {
            // The review itself is in no value.
            (Some(tree), None) => Some(tree),
            (Some(Tree::List(item)), Some(JsonContainer::Array)) => Some(&**item),
            (Some(Tree::Object { fields, others }), Some(JsonContainer::Object)) => {
                self.part(fields, *others)
            }
            _ => Some(WHOLE),
        };
        let is_split = matches!(
            (part, byte),
            (Some(Tree::Object { .. }), b'{') | (Some(Tree::List(_)), b'[')
        );
        self.mode = match part {
            None => SieveMode::Drop,
            Some(_) if !is_split => SieveMode::Keep,
            Some(part) => {
                let part = part.clone();
                self.trees.push(part);
                SieveMode::Fields
            }
        };
    }

    /// What is read of the member whose key has been kept last.
    fn part<'t>(&self, fields: &'t BTreeMap<&'static str, Tree>, others: bool) -> Option<&'t Tree> {
        let key = self.kept.get(self.key..).unwrap_or_default();
        let key = core::str::from_utf8(key).unwrap_or_default();
        let Ok(name) = Reader::new(key).string() else {
            return Some(WHOLE);
        };
        let other = others.then_some(WHOLE);
        fields.get(&*name).or(other)
    }

    /// An object or array ends.
    fn close(&mut self, byte: u8) {
        if self.mode == SieveMode::Drop && byte == b'}' {
            self.end_keys();
        }
        self.copy(byte);
        self.inside = self.around.pop();
        match self.mode {
            SieveMode::Fields => drop(self.trees.pop()),
            _ => self.deep -= 1,
        }
        self.end_value();
    }

    /// A value ends.
    fn end_value(&mut self) {
        self.state = SieveState::After;
        if self.deep > 0 {
            return;
        }
        if self.mode == SieveMode::Drop {
            let instead = core::mem::replace(&mut self.instead, NOTHING.into());
            self.kept.extend_from_slice(instead.as_bytes());
        }
        self.mode = SieveMode::Fields;
    }

    fn end_text(&mut self, is_key: bool) {
        self.end_half();
        self.copy(b'"');
        if !is_key {
            return self.end_value();
        }
        self.note_key(b"\":0,");
        self.state = SieveState::Colon;
    }
}

/// `\u` and four digits.
type Escape = [u8; 6];

/// Is it a character below 256, which is no half of a surrogate pair?
fn is_low_escape(escape: &Escape) -> bool {
    let [b'\\', b'u', b'0', b'0', high, low] = escape else {
        return false;
    };
    high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
}

/// Does a byte end the plain part of a text?
const fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

const WHOLE: &Tree = &Tree::Whole;
const BOM: &[u8] = b"\xef\xbb\xbf";
/// No text in UTF-8 has this byte.
const NO_UTF8: u8 = 0xff;

#[cfg(test)]
mod tests;
