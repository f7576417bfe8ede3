//! The reader of objects: a [`Reader`] of text that can also read into tables.

use core::ops::{Deref, DerefMut};

use crate::json::{Fault, LayoutMemory, Reader};

/// Reads a text from start to end, and the objects in it into tables.
#[derive(Debug)]
pub struct ObjectReader<'a>(Reader<'a>);

impl<'a> ObjectReader<'a> {
    /// A reader at the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self(Reader::new(text))
    }

    /// Reads a text with the layout of objects in earlier texts.
    pub(crate) fn with_memory(text: &'a str, memory: LayoutMemory) -> Self {
        Self(Reader::with_memory(text, memory))
    }

    /// Reads a text and rejects ambiguities.
    #[doc(hidden)]
    pub fn unambiguous(text: &'a str, memory: LayoutMemory) -> Self {
        Self(Reader::unambiguous(text, memory))
    }

    /// Reads a text inside `depth` objects and arrays that were opened before this text.
    pub(crate) fn resumed(text: &'a str, memory: LayoutMemory, depth: usize) -> Self {
        Self(Reader::resumed(text, memory, depth))
    }

    /// The fault that made it stop.
    pub(crate) fn into_fault(self) -> Fault {
        self.0.into_fault()
    }

    /// The layout of objects, for the next text.
    #[doc(hidden)]
    pub fn into_memory(self) -> LayoutMemory {
        self.0.into_memory()
    }
}

impl<'a> Deref for ObjectReader<'a> {
    type Target = Reader<'a>;

    #[inline]
    fn deref(&self) -> &Reader<'a> {
        &self.0
    }
}

impl DerefMut for ObjectReader<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
