//! Skips values as strictly as if they were read, however deep they are nested: nobody reads them.
//!
//! The layout of values in the first levels is remembered; there, one level calls the next. Whatever is deeper, or not
//! remembered, is skipped in one loop.

use super::memory::{MOST_ITEMS, UNKNOWN};
use super::nesting::Nesting;
use super::number::INVALID_NUMBER;
use super::place::{LayoutMember, LayoutNode};
use super::reader::{JsonContainer, NO_VALUE, Reader};
use super::scan::plain_end;
use super::string::NO_STRING_END;
use super::{Class, MAX_DEPTH, Raw, Stop};

/// Used instead of a table: the memory of skipped objects must differ from that of arrays.
const UNREAD_OBJECT: usize = 0;
const UNREAD_ARRAY: usize = 1;

impl<'a> Reader<'a> {
    /// Skips a value. If it equals the remembered value of this member, one comparison is enough.
    #[inline]
    pub fn skip(&mut self, member: Option<LayoutMember>) -> Result<(), Stop> {
        let Some(first) = self.peek_token() else {
            return Err(self.stop_at_next(NO_VALUE, ""));
        };
        let Some(member) = member else {
            return self.skip_value(first, None);
        };
        if let Some(len) = self.memory.value_at(member, self.bytes(), self.at) {
            self.at += len;
            return Ok(());
        }
        let start = self.at;
        self.skip_value(first, Some(member))?;
        let value = self.bytes().get(start..self.at).unwrap_or_default();
        self.memory.remember(member, value);
        Ok(())
    }

    /// Skips a `---` line between documents, if it is next.
    #[inline]
    pub fn pass_divider(&mut self) -> bool {
        const DIVIDER: &str = "---";
        self.peek_token();
        let rest = self.text().get(self.at..).unwrap_or_default();
        let Some(behind) = rest.strip_prefix(DIVIDER) else {
            return false;
        };
        let is_line = behind.is_empty() || behind.starts_with(['\n', '\r', ' ', '\t']);
        if is_line {
            self.at += DIVIDER.len();
        }
        is_line
    }

    /// Stops if the text ends within such a line.
    pub fn stop_in_divider(&mut self) -> Result<(), Stop> {
        let rest = self.text().get(self.at..).unwrap_or_default();
        if matches!(rest, "-" | "--") {
            let end = self.text().len();
            return Err(self.stop_at(end, Class::Trailing, "trailing characters"));
        }
        Ok(())
    }

    /// Skips a value; returns where it begins.
    #[inline]
    pub fn pass(&mut self) -> Result<usize, Stop> {
        self.peek_token();
        let start = self.at;
        self.skip(None).map(|()| start)
    }

    /// Skips a value, returning its text.
    #[inline]
    pub fn raw(&mut self, member: Option<LayoutMember>) -> Result<Raw<'a>, Stop> {
        self.peek_token();
        let start = self.at;
        self.skip(member)?;
        Ok(Raw::new(self.slice(start, self.at)))
    }

    #[inline]
    fn skip_value(&mut self, first: u8, member: Option<LayoutMember>) -> Result<(), Stop> {
        match first {
            b'{' | b'[' => match self.remembered(member) {
                Some(node) if first == b'{' => self.skip_object(node),
                Some(node) => self.skip_array(node),
                None => self.skip_nested(),
            },
            _ => self.skip_scalar(first),
        }
    }

    /// The memory of the object or array that is this member's value, unless it is too deep to be remembered.
    #[inline]
    fn remembered(&mut self, member: Option<LayoutMember>) -> Option<LayoutNode> {
        match self.depth() < MAX_DEPTH {
            true => self.memory.child(member),
            false => None,
        }
    }

    #[inline]
    fn skip_scalar(&mut self, first: u8) -> Result<(), Stop> {
        match first {
            b'"' => self.skip_string(),
            b'-' | b'0'..=b'9' => self.pass_number(INVALID_NUMBER).map(drop),
            b'n' => self.word("null"),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            _ => Err(self.stop_at_next(NO_VALUE, "expected value")),
        }
    }

    /// Skips an object or array of any depth, without memory and without recursion.
    fn skip_nested(&mut self) -> Result<(), Stop> {
        let mut around = Nesting::default();
        let mut inside = JsonContainer::opened_by(self.peek());
        self.enter();
        let mut is_first = true;
        loop {
            let is_more = self.next_in(inside, is_first)?;
            if !is_more {
                if inside == JsonContainer::Object && !is_first {
                    self.end_skipped_keys()?;
                }
                let Some(outer) = around.pop() else {
                    return Ok(());
                };
                (inside, is_first) = (outer, false);
                continue;
            }
            if inside == JsonContainer::Object {
                self.note_skipped_key(is_first);
                self.skip_key(None, None)?;
            }
            match self.peek_token() {
                None => return Err(self.stop_at_next(NO_VALUE, "")),
                Some(first @ (b'{' | b'[')) => {
                    around.push(inside);
                    inside = JsonContainer::opened_by(Some(first));
                    self.enter();
                    is_first = true;
                }
                Some(first) => {
                    self.skip_scalar(first)?;
                    is_first = false;
                }
            }
        }
    }

    fn skip_object(&mut self, node: LayoutNode) -> Result<(), Stop> {
        self.enter();
        self.memory.use_table(node, UNREAD_OBJECT);
        let keys = self.begin_keys();
        let mut previous = None;
        let (mut is_first, mut is_as_known) = (true, true);
        while self.next_in(JsonContainer::Object, is_first)? {
            let (text, at) = (self.bytes(), self.at);
            self.note_key(at);
            let expected = self.memory.expect(node, previous, text, at);
            let member = match expected {
                Some((member, _, lead)) => {
                    self.at += lead;
                    Some(member)
                }
                None => {
                    is_as_known = false;
                    self.skip_key(Some(node), previous)?
                }
            };
            self.skip(member)?;
            previous = member.or(previous);
            is_first = false;
        }
        self.end_keys(keys, is_as_known)
    }

    /// Skips a key that was not expected.
    fn skip_key(
        &mut self,
        node: Option<LayoutNode>,
        previous: Option<LayoutMember>,
    ) -> Result<Option<LayoutMember>, Stop> {
        let start = self.at;
        if self.peek_token() != Some(b'"') {
            return Err(self.stop_at_next(JsonContainer::Object.ended(), "key must be a string"));
        }
        let key = self.at;
        self.skip_string()?;
        let key = (key - start, self.at - key);
        self.colon()?;
        self.peek_token();
        let lead = self.bytes().get(start..self.at).unwrap_or_default();
        Ok(node.and_then(|node| self.memory.learn(node, previous, lead, key, UNKNOWN)))
    }

    /// Skips the text of a key, whose quotation mark should be next.
    #[inline]
    pub fn skip_key_text(&mut self) -> Result<(), Stop> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            _ => Err(self.no_value()),
        }
    }

    fn skip_array(&mut self, node: LayoutNode) -> Result<(), Stop> {
        self.enter();
        self.memory.use_table(node, UNREAD_ARRAY);
        let (mut previous, mut count) = (None, 0);
        while self.next_in(JsonContainer::Array, count == 0)? {
            let member = match self.memory.after(node, previous) {
                _ if count >= MOST_ITEMS => previous,
                None => self.memory.learn_item(node, previous),
                next => next,
            };
            self.skip(member)?;
            previous = member;
            count += 1;
        }
        Ok(())
    }

    /// Skips a string, whose opening quote is next.
    #[inline]
    fn skip_string(&mut self) -> Result<(), Stop> {
        let end = plain_end(self.bytes(), self.at + 1);
        if self.bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(());
        }
        self.skip_escapes(end)
    }

    #[cold]
    #[inline(never)]
    fn skip_escapes(&mut self, at: usize) -> Result<(), Stop> {
        self.at = at;
        loop {
            match self.peek() {
                None => return Err(self.stop(Class::End, NO_STRING_END)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.skip_escape()?;
                }
                Some(_) => return Err(self.control_character()),
            }
            self.at = plain_end(self.bytes(), self.at);
        }
    }

    /// An unpaired surrogate is accepted in a skipped value, unless ambiguities are rejected.
    fn skip_escape(&mut self) -> Result<(), Stop> {
        let Some(byte) = self.peek() else {
            return Err(self.stop(Class::End, NO_STRING_END));
        };
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let unit = self.hex()?;
                self.refuse_half(unit)
            }
            _ => Err(self.stop(Class::Syntax, "invalid escape")),
        }
    }
}

#[cfg(test)]
mod tests;
