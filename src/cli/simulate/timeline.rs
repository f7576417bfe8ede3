//! A timeline for people: a line for each thing that happened.

use std::io::{self, Write};

use slicewise::simulation::report::Entry;

use super::table::time;

/// Writes all entries, and an empty line after them.
pub(super) fn write(entries: &[Entry], output: &mut impl Write) -> io::Result<()> {
    for entry in entries {
        writeln!(output, "{:>10}  {}", time(entry.at), entry.what.message())?;
    }
    if entries.is_empty() {
        Ok(())
    } else {
        writeln!(output)
    }
}
