//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.

#[cfg(test)]
mod suite;

#[cfg(test)]
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_admission::Reviewer;
}

#[cfg(test)]
use slicewise::*;
#[cfg(test)]
use slicewise_admission as admission;

#[cfg(test)]
use slicewise_simulation as simulation;

/// The library's doors, wherever they are.
#[cfg(test)]
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_simulation::simulate;
}
