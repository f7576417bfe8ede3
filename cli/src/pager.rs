//! Long texts on a terminal: as wide as it is, and through a pager if they are longer than it.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::process::{Command, ExitStatus, Stdio};

use slicewise_diagnosis::explain::text::wrapped;

use crate::failure::CommandFailure;
use crate::print;
use crate::screen::Screen;

/// Lines of prose are not wider than this on any terminal.
const MOST_COLUMNS: usize = 100;
/// The rest of a wrapped line is indented by so many more columns.
const HANG: usize = 4;

/// The number of columns that lines are wrapped to; `None` if standard output is no terminal.
pub(crate) fn columns() -> Option<usize> {
    let is_terminal = io::stdout().is_terminal();
    let columns = size().map_or(MOST_COLUMNS, |(columns, _)| columns.min(MOST_COLUMNS));
    is_terminal.then_some(columns)
}

/// Columns and rows of the terminal, if it tells.
fn size() -> Option<(usize, usize)> {
    let (columns, rows) = terminal_size::terminal_size()?;
    Some((columns.0.into(), rows.0.into()))
}

/// Whether long texts go through a pager.
#[derive(clap::Args)]
pub(crate) struct PagerArgs {
    /// Never use a pager
    #[arg(long)]
    no_pager: bool,
}

impl PagerArgs {
    /// Prints what `write` writes, line by line as it is.
    pub(crate) fn show(
        &self,
        what: &str,
        write: impl FnOnce(&mut Screen<Vec<u8>>) -> io::Result<()>,
    ) -> Result<(), CommandFailure> {
        let mut screen = Screen(Vec::new());
        write(&mut screen).map_err(CommandFailure::io(format!("cannot write {what}")))?;
        self.show_text(what, &screen.0)
    }

    /// Prints what `write` writes, with long lines wrapped at a terminal.
    pub(crate) fn show_wrapped(
        &self,
        what: &str,
        write: impl FnOnce(&mut Screen<Vec<u8>>) -> io::Result<()>,
    ) -> Result<(), CommandFailure> {
        let Some(width) = columns() else {
            return self.show(what, write);
        };
        self.show(what, |screen| {
            let mut lines = Screen(Vec::new());
            write(&mut lines)?;
            let text = String::from_utf8_lossy(&lines.0);
            let mut lines = text.lines();
            lines.try_for_each(|line| {
                let indent = line.len() - line.trim_start_matches(' ').len();
                screen.write_all(wrapped(line, indent + HANG, width).as_bytes())?;
                screen.write_all(b"\n")
            })
        })
    }

    /// Prints a text in which nothing is left for a terminal to obey but colours.
    pub(crate) fn show_text(&self, what: &str, text: &[u8]) -> Result<(), CommandFailure> {
        show(what, text, !self.no_pager)
    }
}

/// Prints a text in which nothing is left for a terminal to obey but colours.
fn show(what: &str, text: &[u8], with_pager: bool) -> Result<(), CommandFailure> {
    if with_pager && is_longer_than_screen(text) && is_paged(text) {
        return Ok(());
    }
    print::to_stdout(what, |output| output.write_all(text))
}

fn is_longer_than_screen(text: &[u8]) -> bool {
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    io::stdout().is_terminal() && size().is_some_and(|(_, rows)| lines >= rows)
}

/// Did a pager show it? If there is none, nothing has been printed.
fn is_paged(text: &[u8]) -> bool {
    let Some(mut command) = command(std::env::var_os("PAGER")) else {
        return false;
    };
    // Quit if it fits, show colours, leave the text on the screen, and end with Ctrl-C as this command does.
    for (name, value) in [("LESS", "FRXK"), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut input) = pager.stdin.take() {
        // Whoever quits the pager early has read enough.
        let _ = input.write_all(text);
    }
    // What a shell answers if the command does not exist.
    const NOT_FOUND: i32 = 127;
    let code = pager.wait().ok().as_ref().and_then(ExitStatus::code);
    code != Some(NOT_FOUND)
}

/// The pager that `PAGER` names, as `git` reads it; `None` if it asks for none.
fn command(pager: Option<OsString>) -> Option<Command> {
    let Some(pager) = pager else {
        return Some(Command::new("less"));
    };
    if pager.is_empty() || pager == *"cat" {
        return None;
    }
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+:".contains(byte);
    if pager.as_encoded_bytes().iter().all(is_plain) {
        return Some(Command::new(pager));
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg::<&OsStr>(&pager);
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pager: Option<&str>, expected: Option<&[&str]>) {
        let command = command(pager.map(Into::into));
        let words = command.map(|command| {
            let program = [command.get_program().to_owned()];
            let arguments = command.get_args().map(ToOwned::to_owned);
            program.into_iter().chain(arguments).collect::<Vec<_>>()
        });
        let expected = expected.map(|words| words.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(words, expected);
    }

    #[test]
    fn the_pager_is_the_one_that_git_uses() {
        check(None, Some(&["less"]));
        check(Some("more"), Some(&["more"]));
        check(Some("less -S"), Some(&["sh", "-c", "less -S"]));
        check(Some("cat"), None);
        check(Some(""), None);
    }
}
