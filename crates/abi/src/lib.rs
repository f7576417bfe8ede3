//! `slicewise.wasm`: the functions of all crates by name, for hosts without JavaScript. `docs/abi.md` is the contract.
//!
//! An [`Instance`] is what a module's memory holds: the buffers that the host asked for, and the handles that it opened.
//! It runs natively as well; `exports` puts one behind the module's exports. A host cannot read or write outside of the
//! buffers that it was given: a pointer is the name of a buffer, and one that names none is an error.

extern crate alloc;

mod arguments;
mod buffers;
#[cfg(target_family = "wasm")]
mod exports;
mod functions;
mod handles;
mod reviewers;
mod sessions;
#[cfg(test)]
mod tests;

use slicewise::{Code, Error};

use buffers::Buffers;
use functions::{AbiFunction, FUNCTIONS};
use handles::Handles;
use reviewers::HeldReviewer;
use sessions::HeldSession;

/// The version of the contract: of the exports and of the rules for all functions. New functions do not change it.
pub const ABI_VERSION: u32 = 1;

/// The names of all functions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// All that a module remembers between calls.
#[derive(Default)]
pub struct Instance {
    buffers: Buffers,
    reviewers: Handles<HeldReviewer>,
    sessions: Handles<HeldSession>,
}

impl Instance {
    /// Calls a function by its name. The answer is JSON: that of the function, or `{"error": …}`.
    pub fn call(&mut self, function: &str, input: &[u8]) -> Vec<u8> {
        let known = FUNCTIONS.iter().find(|(name, _)| *name == function);
        let answer = match known {
            Some((_, AbiFunction::Stateless(call))) => call(input),
            Some((_, AbiFunction::Stateful(call))) => call(self, input),
            None => Err(unknown(function)),
        };
        answer.unwrap_or_else(|error| error.to_json())
    }

    /// Makes a buffer of `length` bytes; 0 if there is no memory for it.
    pub fn alloc(&mut self, length: u32) -> u32 {
        self.buffers.alloc(length)
    }

    /// Gives a buffer back. A pointer that names none is ignored.
    pub fn free(&mut self, pointer: u32) {
        self.buffers.free(pointer);
    }

    /// [`Instance::call`] with a name and an input in buffers, each a pointer and a length, which the host keeps. The
    /// answer is in a new buffer: its pointer in the upper half, its length in the lower half.
    pub fn call_buffers(&mut self, function: [u32; 2], input: [u32; 2]) -> u64 {
        let answer = self.answer(function, input);
        let answer = answer.unwrap_or_else(|error| error.to_json());
        self.buffers.give(answer)
    }

    /// No buffer is made or given back during a call, so those of the call leave the table for as long as it takes.
    fn answer(&mut self, function: [u32; 2], input: [u32; 2]) -> Result<Vec<u8>, Error> {
        let held = self.buffers.take(function)?;
        let name = String::from_utf8_lossy(first(&held, function)).into_owned();
        self.buffers.put_back(function[0], held);
        let held = self.buffers.take(input)?;
        let answer = self.call(&name, first(&held, input));
        self.buffers.put_back(input[0], held);
        Ok(answer)
    }
}

/// As much of a buffer as the host has filled.
fn first(held: &[u8], [_, length]: [u32; 2]) -> &[u8] {
    held.get(..length as usize).unwrap_or_default()
}

/// The error that no function has this name.
fn unknown(function: &str) -> Error {
    let names: Vec<_> = functions().collect();
    let message = format!(
        "there is no function `{}`; there are {}",
        slicewise::model::text::shorten(function),
        names.join(", ")
    );
    Error::new(Code::InvalidValue, message)
}
