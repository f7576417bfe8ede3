//! The characters of an input, read as they are needed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{ErrorKind as IoKind, Read};
use std::rc::Rc;
use std::vec::IntoIter;

use granit_parser::{ErrorKind, Marker};
use slicewise::{Code, Error};

use crate::lines::LeftLines;
use crate::refusal::Stopped;

/// How much is read at once.
const BLOCK: usize = 16 << 10;
/// The number of characters beyond ASCII whose places are remembered: the parser is never that far ahead.
const REMEMBERED: usize = 64 << 10;

/// The characters of an input in UTF-8.
pub(crate) struct Characters<'r> {
    source: Box<dyn Read + 'r>,
    /// Those that have been read.
    decoded: IntoIter<char>,
    /// The beginning of a character whose end has not been read.
    cut: Vec<u8>,
    passed: Rc<RefCell<Passed>>,
}

/// What has been read, and why reading has stopped.
#[derive(Default)]
pub(crate) struct Passed {
    /// The number of bytes.
    pub(crate) bytes: usize,
    pub(crate) fault: Option<Stopped>,
    /// How many lines of the input are before the rest, and how many that are not of the input are in front of it.
    before: usize,
    opening: usize,
    /// The last position, counted from zero: its line, and its column in characters and in bytes.
    line: usize,
    column: usize,
    column_in_bytes: usize,
    after_return: bool,
    /// Characters of more than one byte: their lines, their columns, and the bytes by which the next column differs.
    wide: VecDeque<(usize, usize, usize)>,
}

impl<'r> Characters<'r> {
    pub(crate) fn new(source: Box<dyn Read + 'r>, passed: Passed) -> Self {
        Self {
            source,
            decoded: Vec::new().into_iter(),
            cut: Vec::new(),
            passed: Rc::new(RefCell::new(passed)),
        }
    }

    pub(crate) fn passed(&self) -> Rc<RefCell<Passed>> {
        Rc::clone(&self.passed)
    }

    /// Reads more. Is there more?
    fn read(&mut self) -> Result<bool, Stopped> {
        let mut bytes = std::mem::take(&mut self.cut);
        let begun = bytes.len();
        bytes.resize(begun + BLOCK, 0);
        let read = loop {
            match self.source.read(bytes.get_mut(begun..).unwrap_or_default()) {
                Err(error) if error.kind() == IoKind::Interrupted => {}
                result => break result.map_err(Stopped::Unread)?,
            }
        };
        bytes.truncate(begun + read);
        let mut passed = self.passed.borrow_mut();
        passed.bytes = passed.bytes.wrapping_add(read);
        let (text, is_wrong) = match std::str::from_utf8(&bytes) {
            Ok(text) => (text, false),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let text = std::str::from_utf8(valid).unwrap_or_default();
                (text, error.error_len().is_some() || read == 0)
            }
        };
        passed.pass(text);
        self.decoded = text.chars().collect::<Vec<_>>().into_iter();
        if is_wrong {
            passed.fault = Some(passed.not_utf8().into());
        }
        self.cut = bytes.split_off(text.len());
        Ok(read > 0)
    }
}

impl Iterator for Characters<'_> {
    type Item = Result<char, ErrorKind>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(character) = self.decoded.next() {
                return Some(Ok(character));
            }
            if self.passed.borrow().fault.is_none() {
                match self.read() {
                    Ok(true) => continue,
                    Ok(false) if self.passed.borrow().fault.is_none() => return None,
                    Ok(false) => {}
                    Err(fault) => self.passed.borrow_mut().fault = Some(fault),
                }
            }
            // The parser only needs to know that it cannot go on.
            let message = String::new();
            return Some(Err(ErrorKind::InputDecoding { message }));
        }
    }
}

impl Passed {
    /// What was read before, of an input that lines are put in front of.
    pub(crate) fn behind(left: &LeftLines<'_>) -> Self {
        Self {
            bytes: left.bytes.wrapping_sub(left.opening.len()),
            before: left.passed,
            opening: left.opening.lines().count(),
            ..Self::default()
        }
    }

    /// The line in the input, from 1, of the one with this number.
    const fn line(&self, number: usize) -> usize {
        (number + self.before).saturating_sub(self.opening)
    }

    fn pass(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' if self.after_return => {}
                '\n' | '\r' => {
                    self.line += 1;
                    (self.column, self.column_in_bytes) = (0, 0);
                }
                _ => {
                    self.column += 1;
                    self.column_in_bytes += character.len_utf8();
                    if !character.is_ascii() {
                        let more = self.column_in_bytes - self.column;
                        self.wide.push_back((self.line, self.column, more));
                    }
                }
            }
            self.after_return = character == '\r';
        }
        let forgotten = self.wide.len().saturating_sub(REMEMBERED);
        self.wide.drain(..forgotten);
    }

    fn not_utf8(&self) -> Error {
        let (line, column) = (self.line(self.line + 1), self.column_in_bytes + 1);
        Error::new(Code::InvalidJson, "the input is not UTF-8").on(line, column)
    }

    /// Line and column, both from 1; columns count bytes.
    pub(crate) fn place(&self, marker: Marker) -> (usize, usize) {
        let (line, column) = (marker.line(), marker.col());
        let before = self
            .wide
            .partition_point(|(of, at, _)| (of + 1, *at) <= (line, column));
        let more = match before.checked_sub(1).and_then(|last| self.wide.get(last)) {
            Some((of, _, more)) if of + 1 == line => *more,
            _ => 0,
        };
        (self.line(line), column + more + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Gives one byte at a time.
    struct Trickle<'t>(&'t [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = to.len().min(1);
            self.0.read(to.get_mut(..most).unwrap_or_default())
        }
    }

    fn read(source: impl Read) -> (String, Option<(usize, usize)>) {
        let mut characters = Characters::new(Box::new(source), Passed::default());
        let text = characters.by_ref().map_while(Result::ok).collect();
        let fault = characters.passed.borrow_mut().fault.take();
        let place = fault.map(|fault| match fault {
            Stopped::Refused(error) => error.line().zip(error.column()).unwrap(),
            Stopped::Unread(_) => (0, 0),
        });
        (text, place)
    }

    #[test]
    fn pieces_do_not_matter() {
        let long = "aä€😀\n".repeat(BLOCK);
        assert_eq!(read(long.as_bytes()), (long.clone(), None));
        assert_eq!(
            read(Trickle("a\r\nä€😀".as_bytes())),
            ("a\r\nä€😀".into(), None)
        );
    }

    #[test]
    fn what_is_no_utf_8_has_a_place() {
        for (bytes, text, place) in [
            (&b"a: 1\nb: \xff\n"[..], "a: 1\nb: ", (2, 4)),
            (b"\xc3\xa4\r\n\xc3\xa4\xf0\x9f\x98", "ä\r\nä", (2, 3)),
        ] {
            let expected = (text.to_owned(), Some(place));
            assert_eq!(read(bytes), expected);
            assert_eq!(read(Trickle(bytes)), expected);
        }
    }

    #[test]
    fn what_cannot_be_read_is_a_fault() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        assert_eq!(
            read(Trickle(b"ab").chain(Broken)),
            ("ab".into(), Some((0, 0)))
        );
    }

    #[test]
    fn columns_count_bytes() {
        let mut passed = Passed::default();
        passed.pass("ä€: ä\r");
        passed.pass("\nb😀c\n");
        for ((line, column), expected) in [
            ((1, 0), (1, 1)),
            ((1, 2), (1, 6)),
            ((1, 4), (1, 8)),
            ((2, 1), (2, 2)),
            ((2, 2), (2, 6)),
            ((3, 0), (3, 1)),
        ] {
            assert_eq!(passed.place(Marker::new(0, line, column)), expected);
        }
    }
}
