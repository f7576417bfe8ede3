//! Why YAML is not read to its end, in our own words.

use std::borrow::Cow;
use std::io;

use granit_parser::{ErrorKind, ScanError};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};

use super::places::InputPosition;
use crate::failure::CommandFailure;

/// Why a conversion cannot go on.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The input cannot be read.
    Unread(io::Error),
    /// `InvalidJson` for what is not YAML or not a JSON value, `TooDeep`, `TooLarge` if aliases expand too far, `Unsupported`
    /// for tags, `InvalidValue` for numbers that JSON cannot express.
    Refused(Error),
}

impl Stopped {
    /// Why the command fails; `what` names the reading.
    pub(crate) fn failure(self, what: &str) -> CommandFailure {
        match self {
            Self::Unread(error) => CommandFailure::Io(what.to_owned(), error),
            Self::Refused(error) => error.into(),
        }
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// The error for what is not YAML.
pub(super) fn mistake(error: &ScanError, (line, column): (usize, usize)) -> Error {
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
pub(super) fn refused(code: Code, message: impl Into<String>, at: InputPosition) -> Error {
    let (line, column) = at.line_and_column();
    Error::new(code, message).on(line, column)
}

pub(super) fn too_deep_message() -> String {
    format!("the YAML is nested deeper than {MAX_DEPTH} levels; give it as JSON")
}

/// An excerpt of a text that fits a message.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}
