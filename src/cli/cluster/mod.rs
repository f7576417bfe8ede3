//! A cluster as an input: which one, what of it is read, and what is said where that fails.
//!
//! Flags and names are in every build; what talks to an API server is behind the feature `cluster`.

pub(super) mod args;
#[cfg(feature = "cluster")]
pub(super) mod connect;
#[cfg(feature = "cluster")]
pub(super) mod http;
#[cfg(feature = "cluster")]
pub(super) mod list;
#[cfg(feature = "cluster")]
pub(super) mod raw;
#[cfg(feature = "cluster")]
pub(super) mod refusal;
pub(super) mod resource;
#[cfg(feature = "cluster")]
pub(super) mod signals;
#[cfg(feature = "cluster")]
pub(super) mod watches;
