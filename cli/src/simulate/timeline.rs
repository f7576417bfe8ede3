//! A timeline for people: one line per event.

use std::io::{self, Write};

use slicewise_simulation::report::TimelineEntry;

/// Writes all entries and an empty line.
pub(super) fn write(entries: &[TimelineEntry], output: &mut impl Write) -> io::Result<()> {
    for entry in entries {
        writeln!(output, "{:>10}  {}", time(entry.at), entry.what.message())?;
    }
    if entries.is_empty() {
        Ok(())
    } else {
        writeln!(output)
    }
}

/// Milliseconds in readable form.
pub(super) fn time(millis: u64) -> String {
    let (minutes, rest) = (millis / 60_000, millis % 60_000);
    let seconds = if rest.is_multiple_of(1000) {
        format!("{}s", rest / 1000)
    } else {
        format!("{}.{:03}s", rest / 1000, rest % 1000)
    };
    match (minutes / 60, minutes % 60) {
        (0, 0) => seconds,
        (0, minutes) => format!("{minutes}m{seconds}"),
        (hours, minutes) => format!("{hours}h{minutes}m{seconds}"),
    }
}
