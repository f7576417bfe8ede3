//! Mistakes that single arguments cannot see.

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::args::Args;

/// NDJSON has one form only.
pub(super) fn check_ndjson(command: &str, ndjson: bool, is_json: bool) -> Result<(), clap::Error> {
    if !ndjson || is_json {
        return Ok(());
    }
    let message =
        "the argument '--ndjson' answers in JSON, and cannot be used with another '--output'";
    let kind = ErrorKind::ArgumentConflict;
    Err(subcommand_error(command, kind, message))
}

/// An error that shows the usage of a subcommand.
pub(super) fn subcommand_error(name: &str, kind: ErrorKind, message: &str) -> clap::Error {
    let mut command = Args::command();
    // So that the usage it shows is that of the subcommand.
    command.build();
    match command.find_subcommand_mut(name) {
        Some(subcommand) => subcommand.error(kind, message),
        None => command.error(kind, message),
    }
}

/// That what talks to a cluster is not in every program, and how to have it.
#[cfg(not(feature = "cluster"))]
pub(super) fn native_only(command: &str) -> clap::Error {
    let message = format!(
        "this `slicewise` is built without `{command}`, which is native only; in a checkout,\n\n    \
        cargo install --path . --no-default-features --features cluster\n\nbuilds one that has it, and all else\n"
    );
    clap::Error::raw(ErrorKind::InvalidSubcommand, message)
}
