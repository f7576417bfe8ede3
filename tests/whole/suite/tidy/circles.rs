//! Files form no circles: reading one and what it imports never leads back to it.
//!
//! An import goes from the file that names an item to the file that defines it, wherever a `mod.rs` re-exports the
//! name. So `mod child;` and `pub use child::Thing;` are not imports, unless the same file uses `Thing` itself. What a
//! file takes from its parent modules does not count either, because it is part of them. Nor do tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::files_below;
use super::modules::Package;

/// The source folders of the packages.
const PACKAGES: [&str; 8] = [
const PACKAGES: [&str; 7] = [
    "crates/json/src",
    "src",
    "crates/diagnosis/src",
    "crates/admission/src",
    "crates/lint/src",
    "crates/sources/src",
    "crates/traffic/src",
    "crates/live/src",
    "crates/simulation/src",
    "cluster/src",
    "controller/src",
    "cli/src",
];

/// Which file imports which, and the names it uses from it.
pub(super) type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The files that reach each other, one line per circle, with the names that cause it.
fn circles(imports: &Imports) -> Vec<String> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|file| (file.as_str(), reached_from(imports, file)))
        .collect();
    let mut told = BTreeSet::new();
    let mut circles = Vec::new();
    for (file, theirs) in &reached {
        if !theirs.contains(file) || !told.insert(*file) {
            continue;
        }
        let mutual = |other: &&&str| reached[**other].contains(file);
        let circle: BTreeSet<&str> = theirs.iter().filter(mutual).copied().collect();
        told.extend(&circle);
        let mut lines = format!("a circle of {} files", circle.len());
        for from in &circle {
            for (to, names) in imports[*from]
                .iter()
                .filter(|(to, _)| circle.contains(to.as_str()))
            {
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                lines.push_str(&format!("\n  {from} → {to}: {}", names.join(", ")));
            }
        }
        circles.push(lines);
    }
    circles
}

fn reached_from<'a>(imports: &'a Imports, file: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(next) = open.pop() {
        for to in imports.get(next).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    reached
}

/// Files with their text, by their paths below a folder.
fn read(root: &Path, extension: &str) -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let below = path.strip_prefix(root).unwrap().to_str().unwrap();
        (below.to_owned(), fs::read_to_string(&path).unwrap())
    };
    files_below(root, extension).into_iter().map(read).collect()
}

/// What scripts import from each other, except types: statically or dynamically.
fn script_imports(sources: &[(String, String)]) -> Imports {
    let mut imports = Imports::new();
    for (path, text) in sources {
        let from = imports.entry(path.clone()).or_default();
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with('*'))
        {
            let late = || {
                let (before, after) = line.split_once("import(")?;
                Some((before, after.split_once('\'')?.1)).filter(|_| !before.contains("/**"))
            };
            let Some((before, after)) = line
                .split_once("from '")
                .or_else(|| line.split_once("import '"))
                .or_else(late)
            else {
                continue;
            };
            let Some((target, _)) = after
                .split_once('\'')
                .filter(|(target, _)| target.starts_with('.'))
            else {
                continue;
            };
            let mut there: Vec<&str> = path.split('/').collect();
            there.pop();
            for part in target.split('/') {
                match part {
                    "." => {}
                    ".." => drop(there.pop()),
                    part => there.push(part),
                }
            }
            from.entry(there.join("/"))
                .or_default()
                .insert(before.trim().to_owned());
        }
    }
    imports
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn rust_files_form_no_circle() {
    for package in PACKAGES {
        let sources = read(&root().join(package), "rs");
        assert!(sources.len() > 5, "{package} has moved");
        let found = circles(&Package::new(&sources).imports());
        assert!(
            found.is_empty(),
            "{package}: {} circles\n{}",
            found.len(),
            found.join("\n")
        );
    }
}

#[test]
fn scripts_form_no_circle() {
    for folder in ["npm", "scripts", "webhook", "www", "yaml"] {
        let mut sources = read(&root().join(folder), "js");
        sources.extend(read(&root().join(folder), "mjs"));
        assert!(sources.len() > 1, "{folder} has moved");
        let found = circles(&script_imports(&sources));
        assert!(
            found.is_empty(),
            "{folder}: {} circles\n{}",
            found.len(),
            found.join("\n")
        );
    }
}

fn owned(sources: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    sources.iter().map(own).collect()
}

#[track_caller]
fn check(sources: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(circles(&Package::new(&owned(sources)).imports()), expected);
}

#[test]
fn a_module_composes_its_parts() {
    let parts = [
        ("lib.rs", "mod shop;"),
        (
            "shop/mod.rs",
            "mod cart; mod till; pub use cart::Cart; pub struct Shop; fn open() { till::ring() }",
        ),
        ("shop/cart.rs", "use super::Shop; pub struct Cart(Shop);"),
        ("shop/till.rs", "use super::{Cart, Shop}; pub fn ring() {}"),
    ];
    check(&parts, &[]);
}

#[test]
fn circles_are_found() {
    let named = "a circle of 2 files\n  shop/cart.rs → shop/till.rs: Till, ring\n  shop/till.rs → shop/cart.rs: Cart";
    let parts = [
        ("lib.rs", "mod shop;"),
        (
            "shop/mod.rs",
            "mod cart; mod till; pub use cart::*; pub use till::{Till, ring as sound};",
        ),
        // Through a module that re-exports both, through a glob, a renaming, and a module's own item.
        (
            "shop/cart.rs",
            "use crate::shop::{self, sound}; pub struct Cart { till: shop::Till }",
        ),
        (
            "shop/till.rs",
            "// use of crate::shop::Other\npub struct Till; pub fn ring(cart: super::Cart) {}",
        ),
    ];
    check(&parts, &[named]);
    let tests_only = [
        ("lib.rs", "mod cart; mod till;"),
        (
            "cart.rs",
            "pub struct Cart; #[cfg(test)] use crate::till::Till;\n#[cfg(test)]\nmod tests { use crate::till::Till; }",
        ),
        ("till.rs", "use crate::cart::Cart; pub struct Till(Cart);"),
    ];
    check(&tests_only, &[]);
    let scripts = owned(&[
        (
            "a.js",
            "const { b } = await import(/* late */ './deep/b.js');",
        ),
        (
            "deep/b.js",
            " * from '../a.js' in a comment\nexport * from '../a.js';",
        ),
    ]);
    assert_eq!(
        circles(&script_imports(&scripts)),
        [
            "a circle of 2 files\n  a.js → deep/b.js: const { b } = await\n  deep/b.js → a.js: export *"
        ]
    );
}
