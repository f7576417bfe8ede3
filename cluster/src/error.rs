//! The one error of the package.

use std::io;

/// Why a cluster cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It does not give what it is asked for; says why, and what to do.
    #[error("{0}")]
    Cluster(String),
    /// The consumer of its objects refuses them.
    #[error("{0}")]
    Input(#[from] slicewise::Error),
    /// The machine has failed; says at what.
    #[error("{0}: {1}")]
    Io(String, #[source] io::Error),
}

impl Error {
    /// For `map_err`: what cannot be done.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io(what.into(), error)
    }
}
