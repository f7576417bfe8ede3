//! Scenarios to begin with.

macro_rules! bundled {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../scenarios/", $name, ".yaml")))),*]
    };
}

/// The scenarios of the folder `scenarios`: their names, and their YAML.
#[doc(hidden)]
pub const BUNDLED: [(&str, &str); 20] = bundled! {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_bundled_and_says_what_it_shows() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut names: Vec<String> = BUNDLED
            .iter()
            .map(|(name, _)| format!("{name}.yaml"))
            .collect();
        names.sort();
        assert_eq!(files, names);
        for (name, text) in BUNDLED {
            assert!(text.contains("\ndescription: "), "{name}");
        }
    }
}
