//! Numbers.

use serde_json::Number;

use super::reader::NO_VALUE;
use super::{Class, Reader, Stop};

pub(super) const INVALID_NUMBER: &str = "invalid number";

/// A number as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numeral {
    /// 0 or more.
    Unsigned(u64),
    /// Below 0.
    Signed(i64),
    /// With a fraction or an exponent, or too large for the others.
    Float,
}

impl Reader<'_> {
    /// Skips a number, whose first byte is next; returns whether it is an integer.
    ///
    /// The message for a truncated number depends on whether its value is needed.
    #[inline]
    pub(super) fn pass_number(&mut self, at_end: &'static str) -> Result<bool, Stop> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => {
                self.at += 1;
                if self.is_digit() {
                    return Err(self.stop_at_next("", INVALID_NUMBER));
                }
            }
            Some(b'1'..=b'9') => self.digits(),
            Some(_) => {
                self.at += 1;
                return Err(self.stop(Class::Syntax, INVALID_NUMBER));
            }
            None => return Err(self.stop_at_next(at_end, "")),
        }
        let mut is_whole = true;
        if self.peek() == Some(b'.') {
            is_whole = false;
            self.at += 1;
            if !self.is_digit() {
                return Err(self.stop_at_next(at_end, INVALID_NUMBER));
            }
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            is_whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !self.is_digit() {
                return Err(self.stop_at_next(at_end, INVALID_NUMBER));
            }
            self.digits();
        }
        Ok(is_whole)
    }

    #[inline]
    fn is_digit(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_digit())
    }

    #[inline]
    fn digits(&mut self) {
        while self.is_digit() {
            self.at += 1;
        }
    }

    /// A number, whose first byte is next.
    #[inline]
    pub fn numeral(&mut self) -> Result<Numeral, Stop> {
        let start = self.at;
        let is_whole = self.pass_number(NO_VALUE)?;
        let text = self.slice(start, self.at);
        if is_whole && let Ok(number) = text.parse() {
            return Ok(Numeral::Unsigned(number));
        }
        if is_whole
            && text != "-0"
            && let Ok(number) = text.parse()
        {
            return Ok(Numeral::Signed(number));
        }
        if self.float(start).is_none() {
            return Err(self.stop(Class::Value, "number out of range"));
        }
        Ok(Numeral::Float)
    }

    /// The number that began at `start`, formatted by `serde_json`: parsing and formatting floats in `core` takes
    /// twelve kilobytes of wasm.
    pub fn float(&self, start: usize) -> Option<Number> {
        self.slice(start, self.at).parse().ok()
    }
}
