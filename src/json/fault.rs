//! What is wrong with a text, and where.

use alloc::string::String;

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// The text is not JSON.
    #[default]
    Syntax,
    /// The text ends too early.
    End,
    /// Something follows the value.
    Trailing,
    /// A required field is missing.
    Missing,
    /// A field has a name that is not known.
    Unknown,
    /// A key is there twice.
    Duplicate,
    /// A value has the wrong JSON type.
    Type,
    /// A value has the right type but cannot be used.
    Value,
    /// The text is nested too deeply.
    Depth,
    /// An unread key appears twice.
    RepeatedKey,
    /// A lone surrogate in an unread value.
    HalfSurrogate,
}

/// The first mistake of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Its kind.
    pub class: Class,
    /// A sentence.
    pub message: String,
    /// The field that is meant, where one is.
    pub field: Option<String>,
    /// How many bytes had been read when it was found.
    pub at: usize,
}

/// That reading stopped; the [`Fault`] is in the reader.
///
/// What every step returns is so as small as a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;
