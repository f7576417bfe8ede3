//! The documentation agrees with the crate: `docs/rust.md` with `Cargo.toml`, and `docs/fidelity.md` with its versions.

use std::collections::BTreeMap;

use crate::kubernetes::{BEHAVIORS, BehaviorRow, KubernetesVersion};

const MANIFEST: &str = include_str!("../../../Cargo.toml");
const PAGE: &str = include_str!("../../../docs/rust.md");

/// Features by name: are they on by default?
fn features() -> BTreeMap<&'static str, bool> {
    let (_, features) = MANIFEST.split_once("\n[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let lines = features
        .lines()
        .filter(|line| !line.starts_with(['#', ' ', ']']));
    let lines = lines.filter_map(|line| line.split_once(" = "));
    let all: BTreeMap<&str, &str> = lines.collect();
    let default = all["default"];
    let names = all.keys().filter(|name| **name != "default");
    // The features of the npm package's modules are internal, so the page does not describe them.
    let names = names.filter(|name| !name.starts_with("wasm-"));
    names
        .map(|name| (*name, default.contains(&format!("\"{name}\""))))
        .collect()
}

#[test]
fn the_table_of_features() {
    let (_, table) = PAGE.split_once("\n| Feature |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let rows = table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.strip_suffix('`')?;
        let is_default = match cells.next()? {
            "yes" => true,
            "no" => false,
            other => panic!("`{name}` is neither on nor off: {other}"),
        };
        let adds = cells.next()?.trim_end_matches(" |");
        assert!(!adds.is_empty(), "`{name}` adds nothing");
        Some((name, is_default))
    });
    let told: BTreeMap<&str, bool> = rows.collect();
    assert!(told.len() > 2, "the table has moved");
    assert_eq!(told, features());
}

#[test]
fn the_version_of_rust() {
    let line = MANIFEST
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \""));
    let version = line.unwrap().trim_end_matches('"');
    assert!(
        PAGE.contains(&format!("`rust-version` is {version},")),
        "{version}"
    );
}

const FIDELITY: &str = include_str!("../../../docs/fidelity.md");

/// `UPDATE_EXPECT=1` writes the table.
#[test]
fn the_table_of_versions() {
    const HEAD: &str =
        "| Behaviour | Versions | In the reference | What it means |\n|---|---|---|---|\n";
    let (before, rest) = FIDELITY.split_once(HEAD).unwrap();
    let (told, after) = rest.split_once("\n\n").unwrap_or(("", rest));
    let told = told.trim_start_matches('\n');
    let rows = BEHAVIORS.iter().map(|row| {
        let versions = KubernetesVersion::ALL.into_iter();
        let versions = versions.filter(|version| {
            row.since <= *version && row.until.is_none_or(|until| *version < until)
        });
        let versions: Vec<_> = versions.map(KubernetesVersion::name).collect();
        let (
            versions,
            BehaviorRow {
                name,
                source,
                sentence,
                ..
            },
        ) = (versions.join(", "), row);
        format!("| `{name}` | {versions} | {source} | {sentence} |")
    });
    let rows = rows.collect::<Vec<_>>().join("\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let page = crate::suite::from_root("docs/fidelity.md");
        std::fs::write(page, format!("{before}{HEAD}{rows}\n\n{after}")).unwrap();
    } else {
        assert_eq!(told, rows);
    }
}
