//! Errors about values, in the words of `serde`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Class, Numeral, Reader, Stop, is_obeyed, shorten};

impl Reader<'_> {
    /// Stops at a whole object: after it, if nothing else follows in it.
    #[cold]
    #[inline(never)]
    pub fn stop_in_object(&mut self, class: Class, message: &str) -> Stop {
        if self.peek_token() == Some(b'}') {
            self.advance();
        }
        self.stop(class, message)
    }

    /// Stops because an object that was closed lacks a field.
    #[cold]
    pub fn missing_field(&mut self, key: &str) -> Stop {
        self.stop(Class::Missing, &format!("missing field `{key}`"));
        self.about(key)
    }

    /// Stops because a key occurs twice.
    #[cold]
    pub fn duplicate(&mut self, key: &str) -> Stop {
        self.stop_in_object(
            Class::Duplicate,
            &format!("duplicate field `{}`", shorten(key)),
        );
        self.about(key)
    }

    /// Stops because an object with these fields has another one.
    #[cold]
    pub fn unknown(&mut self, key: &str, known: &[&str]) -> Stop {
        // The wording of `serde`.
        let message = match known {
            [] => format!("unknown field `{key}`, there are no fields"),
            [one] => format!("unknown field `{key}`, expected `{one}`"),
            [one, other] => format!("unknown field `{key}`, expected `{one}` or `{other}`"),
            _ => {
                let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
                format!(
                    "unknown field `{key}`, expected one of {}",
                    known.join(", ")
                )
            }
        };
        self.stop_in_object(Class::Unknown, &message);
        self.about(key)
    }

    /// Stops at an item: after it, and after the comma or bracket that follows.
    #[cold]
    pub fn stop_in_array(&mut self, message: &str) -> Stop {
        match self.peek_token() {
            Some(b']') => self.advance(),
            Some(b',') => {
                self.advance();
                self.peek_token();
            }
            _ => {}
        }
        self.stop(Class::Value, message)
    }

    /// The number that began at `start`, with a fraction or an exponent, as `serde_json` writes it.
    pub fn spelt(&self, start: usize) -> String {
        self.float(start)
            .map_or_else(String::new, |number| number.to_string())
    }

    /// Stops at a value of an unexpected type, which is read for the message.
    #[cold]
    #[inline(never)]
    pub fn wrong_type(&mut self, expected: &str) -> Stop {
        let is_container = matches!(self.peek(), Some(b'[' | b'{'));
        match self.found() {
            Ok(Some(found)) => {
                let message = format!("invalid type: {found}, expected {expected}");
                let stop = self.stop(Class::Type, &message);
                match is_container {
                    true => self.about_next(),
                    false => stop,
                }
            }
            Ok(None) => self.no_value(),
            Err(stop) => stop,
        }
    }

    /// Names the next value.
    fn found(&mut self) -> Result<Option<String>, Stop> {
        let start = self.at();
        Ok(Some(match self.peek() {
            Some(b'n') => self.word("null").map(|()| "null".to_string())?,
            Some(b't') => self.word("true").map(|()| "boolean `true`".to_string())?,
            Some(b'f') => self.word("false").map(|()| "boolean `false`".to_string())?,
            Some(b'"') => format!("string {}", quoted(&self.string()?)),
            Some(b'[') => "sequence".to_string(),
            Some(b'{') => "map".to_string(),
            Some(b'-' | b'0'..=b'9') => match self.numeral()? {
                Numeral::Unsigned(number) => format!("integer `{number}`"),
                Numeral::Signed(number) => format!("integer `{number}`"),
                Numeral::Float => format!("floating point `{}`", self.spelt(start)),
            },
            _ => return Ok(None),
        }))
    }
}

/// A text as `{:?}` writes it, without the tables of what can be printed: they are 4 KB of the main module.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0' => quoted.push_str("\\0"),
            _ if is_obeyed(character) => quoted.extend(character.escape_unicode()),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
