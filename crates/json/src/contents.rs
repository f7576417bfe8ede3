//! What objects, arrays and strings contain, item by item.

use alloc::borrow::Cow;

use super::{JsonContainer, Reader, Stop};

impl<'a> Reader<'a> {
    /// Is the closing bracket next? Otherwise the comma before another key is skipped.
    #[inline]
    pub fn is_end_of_object(&mut self, is_first: bool) -> Result<bool, Stop> {
        match self.peek_token() {
            Some(b'}') => Ok(true),
            Some(b',') if !is_first => {
                self.advance();
                Ok(false)
            }
            _ => self.next_in(JsonContainer::Object, is_first).map(|_| false),
        }
    }

    /// Skips `null`, if it is next.
    #[inline]
    pub fn is_null(&mut self) -> Result<bool, Stop> {
        if self.peek_token() != Some(b'n') {
            return Ok(false);
        }
        self.word("null").map(|()| true)
    }

    /// Opens an array.
    #[inline]
    pub fn begin_array(&mut self, what: &str) -> Result<(), Stop> {
        match self.peek_token() {
            Some(b'[') => self.open(),
            _ => Err(self.wrong_type(what)),
        }
    }

    /// Is there another item?
    #[inline]
    pub fn next_item(&mut self, is_first: bool) -> Result<bool, Stop> {
        let is_there = self.next_in(JsonContainer::Array, is_first)?;
        if is_there {
            self.expect_item(is_first)?;
        }
        Ok(is_there)
    }

    /// Reads a string.
    #[inline]
    pub fn text_value(&mut self, what: &str) -> Result<Cow<'a, str>, Stop> {
        match self.peek_token() {
            Some(b'"') => self.string(),
            _ => Err(self.wrong_type(what)),
        }
    }

    /// Reads the next key of an object that is read without a table, with the colon after it.
    #[inline]
    pub fn next_field(&mut self, is_first: bool) -> Result<Option<Cow<'a, str>>, Stop> {
        self.next_field_but(is_first, |_| false)
    }

    /// The next field; rejects duplicates of some keys.
    #[inline]
    pub fn next_field_but(
        &mut self,
        is_first: bool,
        is_again: impl FnOnce(&str) -> bool,
    ) -> Result<Option<Cow<'a, str>>, Stop> {
        if !self.next_in(JsonContainer::Object, is_first)? {
            return Ok(None);
        }
        let key = self.key(is_first)?;
        if is_again(&key) {
            return Err(self.duplicate(&key));
        }
        self.colon()?;
        Ok(Some(key))
    }

    /// Opens an object.
    #[inline]
    pub fn begin_object(&mut self, what: &str) -> Result<(), Stop> {
        match self.peek_token() {
            Some(b'{') => self.open(),
            _ => Err(self.wrong_type(what)),
        }
    }
}
