//! How the command is invoked, and usage errors that no single argument can reveal.

use std::path::Path;

use clap::error::ErrorKind;
use slicewise::{Error, Mistake};
#[cfg(target_family = "wasm")]
use slicewise_cluster::resource::Resource;

macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0  done
  1  an I/O error: reading standard input, or writing
  2  bad input or usage, or a file that cannot be read
  3  something to write, a difference, or a scenario that has not converged (only with --exit-code)"
    };
}

pub(crate) use exit_codes;

/// The name that texts are written with.
pub(crate) const NAME: &str = "slicewise";

/// The name by which users run it: `kubectl slicewise` if `kubectl` starts it as a plugin.
pub(crate) fn program() -> &'static str {
    let called = std::env::args_os().next();
    let file = called
        .as_deref()
        .and_then(|path| Path::new(path).file_stem());
    match file.is_some_and(|name| name == "kubectl-slicewise") {
        true => "kubectl slicewise",
        false => NAME,
    }
}

/// An error for arguments that are valid individually but not together.
pub(crate) struct Misuse {
    pub(crate) kind: ErrorKind,
    pub(crate) message: &'static str,
}

impl Misuse {
    /// An error for two arguments that exclude each other.
    pub(crate) const fn conflict(message: &'static str) -> Self {
        Self {
            kind: ErrorKind::ArgumentConflict,
            message,
        }
    }

    /// An error for a value that another argument rules out.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn value(message: &'static str) -> Self {
        Self {
            kind: ErrorKind::ValueValidation,
            message,
        }
    }
}

/// An error for an output format with `--ndjson`, which has only one.
pub(crate) fn check_ndjson(ndjson: bool, is_json: bool) -> Result<(), Misuse> {
    if !ndjson || is_json {
        return Ok(());
    }
    let message =
        "the argument '--ndjson' answers in JSON, and cannot be used with another '--output'";
    Err(Misuse::conflict(message))
}

/// The remedy if several requests are given where one is expected.
pub(crate) fn or_ndjson(error: Error) -> Error {
    if error.mistake() != Some(Mistake::SecondValue) {
        return error;
    }
    let message = format!(
        "{}; --ndjson takes one request on each line",
        error.message()
    );
    let told = Error::new(error.code(), message);
    match error.line().zip(error.column()) {
        Some((line, column)) => told.on(line, column),
        None => told,
    }
}

/// Prefixes errors about an unknown Service or pod with the flag that named it.
pub(crate) fn for_names(error: Error) -> Error {
    let flag = match error.mistake() {
        Some(Mistake::ServiceName) => "--service",
        Some(Mistake::PodName) => "--pod",
        Some(Mistake::Clients) => "--clients",
        _ => return error,
    };
    Error::new(error.code(), format!("{flag}: {}", error.message()))
}

/// The error of builds that cannot read clusters, with an alternative.
#[cfg(target_family = "wasm")]
pub(crate) fn without_cluster(resources: &[Resource]) -> Error {
    let names: Vec<&str> = resources.iter().map(|resource| resource.plural()).collect();
    let message = format!(
        "this `slicewise` cannot read clusters: give it the output of `kubectl get {} -A -o json`, or use the native command, which reads clusters itself",
        names.join(",")
    );
    Error::new(slicewise::Code::Unsupported, message)
}

/// The error of builds without cluster support, with how to get it.
#[cfg(target_family = "wasm")]
pub(crate) fn native_only(command: &str) -> clap::Error {
    let message = format!(
        "this `slicewise` is built without `{command}`, which is native only; `cargo install --path cli` in a checkout builds one that has it\n"
    );
    clap::Error::raw(ErrorKind::InvalidSubcommand, message)
}
