//! Answers on standard output: as data, or in a form of their own.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::{Failure, yaml};

/// Writes to standard output.
pub(super) fn to_stdout<T>(
    what: &str,
    write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<T>,
) -> Result<T, Failure> {
    let mut output = BufWriter::new(io::stdout().lock());
    let written = write(&mut output).and_then(|value| output.flush().map(|()| value));
    written.map_err(Failure::io(format!("cannot write {what}")))
}

/// One line of JSON.
pub(super) fn json(value: &impl Serialize, output: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    writeln!(output)
}

/// A document of YAML.
pub(super) fn yaml(value: &impl Serialize, output: &mut impl Write) -> io::Result<()> {
    output.write_all(yaml::to_yaml(value)?.as_bytes())
}
