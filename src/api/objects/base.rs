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
        let lines = newlines(text.as_bytes());
        let columns = match lines {
            0 => self.columns + text.len(),
            _ => text.len() - text.rfind('\n').map_or(0, |end| end + 1),
        };
        Self {
            lines: self.lines + lines,
            columns,
        }
    }
}

/// Counts in blocks, whose sums fit in a byte: the compiler then compares as many bytes at once as a vector has.
fn newlines(text: &[u8]) -> usize {
    const BLOCK: usize = u8::MAX as usize;
    let in_block = |block: &[u8]| -> u8 { block.iter().map(|byte| u8::from(*byte == b'\n')).sum() };
    text.chunks(BLOCK)
        .map(|block| usize::from(in_block(block)))
        .sum()
}
