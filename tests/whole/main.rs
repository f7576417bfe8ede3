//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.

#[cfg(test)]
mod suite;

#[cfg(test)]
use slicewise::*;

#[cfg(test)]
use slicewise_live::{controller, metrics, session, watching};

/// The library's doors, wherever they are.
#[cfg(test)]
mod api {
    pub use slicewise::api::*;
    pub use slicewise_live::json::*;
}

/// Those for Rust types.
#[cfg(test)]
mod k8s {
    pub use slicewise::k8s::*;
    pub use slicewise_live::k8s::*;
}
