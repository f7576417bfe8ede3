//! The fuzz targets on stable: the stored seeds, mutations of them, and random operations; bounded and repeatable.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use slicewise::api;
use slicewise_admission::{Asking, Reviewer};

const CASES: u32 = 320;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(7),
        ..ProptestConfig::default()
    }
}

/// The seeds whose names start with the given text.
fn seeds(of: &str) -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let is_wanted = |file: &PathBuf| file.file_name().unwrap().to_string_lossy().starts_with(of);
    files.retain(is_wanted);
    assert!(!files.is_empty(), "the seeds are gone");
    files
        .into_iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

/// A seed with a few random edits, see [`slicewise_fuzz::Mutator`].
fn mutated(of: &str) -> impl Strategy<Value = Vec<u8>> {
    let seeds = prop::sample::select(seeds(of));
    (seeds, any::<u64>()).prop_map(|(mut text, number)| {
        slicewise_fuzz::Mutator::new(number).mutate(&mut text);
        text
    })
}

/// A seed with a few of its values replaced: unlike most results of [`mutated`], it is usually read to the end.
fn changed(of: &str) -> impl Strategy<Value = Vec<u8>> {
    let long = "a".repeat(64);
    let values = json!([
        null,
        "",
        "a",
        "-",
        "é",
        long,
        "off",
        "deny",
        true,
        0,
        -1,
        1,
        1000,
        1001,
        1.5,
        1e20,
        [],
        {},
        [""],
        [null],
    ]);
    let values = values.as_array().unwrap().clone();
    let edit = (any::<prop::sample::Index>(), prop::sample::select(values));
    (
        prop::sample::select(seeds(of)),
        prop::collection::vec(edit, 1..3),
    )
        .prop_map(|(seed, edits)| {
            let mut json: Value = serde_json::from_slice(&seed).unwrap();
            for (at, value) in edits {
                let mut places = Vec::new();
                note_places(&json, "", &mut places);
                *json.pointer_mut(&places[at.index(places.len())]).unwrap() = value;
            }
            json.to_string().into_bytes()
        })
}

/// Pointers to all values within a value, or to the value itself if it has none.
fn note_places(value: &Value, at: &str, places: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), value))
            .collect(),
        _ => Vec::new(),
    };
    for (key, value) in inner {
        let at = format!("{at}/{key}");
        note_places(value, &at, places);
        places.push(at);
    }
    if places.is_empty() {
        places.push(at.to_owned());
    }
}

#[test]
fn seeds_hold() {
    for seed in seeds("") {
        slicewise_fuzz::plan(&seed);
        slicewise_fuzz::snapshot(&seed);
        slicewise_fuzz::migration(&seed);
        slicewise_fuzz::options(&seed);
        slicewise_fuzz::review(&seed);
        slicewise_fuzz::reviewer(&seed);
        slicewise_fuzz::controller_lines(&seed);
        slicewise_fuzz::session_bytes(&seed);
        slicewise_fuzz::proxy_lines(&seed);
        slicewise_fuzz::route(&seed);
        slicewise_fuzz::differences(&seed);
        slicewise_fuzz::reader(&seed);
    }
}

/// Our reader accepts and refuses the same texts as `serde_json` over the same tables, with the same errors.
#[test]
fn the_reader_reads_what_serde_json_does() {
    slicewise_fuzz::reader_run(&seeds(""), 20_261_122, 20_000);
}

/// The same for lists of objects that differ little, which are read by templates.
#[test]
fn the_reader_reads_what_is_alike_as_serde_json_does() {
    let texts = slicewise_fuzz::reader_texts().unwrap();
    slicewise_fuzz::reader_run_alike(&texts, 20_261_125, 4_000);
}

/// A refused seed exercises only the reader.
#[test]
fn seeds_are_taken() {
    for request in seeds("migration-request") {
        slicewise_sources::mirror(&request).unwrap();
    }
    for cluster in seeds("migration-cluster") {
        slicewise_sources::mirror_snapshot(&cluster).unwrap();
    }
    for server in seeds("migration-server") {
        slicewise_sources::kubernetes_service(&server).unwrap();
    }
    for traffic in seeds("traffic") {
        slicewise_traffic::traffic(&traffic).unwrap();
    }
    for (plan, slices) in seeds("plan-of").iter().zip(seeds("slices")) {
        let applied: Value =
            serde_json::from_slice(&slicewise_live::json::apply(plan, &slices).unwrap()).unwrap();
        assert_eq!(applied["refused"], json!([]));
    }
    for options in seeds("options") {
        api::plan_snapshot(b"[]", &options).unwrap();
    }
    for config in seeds("reviewer") {
        let mut reviewer = Reviewer::new(&config).unwrap();
        for review in seeds("review-") {
            reviewer.review(&review, Asking::default()).unwrap();
        }
    }
}

/// Tokens of expressions, joined in any order.
const TOKENS: &[&str] = &[
    "object",
    "oldObject",
    "request",
    "variables",
    "plan",
    "context",
    ".spec",
    ".ports",
    ".lost",
    ".nodes",
    ".any",
    ".?x",
    "[",
    "]",
    "[?",
    "(",
    ")",
    "{",
    "}",
    "?",
    ":",
    ",",
    ".",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    ">=",
    "&&",
    "||",
    " in ",
    "has(",
    ".all(",
    ".exists(",
    ".exists_one(",
    ".map(",
    ".filter(",
    "x",
    "y",
    "int",
    "null",
    "true",
    "false",
    "0",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "1u",
    "18446744073709551615u",
    "0x1F",
    "1.5",
    "1e309",
    "'a'",
    "\"é\"",
    "r'\\'",
    "'\\u00e9'",
    "\"\"\"",
    "b'x'",
    "`a-b`",
    "//",
    "\n",
    "é",
    "\u{0}",
    ".size()",
    ".matches('a+')",
    ".matches('(')",
    ".split('')",
    ".join('x')",
    ".replace('', 'xx')",
    ".substring(1, 9)",
    ".charAt(-1)",
    "cidr('10.0.0.0/8')",
    "ip('::1')",
    ".containsIP(",
    "string(",
    "double(",
    "optional.of(",
    ".orValue(",
    ".value()",
    "sum()",
    ".min()",
    "Foo{",
    "break",
    "'",
    "\\",
];

fn token_soup() -> impl Strategy<Value = Vec<u8>> {
    let tokens = prop::collection::vec(prop::sample::select(TOKENS), 0..40);
    tokens.prop_map(|tokens| tokens.concat().into_bytes())
}

fn expressions() -> Vec<String> {
    let lines = String::from_utf8(seeds("expressions").concat()).unwrap();
    lines.lines().map(str::to_owned).collect()
}

fn mutated_expression() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0_usize..6,
        prop::sample::select(TOKENS),
    );
    let edits = prop::collection::vec(edit, 0..5);
    (prop::sample::select(expressions()), edits).prop_map(|(line, edits)| {
        let mut bytes = line.into_bytes();
        for (at, length, token) in edits {
            let start = at.index(bytes.len() + 1);
            let end = bytes.len().min(start + length);
            bytes.splice(start..end, token.bytes());
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6 * CASES, ..config() })]

    #[test]
    fn expressions_of_any_tokens(data in token_soup()) {
        slicewise_fuzz::expression(&data);
    }

    #[test]
    fn mutated_expressions(data in mutated_expression()) {
        slicewise_fuzz::expression(&data);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn expressions_over_mutated_reviews(data in prop_oneof![mutated("review-"), changed("review-")]) {
        let lines = expressions();
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        slicewise_fuzz::expressions(&lines, &data);
    }

    #[test]
    fn plans_of_mutated_seeds(data in mutated("")) {
        slicewise_fuzz::plan(&data);
    }

    #[test]
    fn snapshots_of_mutated_seeds(data in mutated("")) {
        slicewise_fuzz::snapshot(&data);
    }

    #[test]
    fn reviews_of_mutated_seeds(data in mutated("")) {
        slicewise_fuzz::review(&data);
    }

    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..200)) {
        slicewise_fuzz::plan(&data);
        slicewise_fuzz::snapshot(&data);
        slicewise_fuzz::options(&data);
        slicewise_fuzz::review(&data);
        slicewise_fuzz::reviewer(&data);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..config() })]

    #[test]
    fn controllers(data in prop::collection::vec(any::<u8>(), 0..160)) {
        slicewise_fuzz::controller(&data);
    }

    #[test]
    fn controllers_of_mutated_lines(data in mutated("controller")) {
        slicewise_fuzz::controller_lines(&data);
    }

    #[test]
    fn sessions(data in prop::collection::vec(any::<u8>(), 0..160)) {
        slicewise_fuzz::session(&data);
    }

    #[test]
    fn migrations_of_mutated_bytes(data in mutated("migration")) {
        slicewise_fuzz::migration(&data);
    }

    #[test]
    fn migrations_of_changed_values(data in changed("migration")) {
        slicewise_fuzz::migration(&data);
    }

    #[test]
    fn sessions_of_mutated_bytes(data in prop_oneof![mutated("session"), mutated("cluster")]) {
        slicewise_fuzz::session_bytes(&data);
    }

    #[test]
    fn sessions_of_changed_dumps(data in changed("session-dump")) {
        slicewise_fuzz::session_bytes(&data);
    }

    #[test]
    fn proxies_of_mutated_lines(data in mutated("proxy")) {
        slicewise_fuzz::proxy_lines(&data);
    }

    #[test]
    fn routes(data in prop_oneof![mutated("route"), mutated("traffic"), changed("traffic")]) {
        slicewise_fuzz::route(&data);
    }

    #[test]
    fn differences(data in prop_oneof![mutated("slices"), changed("slices"), mutated("plan-of"), changed("plan-of")]) {
        slicewise_fuzz::differences(&data);
    }

    #[test]
    fn histories(data in prop::collection::vec(any::<u8>(), 0..64)) {
        slicewise_fuzz::history(&data);
    }
}

proptest! {
    // They are small and mostly refused at once, so many of them are cheap.
    #![proptest_config(ProptestConfig { cases: 600, ..config() })]

    #[test]
    fn mutated_options(data in prop_oneof![mutated("options"), changed("options")]) {
        slicewise_fuzz::options(&data);
    }

    #[test]
    fn mutated_reviewers(data in prop_oneof![mutated("reviewer"), changed("reviewer")]) {
        slicewise_fuzz::reviewer(&data);
    }
}

/// Each output format of each command, with hostile text planted in its input. The command must have been built.
#[test]
fn no_terminal_obeys_what_came_in() {
    assert!(slicewise_fuzz::terminal_harms());
    assert_eq!(slicewise_fuzz::terminal_gaps(), Vec::<String>::new());
    let (mut silent, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for (number, run) in slicewise_fuzz::terminal_runs().iter().enumerate() {
        let mut has_come_through = false;
        for round in 0..6_u8 {
            let bytes: Vec<u8> = (0..97_u8)
                .map(|place| {
                    place
                        .wrapping_mul(round.wrapping_mul(16).wrapping_add(3))
                        .wrapping_add(round)
                })
                .collect();
            let [output, error] = slicewise_fuzz::terminal_run(number, &bytes);
            has_come_through |= output || error;
            let command = run.split(' ').next().unwrap_or_default();
            if output {
                shown.insert(command.to_owned());
            } else {
                silent.insert(command.to_owned());
            }
        }
        assert!(has_come_through, "{run}: nothing that was planted is shown");
    }
    // Each command must show some of it in its answers, not just in refusals.
    let never: Vec<&String> = silent.difference(&shown).collect();
    assert_eq!(never, Vec::<&String>::new());
}
