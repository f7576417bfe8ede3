//! Why the command could not do its work, and the codes it ends with.

use std::io;

use slicewise::{Code, Error};

/// There is something to write, a difference, or a scenario that has not converged.
pub(crate) const CHANGES: u8 = 3;
/// Bad input or usage, or a file or cluster that cannot be read.
pub(crate) const BAD_INPUT: u8 = 2;
/// The machine has failed.
pub(crate) const IO_FAILED: u8 = 1;

/// Why the command could not do its work.
pub(crate) enum Failure {
    /// The input is bad.
    Input(Error),
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

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
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

/// What `serde_json` says of a text that it cannot read, with its place; `what` is the text.
pub(crate) fn not_json(error: &serde_json::Error, what: &str) -> Error {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = match error.is_eof() {
        true => format!("{message}: {what} ends too early; was it truncated?"),
        false => message.to_owned(),
    };
    Error::new(Code::InvalidJson, message).on(error.line(), error.column())
}
