//! The pull reader: white space, punctuation, strings, numbers and words, one by one.
//!
//! Where a mistake is said to be follows `serde_json`: [`Fault::at`] counts the bytes read so far, with the byte that is
//! wrong among them where only one byte had to be looked at.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Class, Fault, MAX_DEPTH, Memory, Stop};

/// Reads a text from its start to its end.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    pub(super) at: usize,
    depth: usize,
    fault: Option<Box<Fault>>,
    /// What objects looked like so far.
    pub(crate) memory: Memory,
    /// Is the text to be held to one reading?
    pub(super) is_unambiguous: bool,
    /// Where the keys of open objects stand, if it is.
    pub(super) keys: Vec<usize>,
}

/// Which of two containers is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

impl Container {
    const fn close(self) -> u8 {
        match self {
            Self::Array => b']',
            Self::Object => b'}',
        }
    }

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
    pub fn new(text: &'a str) -> Self {
        Self::with_memory(text, Memory::default())
    }

    /// The same, that knows what objects of earlier texts looked like.
    pub(crate) fn with_memory(text: &'a str, mut memory: Memory) -> Self {
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

    /// The same, of a text that is held to one reading: see [`find_ambiguity`](super::find_ambiguity). What is known
    /// must come from texts that were.
    pub(crate) fn unambiguous(text: &'a str, memory: Memory) -> Self {
        Self {
            is_unambiguous: true,
            ..Self::with_memory(text, memory)
        }
    }

    /// The same, within so many objects and arrays that have been opened before this text.
    pub(crate) fn resumed(text: &'a str, memory: Memory, depth: usize) -> Self {
        Self {
            depth,
            ..Self::with_memory(text, memory)
        }
    }

    /// Did it stop because the text ends?
    pub(crate) fn has_stopped_at_end(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.at >= self.text.len())
    }

    /// The text.
    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// How far it has come.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a place it has been at, outside of any object or array opened since, and forgets a mistake.
    pub(crate) fn rewind(&mut self, at: usize, depth: usize) {
        (self.at, self.depth, self.fault) = (at, depth, None);
    }

    /// How many objects and arrays are open.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// What made it stop.
    pub(crate) fn into_fault(mut self) -> Fault {
        // Whatever stops leaves one; the other is for the type system.
        self.take_fault().unwrap_or_default()
    }

    /// The same, to continue afterwards.
    pub(crate) fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take().map(|fault| *fault)
    }

    /// What objects looked like, for the next text.
    pub(crate) fn into_memory(self) -> Memory {
        self.memory
    }

    /// Puts back a mistake that was taken.
    pub(crate) fn restore_fault(&mut self, fault: Option<Fault>) {
        self.fault = fault.map(Box::new);
    }

    pub(super) const fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Stops with a mistake found after `at` bytes.
    #[cold]
    pub(crate) fn stop_at(&mut self, at: usize, class: Class, message: &str) -> Stop {
        self.fault = Some(Box::new(Fault {
            class,
            message: message.to_string(),
            field: None,
            at,
        }));
        Stop
    }

    /// Stops here.
    #[cold]
    pub(crate) fn stop(&mut self, class: Class, message: &str) -> Stop {
        self.stop_at(self.at, class, message)
    }

    /// Stops at the next byte, which is the one that is wrong; or because there is none.
    #[cold]
    #[inline(never)]
    pub(super) fn stop_at_next(&mut self, at_end: &str, otherwise: &str) -> Stop {
        let next = self.text.len().min(self.at + 1);
        match self.peek() {
            None => self.stop_at(next, Class::End, at_end),
            Some(_) => self.stop_at(next, Class::Syntax, otherwise),
        }
    }

    /// Did it stop because of nesting?
    pub(crate) fn is_too_deep(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.class == Class::Depth)
    }

    /// Says of another kind a mistake is.
    pub(crate) fn set_class(&mut self, class: Class) {
        if let Some(fault) = &mut self.fault {
            fault.class = class;
        }
    }

    /// Stops because there is no value where one belongs.
    #[cold]
    pub(crate) fn no_value(&mut self) -> Stop {
        self.stop_at_next(NO_VALUE, "expected value")
    }

    /// Says which field a mistake is about.
    pub(crate) fn about(&mut self, field: &str) -> Stop {
        if let Some(fault) = &mut self.fault {
            fault.field = Some(field.to_string());
        }
        Stop
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// The next byte that is not whitespace.
    #[inline]
    pub(crate) fn peek_token(&mut self) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Skips the next byte, which has been read.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    /// Skips bytes that have been read.
    #[inline]
    pub(crate) fn advance_by(&mut self, count: usize) {
        self.at += count;
    }

    /// Opens an object or array, whose bracket is next.
    #[inline]
    pub(crate) fn open(&mut self) -> Result<(), Stop> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!(
                "the input is nested deeper than {MAX_DEPTH} levels; Kubernetes objects never are"
            );
            return Err(self.stop(Class::Depth, &message));
        }
        Ok(())
    }

    /// Closes it, whose bracket is next.
    #[inline]
    pub(crate) fn close(&mut self) {
        self.at += 1;
        self.depth = self.depth.saturating_sub(1);
    }

    /// Is there another item or key? If so, what comes next is behind the comma.
    #[inline]
    pub(crate) fn next_in(&mut self, container: Container, is_first: bool) -> Result<bool, Stop> {
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
    pub(crate) fn expect_item(&mut self, is_first: bool) -> Result<(), Stop> {
        match self.peek_token() {
            None => Err(self.stop_at_next(NO_VALUE, "")),
            Some(b']') if !is_first => Err(self.stop_at_next("", "trailing comma")),
            Some(_) => Ok(()),
        }
    }

    /// A key.
    pub(crate) fn key(&mut self, is_first: bool) -> Result<Cow<'a, str>, Stop> {
        match self.peek_token() {
            Some(b'"') => {}
            Some(b'}') if !is_first => return Err(self.stop_at_next("", "trailing comma")),
            _ => return Err(self.stop_at_next(NO_VALUE, "key must be a string")),
        }
        self.string()
    }

    /// The colon behind a key.
    pub(crate) fn colon(&mut self) -> Result<(), Stop> {
        match self.peek_token() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.stop_at_next(Container::Object.ended(), "expected `:`")),
        }
    }

    /// The rest of `true`, `false` or `null`, whose first letter is next.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), Stop> {
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

    /// That nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), Stop> {
        match self.peek_token() {
            None => Ok(()),
            Some(_) => Err(self.stop_at(self.at + 1, Class::Trailing, "trailing characters")),
        }
    }
}
