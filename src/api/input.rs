//! Reading input: size, encoding, depth, and errors with a code, a JSON pointer and a position.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use serde::Deserialize;

use super::place;
use crate::model::read::{Object, read_into};
use crate::model::text::cut;
use crate::{Code, Error};

/// Inputs larger than this are refused unless the caller allows more: 64 MiB, some 12,000 pods.
pub const MAX_INPUT_BYTES: usize = 64 << 20;
/// Inputs nested deeper than this are refused. Kubernetes objects stay below 40.
pub const MAX_DEPTH: usize = 100;

/// How much input is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// In bytes.
    pub max_input_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_input_bytes: MAX_INPUT_BYTES,
        }
    }
}

/// The text of an input within the limits.
///
/// # Errors
/// `TooLarge`, `TooDeep`, or `InvalidJson` when it is not UTF-8.
pub(super) fn text(input: &[u8], limits: Limits) -> Result<&str, Error> {
    if input.len() > limits.max_input_bytes {
        return Err(Error::new(
            Code::TooLarge,
            format!(
                "the input has {} bytes, more than the {} that are taken; split it by namespace, or raise the limit",
                input.len(),
                limits.max_input_bytes
            ),
        ));
    }
    let text = core::str::from_utf8(input).map_err(|error| {
        let (line, column) = place::position(input, error.valid_up_to());
        Error::new(Code::InvalidJson, "the input is not UTF-8").on(line, column)
    })?;
    // Editors and PowerShell put a byte order mark in front; it is no JSON, but it is harmless.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match too_deep(text.as_bytes()) {
        None => Ok(text),
        Some(offset) => {
            let (line, column) = place::position(text.as_bytes(), offset);
            let message = format!(
                "the input is nested deeper than {MAX_DEPTH} levels; Kubernetes objects never are"
            );
            Err(Error::new(Code::TooDeep, message).on(line, column))
        }
    }
}

/// Where nesting passes [`MAX_DEPTH`].
///
/// A first pass counts brackets block by block, strings included, which is fast and nearly always enough. Only if
/// that looks deep does an exact pass decide. Input built to fool the first pass is still harmless: what is
/// passed over is passed over without recursion, and what is read has the decoder's own limit.
fn too_deep(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        let (opened, closed) = brackets(block);
        if depth + opened > MAX_DEPTH {
            return exactly_too_deep(bytes);
        }
        depth = (depth + opened).saturating_sub(closed);
    }
    if depth + rest.len() > MAX_DEPTH {
        return exactly_too_deep(bytes);
    }
    None
}

/// How many opening and closing brackets there are; `[` and `{`, `]` and `}` differ in one bit only.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn brackets(block: &[u8; 64]) -> (usize, usize) {
    let (mut opened, mut closed) = (0_u8, 0_u8);
    for byte in block {
        opened += u8::from(*byte | 0x20 == b'{');
        closed += u8::from(*byte | 0x20 == b'}');
    }
    (opened.into(), closed.into())
}

/// The same; a module built for size has no loops made vectors by the compiler.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn brackets(block: &[u8; 64]) -> (usize, usize) {
    use core::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_splat, u64x2, v128_or};
    let (words, _) = block.as_chunks::<8>();
    let (pairs, _) = words.as_chunks::<2>();
    let (mut opened, mut closed) = (0, 0);
    for [low, high] in pairs {
        let bytes = u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
        let brackets = v128_or(bytes, u8x16_splat(0x20));
        opened += u8x16_bitmask(u8x16_eq(brackets, u8x16_splat(b'{'))).count_ones();
        closed += u8x16_bitmask(u8x16_eq(brackets, u8x16_splat(b'}'))).count_ones();
    }
    (opened as usize, closed as usize)
}

fn exactly_too_deep(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (offset, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(offset);
                }
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Reads an object.
///
/// # Errors
/// Whatever is wrong with the input; where, is found out only then.
pub(super) fn decode<'de, T: Object<'de> + Default>(text: &'de str) -> Result<T, Error> {
    let mut object = T::default();
    decode_into(&mut object, text)?;
    Ok(object)
}

/// As [`decode`], compiled once for all objects.
pub(super) fn decode_into<'de>(object: &mut dyn Object<'de>, text: &'de str) -> Result<(), Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    read_into(object, &mut reader)
        .and_then(|()| reader.end())
        .map_err(|error| classify(text, &error))
}

/// Reads what is taken apart later.
///
/// # Errors
/// As [`decode`].
pub(super) fn decode_raw<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| classify(text, &error))
}

fn classify(text: &str, error: &serde_json::Error) -> Error {
    if text.trim_ascii().is_empty() {
        let message = "the input is empty; did the command that should have written it fail?";
        return Error::new(Code::InvalidJson, message).on(1, 1);
    }
    let (line, column) = (error.line().max(1), error.column().max(1));
    let full = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = full.strip_suffix(&position).unwrap_or(&full).to_owned();
    // A field is found missing at the end of its object, where the last value read is another field's.
    let is_missing = message.starts_with("missing field");
    let path = place::pointer_at(text, line, column, is_missing);
    let in_words = cut(&in_our_words(&message), LONGEST_MESSAGE);
    let (code, path) = if error.is_data() {
        data_code(&message, path)
    } else if message.starts_with("recursion limit") {
        (Code::TooDeep, path)
    } else if message.starts_with("number out of range") {
        (Code::InvalidValue, path)
    } else {
        (Code::InvalidJson, String::new())
    };
    let error_here = Error::new(code, in_words).on(line, column);
    if path.is_empty() {
        error_here
    } else {
        error_here.at(path)
    }
}

/// A message may repeat what the input holds, of any length.
const LONGEST_MESSAGE: usize = 400;

/// The library's message, and how to mend what people most often do wrong.
fn in_our_words(message: &str) -> String {
    let mend = if message.starts_with("EOF while parsing") {
        "the input ends too early; was it cut off?"
    } else if message.starts_with("trailing characters") {
        "something follows the JSON value; put several objects into one list, or one on each line as NDJSON"
    } else if message.starts_with("missing field") {
        "it must be there"
    } else if message.starts_with("duplicate field") {
        "write each key once"
    } else {
        return message.to_owned();
    };
    format!("{message}: {mend}")
}

/// The code of an error about the shape of the data, told from serde's fixed phrases, and the place it means.
fn data_code(message: &str, path: String) -> (Code, String) {
    let named = || message.split('`').nth(1).unwrap_or_default();
    let below = |path: &str| {
        if path.ends_with(&format!("/{}", named())) {
            path.to_owned()
        } else {
            format!("{path}/{}", place::escape(named()))
        }
    };
    if message.starts_with("missing field") {
        (Code::MissingField, below(&path))
    } else if message.starts_with("unknown field") {
        (Code::UnknownField, below(&path))
    } else if message.starts_with("duplicate field") {
        (Code::InvalidJson, below(&path))
    } else if message.starts_with("invalid type") {
        (Code::InvalidType, path)
    } else {
        (Code::InvalidValue, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_strings() {
        let deep = |count: usize| "[".repeat(count) + &"]".repeat(count);
        assert_eq!(too_deep(deep(MAX_DEPTH).as_bytes()), None);
        assert_eq!(too_deep(deep(MAX_DEPTH + 1).as_bytes()), Some(MAX_DEPTH));
        assert_eq!(
            too_deep(format!("\"{}\"", "[".repeat(500)).as_bytes()),
            None
        );
        assert_eq!(
            too_deep(format!("[\"\\\"{}\"]", "{".repeat(500)).as_bytes()),
            None
        );
        assert!(too_deep("{\"a\":".repeat(200).as_bytes()).is_some());
    }

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
