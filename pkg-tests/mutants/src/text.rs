//! Positions: cargo-mutants counts lines and characters from 1, and we cut bytes.

use std::ops::Range;

use serde::Deserialize;

/// A stretch of text as cargo-mutants prints it.
#[derive(Deserialize)]
pub(crate) struct Span {
    start: Position,
    end: Position,
}

#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

/// A text by lines.
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let starts = [0]
            .into_iter()
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Self { text, starts }
    }

    /// The bytes of `span`; `None` if the text has no such place.
    pub(crate) fn bytes(&self, span: &Span) -> Option<Range<usize>> {
        Some(self.byte(&span.start)?..self.byte(&span.end)?)
    }

    fn byte(&self, Position { line, column }: &Position) -> Option<usize> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let rest = self.text.get(start..)?;
        let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
        ends.nth(column.checked_sub(1)?).map(|at| start + at)
    }
}
