//! Items of a list that are alike: what is the same as in an item before is compared and copied rather than read.
//!
//! Only the values of single keys and items may differ. An item that differs otherwise is read line by line, and the next
//! ones are compared with it as well.

use std::ops::Range;

use crate::block::{self, BlockText, BlockValue, Cut, Told};
use crate::emitter::JsonEmitter;
use crate::places::InputPosition;
use crate::tag;

/// How many items others are compared with.
const KEPT: usize = 8;
/// Once items differ for a while, only two of so many are compared.
const PAUSED: usize = 32;
/// Longer items are not kept.
const LONGEST: usize = 256 << 10;

/// The items that others of their list are compared with, and the one that is being read.
#[derive(Default)]
pub(crate) struct AlikeItems {
    /// The last one that another was like is the first.
    kept: Vec<ReadItem>,
    begun: Option<ReadItem>,
    /// The number of items since the last that was like another.
    missed: usize,
}

/// An item as it was read, and what has been written for it.
struct ReadItem {
    text: String,
    json: Vec<u8>,
    /// With lines from the beginning of the item.
    places: Vec<(usize, usize)>,
    /// The number of lines of it.
    lines: usize,
    values: Vec<ItemValue>,
    /// Where it begins in what has been written, and the number of lines before it.
    mark: EmittedMark,
    passed: usize,
}

/// A value that may differ.
pub(crate) struct ItemValue {
    /// Its text in the item, to the end of its last line.
    text: Range<usize>,
    json: Range<usize>,
    /// How many lines it takes, besides the one it begins in.
    count: usize,
    /// The column of the innermost list or map, and whether that is a list.
    column: usize,
    is_item: bool,
}

impl AlikeItems {
    /// The list has ended.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Another item begins in this column: passes it if it is like another. Returns as for a line.
    pub(crate) fn next(
        &mut self,
        part: BlockText<'_>,
        at: usize,
        passed: usize,
        emitter: &mut JsonEmitter,
    ) -> Told<(usize, usize)> {
        if let Some(item) = self.begun.take().and_then(|item| item.ended(emitter)) {
            self.kept.truncate(KEPT - 1);
            self.kept.insert(0, item);
        }
        if self.missed > 2 * KEPT && self.missed % PAUSED > 1 {
            self.missed += 1;
            return Ok(None);
        }
        let length = emitter.json.len();
        for number in 0..self.kept.len() {
            let Some(item) = self.kept.get(number) else {
                break;
            };
            let repeated = item.repeat(part, at, passed, emitter);
            if let Ok(Some(end)) = repeated {
                let kept = self.kept.get_mut(..=number).unwrap_or_default();
                kept.rotate_right(1);
                self.missed = 0;
                return Ok(Some(end));
            }
            emitter.json.truncate(length);
            repeated?;
        }
        self.missed += 1;
        self.begun = Some(ReadItem {
            text: String::new(),
            json: Vec::new(),
            places: Vec::new(),
            lines: 0,
            values: Vec::new(),
            mark: emitter.mark(),
            passed,
        });
        Ok(None)
    }

    /// Lines of the item have been read.
    pub(crate) fn pass(&mut self, text: &str, count: usize) {
        if let Some(item) = &mut self.begun {
            item.text.push_str(text);
            item.lines += count;
            if item.text.len() > LONGEST {
                self.begun = None;
            }
        }
    }

    /// The value of the next line has been read, which takes that part of it and the lines behind it.
    pub(crate) fn value(
        &mut self,
        text: Range<usize>,
        count: usize,
        (column, is_item): (usize, bool),
        json: usize,
        emitter: &JsonEmitter,
    ) {
        if let Some(item) = &mut self.begun {
            let start = item.text.len();
            let end = emitter.mark().json;
            item.values.push(ItemValue {
                text: start + text.start..start + text.end,
                json: json - item.mark.json..end - item.mark.json,
                count,
                column,
                is_item,
            });
        }
    }
}

impl ReadItem {
    /// With all that was written for it, if that is still there.
    fn ended(mut self, emitter: &JsonEmitter) -> Option<Self> {
        let (json, places) = emitter.since(&self.mark)?;
        self.json.extend_from_slice(json);
        let relative = |place: InputPosition| {
            let (line, column) = place.line_and_column();
            (line.saturating_sub(self.passed), column)
        };
        self.places.extend(places.map(relative));
        Some(self)
    }

    /// Writes an item that begins there, if it is like this one and another follows. Returns where that begins, and the
    /// number of lines before it.
    fn repeat(
        &self,
        part: BlockText<'_>,
        at: usize,
        passed: usize,
        emitter: &mut JsonEmitter,
    ) -> Told<(usize, usize)> {
        let (text, other) = (self.text.as_bytes(), part.text.as_bytes());
        // Where we are in this item, in the other, and in what was written for this one.
        let (mut here, mut there, mut json) = (0, at, 0);
        let mut values = self.values.iter();
        loop {
            let same = shared(
                text.get(here..).unwrap_or_default(),
                other.get(there..).unwrap_or_default(),
            );
            if here + same == text.len() {
                there += same;
                break;
            }
            if there + same == other.len() {
                return if part.is_last { Ok(None) } else { Err(Cut) };
            }
            let value = values.find(|value| value.text.end > here + same);
            let Some(value) = value.filter(|value| value.text.start <= here + same) else {
                return Ok(None);
            };
            let begin = there + (value.text.start - here);
            let Some(read) = value.read(part, begin)? else {
                return Ok(None);
            };
            let before = self.json.get(json..value.json.start);
            emitter.json.extend_from_slice(before.unwrap_or_default());
            if !emitter.repeat_value(&read.value) {
                return Ok(None);
            }
            (here, there, json) = (value.text.end, read.next, value.json.end);
        }
        let column = block::indentation(&self.text);
        let next = other.get(there..).unwrap_or_default();
        if next.len() < column + 2 && !part.is_last {
            return Err(Cut);
        }
        if next.get(..column + 2) != text.get(..column + 2) {
            return Ok(None);
        }
        let rest = self.json.get(json..).unwrap_or_default();
        emitter.json.extend_from_slice(rest);
        for (line, column) in &self.places {
            emitter.places.add((line + passed, *column).into());
        }
        Ok(Some((there, self.lines)))
    }
}

impl ItemValue {
    /// Reads another value in its place, of as many lines: all that follows is as far from the beginning of the item.
    fn read<'t>(&self, part: BlockText<'t>, at: usize) -> Told<block::ReadValue<'t>> {
        let Some((line, next)) = part.line(at)? else {
            return Ok(None);
        };
        // The parser tells another place of literal text in a list.
        let is_odd = line.starts_with(' ') || (self.is_item && line.starts_with('|'));
        if is_odd || !block::is_printable(line) {
            return Ok(None);
        }
        let read = part.value(line, next, self.column)?;
        Ok(read.filter(|read| read.count == self.count))
    }
}

/// How much has been written: bytes from the beginning of all text, and lines.
struct EmittedMark {
    json: usize,
    places: usize,
}

impl JsonEmitter {
    fn mark(&self) -> EmittedMark {
        EmittedMark {
            json: self.dropped + self.json.len(),
            places: self.places.count(),
        }
    }

    /// What has been written since then, if all of it is still here.
    fn since(&self, mark: &EmittedMark) -> Option<(&[u8], impl Iterator<Item = InputPosition>)> {
        let json = self.json.get(mark.json.checked_sub(self.dropped)?..)?;
        Some((json, self.places.since(mark.places)?))
    }

    /// Writes a value that has no lines of its own; false if that cannot be.
    fn repeat_value(&mut self, value: &BlockValue<'_>) -> bool {
        let (text, is_plain) = match value {
            BlockValue::Plain(text) => (text, true),
            BlockValue::Text(text) => (text, false),
            BlockValue::Pending | BlockValue::Empty { .. } => return false,
        };
        match tag::plain(text, is_plain, None, self.words, (0, 0).into()) {
            Ok(plain) => self.write_scalar(text, &plain),
            Err(_) => return false,
        }
        true
    }
}

/// How many bytes two texts begin with that are the same.
fn shared(one: &[u8], other: &[u8]) -> usize {
    let (one_chunks, _) = one.as_chunks::<32>();
    let (other_chunks, _) = other.as_chunks::<32>();
    let chunks = one_chunks.iter().zip(other_chunks);
    let same = 32 * chunks.take_while(|(one, other)| one == other).count();
    let rest = |text| <[u8]>::get(text, same..).unwrap_or_default().iter();
    let bytes = rest(one).zip(rest(other));
    same + bytes.take_while(|(one, other)| one == other).count()
}
