//! The WebAssembly interface of what lives longer than one call: handles of sessions and controllers.
//!
//! Invariant: no rule is implemented here. A native caller of [`crate::json`] can do everything that these files can,
//! with the same bytes.

pub mod controller;
pub mod session;
