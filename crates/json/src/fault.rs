//! What is wrong with a text, and where.

use alloc::string::String;

/// The kind of fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// A field has an unknown name.
    Unknown,
    /// A key occurs twice.
    Duplicate,
    /// A value has the wrong JSON type.
    Type,
    /// A value has the right type but cannot be used.
    Value,
    /// The text is nested too deeply.
    Depth,
    /// A skipped key occurs twice.
    RepeatedKey,
    /// An unpaired surrogate in a skipped value.
    HalfSurrogate,
}

/// The first fault in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Its kind.
    pub class: Class,
    /// The message.
    pub message: String,
    /// The field it is about, if any.
    pub field: Option<String>,
    /// The number of bytes read when it was found.
    pub at: usize,
    /// Is it about the next value, which has not been read?
    pub is_ahead: bool,
}

/// Reading has stopped; the [`Fault`] is in the reader.
///
/// This keeps the result of every step as small as a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a flag")]
pub struct Stop;
