//! Error reports: a sentence for people at a terminal, JSON for everything else.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use serde::Serialize;
use slicewise::Error;

use crate::failure::{BAD_INPUT, CommandFailure, IO_FAILED, without_number};
use crate::screen::{self, Data};

/// The code of an error in the arguments.
const USAGE: &str = "InvalidUsage";

/// Whether the error goes to a terminal, and JSON was not requested.
pub(crate) fn is_for_people(matches: &ArgMatches) -> bool {
    let Some((_, command)) = matches.subcommand() else {
        return io::stderr().is_terminal();
    };
    let output = command.try_get_raw("output").ok().flatten();
    let asks_for_json = output.into_iter().flatten().any(|output| output == "json")
        && command.value_source("output") == Some(ValueSource::CommandLine);
    io::stderr().is_terminal() && !asks_for_json
}

/// The same for arguments that could not be parsed.
fn is_for_people_who_gave(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let attached = ["-ojson", "-o=json", "--output=json"];
    let asks_for_json = arguments.windows(2).any(|pair| {
        matches!(pair, [flag, value] if (flag == "-o" || flag == "--output") && value == "json")
    }) || arguments
        .iter()
        .any(|argument| attached.iter().any(|flag| argument == flag));
    io::stderr().is_terminal() && !asks_for_json
}

/// Reports the failure, and returns the exit code.
pub(crate) fn report(failure: &CommandFailure, is_for_people: bool) -> u8 {
    let (code, told) = match failure {
        // The reader closed the pipe (`slicewise … | head`), which is not an error.
        CommandFailure::Io(_, error) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
        CommandFailure::Input(error) => (BAD_INPUT, FailureReport::Input(error)),
        CommandFailure::File(what, error) => {
            let message = format!("{what}: {}", without_number(error));
            (BAD_INPUT, FailureReport::other("FileUnreadable", message))
        }
        #[cfg(not(target_family = "wasm"))]
        CommandFailure::Cluster(message) => (
            BAD_INPUT,
            FailureReport::other("ClusterUnreadable", message.as_str()),
        ),
        CommandFailure::Io(what, error) => {
            let message = format!("{what}: {}", without_number(error));
            (IO_FAILED, FailureReport::other("IoFailed", message))
        }
    };
    tell(&told, is_for_people);
    code
}

/// Exits with an error in the arguments, or with the requested help.
pub(crate) fn refuse(error: &clap::Error) -> ! {
    let is_help =
        !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_help {
        let written = error.print();
        let failure = written
            .map_err(CommandFailure::io("cannot write the help"))
            .err();
        let code = failure.map(|failure| report(&failure, io::stderr().is_terminal()));
        std::process::exit(code.map_or_else(|| error.exit_code(), i32::from));
    }
    let is_for_people = is_for_people_who_gave(std::env::args_os());
    let text = error.render().to_string();
    tell(&FailureReport::usage(&text, is_for_people), is_for_people);
    std::process::exit(BAD_INPUT.into());
}

fn tell(told: &FailureReport<'_>, is_for_people: bool) {
    // Nothing more can be done if standard error fails, too.
    let _ = if is_for_people {
        told.write(&mut screen::stderr())
    } else {
        told.write_json(&mut screen::stderr())
    };
}

/// The report of a failure.
#[derive(Serialize)]
#[serde(untagged)]
enum FailureReport<'e> {
    Input(&'e Error),
    Other { code: &'static str, message: String },
}

impl FailureReport<'_> {
    fn other(code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Other { code, message }
    }

    /// An error in the arguments; people also see the usage.
    fn usage(text: &str, is_for_people: bool) -> Self {
        let text = text.strip_prefix("error: ").unwrap_or(text).trim_end();
        if is_for_people {
            return Self::other(USAGE, text);
        }
        let is_hint = |part: &&str| part.starts_with("Usage:") || part.starts_with("For more");
        let parts = text.split("\n\n").take_while(|part| !is_hint(part));
        let parts = parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
        let message = parts.collect::<Vec<_>>().join("; ");
        Self::other(USAGE, message)
    }

    /// `slicewise: what is wrong and how to fix it`, followed by the code and the position.
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let (code, message, place) = match self {
            Self::Input(error) => (error.code().as_str(), error.message(), place(error)),
            Self::Other { code, message } => (*code, message.as_str(), None),
        };
        // Messages may have several lines.
        let mut lines = message.lines();
        writeln!(output, "slicewise: {}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(output, "{line}"))?;
        match place {
            // The usage, which follows, says it all.
            None if code == USAGE => Ok(()),
            None => writeln!(output, "  {code}"),
            Some(place) => writeln!(output, "  {code} at {place}"),
        }
    }

    fn write_json(&self, output: &mut impl Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct FailureEnvelope<'t> {
            error: &'t FailureReport<'t>,
        }
        let json = serde_json::to_vec(&FailureEnvelope { error: self })?;
        Data::new(&mut *output).write_all(&json)?;
        writeln!(output)
    }
}

/// The position in the input.
fn place(error: &Error) -> Option<String> {
    let place = match (error.line(), error.column()) {
        (Some(line), Some(column)) => Some(format!("line {line}, column {column}")),
        (line, _) => line.map(|line| format!("line {line}")),
    };
    let path = error.path().filter(|path| !path.is_empty());
    match (path, place) {
        (Some(path), Some(place)) => Some(format!("{path}, {place}")),
        (path, place) => path.map(ToOwned::to_owned).or(place),
    }
}

#[cfg(test)]
mod tests {
    use slicewise::Code;

    use super::*;

    #[track_caller]
    fn check(told: &FailureReport<'_>, text: &str, json: &str) {
        let (mut shown, mut data) = (screen::Screen(Vec::new()), Vec::new());
        told.write(&mut shown).unwrap();
        told.write_json(&mut data).unwrap();
        assert_eq!(String::from_utf8(shown.0).unwrap(), text);
        assert_eq!(String::from_utf8(data).unwrap(), json);
    }

    #[test]
    fn a_sentence_and_where_or_json() {
        let error = Error::new(Code::InvalidValue, "`\u{1b}x` is no port");
        check(
            &FailureReport::Input(&error.clone().at("/spec/ports/0").on(3, 7)),
            "slicewise: `\\u{1b}x` is no port\n  InvalidValue at /spec/ports/0, line 3, column 7\n",
            "{\"error\":{\"code\":\"InvalidValue\",\"message\":\"`\\u001bx` is no port\",\"path\":\"/spec/ports/0\",\"line\":3,\"column\":7}}\n",
        );
        check(
            &FailureReport::Input(&error.clone().in_line(3)),
            "slicewise: `\\u{1b}x` is no port\n  InvalidValue at line 3\n",
            "{\"error\":{\"code\":\"InvalidValue\",\"message\":\"`\\u001bx` is no port\",\"line\":3}}\n",
        );
        check(
            &FailureReport::other("FileUnreadable", "cannot open x: no such file"),
            "slicewise: cannot open x: no such file\n  FileUnreadable\n",
            "{\"error\":{\"code\":\"FileUnreadable\",\"message\":\"cannot open x: no such file\"}}\n",
        );
        let json = String::from_utf8(error.to_json()).unwrap();
        let mut told = Vec::new();
        FailureReport::Input(&error).write_json(&mut told).unwrap();
        assert_eq!(
            String::from_utf8(told).unwrap().trim_end(),
            json,
            "as in the answers of NDJSON"
        );
    }

    #[test]
    fn a_mistake_in_the_arguments_has_the_same_form() {
        use clap::CommandFactory;
        let mut command = crate::command::Args::command();
        let arguments = ["slicewise", "explain", "--pdo", "\u{1b}[2J"];
        let error = command.try_get_matches_from_mut(arguments).unwrap_err();
        let text = error.render().to_string();
        let shown = |is_for_people| {
            let mut output = screen::Screen(Vec::new());
            let told = FailureReport::usage(&text, is_for_people);
            match is_for_people {
                true => told.write(&mut output).unwrap(),
                false => told.write_json(&mut output).unwrap(),
            }
            String::from_utf8(output.0).unwrap()
        };
        assert_eq!(
            shown(false),
            "{\"error\":{\"code\":\"InvalidUsage\",\"message\":\"unexpected argument '--pdo' found; tip: to pass '--pdo' as a value, use '-- --pdo'\"}}\n"
        );
        let sentence = shown(true);
        assert!(sentence.starts_with("slicewise: unexpected argument '--pdo' found\n"));
        assert!(
            sentence.contains("\nUsage: slicewise explain "),
            "{sentence}"
        );
        let error = command
            .try_get_matches_from_mut(["slicewise", "\u{1b}[2J"])
            .unwrap_err();
        let mut output = screen::Screen(Vec::new());
        FailureReport::usage(&error.render().to_string(), true)
            .write(&mut output)
            .unwrap();
        assert!(!output.0.contains(&0x1b), "obeyed by a terminal");
    }

    #[test]
    fn json_only_where_it_is_asked_for() {
        use clap::CommandFactory;
        let command = crate::command::Args::command();
        let output = |arguments: &[&str]| {
            let matches = command.clone().try_get_matches_from(arguments).unwrap();
            let (_, command) = matches.subcommand().unwrap();
            command.value_source("output") == Some(ValueSource::CommandLine)
        };
        assert!(!output(&["slicewise", "plan"]), "the default");
        assert!(output(&["slicewise", "plan", "-o", "json"]));
    }
}
