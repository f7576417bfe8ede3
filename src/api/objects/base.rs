//! The position of a text that is part of an input.

use crate::Error;

/// The position of the text within the input it is part of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Base {
    /// The number of line ends before it.
    lines: usize,
    /// The number of bytes before it on its first line.
    columns: usize,
}

impl Base {
    /// Of a text that is the whole input.
    pub const START: Self = Self {
        lines: 0,
        columns: 0,
    };

    /// Moves the position of an error from this part to the whole input.
    pub fn placed(self, error: Error) -> Error {
        match (error.line(), error.column()) {
            (Some(1), Some(column)) => error.on(1 + self.lines, column + self.columns),
            (Some(line), Some(column)) => error.on(line + self.lines, column),
            _ => error,
        }
    }

    /// The base of what follows this text.
    pub fn behind(self, text: &str) -> Self {
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        let last = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
        Self {
            lines: self.lines + lines,
            columns: last + if lines == 0 { self.columns } else { 0 },
        }
    }
}
