//! The output bytes, with spare room.
//!
//! The texts are a few words each, and every one begins where the last one ends: a vector that grows piece by piece
//! mostly waits for its own length. Here the room exists in advance, fixed-size pieces are copied without a call, and
//! the position advances once per text.

use alloc::vec::Vec;

use crate::field_name::PADDING;

/// More than the overlap of the last piece and the punctuation around a text.
const SLACK: usize = 80;
/// Spare room is added in pieces of this size: it is still in the cache when it is written.
const PIECE: usize = 4096;
/// Longer texts are scanned in pieces of this size, then copied as a whole.
const LONGEST: usize = 64;

pub(super) struct Buffer<'o> {
    /// The bytes written so far, followed by spare room.
    output: &'o mut Vec<u8>,
    /// Where the spare room begins.
    at: usize,
    /// Was a list or object just opened, so that no comma is due?
    is_open: bool,
}

impl<'o> Buffer<'o> {
    /// Appends to the output.
    #[inline]
    pub(super) const fn new(output: &'o mut Vec<u8>) -> Self {
        let at = output.len();
        Self {
            output,
            at,
            is_open: false,
        }
    }

    /// Cuts off the spare room.
    #[inline]
    pub(super) fn end(self) {
        self.output.truncate(self.at);
    }

    #[inline]
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn last(&self) -> Option<u8> {
        self.output.get(self.at.wrapping_sub(1)).copied()
    }

    /// Removes and returns what has been written since `place`.
    pub(super) fn take_back(&mut self, place: usize) -> Vec<u8> {
        let taken = self.output.get(place..self.at).unwrap_or_default();
        self.at = place;
        taken.to_vec()
    }

    /// At least this much room.
    #[inline]
    fn room(&mut self, count: usize) -> &mut [u8] {
        if self.output.len() < self.at + count {
            self.grow(count);
        }
        self.output.get_mut(self.at..).unwrap_or_default()
    }

    /// Adds a piece of the capacity, which doubles when it is used up.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let needed = self.at + count;
        self.output.reserve(needed - self.output.len());
        let spare = self.output.capacity() - needed;
        self.output.resize(needed + spare.min(PIECE), 0);
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        if let Some(place) = self.room(1).first_mut() {
            *place = byte;
        }
        self.at += 1;
    }

    #[inline]
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        if let Some(place) = self.room(bytes.len()).get_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    /// Opens a list or an object.
    #[inline]
    pub(super) fn open(&mut self, bracket: u8) {
        self.push(bracket);
        self.is_open = true;
    }

    /// Closes it.
    #[inline]
    pub(super) fn close(&mut self, bracket: u8) {
        self.push(bracket);
        self.is_open = false;
    }

    /// Separates an item of a list from the one before it.
    #[inline]
    pub(super) fn separate(&mut self) {
        if !core::mem::take(&mut self.is_open) {
            self.push(b',');
        }
    }

    /// Writes a quoted text.
    #[inline(never)]
    pub(super) fn text(&mut self, text: &str) {
        let text = text.as_bytes();
        let room = self.room(text.len() + SLACK);
        put(room, 0, b"\"");
        if copy(room, 1, text) {
            put(room, 1 + text.len(), b"\"");
            self.at += text.len() + 2;
        } else {
            self.escape(text);
        }
    }

    /// Writes the name of a field, with the comma before it and the colon after it.
    #[inline(never)]
    pub(super) fn name(&mut self, name: &str) {
        let text = name.as_bytes();
        let is_first = core::mem::take(&mut self.is_open);
        let room = self.room(text.len() + SLACK);
        let start = if is_first { 1 } else { 2 };
        put(room, 0, if is_first { b"\" " } else { b",\"" });
        if copy(room, start, text) {
            put(room, start + text.len(), b"\":");
            self.at += start + text.len() + 2;
        } else {
            self.at += start - 1;
            self.escape(text);
            self.push(b':');
        }
    }

    /// Writes the name of a field that is known at compile time; returns false if this is none, or too long.
    // Inlined, most of it is known as well.
    #[inline(always)]
    pub(super) fn field(&mut self, padded: &str) -> bool {
        let text = padded.as_bytes();
        let is_short = (PADDING + 1..=2 * PADDING).contains(&text.len());
        if !is_short || text.first() != Some(&b',') {
            return false;
        }
        let is_first = core::mem::take(&mut self.is_open);
        let text = text.get(usize::from(is_first)..).unwrap_or_default();
        if let Some(piece) = text.first_chunk::<PADDING>() {
            put(self.room(PADDING), 0, piece);
        }
        self.at += text.len() - PADDING;
        true
    }

    /// Writes a quoted text in which some bytes must be escaped.
    #[cold]
    #[inline(never)]
    fn escape(&mut self, text: &[u8]) {
        self.push(b'"');
        for byte in text {
            let short = match byte {
                b'"' | b'\\' => *byte,
                b'\n' => b'n',
                b'\t' => b't',
                b'\r' => b'r',
                0x08 => b'b',
                0x0c => b'f',
                0..0x20 => {
                    let digit = |value: u8| value + if value < 10 { b'0' } else { b'a' - 10 };
                    self.extend(b"\\u00");
                    self.extend(&[digit(byte >> 4), digit(byte & 0xf)]);
                    continue;
                }
                _ => {
                    self.push(*byte);
                    continue;
                }
            };
            self.extend(&[b'\\', short]);
        }
        self.push(b'"');
    }
}

/// Copies a piece to its place.
#[inline]
fn put<const N: usize>(room: &mut [u8], at: usize, piece: &[u8; N]) {
    let place = room.get_mut(at..).and_then(<[u8]>::first_chunk_mut);
    if let Some(place) = place {
        *place = *piece;
    }
}

/// Copies a text to its place; returns false if some of it must be escaped.
// Inlined twice it is faster by a tenth; the module is to be small.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn copy(room: &mut [u8], at: usize, text: &[u8]) -> bool {
    match text.len() {
        0..4 => copy_bytes(room, at, text),
        4..8 => copy_pieces::<4>(room, at, text),
        8..16 => copy_pieces::<8>(room, at, text),
        16..32 => copy_pieces::<16>(room, at, text),
        32..LONGEST => copy_pieces::<32>(room, at, text),
        _ => copy_long(room, at, text),
    }
}

#[inline]
fn copy_bytes(room: &mut [u8], at: usize, text: &[u8]) -> bool {
    let mut is_plain = true;
    for (place, byte) in room.iter_mut().skip(at).zip(text) {
        *place = *byte;
        is_plain &= escapes(u64::from(*byte) | SPACES << 8) == 0;
    }
    is_plain
}

/// Copies two pieces, the second of which overlaps the first.
#[inline]
fn copy_pieces<const N: usize>(room: &mut [u8], at: usize, text: &[u8]) -> bool {
    let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) else {
        return false;
    };
    put(room, at, first);
    put(room, at + text.len() - N, last);
    escapes_of(first) | escapes_of(last) == 0
}

#[inline(never)]
fn copy_long(room: &mut [u8], at: usize, text: &[u8]) -> bool {
    if let Some(place) = room.get_mut(at..at + text.len()) {
        place.copy_from_slice(text);
    }
    let (pieces, _) = text.as_chunks::<LONGEST>();
    let found = pieces
        .iter()
        .fold(0, |found, piece| found | escapes_of(piece));
    found | text.last_chunk::<LONGEST>().map_or(0, escapes_of) == 0
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const SPACES: u64 = ONES * b' ' as u64;

/// Nonzero if a byte of the word is a quotation mark, a backslash or a control character.
#[inline]
const fn escapes(word: u64) -> u64 {
    // With bit 1 flipped, the control characters and the quotation mark are the bytes below 0x21.
    let low = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (low | backslash) & !word & (ONES << 7)
}

#[inline]
fn escapes_of<const N: usize>(bytes: &[u8; N]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| escapes(u64::from_ne_bytes(*word)));
    let (halves, _) = rest.as_chunks::<4>();
    let halves = halves
        .iter()
        .map(|half| escapes(u64::from(u32::from_ne_bytes(*half)) | SPACES << 32));
    words.chain(halves).fold(0, |found, each| found | each)
}
