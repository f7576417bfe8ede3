//! `slicewise man` and `slicewise completions`: generated from the arguments.

use std::io::Write;

use clap::error::ErrorKind;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::command::definition;
use crate::failure::CommandFailure;
use crate::{print, report};

/// What the pages are of.
const SOURCE: &str = concat!("slicewise ", env!("CARGO_PKG_VERSION"));

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Result<u8, CommandFailure> {
    // The generator panics if its output is closed or full.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition(), "slicewise", &mut script);
    print::to_stdout("the script", |output| output.write_all(&script)).map(|()| 0)
}

/// Prints the man page of a command, or of all commands.
pub(crate) fn page(command: Option<&str>) -> Result<u8, CommandFailure> {
    let mut whole = definition();
    // So that the pages of subcommands have full names and usage lines.
    whole.build();
    let page = match command {
        None => Man::new(whole).source(SOURCE),
        Some(name) => match whole.find_subcommand(name) {
            Some(command) => {
                let title = format!("slicewise-{name}");
                let command = command.clone().display_name(title.clone());
                Man::new(command).title(title).source(SOURCE)
            }
            None => {
                let known = whole.get_subcommands().map(clap::Command::get_name);
                let known: Vec<&str> = known.filter(|name| *name != "help").collect();
                let message = format!(
                    "there is no command `{name}`; the commands are {}",
                    known.join(", ")
                );
                report::refuse(&whole.error(ErrorKind::InvalidValue, message));
            }
        },
    };
    let mut text = Vec::new();
    page.render(&mut text)
        .map_err(CommandFailure::io("cannot make the page"))?;
    print::to_stdout("the page", |output| output.write_all(&text)).map(|()| 0)
}
