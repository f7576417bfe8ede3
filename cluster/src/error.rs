//! The error type of this package.

use std::io;

/// Why a cluster cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The cluster does not return what was requested; the text says why and what to do.
    #[error("{0}")]
    Cluster(String),
    /// No cluster is configured; the text says how to name one.
    #[error("{0}")]
    NoCluster(String),
    /// The consumer of the objects refuses them.
    #[error("{0}")]
    Input(#[from] slicewise::Error),
    /// An I/O error of this machine; the text says what failed.
    #[error("{0}: {1}")]
    Io(String, #[source] io::Error),
}

impl Error {
    /// For `map_err`: names the operation that failed.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io(what.into(), error)
    }
}
