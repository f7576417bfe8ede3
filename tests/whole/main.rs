//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.

#[cfg(test)]
mod suite;

#[cfg(test)]
use slicewise::*;
#[cfg(test)]
use slicewise_sources::mirroring;
#[cfg(test)]
use slicewise_traffic::proxy;

/// The JSON façades of the crates in one.
#[cfg(test)]
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_sources::*;
    pub(crate) use slicewise_traffic::*;
}
