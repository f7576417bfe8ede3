//! What is said of refused YAML, in our own words.

use std::borrow::Cow;

use granit_parser::{ErrorKind, ScanError};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};

pub(super) const NOT_UTF8: &str = "the input is not UTF-8";

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

pub(super) fn too_deep_message() -> String {
    format!("the input is nested deeper than {MAX_DEPTH} levels; Kubernetes objects never are")
}

/// An excerpt of a text that fits a message.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}
