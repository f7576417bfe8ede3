//! Why the command could not do its work, and the codes it ends with.

use std::io;

/// There is something to write, a difference, or a scenario that has not converged.
pub(crate) const CHANGES: u8 = 3;
/// Bad input or usage, or a file or cluster that cannot be read.
pub(crate) const BAD_INPUT: u8 = 2;
/// The machine has failed.
pub(crate) const IO_FAILED: u8 = 1;

/// Why the command could not do its work.
pub(crate) enum Failure {
    /// The input is bad.
    Input(slicewise::Error),
    /// The file that was named cannot be read; says so.
    File(String, io::Error),
    /// The cluster cannot be read; says why, and what to do.
    #[cfg(not(target_family = "wasm"))]
    Cluster(String),
    /// Reading or writing failed; says what.
    Io(String, io::Error),
}

impl Failure {
    /// For `map_err`: what cannot be done.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io(what.into(), error)
    }
}

impl From<slicewise::Error> for Failure {
    fn from(error: slicewise::Error) -> Self {
        Self::Input(error)
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<slicewise_cluster::Error> for Failure {
    fn from(error: slicewise_cluster::Error) -> Self {
        match error {
            slicewise_cluster::Error::Input(error) => Self::Input(error),
            slicewise_cluster::Error::Io(what, error) => Self::Io(what, error),
            other => Self::Cluster(other.to_string()),
        }
    }
}
