//! An input that is read as its bytes arrive.
//!
//! Each object is read as soon as it is complete, and its text is dropped. Errors have their position in the whole
//! input.

use alloc::string::String;
use alloc::vec::Vec;

use super::input::not_utf8;
use super::objects::{Base, Halt, ObjectWalk};
use crate::Error;
use crate::json::LayoutMemory;
use crate::model::read::ObjectReader;

/// Reads an input step by step: after each step, reading can continue with another text.
pub trait Steps {
    /// Reads the smallest piece that can be read separately; on error, nothing of it is kept. Is there more?
    fn step<'a>(&mut self, walk: &mut ObjectWalk<'_, 'a>) -> Result<bool, Halt>;
}

/// The bytes of an input, and how far it has been read.
#[derive(Default)]
pub struct InputPieces {
    memory: LayoutMemory,
    depth: usize,
    base: Base,
    /// Bytes that have not been read yet.
    buffer: Vec<u8>,
    /// With fewer bytes in the buffer, another attempt is pointless.
    wanted: usize,
    /// The namespace of objects that name none, if it is not the default one.
    namespace: Option<String>,
}

impl InputPieces {
    pub fn buffered(&self) -> usize {
        self.buffer.capacity()
    }

    /// Objects that name no namespace are in this one.
    pub fn in_namespace(&mut self, namespace: &str) {
        self.namespace = Some(namespace.into());
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], steps: &mut dyn Steps) -> Result<(), Error> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < self.wanted {
            return Ok(());
        }
        self.read(false, steps)
    }

    /// All bytes have arrived.
    pub fn end(&mut self, steps: &mut dyn Steps) -> Result<(), Error> {
        self.read(true, steps)
    }

    /// Another input begins.
    pub(super) fn restart(&mut self) {
        self.base = Base::default();
    }

    fn read(&mut self, is_last: bool, steps: &mut dyn Steps) -> Result<(), Error> {
        let bytes = self.buffer.as_slice();
        let text = match core::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() && !is_last => {
                let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
                core::str::from_utf8(whole).unwrap_or_default()
            }
            Err(error) => return Err(self.base.placed(not_utf8(bytes, error))),
        };
        let mut reader = ObjectReader::resumed(text, core::mem::take(&mut self.memory), self.depth);
        let mut walk = ObjectWalk::new(&mut reader, self.base);
        if let Some(namespace) = &self.namespace {
            walk.in_namespace(namespace);
        }
        let mut read = 0;
        let mut depth = self.depth;
        let result = loop {
            match steps.step(&mut walk) {
                Ok(true) => (read, depth) = walk.place(),
                // More may follow at the end of what has arrived.
                Ok(false) if !is_last => break Ok(()),
                Ok(false) => {
                    (read, depth) = walk.place();
                    break Ok(());
                }
                Err(halt) if !is_last && walk.is_at_end(&halt) => break Ok(()),
                Err(halt) => break Err(walk.error(halt)),
            }
        };
        self.memory = reader.into_memory();
        self.depth = depth;
        self.base = self.base.behind(text.get(..read).unwrap_or_default());
        self.buffer.drain(..read);
        // A large object is not read again for each piece of it.
        self.wanted = self.buffer.len().saturating_mul(2);
        result
    }
}
