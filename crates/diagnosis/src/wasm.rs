//! The functions of the npm package's modules that diagnose: bytes in and bytes out, and nothing else.

pub mod page;
#[cfg(feature = "wasm")]
pub mod tools;
