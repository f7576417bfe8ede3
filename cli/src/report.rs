//! What went wrong, in one form: a sentence for people at a terminal, JSON for everybody else.

use std::io::{self, IsTerminal, Write};

use clap::ArgMatches;
use clap::parser::ValueSource;
use serde::Serialize;
use slicewise::Error;

use crate::failure::{BAD_INPUT, Failure, IO_FAILED};
use crate::screen::{self, Data};

/// Is someone at a terminal who did not ask for JSON?
pub(crate) fn is_for_people(matches: &ArgMatches) -> bool {
    let Some((_, command)) = matches.subcommand() else {
        return io::stderr().is_terminal();
    };
    let output = command.try_get_raw("output").ok().flatten();
    let asks_for_json = output.into_iter().flatten().any(|output| output == "json")
        && command.value_source("output") == Some(ValueSource::CommandLine);
    io::stderr().is_terminal() && !asks_for_json
}

/// Tells it, and gives the exit code.
pub(crate) fn report(failure: &Failure, is_for_people: bool) -> u8 {
    let (code, error) = match failure {
        // The reader went away (`slicewise … | head`): nothing is wrong.
        Failure::Io(_, error) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
        Failure::Input(error) => (BAD_INPUT, Told::of(error)),
        Failure::File(what, error) => {
            // The number is that of the system, and another one under WASI.
            let error = error.to_string();
            let error = error.split(" (os error").next().unwrap_or_default();
            (
                BAD_INPUT,
                Told::new("FileUnreadable", format!("{what}: {error}")),
            )
        }
        #[cfg(not(target_family = "wasm"))]
        Failure::Cluster(message) => (BAD_INPUT, Told::new("ClusterUnreadable", message.clone())),
        Failure::Io(what, error) => (IO_FAILED, Told::new("IoFailed", format!("{what}: {error}"))),
    };
    // Nothing is left to do when standard error fails, too.
    let _ = if is_for_people {
        error.write(&mut screen::stderr())
    } else {
        error.write_json(&mut screen::stderr())
    };
    code
}

/// The report of a failure.
#[derive(Serialize)]
struct Told {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Told {
    const fn new(code: &'static str, message: String) -> Self {
        Self {
            code,
            message,
            path: None,
            line: None,
            column: None,
        }
    }

    fn of(error: &Error) -> Self {
        Self {
            path: error.path().map(ToOwned::to_owned),
            line: error.line(),
            column: error.column(),
            ..Self::new(error.code().as_str(), error.message().to_owned())
        }
    }

    /// `slicewise: what is wrong and how to fix it`, and below it where.
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        // A message may have several lines.
        let mut lines = self.message.lines();
        writeln!(output, "slicewise: {}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(output, "{line}"))?;
        let place = match (self.line, self.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}"),
            (Some(line), None) => format!("line {line}"),
            _ => String::new(),
        };
        let path = self.path.as_deref().unwrap_or_default();
        match (path, place.as_str()) {
            ("", "") => Ok(()),
            ("", place) => writeln!(output, "  at {place}"),
            (path, "") => writeln!(output, "  at {path}"),
            (path, place) => writeln!(output, "  at {path}, {place}"),
        }
    }

    fn write_json(&self, output: &mut impl Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Envelope<'t> {
            error: &'t Told,
        }
        let json = serde_json::to_vec(&Envelope { error: self })?;
        Data::new(&mut *output).write_all(&json)?;
        writeln!(output)
    }
}

#[cfg(test)]
mod tests {
    use slicewise::Code;

    use super::*;

    #[track_caller]
    fn check(told: &Told, text: &str, json: &str) {
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
            &Told::of(&error.clone().at("/spec/ports/0").on(3, 7)),
            "slicewise: `\\u{1b}x` is no port\n  at /spec/ports/0, line 3, column 7\n",
            "{\"error\":{\"code\":\"InvalidValue\",\"message\":\"`\\u001bx` is no port\",\"path\":\"/spec/ports/0\",\"line\":3,\"column\":7}}\n",
        );
        check(
            &Told::of(&error.clone().in_line(3)),
            "slicewise: `\\u{1b}x` is no port\n  at line 3\n",
            "{\"error\":{\"code\":\"InvalidValue\",\"message\":\"`\\u001bx` is no port\",\"line\":3}}\n",
        );
        check(
            &Told::new("FileUnreadable", "cannot open x: no such file".into()),
            "slicewise: cannot open x: no such file\n",
            "{\"error\":{\"code\":\"FileUnreadable\",\"message\":\"cannot open x: no such file\"}}\n",
        );
        let json = String::from_utf8(error.to_json()).unwrap();
        let mut told = Vec::new();
        Told::of(&error).write_json(&mut told).unwrap();
        assert_eq!(
            String::from_utf8(told).unwrap().trim_end(),
            json,
            "as in the answers of NDJSON"
        );
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
