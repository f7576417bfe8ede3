//! Errors for refused YAML, in our own words, with positions.

use std::borrow::Cow;

use granit_parser::{ErrorKind, Marker, ScanError, Span};
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};

/// The text that positions refer to.
#[derive(Clone, Copy)]
pub(super) struct Source<'t>(pub(super) &'t str);

impl Source<'_> {
    pub(super) fn bad_tag(&self, span: Span) -> Error {
        let tag = span
            .tag_span()
            .and_then(|tag| tag.slice(self.0))
            .map_or(Cow::Borrowed("!"), short);
        let message = format!("the tag `{tag}` is unknown, or does not match its value; remove it");
        self.error(Code::Unsupported, message, span)
    }

    pub(super) fn too_deep(&self, span: Span) -> Error {
        self.error(Code::TooDeep, too_deep_message(), span)
    }

    pub(super) fn error(&self, code: Code, message: impl Into<String>, span: Span) -> Error {
        let (line, column) = self.place(span);
        Error::new(code, message).on(line, column)
    }

    pub(super) fn place(&self, span: Span) -> (usize, usize) {
        place(self.0, span.start)
    }

    pub(super) fn mistake(&self, error: &ScanError) -> Error {
        let (code, message) = match error.kind() {
            ErrorKind::RecursionLimitExceeded => (Code::TooDeep, too_deep_message()),
            _ => (
                Code::InvalidJson,
                format!("the input is not valid YAML: {}", error.info()),
            ),
        };
        let (line, column) = place(self.0, *error.marker());
        Error::new(code, message).on(line, column)
    }
}

fn too_deep_message() -> String {
    format!("the input is nested deeper than {MAX_DEPTH} levels; Kubernetes objects never are")
}

/// Line and column, both from 1; columns count bytes.
fn place(text: &str, marker: Marker) -> (usize, usize) {
    let column = marker.byte_offset().and_then(|offset| {
        let before = text.get(..offset)?;
        Some(before.len() - before.rfind('\n').map_or(0, |newline| newline + 1))
    });
    (marker.line(), column.unwrap_or_else(|| marker.col()) + 1)
}

/// An excerpt of a text that fits a message.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}
