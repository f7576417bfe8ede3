//! The prose stays plain: wording that reads as translated does not return to docs, comments and messages.

use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders whose text is checked; tests and samples are not.
const CHECKED: [&str; 18] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs",
    "kubewarden/README.md",
    "kubewarden/src",
    "src",
    "cli/src",
    "cluster/src",
    "controller/src",
    "crates",
    "webhook",
    "npm",
    "www",
    "yaml",
    "scripts",
    "xtask/src",
];
const LEFT_OUT: [&str; 4] = ["www/samples", "node_modules", "tests", "tests.rs"];
const KINDS: [&str; 7] = ["md", "rs", "js", "mjs", "cjs", "ts", "yaml"];

/// Lower case; matched as whole words, across the lines of a comment as well. Each has a plain equivalent: "does not
/// exist", "a required field is missing", "because", "again", "selects", "skips", "what happens to", "the result of".
const UNWANTED: [&str; 31] = [
    ", for nobody",
    ", for nothing",
    "anew",
    "as good as gone",
    "can be had",
    "cannot be had",
    "carries a plan out",
    "carry a plan out",
    "it is none",
    "keep no slices for",
    "keep slices for",
    "keeps no slices for",
    "keeps slices for",
    "lest",
    "on paper",
    "one's own",
    "pass over",
    "passed over",
    "passes over",
    "pick out",
    "picks out",
    "somebody",
    "that is none",
    "that must be there is not",
    "there to be",
    "to be had",
    "told to end",
    "what becomes of",
    "what comes of",
    "which is none",
    "which there is not",
];

/// Only unwanted in documentation: in comments these may be right.
const UNWANTED_IN_DOCS: [&str; 5] = ["are told", "be told", "is told", "nobody", "what there is"];

#[test]
fn the_prose_is_plain() {
    let mut found = Vec::new();
    let files = files();
    assert!(files.len() > 400, "the sources have moved");
    for path in files {
        let text = words(&fs::read_to_string(&path).unwrap());
        let is_documentation = path.extension().is_some_and(|extension| extension == "md");
        let only_there = UNWANTED_IN_DOCS.iter().filter(|_| is_documentation);
        for phrase in UNWANTED.iter().chain(only_there) {
            if has(&text, phrase) {
                found.push(format!("{}: {phrase}", path.display()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "write it plainly, see CONTRIBUTING.md:\n{}",
        found.join("\n")
    );
}

#[test]
fn unwanted_wording_is_found() {
    let comment = words("    /// A slice that nobody keeps is passed\n    /// over, ANEW.\n");
    assert!(has(&comment, "passed over") && has(&comment, "anew"));
    assert!(!has(&words("a renewal, renew anewly"), "anew"));
    assert!(!has(&words("unpassed over"), "passed over"));
}

fn files() -> Vec<PathBuf> {
    fn visit(path: &Path, root: &Path, found: &mut Vec<PathBuf>) {
        let below = path.strip_prefix(root).unwrap();
        if LEFT_OUT.iter().any(|left_out| below.ends_with(left_out)) {
            return;
        }
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                visit(&entry.unwrap().path(), root, found);
            }
        } else if path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| KINDS.contains(&extension))
        {
            found.push(path.to_owned());
        }
    }
    let root = crate::suite::from_root("");
    let mut found = Vec::new();
    for checked in CHECKED {
        visit(&root.join(checked), &root, &mut found);
    }
    found.sort();
    found
}

/// The text in lower case, with comment markers and all whitespace replaced by single spaces.
fn words(text: &str) -> String {
    let lines = text.lines().map(|line| {
        line.trim_start()
            .trim_start_matches(['/', '!', '*', '#', '>'])
    });
    let mut words = String::with_capacity(text.len());
    for word in lines.flat_map(str::split_whitespace) {
        words.push_str(&word.to_lowercase());
        words.push(' ');
    }
    words
}

fn has(text: &str, phrase: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(phrase).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let before = before.chars().next_back();
        let after = rest.split_at(phrase.len()).1.chars().next();
        (phrase.starts_with(',') || !before.is_some_and(is_word)) && !after.is_some_and(is_word)
    })
}
