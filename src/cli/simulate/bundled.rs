//! Scenarios that come with the command.

use std::io::{self, Write};

macro_rules! bundled {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../samples/scenarios/", $name, ".yaml")))),*]
    };
}

const SCENARIOS: [(&str, &str); 1] = bundled! { "kep-752" };

/// The text of a scenario.
pub(super) fn find(name: &str) -> Option<&'static str> {
    let mut scenarios = SCENARIOS.iter();
    scenarios
        .find(|(other, _)| *other == name)
        .map(|(_, text)| *text)
}

/// Names, and what each shows.
pub(super) fn list(output: &mut impl Write) -> io::Result<()> {
    let width = SCENARIOS.iter().map(|(name, _)| name.len()).max();
    for (name, text) in SCENARIOS {
        let mut lines = text.lines();
        let description = lines.find_map(|line| line.strip_prefix("description: "));
        let width = width.unwrap_or_default();
        writeln!(output, "{name:width$}  {}", description.unwrap_or_default())?;
    }
    Ok(())
}
