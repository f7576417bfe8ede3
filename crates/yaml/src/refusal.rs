//! Why YAML is not read to its end, in our own words.

use std::borrow::Cow;
use std::io;

use granit_parser::{ErrorKind, ScanError};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};

use crate::places::InputPosition;

/// Why a conversion cannot go on.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "there is no third way to stop")]
pub enum Stopped {
    /// The input cannot be read.
    Unread(io::Error),
    /// `InvalidJson` for what is not YAML or not a JSON value, `TooDeep`, `TooLarge` if aliases expand too far, `Unsupported`
    /// for tags, `InvalidValue` for numbers that JSON cannot express.
    Refused(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// The error for what is not YAML.
pub(crate) fn mistake(error: &ScanError, (line, column): (usize, usize)) -> Error {
    let (code, message) = match error.kind() {
        ErrorKind::RecursionLimitExceeded => (Code::TooDeep, too_deep_message()),
        _ => (
            Code::InvalidJson,
            format!("the input is not valid YAML: {}", error.info()),
        ),
    };
    Error::new(code, message).on(line, column)
}

/// An error about what stands there.
pub(crate) fn refused(code: Code, message: impl Into<String>, at: InputPosition) -> Error {
    let (line, column) = at.line_and_column();
    Error::new(code, message).on(line, column)
}

pub(crate) fn too_deep_message() -> String {
    format!("the YAML is nested deeper than {MAX_DEPTH} levels; give it as JSON")
}

/// An excerpt of a text that fits a message.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}
