//! Where in a YAML input each line of the JSON is from that it was converted to.

use std::collections::VecDeque;

use slicewise::Error;

/// The number of lines that are remembered at least: errors are about the object that is being read, and no API server
/// takes one with as many keys.
const REMEMBERED: usize = 1 << 20;

/// The places of the keys and list items that the lines of the JSON begin with.
#[derive(Debug)]
pub struct Places {
    /// The number of lines that have been forgotten.
    forgotten: usize,
    /// Line and column (in bytes) in the input, both from 1.
    lines: VecDeque<(u32, u32)>,
}

impl Places {
    pub(crate) const fn new() -> Self {
        Self {
            forgotten: 0,
            lines: VecDeque::new(),
        }
    }

    /// The place of the last line.
    pub(crate) fn last(&self) -> Option<InputPosition> {
        self.lines.back().copied().map(InputPosition)
    }

    /// The number of lines so far.
    pub(crate) fn count(&self) -> usize {
        self.forgotten + self.lines.len()
    }

    /// Those behind the first `count`, if none of them is forgotten.
    pub(crate) fn since(&self, count: usize) -> Option<impl Iterator<Item = InputPosition>> {
        let begin = count.checked_sub(self.forgotten)?;
        Some(self.lines.iter().skip(begin).copied().map(InputPosition))
    }

    /// Forgets the lines behind the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.lines.truncate(count.saturating_sub(self.forgotten));
    }

    /// Another line begins.
    pub(crate) fn add(&mut self, place: InputPosition) {
        self.lines.push_back(place.0);
    }

    /// Forgets lines that were read long ago.
    pub(crate) fn forget(&mut self) {
        if self.lines.len() >= 2 * REMEMBERED {
            self.lines.drain(..REMEMBERED);
            self.forgotten += REMEMBERED;
        }
    }

    /// Converts an error's position in the JSON to one in the input.
    pub fn placed(&self, error: Error) -> Error {
        let Some(line) = error.line() else {
            return error;
        };
        let mut placed = Error::new(error.code(), error.message());
        if let Some(mistake) = error.mistake() {
            placed = placed.known_as(mistake);
        }
        if let Some(path) = error.path().filter(|path| !path.is_empty()) {
            placed = placed.at(path);
        }
        let index = line.checked_sub(self.forgotten + 1);
        match index.and_then(|index| self.lines.get(index)) {
            Some((line, column)) => placed.on(*line as usize, *column as usize),
            None => placed,
        }
    }
}

/// A position in the input.
#[derive(Clone, Copy)]
pub(crate) struct InputPosition((u32, u32));

impl InputPosition {
    pub(crate) const fn line_and_column(self) -> (usize, usize) {
        let Self((line, column)) = self;
        (line as usize, column as usize)
    }
}

impl From<(usize, usize)> for InputPosition {
    fn from((line, column): (usize, usize)) -> Self {
        let short = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Self((short(line), short(column)))
    }
}

#[cfg(test)]
mod tests {
    use slicewise::Code;

    use super::*;

    #[test]
    fn lines_of_long_ago_are_forgotten() {
        let mut places = Places::new();
        let count = 5 * REMEMBERED / 2;
        for line in 0..count {
            places.add((2 * line, 7).into());
            places.forget();
        }
        assert!(places.lines.len() < 2 * REMEMBERED);
        let placed = |line| {
            let error = Error::new(Code::MissingField, "no name")
                .at("/a")
                .on(line, 1);
            let placed = places.placed(error);
            assert_eq!(placed.path(), Some("/a"));
            placed.line().zip(placed.column())
        };
        assert_eq!(placed(count), Some((2 * count - 2, 7)));
        assert_eq!(
            placed(count - REMEMBERED + 1),
            Some((2 * (count - REMEMBERED), 7))
        );
        assert_eq!(placed(1), None);
        assert_eq!(placed(count + 1), None);
    }
}
