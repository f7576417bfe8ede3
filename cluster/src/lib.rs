//! A Kubernetes API server as an input: connecting to it, listing and watching its objects, and the messages when that
//! fails.
//!
//! Objects are passed to [`slicewise`] unchanged. Nothing here writes; `slicewise-controller` does.

#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "callers fill in what to read or to do, and match how it ended"
)]

pub mod resource;

#[cfg(not(target_family = "wasm"))]
pub mod connect;
#[cfg(not(target_family = "wasm"))]
mod error;
#[cfg(not(target_family = "wasm"))]
pub mod http;
#[cfg(not(target_family = "wasm"))]
pub mod list;
#[cfg(not(target_family = "wasm"))]
pub mod place;
#[cfg(not(target_family = "wasm"))]
mod proxy;
#[cfg(not(target_family = "wasm"))]
pub mod raw;
#[cfg(not(target_family = "wasm"))]
pub mod refusal;
#[cfg(not(target_family = "wasm"))]
pub mod signals;
#[cfg(not(target_family = "wasm"))]
pub mod watches;

#[cfg(not(target_family = "wasm"))]
pub use error::Error;

/// The single-threaded runtime for a program's requests.
///
/// # Errors
/// If the system lacks the resources.
#[cfg(not(target_family = "wasm"))]
pub fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(Error::io("cannot start"))
}
