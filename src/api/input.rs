//! Reading input: size, encoding, and errors with a code, a JSON pointer and a position.

use alloc::format;
use alloc::string::String;

use super::place;
pub use crate::json::MAX_DEPTH;
use crate::json::{Class, Fault, LayoutMemory, Raw, Stop};
use crate::model::read::{Object, ObjectReader};
use crate::model::text::{cut, shorten};
use crate::{Code, Error, Mistake};

/// Inputs larger than this are refused unless the caller allows more: 64 MiB, some 12,000 pods.
pub const MAX_INPUT_BYTES: usize = 64 << 20;

/// The limits of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// In bytes.
    pub max_input_bytes: usize,
}

impl Limits {
    /// A limit of so many bytes.
    pub const fn new(max_input_bytes: usize) -> Self {
        Self { max_input_bytes }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_input_bytes: MAX_INPUT_BYTES,
        }
    }
}

/// The text of an input, if it is within the limits.
///
/// # Errors
/// `TooLarge`, or `InvalidJson` if it is not UTF-8.
pub fn text(input: &[u8], limits: Limits) -> Result<&str, Error> {
    check_size(input.len(), limits)?;
    let text = core::str::from_utf8(input).map_err(|error| not_utf8(input, error))?;
    // Editors and PowerShell prepend a byte order mark, which is not JSON but harmless.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Refuses an input that is too long.
///
/// # Errors
/// `TooLarge`.
pub fn check_size(length: usize, limits: Limits) -> Result<(), Error> {
    let most = limits.max_input_bytes;
    if length <= most {
        return Ok(());
    }
    let message = format!(
        "the input has {length} bytes, more than the limit of {most}; split it by namespace, or raise the limit"
    );
    Err(Error::new(Code::TooLarge, message))
}

/// The error that an input is not UTF-8, with its position.
pub(super) fn not_utf8(input: &[u8], error: core::str::Utf8Error) -> Error {
    let (line, column) = place::position(input, error.valid_up_to());
    Error::new(Code::InvalidJson, "the input is not UTF-8").on(line, column)
}

/// Reads an object.
///
/// # Errors
/// When the input is invalid; the position is only computed then.
pub fn decode<'de, T: Object<'de> + Default>(text: &'de str) -> Result<T, Error> {
    let mut object = T::default();
    decode_into(&mut object, text)?;
    Ok(object)
}

/// Like [`decode`], but compiled once for all types.
pub fn decode_into<'de>(object: &mut dyn Object<'de>, text: &'de str) -> Result<(), Error> {
    read_all(text, |reader| {
        let node = reader.memory.root(0);
        reader.object(object, Some(node))
    })
}

/// Like [`decode`], for one line of many, reusing the layout of earlier lines.
pub fn decode_line<'de, T: Object<'de> + Default>(
    text: &'de str,
    memory: &mut LayoutMemory,
) -> Result<T, Error> {
    let mut object = T::default();
    let mut reader = ObjectReader::with_memory(text, core::mem::take(memory));
    let node = reader.memory.root(0);
    let read = reader.object(&mut object, Some(node));
    let read = read.and_then(|()| reader.end());
    let fault = reader.take_fault();
    *memory = reader.into_memory();
    match read {
        Ok(()) => Ok(object),
        Err(Stop) => Err(place_fault(text, &fault.unwrap_or_default())),
    }
}

/// The value that makes up the whole text.
///
/// # Errors
/// Same as [`decode`].
pub fn decode_raw(text: &str) -> Result<Raw<'_>, Error> {
    read_all(text, |reader| reader.raw(None))
}

/// Reads a text to its end.
fn read_all<'a, T>(
    text: &'a str,
    read: impl FnOnce(&mut ObjectReader<'a>) -> Result<T, Stop>,
) -> Result<T, Error> {
    let mut reader = ObjectReader::new(text);
    let value = read(&mut reader);
    match value.and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(Stop) => Err(place_fault(text, &reader.into_fault())),
    }
}

/// An error with its position in terms that people know: pointer, line and column.
#[cold]
pub fn place_fault(text: &str, fault: &Fault) -> Error {
    place_fault_in(text, (0, ""), fault)
}

/// The same, where the pointer of the value at some offset is already known.
#[cold]
pub(super) fn place_fault_in(text: &str, (start, pointer): (usize, &str), fault: &Fault) -> Error {
    if text.trim_ascii().is_empty() {
        let message = "the input is empty; did the command that writes it fail?";
        return Error::new(Code::InvalidJson, message).on(1, 1);
    }
    let (line, column) = place::position_behind(text.as_bytes(), fault.at);
    let (code, has_path) = match fault.class {
        Class::Syntax
        | Class::End
        | Class::Trailing
        | Class::RepeatedKey
        | Class::HalfSurrogate => (Code::InvalidJson, false),
        Class::Depth => (Code::TooDeep, false),
        Class::Missing => (Code::MissingField, true),
        Class::Unknown => (Code::UnknownField, true),
        Class::Duplicate => (Code::InvalidJson, true),
        Class::Type => (Code::InvalidType, true),
        Class::Value => (Code::InvalidValue, true),
    };
    let message = in_our_words(fault);
    let error = |message: &str| {
        let error = Error::new(code, cut(message, LONGEST_MESSAGE)).on(line, column);
        match fault.class {
            Class::Trailing => error.known_as(Mistake::SecondValue),
            _ => error,
        }
    };
    if !has_path {
        return error(&message);
    }
    // Such a fault is reported after the whole object was read, when the last value belongs to another field.
    let is_of_object = matches!(fault.class, Class::Missing | Class::Duplicate);
    let part = text.get(start..).unwrap_or_default();
    let read = fault.at.saturating_sub(start) + usize::from(fault.is_ahead);
    let inner = place::pointer_at(part, read, is_of_object);
    let mut path = format!("{pointer}{inner}");
    if let Some(field) = &fault.field {
        let segment = format!("/{}", place::escape(field));
        if !path.ends_with(&segment) {
            path.push_str(&segment);
        }
    }
    if path.is_empty() {
        return error(&message);
    }
    error(&naming(message, &path)).at(path)
}

/// Adds the name of the field to a message about its value.
fn naming(message: String, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_item = name.bytes().all(|byte| byte.is_ascii_digit());
    let parts = ["invalid value", "invalid type"].into_iter();
    let mut parts = parts.filter_map(|begin| Some((begin, message.strip_prefix(begin)?)));
    match parts.next() {
        Some((begin, rest)) if !is_item => format!("{begin} for `{}`{rest}", shorten(name)),
        _ => message,
    }
}

/// A message may quote input of any length.
const LONGEST_MESSAGE: usize = 400;

/// The message, with advice on the most common mistakes.
fn in_our_words(fault: &Fault) -> String {
    let mend = match fault.class {
        Class::End => "the input ends too early; was it truncated?",
        Class::Trailing => {
            "there is more after the JSON value; give one request at a time, or only objects"
        }
        Class::Missing => "it is required",
        Class::Duplicate => "write each key once",
        Class::RepeatedKey => {
            let key = shorten(fault.field.as_deref().unwrap_or_default());
            return format!("the key `{key}` appears twice in one object");
        }
        Class::Type | Class::Value => return in_words_of_json(&fault.message),
        _ => return fault.message.clone(),
    };
    format!("{}: {mend}", fault.message)
}

/// The reader has the messages of `serde`, which names the types of JSON as Rust does.
fn in_words_of_json(message: &str) -> String {
    const NAMES: [(&str, &str); 4] = [
        ("sequence", "a list"),
        ("map", "an object"),
        ("integer ", "number "),
        ("floating point ", "number "),
    ];
    let named = ["invalid type: ", "invalid value: "]
        .iter()
        .find_map(|begin| {
            let rest = message.strip_prefix(begin)?;
            let (of_rust, of_json) = NAMES.iter().find(|(name, _)| rest.starts_with(name))?;
            Some([begin, of_json, rest.get(of_rust.len()..)?].concat())
        });
    let mut message = named.unwrap_or_else(|| message.into());
    // A number or a boolean.
    if message.ends_with("`, expected a string") {
        message.push_str("; write it in quotes");
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let limits = Limits { max_input_bytes: 4 };
        assert_eq!(text(b"12345", limits).unwrap_err().code(), Code::TooLarge);
        assert_eq!(text(b"1234", limits), Ok("1234"));
        let error = text(b"{\n\"\xff\"", Limits::default()).unwrap_err();
        assert_eq!(
            (error.code(), error.line(), error.column()),
            (Code::InvalidJson, Some(2), Some(2))
        );
    }
}
