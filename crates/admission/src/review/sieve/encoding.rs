//! UTF-8 in pieces.

use alloc::vec::Vec;

/// Checks that a text is UTF-8.
#[derive(Default)]
pub(super) struct Encoding {
    /// The beginning of a character.
    begun: Vec<u8>,
    has_fault: bool,
}

impl Encoding {
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        // Far faster in WebAssembly than to decode what is almost always ASCII.
        if self.begun.is_empty() && bytes.is_ascii() {
            return;
        }
        while let Some((byte, rest)) = bytes.split_first()
            && !self.begun.is_empty()
        {
            self.begun.push(*byte);
            bytes = rest;
            let begun = core::mem::take(&mut self.begun);
            self.check(&begun);
        }
        self.check(bytes);
    }

    fn check(&mut self, bytes: &[u8]) {
        if let Err(error) = core::str::from_utf8(bytes) {
            self.has_fault |= error.error_len().is_some();
            if !self.has_fault {
                let begun = bytes.get(error.valid_up_to()..).unwrap_or_default();
                self.begun = begun.to_vec();
            }
        }
    }

    pub(super) const fn is_wrong(&self) -> bool {
        self.has_fault || !self.begun.is_empty()
    }
}
