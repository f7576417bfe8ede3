//! Strings: borrowed from the text, or unescaped.

use alloc::borrow::Cow;
use alloc::string::String;

use super::scan::plain_end;
use super::{Class, Reader, Stop};

pub(super) const NO_STRING_END: &str = "EOF while parsing a string";

impl<'a> Reader<'a> {
    /// Reads a string, whose opening quote is next.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>, Stop> {
        let start = self.at + 1;
        let end = plain_end(self.bytes(), start);
        if self.bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(self.slice(start, end)));
        }
        self.string_with_escapes(start).map(Cow::Owned)
    }

    #[cold]
    #[inline(never)]
    fn string_with_escapes(&mut self, start: usize) -> Result<String, Stop> {
        let mut string = String::new();
        self.at = start;
        loop {
            let end = plain_end(self.bytes(), self.at);
            string.push_str(self.slice(self.at, end));
            self.at = end;
            match self.peek() {
                None => return Err(self.stop(Class::End, NO_STRING_END)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => {
                    self.at += 1;
                    string.push(self.escape()?);
                }
                Some(_) => {
                    self.at += 1;
                    return Err(self.control_character());
                }
            }
        }
    }

    #[cold]
    pub(super) fn control_character(&mut self) -> Stop {
        let message = "control character (\\u0000-\\u001F) found while parsing a string";
        self.stop(Class::Syntax, message)
    }

    /// The character that an escape stands for; its backslash has been read.
    fn escape(&mut self) -> Result<char, Stop> {
        let Some(byte) = self.peek() else {
            return Err(self.stop(Class::End, NO_STRING_END));
        };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.stop(Class::Syntax, "invalid escape")),
        })
    }

    fn unicode(&mut self) -> Result<char, Stop> {
        const LONE: &str = "lone leading surrogate in hex escape";
        let first = self.hex()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if first >= 0xdc00 {
            return Err(self.stop(Class::Syntax, LONE));
        }
        for expected in *b"\\u" {
            let Some(byte) = self.peek() else {
                return Err(self.stop(Class::End, NO_STRING_END));
            };
            self.at += 1;
            if byte != expected {
                return Err(self.stop(Class::Syntax, "unexpected end of hex escape"));
            }
        }
        let second = self.hex()?;
        let half = second.checked_sub(0xdc00).filter(|half| *half < 0x400);
        let code = half.map(|half| 0x1_0000 + ((first - 0xd800) << 10) + half);
        match code.and_then(char::from_u32) {
            Some(character) => Ok(character),
            None => Err(self.stop(Class::Syntax, LONE)),
        }
    }

    /// Reads four hexadecimal digits.
    pub(super) fn hex(&mut self) -> Result<u32, Stop> {
        let Some(digits) = self
            .bytes()
            .get(self.at..)
            .and_then(<[u8]>::first_chunk::<4>)
        else {
            self.at = self.bytes().len();
            return Err(self.stop(Class::End, NO_STRING_END));
        };
        self.at += 4;
        let value = digits.iter().try_fold(0, |value, digit| {
            Some(value * 16 + char::from(*digit).to_digit(16)?)
        });
        value.ok_or_else(|| self.stop(Class::Syntax, "invalid escape"))
    }
}
