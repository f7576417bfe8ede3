//! A Kubernetes API server as an input: how it is reached, what of it is listed and watched, and what is said where
//! that fails.
//!
//! What is read goes to [`slicewise`] as it came. Nothing here writes; `slicewise-controller` does.

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
pub mod raw;
#[cfg(not(target_family = "wasm"))]
pub mod refusal;
#[cfg(not(target_family = "wasm"))]
pub mod signals;
#[cfg(not(target_family = "wasm"))]
pub mod watches;

#[cfg(not(target_family = "wasm"))]
pub use error::Error;

/// What runs the requests of a program: one thread does.
///
/// # Errors
/// When the system has no room for it.
#[cfg(not(target_family = "wasm"))]
pub fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(Error::io("cannot start"))
}
