//! How the command is called, and mistakes that single arguments cannot see.

use std::path::Path;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use slicewise::Error;

use super::args::Args;
#[cfg(not(feature = "cluster"))]
use super::cluster::resource::{Resource, joined};
use super::report;

/// Its own name, which texts are written for.
const NAME: &str = "slicewise";

/// The name by which people call it: `kubectl slicewise` where `kubectl` starts it as a plugin.
pub(super) fn program() -> &'static str {
    let called = std::env::args_os().next();
    let file = called
        .as_deref()
        .and_then(|path| Path::new(path).file_stem());
    match file.is_some_and(|name| name == "kubectl-slicewise") {
        true => "kubectl slicewise",
        false => NAME,
    }
}

/// The command, under that name.
fn command() -> clap::Command {
    match program() {
        NAME => Args::command(),
        name => renamed(Args::command(), name).bin_name(name),
    }
}

/// With another name in all texts.
fn renamed(mut command: clap::Command, name: &'static str) -> clap::Command {
    let text = |text: &StyledStr| text.to_string().replace("slicewise ", &format!("{name} "));
    let about = [
        command.get_about(),
        command.get_long_about(),
        command.get_after_help(),
    ];
    let [about, long_about, after_help] = about.map(|old| old.map(text));
    for (text, set) in [
        (about, clap::Command::about as fn(_, String) -> _),
        (long_about, clap::Command::long_about),
        (after_help, clap::Command::after_help),
    ] {
        if let Some(text) = text {
            command = set(command, text);
        }
    }
    let command = command.mut_args(|argument| match argument.get_help().map(text) {
        Some(help) => argument.help(help),
        None => argument,
    });
    command.mut_subcommands(|subcommand| renamed(subcommand, name))
}

/// The process's arguments, and whether people are to read what goes wrong.
pub(super) fn parse() -> (Args, bool) {
    let matches = command().get_matches();
    let parsed = Args::from_arg_matches(&matches);
    let arguments = parsed.unwrap_or_else(|error| error.format(&mut command()).exit());
    (arguments, report::is_for_people(&matches))
}

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

/// What to do about several requests where one is read.
pub(super) fn or_ndjson(error: Error) -> Error {
    if !error.message().starts_with("trailing characters") {
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

/// An error that shows the usage of a subcommand.
pub(super) fn subcommand_error(name: &str, kind: ErrorKind, message: &str) -> clap::Error {
    let mut command = command();
    // So that the usage it shows is that of the subcommand.
    command.build();
    match command.find_subcommand_mut(name) {
        Some(subcommand) => subcommand.error(kind, message),
        None => command.error(kind, message),
    }
}

/// That clusters are not read by every program, and how they are read all the same.
#[cfg(not(feature = "cluster"))]
pub(super) fn without_cluster(resources: &[Resource]) -> Error {
    let message = format!(
        "this `slicewise` reads no cluster: give it what `kubectl get {} -A -o json` prints, or take the native command, which reads clusters itself",
        joined(resources)
    );
    Error::new(slicewise::Code::Unsupported, message)
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
