//! Answers on standard output: as data, or as text in a format of their own.

use std::io::{self, BufWriter, IntoInnerError, Write};

use clap::ValueEnum;
use serde::Serialize;
use slicewise::model::text::printable;
use slicewise_json::yaml;

use crate::failure::CommandFailure;
use crate::screen::{self, Data, Stdout};

/// How an answer is printed that is a table for people.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportOutput {
    /// Tables
    Table,
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
}

/// Writes to standard output.
pub(crate) fn to_stdout<T>(
    what: &str,
    write: impl FnOnce(&mut Stdout) -> io::Result<T>,
) -> Result<T, CommandFailure> {
    let mut output = screen::stdout();
    let written = write(&mut output).and_then(|value| output.flush().map(|()| value));
    written.map_err(CommandFailure::io(format!("cannot write {what}")))
}

/// An answer in the form that is asked for; `table` writes the one for people.
pub(crate) fn report<T: Serialize, W: Write>(
    answer: &T,
    form: ReportOutput,
    table: impl FnOnce(&T, &mut W) -> io::Result<()>,
    output: &mut W,
) -> io::Result<()> {
    match form {
        ReportOutput::Table => table(answer, output),
        ReportOutput::Json => json(answer, output),
        ReportOutput::Yaml => yaml(answer, output),
    }
}

/// One line of JSON.
pub(crate) fn json(value: &impl Serialize, output: &mut impl Write) -> io::Result<()> {
    // Whole stretches are looked at faster than each word and bracket.
    let mut data = BufWriter::new(Data::new(&mut *output));
    serde_json::to_writer(&mut data, value)?;
    data.into_inner().map_err(IntoInnerError::into_error)?;
    writeln!(output)
}

/// A document of YAML.
pub(crate) fn yaml(value: &impl Serialize, output: &mut impl Write) -> io::Result<()> {
    output.write_all(yaml::to_yaml(value)?.as_bytes())
}

/// A text, line by line: none of them is obeyed by a terminal.
pub(crate) fn lines(text: &str, output: &mut impl Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(output, "{line}"))
}

/// Test results for CI: a suite with the numbers of its tests, failures and errors, around what `write` writes.
pub(crate) fn junit<W: Write>(
    name: &str,
    [tests, failures, errors]: [usize; 3],
    output: &mut W,
    write: impl FnOnce(&mut W) -> io::Result<()>,
) -> io::Result<()> {
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    writeln!(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(output, "<testsuites {counts}>")?;
    writeln!(output, "  <testsuite name=\"{name}\" {counts}>")?;
    write(output)?;
    writeln!(output, "  </testsuite>")?;
    writeln!(output, "</testsuites>")
}

/// Escapes text for elements and attributes of XML.
pub(crate) fn xml(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| printable(line.into()))
        .collect();
    let mut safe = String::with_capacity(text.len());
    for character in lines.join("\n").chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            // XML cannot represent these at all.
            '\u{fffe}' | '\u{ffff}' => safe.extend(character.escape_unicode()),
            other => safe.push(other),
        }
    }
    safe
}
