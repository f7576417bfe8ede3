//! Failures of the command, and their exit codes.

use std::io;

use slicewise::{Code, Error};
use slicewise_yaml::Stopped;

/// There is something to write, a difference, or a scenario that did not converge.
pub(crate) const CHANGES: u8 = 3;
/// Bad input or usage, or a file or cluster that cannot be read.
pub(crate) const BAD_INPUT: u8 = 2;
/// An I/O error of this machine.
pub(crate) const IO_FAILED: u8 = 1;

/// Why the command failed.
pub(crate) enum CommandFailure {
    /// The input is bad.
    Input(Error),
    /// A named file cannot be read; the text says which.
    File(String, io::Error),
    /// The cluster cannot be read; the text says why, and what to do.
    #[cfg(not(target_family = "wasm"))]
    Cluster(String),
    /// Reading or writing failed; the text says what.
    Io(String, io::Error),
}

impl CommandFailure {
    /// For `map_err`: names the operation that failed.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io(what.into(), error)
    }

    /// Why YAML was not converted; `what` names the reading.
    pub(crate) fn of_yaml(stopped: Stopped, what: &str) -> Self {
        match stopped {
            Stopped::Unread(error) => Self::Io(what.to_owned(), error),
            Stopped::Refused(error) => error.into(),
        }
    }
}

impl From<Error> for CommandFailure {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<slicewise_cluster::Error> for CommandFailure {
    fn from(error: slicewise_cluster::Error) -> Self {
        match error {
            slicewise_cluster::Error::Input(error) => Self::Input(error),
            slicewise_cluster::Error::Io(what, error) => Self::Io(what, error),
            other => Self::Cluster(other.to_string()),
        }
    }
}

/// The error without the system's number, which means nothing to users and differs under WASI.
pub(crate) fn without_number(error: &io::Error) -> String {
    let error = error.to_string();
    let told = error.split(" (os error").next();
    told.unwrap_or_default().to_owned()
}

/// The error of `serde_json` for an unreadable text, with its position; `what` names the text.
pub(crate) fn not_json(error: &serde_json::Error, what: &str) -> Error {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = match error.is_eof() {
        true => format!("{message}: {what} ends too early; was it truncated?"),
        false => message.to_owned(),
    };
    Error::new(Code::InvalidJson, message).on(error.line(), error.column())
}
