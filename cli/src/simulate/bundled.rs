//! The bundled scenarios.

use std::io::{self, Write};

use slicewise_simulation::BUNDLED;

/// The text of a scenario.
pub(super) fn find(name: &str) -> Option<&'static str> {
    let mut scenarios = BUNDLED.iter();
    scenarios
        .find(|(other, _)| *other == name)
        .map(|(_, text)| *text)
}

/// Their names, and what each shows.
pub(super) fn list(output: &mut impl Write) -> io::Result<()> {
    let width = BUNDLED.iter().map(|(name, _)| name.len()).max();
    for (name, text) in BUNDLED {
        let mut lines = text.lines();
        let description = lines.find_map(|line| line.strip_prefix("description: "));
        let width = width.unwrap_or_default();
        writeln!(output, "{name:width$}  {}", description.unwrap_or_default())?;
    }
    Ok(())
}
