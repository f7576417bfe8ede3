//! The pull reader: whitespace, punctuation, strings, numbers and words, one by one.
//!
//! The position of a fault follows `serde_json`: [`Fault::at`] counts the bytes read so far, including the wrong byte
//! if only one byte had to be looked at.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Class, Fault, LayoutMemory, MAX_DEPTH, Stop};

/// Reads a text from start to end.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    pub(super) at: usize,
    depth: usize,
    fault: Option<Box<Fault>>,
    /// The layout of objects seen so far.
    pub memory: LayoutMemory,
    /// Are ambiguities rejected?
    pub(super) is_unambiguous: bool,
    /// The positions of the keys of open objects, if they are. In objects that are skipped without recursion, that of
    /// the first key is marked.
    pub(super) keys: Vec<usize>,
}

/// The kind of container that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonContainer {
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

impl JsonContainer {
    /// By its bracket.
    #[inline]
    pub const fn opened_by(bracket: Option<u8>) -> Self {
        match bracket {
            Some(b'{') => Self::Object,
            _ => Self::Array,
        }
    }

    #[inline]
    const fn close(self) -> u8 {
        match self {
            Self::Array => b']',
            Self::Object => b'}',
        }
    }

    #[inline]
    pub(super) const fn ended(self) -> &'static str {
        match self {
            Self::Array => "EOF while parsing a list",
            Self::Object => "EOF while parsing an object",
        }
    }

    const fn comma_expected(self) -> &'static str {
        match self {
            Self::Array => "expected `,` or `]`",
            Self::Object => "expected `,` or `}`",
        }
    }
}

pub(super) const NO_VALUE: &str = "EOF while parsing a value";

impl<'a> Reader<'a> {
    /// A reader at the start of a text.
    #[inline]
    pub fn new(text: &'a str) -> Self {
        Self::with_memory(text, LayoutMemory::default())
    }

    /// Reads a text with the layout of objects in earlier texts.
    #[inline]
    pub fn with_memory(text: &'a str, mut memory: LayoutMemory) -> Self {
        memory.renew();
        Self {
            text,
            at: 0,
            depth: 0,
            fault: None,
            memory,
            is_unambiguous: false,
            keys: Vec::new(),
        }
    }

    /// Reads a text and rejects ambiguities: see [`find_ambiguity`](super::find_ambiguity). The memory must come from
    /// texts that were checked as well.
    pub fn unambiguous(text: &'a str, memory: LayoutMemory) -> Self {
        Self {
            is_unambiguous: true,
            ..Self::with_memory(text, memory)
        }
    }

    /// Reads a text inside `depth` objects and arrays that were opened before this text.
    #[inline]
    pub fn resumed(text: &'a str, memory: LayoutMemory, depth: usize) -> Self {
        Self {
            depth,
            ..Self::with_memory(text, memory)
        }
    }

    /// Did it stop because the text ends?
    #[inline]
    pub fn has_stopped_at_end(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.at >= self.text.len())
    }

    /// The text.
    #[inline]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// How many bytes have been read.
    #[inline]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Goes back to an earlier position, outside of any object or array opened since, and clears the fault.
    #[inline]
    pub fn rewind(&mut self, at: usize, depth: usize) {
        (self.at, self.depth, self.fault) = (at, depth, None);
    }

    /// How many objects and arrays are open.
    #[inline]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// Continues where this many are.
    #[inline]
    pub const fn set_depth(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// The fault that made it stop.
    pub fn into_fault(mut self) -> Fault {
        // There always is one; the default only satisfies the type system.
        self.take_fault().unwrap_or_default()
    }

    /// Takes the fault out, to continue afterwards.
    #[inline]
    pub fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take().map(|fault| *fault)
    }

    /// The layout of objects, for the next text.
    #[inline]
    pub fn into_memory(self) -> LayoutMemory {
        self.memory
    }

    /// Restores a fault that was taken.
    pub fn restore_fault(&mut self, fault: Option<Fault>) {
        self.fault = fault.map(Box::new);
    }

    #[inline]
    pub(super) const fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The text between two positions.
    #[inline]
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Stops with a fault at `at`.
    #[cold]
    pub fn stop_at(&mut self, at: usize, class: Class, message: &str) -> Stop {
        self.fault = Some(Box::new(Fault {
            class,
            message: message.to_string(),
            field: None,
            at,
            is_ahead: false,
        }));
        Stop
    }

    /// Stops here.
    #[cold]
    pub fn stop(&mut self, class: Class, message: &str) -> Stop {
        self.stop_at(self.at, class, message)
    }

    /// Stops at the next byte, which is wrong or missing.
    #[cold]
    #[inline(never)]
    pub(super) fn stop_at_next(&mut self, at_end: &str, otherwise: &str) -> Stop {
        let next = self.text.len().min(self.at + 1);
        match self.peek() {
            None => self.stop_at(next, Class::End, at_end),
            Some(_) => self.stop_at(next, Class::Syntax, otherwise),
        }
    }

    /// Changes the class of the fault.
    pub fn set_class(&mut self, class: Class) {
        if let Some(fault) = &mut self.fault {
            fault.class = class;
        }
    }

    /// Stops because a value is missing.
    #[cold]
    pub fn no_value(&mut self) -> Stop {
        self.stop_at_next(NO_VALUE, "expected value")
    }

    /// Sets the field that the fault is about.
    pub fn about(&mut self, field: &str) -> Stop {
        if let Some(fault) = &mut self.fault {
            fault.field = Some(field.to_string());
        }
        Stop
    }

    /// The fault is about the next value.
    pub fn about_next(&mut self) -> Stop {
        if let Some(fault) = &mut self.fault {
            fault.is_ahead = true;
        }
        Stop
    }

    /// The next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// The next byte that is not whitespace.
    #[inline]
    pub fn peek_token(&mut self) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Skips the next byte, which has been looked at.
    #[inline]
    pub fn advance(&mut self) {
        self.at += 1;
    }

    /// Skips bytes that have been looked at.
    #[inline]
    pub fn advance_by(&mut self, count: usize) {
        self.at += count;
    }

    /// Opens an object or array that is read; its bracket is next.
    #[inline]
    pub fn open(&mut self) -> Result<(), Stop> {
        self.enter();
        if self.depth > MAX_DEPTH {
            let message =
                format!("what is read here is nested deeper than {MAX_DEPTH} levels; split it up");
            return Err(self.stop(Class::Depth, &message));
        }
        Ok(())
    }

    /// Opens one that is skipped.
    #[inline]
    pub(super) fn enter(&mut self) {
        self.at += 1;
        self.depth += 1;
    }

    /// Closes it; its bracket is next.
    #[inline]
    pub fn close(&mut self) {
        self.at += 1;
        self.depth = self.depth.saturating_sub(1);
    }

    /// Is there another item or key? If so, the comma has been skipped.
    #[inline]
    pub fn next_in(&mut self, container: JsonContainer, is_first: bool) -> Result<bool, Stop> {
        let next = self.peek_token();
        if next == Some(container.close()) {
            self.close();
            return Ok(false);
        }
        if is_first {
            return match next {
                None => Err(self.stop_at_next(container.ended(), "")),
                Some(_) => Ok(true),
            };
        }
        if next == Some(b',') {
            self.at += 1;
            return Ok(true);
        }
        Err(self.stop_at_next(container.ended(), container.comma_expected()))
    }

    /// Skips the whitespace before a required item.
    #[inline]
    pub fn expect_item(&mut self, is_first: bool) -> Result<(), Stop> {
        match self.peek_token() {
            None => Err(self.stop_at_next(NO_VALUE, "")),
            Some(b']') if !is_first => Err(self.stop_at_next("", "trailing comma")),
            Some(_) => Ok(()),
        }
    }

    /// Reads a key.
    #[inline]
    pub fn key(&mut self, is_first: bool) -> Result<Cow<'a, str>, Stop> {
        match self.peek_token() {
            Some(b'"') => {}
            Some(b'}') if !is_first => return Err(self.stop_at_next("", "trailing comma")),
            _ => return Err(self.stop_at_next(NO_VALUE, "key must be a string")),
        }
        self.string()
    }

    /// Reads the colon after a key.
    #[inline]
    pub fn colon(&mut self) -> Result<(), Stop> {
        match self.peek_token() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.stop_at_next(JsonContainer::Object.ended(), "expected `:`")),
        }
    }

    /// Reads the rest of `true`, `false` or `null`, whose first letter is next.
    #[inline]
    pub fn word(&mut self, word: &str) -> Result<(), Stop> {
        if self
            .bytes()
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word.as_bytes()))
        {
            self.at += word.len();
            return Ok(());
        }
        for expected in word.bytes() {
            let Some(byte) = self.peek() else {
                return Err(self.stop(Class::End, NO_VALUE));
            };
            self.at += 1;
            if byte != expected {
                break;
            }
        }
        Err(self.stop(Class::Syntax, "expected ident"))
    }

    /// Checks that nothing follows.
    #[inline]
    pub fn end(&mut self) -> Result<(), Stop> {
        match self.peek_token() {
            None => Ok(()),
            Some(_) => Err(self.stop_at(self.at + 1, Class::Trailing, "trailing characters")),
        }
    }
}
