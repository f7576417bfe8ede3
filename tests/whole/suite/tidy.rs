//! The sources keep their shape: a `//!` in every file, and limits on file sizes. What may import what stands in the
//! manifests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::suite::from_root;

const MAX_LINES: usize = 400;
/// Interfaces that only pass on what they get, and declare its types.
const DOORS: [&str; 7] = [
    "src/wasm/mod.rs",
    "crates/diagnosis/src/wasm/glance.rs",
    "crates/diagnosis/src/wasm/tools.rs",
    "crates/live/src/wasm/controller.rs",
    "crates/live/src/wasm/session.rs",
    "crates/simulation/src/wasm.rs",
    "crates/traffic/src/wasm.rs",
];

/// The sources of the libraries: the core, and those in `crates`.
fn sources() -> Vec<PathBuf> {
    let found = ["src", "crates"].map(|folder| files_below(&from_root(folder), "rs"));
    assert!(
        found.iter().all(|files| files.len() > 30),
        "the sources have moved"
    );
    found.concat()
}

/// The files below `folder` with this extension, sorted; empty if the folder does not exist.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|its| its == extension) {
            found.push(path);
        }
    }
    found
}

fn without_tests(text: &str) -> &str {
    let before = |tests: &str| text.split_once(tests).map(|(before, _)| before);
    before("#[cfg(test)]\nmod tests")
        .or_else(|| before("#[cfg(test)]\npub(super) mod tests"))
        .unwrap_or(text)
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in sources() {
        assert!(
            ["//!", "#![doc"]
                .iter()
                .any(|start| fs::read_to_string(&path).unwrap().starts_with(start)),
            "{} has no //!",
            path.display()
        );
    }
}

#[test]
fn files_stay_within_their_budget() {
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let lines = without_tests(&text).lines().count();
        let budget = if DOORS.iter().any(|door| path == from_root(door)) {
            170
        } else {
            MAX_LINES
        };
        assert!(
            lines <= budget,
            "{} has {lines} lines of code, more than {budget}",
            path.display()
        );
    }
}

/// The lint only denies `unsafe`, because an export of a module needs the attribute `unsafe(no_mangle)`.
#[test]
fn only_the_exports_of_a_module_are_unsafe() {
    let files = [
        "src",
        "cli",
        "cluster",
        "controller",
        "crates",
        "kubewarden/src",
        "xtask",
    ];
    let files = files
        .iter()
        .flat_map(|folder| files_below(&from_root(folder), "rs"));
    let is_unsafe = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("unsafe_code");
    let found: Vec<_> = files.filter(is_unsafe).collect();
    assert_eq!(found, [from_root("crates/abi/src/exports.rs")]);
}

/// The installed compiler is newer than `rust-version`, and no lint knows which syntax the older one lacks.
#[test]
fn the_oldest_compiler_knows_the_syntax() {
    let folders = [
        "src",
        "cli/src",
        "cluster/src",
        "controller/src",
        "crates",
        "xtask/src",
        "kubewarden/src",
    ];
    let files: Vec<_> = folders
        .iter()
        .flat_map(|folder| files_below(&from_root(folder), "rs"))
        .collect();
    assert!(files.len() > 300, "the sources have moved");
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        // An `if let` guard of a match arm, from Rust 1.95.
        let guard = text.lines().find(|line| {
            let condition = line.split_once("if let ").map(|(_, rest)| rest);
            condition.is_some_and(|rest| rest.contains(" =>"))
        });
        assert_eq!(
            guard,
            None,
            "{}: Rust 1.89 does not compile it",
            path.display()
        );
    }
}

/// Tables whose rows end with a name and a file: the file holds the name.
#[test]
fn the_documents_name_files_that_decide() {
    for (document, fewest) in [("docs/glossary.md", 20), ("CONTRIBUTING.md", 20)] {
        let text = fs::read_to_string(from_root(document)).unwrap();
        let (_, table) = text.split_once("| Name | File |\n").unwrap();
        let rows: Vec<_> = table
            .lines()
            .take_while(|line| line.starts_with('|'))
            .skip(1)
            .collect();
        assert!(rows.len() >= fewest, "{document} names no files");
        for row in rows {
            let cells: Vec<_> = row.trim_end_matches(" |").rsplit(" | ").take(2).collect();
            let [path, names] = cells[..] else {
                panic!("{document}: {row}");
            };
            let file = fs::read_to_string(from_root(path.trim_matches('`')));
            let file = file.unwrap_or_else(|error| panic!("{document}: {path}: {error}"));
            for name in names.split('`').skip(1).step_by(2) {
                let is_word = |character: char| character.is_alphanumeric() || character == '_';
                let mut words = file.split(|character| !is_word(character));
                assert!(
                    words.any(|word| word == name),
                    "{document}: {path} does not hold {name}"
                );
            }
        }
    }
}
