//! The bundled scenarios.

use std::io::{self, Write};

macro_rules! bundled {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../samples/scenarios/", $name, ".yaml")))),*]
    };
}

const SCENARIOS: [(&str, &str); 20] = bundled! {
    "rolling-update"
    "scale-up"
    "scale-down"
    "drain"
    "zone-loss"
    "relabel"
    "readiness-flapping"
    "node-cpu"
    "dual-stack"
    "port-rename"
    "api-trouble"
    "batching"
    "node-churn"
    "hint-flips"
    "packing"
    "watch-lag"
    "restart"
    "kep-752"
    "kep-752-deployment"
    "hundred-thousand-pods"
};

/// The text of a scenario.
pub(super) fn find(name: &str) -> Option<&'static str> {
    let mut scenarios = SCENARIOS.iter();
    scenarios
        .find(|(other, _)| *other == name)
        .map(|(_, text)| *text)
}

/// Their names, and what each shows.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_bundled_and_says_what_it_shows() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/scenarios");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut names: Vec<String> = SCENARIOS
            .iter()
            .map(|(name, _)| format!("{name}.yaml"))
            .collect();
        names.sort();
        assert_eq!(files, names);
        for (name, text) in SCENARIOS {
            assert!(text.contains("\ndescription: "), "{name}");
        }
    }
}
