//! The error that every interface returns: a stable code, a sentence that says how to fix the input, and its position.
//!
//! Nothing inside the core returns it: planning cannot fail once the input has been read.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::json;

/// The kind of error in an input. The names are part of the contract and never change meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Code {
    /// The text is not JSON (or not UTF-8), or an object has a duplicate key.
    InvalidJson,
    /// A required field is missing.
    MissingField,
    /// A value has the wrong JSON type.
    InvalidType,
    /// A value has the right type but cannot be used.
    InvalidValue,
    /// An object that allows no other fields has an unknown field.
    UnknownField,
    /// Two objects of one kind have the same namespace and name.
    DuplicateName,
    /// The input, or one value in it, is larger than the limit.
    TooLarge,
    /// What is read of the input, such as lists within lists, is nested deeper than the limit.
    TooDeep,
    /// The request asks for something this version cannot do.
    Unsupported,
    /// The input lacks objects that the requested output depends on.
    IncompleteInput,
}

impl Code {
    /// The name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "InvalidJson",
            Self::MissingField => "MissingField",
            Self::InvalidType => "InvalidType",
            Self::InvalidValue => "InvalidValue",
            Self::UnknownField => "UnknownField",
            Self::DuplicateName => "DuplicateName",
            Self::TooLarge => "TooLarge",
            Self::TooDeep => "TooDeep",
            Self::Unsupported => "Unsupported",
            Self::IncompleteInput => "IncompleteInput",
        }
    }
}

/// A mistake that callers can put in words of their own: a command names the flag that mends it. Not part of the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// No Service has the name that is asked for, or several have it.
    ServiceName,
    /// No pod has the name that is asked for, or several have it.
    PodName,
    /// The clients that are asked for cannot be read, or there are none.
    Clients,
    /// Something follows the one value that is read.
    SecondValue,
}

/// An error in the input: what is wrong, where, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[error("{message}")]
pub struct Error {
    code: Code,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip)]
    mistake: Option<Mistake>,
}

impl Error {
    /// An error without a position.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: None,
            line: None,
            column: None,
            mistake: None,
        }
    }

    /// Says which mistake the error is.
    #[doc(hidden)]
    #[must_use]
    pub const fn known_as(mut self, mistake: Mistake) -> Self {
        self.mistake = Some(mistake);
        self
    }

    /// Sets the position as a JSON pointer (RFC 6901), such as `/options/maxEndpointsPerSlice`.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Puts a prefix before the path, which identifies one of several inputs.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        let path = self.path.as_deref().unwrap_or_default();
        self.path = Some([prefix, path].concat());
        self
    }

    /// The same error in other words.
    pub(crate) fn explained(mut self, message: &str) -> Self {
        self.message = message.into();
        self
    }

    /// Puts the name of a file before the message, for one of several.
    #[doc(hidden)]
    #[must_use]
    pub fn told_of(mut self, file: &str) -> Self {
        self.message = [file, ": ", &self.message].concat();
        self
    }

    /// Sets the line and column in the text, both counted from 1; columns count bytes.
    #[must_use]
    pub const fn on(mut self, line: usize, column: usize) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// Sets the line, counted from 1, of an input that is read line by line.
    #[must_use]
    pub const fn in_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// Without a line and column: what it is in is no text.
    #[cfg(feature = "wasm")]
    pub(crate) const fn nowhere(mut self) -> Self {
        self.line = None;
        self.column = None;
        self
    }

    /// The stable code.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Which mistake it is, if it is one that callers have words for.
    pub const fn mistake(&self) -> Option<Mistake> {
        self.mistake
    }

    /// What is wrong and how to fix it: lower case, no full stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The position, as a JSON pointer into the input.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Line in the input text, from 1.
    pub const fn line(&self) -> Option<usize> {
        self.line
    }

    /// Column in bytes in that line, from 1.
    pub const fn column(&self) -> Option<usize> {
        self.column
    }

    /// The answer of the NDJSON streams and of the CLI: `{"error": {…}}`.
    pub fn to_json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct ErrorAnswerLine<'a> {
            error: &'a Error,
        }
        json::write::to_vec(&ErrorAnswerLine { error: self }).unwrap_or_default()
    }
}
