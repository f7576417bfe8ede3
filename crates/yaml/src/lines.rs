//! YAML as `kubectl` and Helm print it, read line by line: many times faster than by the rules for all of YAML.
//!
//! At the first line that holds anything else, or a mistake, the parser takes over. It gets lines that open the same lists
//! and maps again, and then the rest of the input: so all inputs are read alike, with the same errors at the same places.

use std::io::{Cursor, Read};

use crate::block::{self, BlockText, BlockValue, Cut};
use crate::content::ContentLine;
use crate::emitter::JsonEmitter;
use crate::item::AlikeItems;
use crate::places::InputPosition;
use crate::refusal::Stopped;

/// How much is read at once, at least.
const BLOCK: usize = 64 << 10;
/// Deeper values are left to the parser, which has a limit.
const DEPTH: usize = 50;

/// The lines of an input.
pub(crate) struct BlockLines<'r> {
    source: Box<dyn Read + 'r>,
    text: String,
    /// What follows it and is no text: a character that has been cut, or a mistake.
    cut: Vec<u8>,
    is_last: bool,
    /// Where the next line begins.
    at: usize,
    /// The numbers of bytes that have been read, and of lines before the next one.
    bytes: usize,
    passed: usize,
    state: BlockState,
}

/// Where in a document the next line is.
#[derive(Default)]
struct BlockState {
    /// What is open, from the outermost.
    open: Vec<OpenBlock>,
    /// Whether the last key still has no value.
    is_pending: bool,
    /// Whether the document has content.
    is_begun: bool,
    /// Whether another document is before it.
    is_later: bool,
    /// Those of the outermost list.
    items: AlikeItems,
}

/// An open list or map.
#[derive(Clone, Copy)]
struct OpenBlock {
    column: usize,
    is_list: bool,
}

/// How it goes on.
pub(crate) enum LineStep {
    Passed,
    /// The input has ended.
    End,
    /// The parser must read the next line.
    Left,
}

/// What the parser gets.
pub(crate) struct LeftLines<'r> {
    /// Lines that open what is open, and the number of events in them.
    pub(crate) opening: String,
    pub(crate) events: usize,
    /// The numbers of bytes and lines of the input before the rest.
    pub(crate) bytes: usize,
    pub(crate) passed: usize,
    pub(crate) rest: Box<dyn Read + 'r>,
}

impl<'r> BlockLines<'r> {
    pub(crate) fn new(source: Box<dyn Read + 'r>) -> Self {
        Self {
            source,
            text: String::new(),
            cut: Vec::new(),
            is_last: false,
            at: 0,
            bytes: 0,
            passed: 0,
            state: BlockState::default(),
        }
    }

    /// The number of bytes that have been read.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Passes the next line, with all lines of its value.
    ///
    /// # Errors
    /// When the input cannot be read, or the emitter refuses what stands there.
    pub(crate) fn step(&mut self, emitter: &mut JsonEmitter) -> Result<LineStep, Stopped> {
        loop {
            let part = BlockText {
                text: &self.text,
                is_last: self.is_last,
            };
            match self.state.step(part, self.at, self.passed, emitter) {
                Ok(Some((next, count))) => {
                    let is_end = count == 0;
                    (self.at, self.passed) = (next, self.passed + count);
                    return Ok(if is_end {
                        LineStep::End
                    } else {
                        LineStep::Passed
                    });
                }
                Ok(None) => return Ok(LineStep::Left),
                Err(LineStop::Refused(error)) => return Err(error.into()),
                Err(LineStop::Cut) if self.is_last || !self.read()? => return Ok(LineStep::Left),
                Err(LineStop::Cut) => {}
            }
        }
    }

    /// Reads more, and twice as much whenever a value is longer. Is there more text, or the end?
    fn read(&mut self) -> Result<bool, Stopped> {
        self.text.drain(..self.at);
        self.at = 0;
        // A pipe gives little at a time: without filling this up, a long value would be begun again for each piece of it.
        let most = self.text.len().max(BLOCK) as u64;
        let filled = self.source.by_ref().take(most).read_to_end(&mut self.cut);
        let read = filled.map_err(Stopped::Unread)?;
        self.bytes += read;
        let valid = match std::str::from_utf8(&self.cut) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_some() => return Ok(false),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.cut.split_off(valid);
        let text = std::mem::replace(&mut self.cut, rest);
        self.text
            .push_str(std::str::from_utf8(&text).unwrap_or_default());
        self.is_last = read == 0;
        Ok(!self.is_last || self.cut.is_empty())
    }

    /// What the parser needs to go on.
    pub(crate) fn leave(mut self) -> LeftLines<'r> {
        let (opening, events) = self.state.opening();
        let rest = self.text.split_off(self.at);
        let bytes = self.bytes - rest.len() - self.cut.len();
        let rest = [rest.into_bytes(), self.cut].concat();
        LeftLines {
            opening,
            events,
            bytes,
            passed: self.passed,
            rest: Box::new(Cursor::new(rest).chain(self.source)),
        }
    }
}

/// Why a line is not passed.
enum LineStop {
    Cut,
    Refused(slicewise::Error),
}

impl From<Cut> for LineStop {
    fn from(_: Cut) -> Self {
        Self::Cut
    }
}

impl From<slicewise::Error> for LineStop {
    fn from(error: slicewise::Error) -> Self {
        Self::Refused(error)
    }
}

impl BlockState {
    /// Where the next line begins, and the number of lines before it: none at the end. `None` if it is left to the parser.
    fn step(
        &mut self,
        part: BlockText<'_>,
        at: usize,
        passed: usize,
        emitter: &mut JsonEmitter,
    ) -> Result<Option<(usize, usize)>, LineStop> {
        let Some((line, next)) = part.line(at)? else {
            self.end(passed, emitter)?;
            return Ok(Some((at, 0)));
        };
        if !block::is_printable(line) {
            return Ok(None);
        }
        let column = block::indentation(line);
        let content = line.get(column..).unwrap_or_default();
        if self.is_next_item(column, content) {
            let list = self.outermost_list().map_or(0, |list| list + 1);
            for _ in self.open.drain(list..) {
                emitter.close();
            }
            if let Some(end) = self.items.next(part, at, passed, emitter)? {
                return Ok(Some(end));
            }
        }
        if content.is_empty() || content.starts_with('#') {
            self.items.pass(part.between(at, next), 1);
            return Ok(Some((next, 1)));
        }
        if line == "---" {
            self.end(passed, emitter)?;
            self.is_later = true;
            emitter.begin_document();
            return Ok(Some((next, 1)));
        }
        if line.starts_with("---") || line.starts_with("...") {
            return Ok(None);
        }
        let Some(line) = ContentLine::read(part, content, column, next)? else {
            return Ok(None);
        };
        let (next, count) = (line.value.next, line.value.count + 1);
        let is_passed = self.write(line, next - at, passed, emitter)?;
        self.items.pass(part.between(at, next), count);
        Ok(is_passed.then_some((next, count)))
    }

    fn outermost_list(&self) -> Option<usize> {
        self.open.iter().position(|block| block.is_list)
    }

    /// Whether a line begins another item of the outermost list.
    fn is_next_item(&self, column: usize, content: &str) -> bool {
        let list = self.outermost_list().and_then(|list| self.open.get(list));
        list.is_some_and(|list| list.column == column)
            && content.starts_with("- ")
            && !self.is_pending
    }

    /// Ends a document.
    fn end(&mut self, passed: usize, emitter: &mut JsonEmitter) -> Result<(), slicewise::Error> {
        if std::mem::take(&mut self.is_pending) {
            emitter.scalar("", true, 0, None, (passed + 1, 1).into())?;
        }
        for _ in self.open.drain(..) {
            emitter.close();
        }
        self.is_begun = false;
        self.items.clear();
        Ok(())
    }

    /// Whether a line begins the value of the last key. A list may be as far left as its key.
    fn is_value(&self, line: &ContentLine<'_>) -> bool {
        let key = self.open.last().filter(|_| self.is_pending);
        key.is_some_and(|map| line.column >= map.column + usize::from(!line.is_item()))
    }

    /// How many lists and maps end before a line; `None` if it does not belong to any that is open.
    fn closing(&self, line: &ContentLine<'_>) -> Option<usize> {
        if self.is_value(line) {
            return Some(0);
        }
        let is_closed = |block: &&OpenBlock| {
            let is_left = block.column == line.column && block.is_list && !line.is_item();
            block.column > line.column || is_left
        };
        let count = self.open.iter().rev().take_while(is_closed).count();
        let is_fitting = match self.open.iter().rev().nth(count) {
            Some(block) => block.column == line.column && block.is_list == line.is_item(),
            None => !self.is_begun && line.column == 0,
        };
        is_fitting.then_some(count)
    }

    /// Writes what a line says, which takes so many bytes with those of its value; false if the parser must read it.
    fn write(
        &mut self,
        line: ContentLine<'_>,
        length: usize,
        passed: usize,
        emitter: &mut JsonEmitter,
    ) -> Result<bool, slicewise::Error> {
        let place = |column: usize| InputPosition::from((passed + 1, column + 1));
        let Some(closing) = self.closing(&line) else {
            return Ok(false);
        };
        if self.open.len() + line.dashes >= DEPTH {
            return Ok(false);
        }
        if self.is_pending && !self.is_value(&line) {
            emitter.scalar("", true, 0, None, place(line.column))?;
        }
        (self.is_begun, self.is_pending) = (true, false);
        for _ in self.open.drain(self.open.len() - closing..) {
            emitter.close();
        }
        if self.outermost_list().is_none() {
            self.items.clear();
        }
        let lists = (0..line.dashes).map(|dash| (line.column + 2 * dash, true));
        let map = line.key.as_ref().map(|_| (line.key_at, false));
        for (column, is_list) in lists.chain(map) {
            let is_open = |block: &OpenBlock| (block.column, block.is_list) == (column, is_list);
            if !self.open.last().is_some_and(is_open) {
                emitter.open(is_list, 0, place(column))?;
                self.open.push(OpenBlock { column, is_list });
            }
        }
        if let Some(key) = &line.key {
            emitter.key(key.text, key.is_plain, None, place(line.key_at))?;
        }
        let at = place(line.value_at);
        let (text, is_plain) = match line.value.value {
            BlockValue::Plain(text) => (text, true),
            BlockValue::Text(text) => (text, false),
            BlockValue::Pending => {
                self.is_pending = true;
                return Ok(true);
            }
            BlockValue::Empty { is_list } => {
                emitter.open(is_list, 0, at)?;
                emitter.close();
                return Ok(true);
            }
        };
        let json = emitter.scalar(&text, is_plain, 0, None, at)?;
        let innermost = (line.innermost, line.key.is_none());
        let (text, count) = (line.value_at..length, line.value.count);
        self.items.value(text, count, innermost, json, emitter);
        Ok(true)
    }

    /// Lines that open what is open, and the number of events in them.
    fn opening(&self) -> (String, usize) {
        // Behind it, `%` begins no directive.
        let is_first = !self.is_later || !self.open.is_empty();
        let mut text = String::from(if is_first { "" } else { "---\n" });
        let (mut column, mut events) = (0, 0);
        for (number, block) in self.open.iter().enumerate() {
            let is_last = number + 1 == self.open.len();
            if block.column < column {
                text.push('\n');
                column = 0;
            }
            text.extend(std::iter::repeat_n(' ', block.column - column));
            let (opening, more) = match (block.is_list, is_last && !self.is_pending) {
                (true, false) => ("- ", 1),
                (true, true) => ("- ''\n", 2),
                (false, false) => ("k:\n", 2),
                (false, true) => ("k: ''\n", 3),
            };
            text.push_str(opening);
            events += more;
            column = match block.is_list && !is_last {
                true => block.column + opening.len(),
                false => 0,
            };
        }
        (text, events)
    }
}
