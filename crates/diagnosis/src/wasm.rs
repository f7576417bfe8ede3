//! The functions of the npm package's modules that diagnose: bytes in and bytes out, and nothing else.

pub mod glance;
#[cfg(feature = "wasm-tools")]
pub mod tools;
