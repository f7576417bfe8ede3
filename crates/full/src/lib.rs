//! Everything of `slicewise` for JavaScript: the crates that its WebAssembly modules link, the fields that their
//! functions read, and the JSON Schemas of what they read and write.

extern crate alloc;

#[cfg(feature = "schema")]
pub mod fields;
#[cfg(feature = "schema")]
pub mod schema;
