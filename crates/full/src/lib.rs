//! Everything of `slicewise` for JavaScript: the crates whose functions the module `slicewise/full.wasm` exports, the
//! fields that functions read, and the JSON Schemas of what they read and write.

extern crate alloc;

pub mod fields;
pub mod schema;

#[cfg(feature = "wasm")]
pub use {
    slicewise_admission as admission, slicewise_diagnosis as diagnosis, slicewise_live as live,
    slicewise_simulation as simulation, slicewise_sources as sources, slicewise_traffic as traffic,
};
