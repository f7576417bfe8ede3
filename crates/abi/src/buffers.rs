//! The memory that a host may write to and read from.
//!
//! A pointer is looked up among the buffers that were made and not yet given back, so nothing here depends on what a host
//! says about memory.

use std::collections::BTreeMap;

use slicewise::{Code, Error};

/// Buffers by their address.
#[derive(Default)]
pub(crate) struct Buffers {
    held: BTreeMap<u32, Vec<u8>>,
}

impl Buffers {
    /// A buffer of zeros; 0 if there is no memory for it.
    pub(crate) fn alloc(&mut self, length: u32) -> u32 {
        let length = length as usize;
        let mut buffer = Vec::new();
        // An empty buffer would have no address of its own.
        if buffer.try_reserve_exact(length.max(1)).is_err() {
            return 0;
        }
        buffer.resize(length, 0);
        self.hold(buffer)
    }

    /// Gives a buffer back; a pointer that names none is ignored.
    pub(crate) fn free(&mut self, pointer: u32) {
        self.held.remove(&pointer);
    }

    /// Takes a buffer out for as long as a call reads it.
    pub(crate) fn take(&mut self, [pointer, length]: [u32; 2]) -> Result<Vec<u8>, Error> {
        let fits = |held: &Vec<u8>| length as usize <= held.len();
        match self.held.get(&pointer).filter(|held| fits(held)) {
            Some(_) => Ok(self.held.remove(&pointer).unwrap_or_default()),
            None => Err(Error::new(
                Code::InvalidValue,
                format!(
                    "there is no buffer of {length} bytes at {pointer}; make one with `alloc`, and do not `free` it before the call"
                ),
            )),
        }
    }

    /// Puts back what [`Buffers::take`] took.
    pub(crate) fn put_back(&mut self, pointer: u32, buffer: Vec<u8>) {
        self.held.insert(pointer, buffer);
    }

    /// A buffer with an answer: its pointer in the upper half, its length in the lower half.
    pub(crate) fn give(&mut self, mut answer: Vec<u8>) -> u64 {
        answer.reserve(1);
        let length = answer.len() as u64;
        (u64::from(self.hold(answer)) << 32) | length
    }

    /// The address as the host sees it, which has 32 bits in a module. Natively, a number takes its place.
    fn hold(&mut self, buffer: Vec<u8>) -> u32 {
        #[cfg(target_family = "wasm")]
        let pointer = buffer.as_ptr().expose_provenance() as u32;
        #[cfg(not(target_family = "wasm"))]
        let pointer = self.held.last_key_value().map_or(1, |(last, _)| last + 1);
        self.held.insert(pointer, buffer);
        pointer
    }

    /// What a host writes into a buffer. Natively, there is no memory that both see.
    #[cfg(test)]
    pub(crate) fn write(&mut self, pointer: u32, bytes: &[u8]) {
        self.held.get_mut(&pointer).unwrap()[..bytes.len()].copy_from_slice(bytes);
    }

    /// What a host reads of a buffer.
    #[cfg(test)]
    pub(crate) fn read(&self, packed: u64) -> &[u8] {
        let buffer = &self.held[&u32::try_from(packed >> 32).unwrap()];
        &buffer[..usize::try_from(packed & u64::from(u32::MAX)).unwrap()]
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.held.len()
    }
}
