//! What the module exports, besides its `memory`.
//!
//! The attribute that exports a function is all that is `unsafe` here: nothing else in the module may have such a name.

#![expect(unsafe_code, reason = "a name for a host has to be unique")]

use std::cell::RefCell;

use crate::{ABI_VERSION, Instance};

thread_local! {
    /// A module has one thread, and no function calls another one of these.
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// The version of the contract.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn abi_version() -> u32 {
    ABI_VERSION
}

/// Makes a buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn alloc(length: u32) -> u32 {
    INSTANCE.with_borrow_mut(|instance| instance.alloc(length))
}

/// Gives a buffer back.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn free(pointer: u32) {
    INSTANCE.with_borrow_mut(|instance| instance.free(pointer));
}

/// Calls a function.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call(
    function_pointer: u32,
    function_length: u32,
    input_pointer: u32,
    input_length: u32,
) -> u64 {
    let function = [function_pointer, function_length];
    let input = [input_pointer, input_length];
    INSTANCE.with_borrow_mut(|instance| instance.call_buffers(function, input))
}
