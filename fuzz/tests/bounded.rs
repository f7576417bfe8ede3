//! The fuzz targets on stable: the kept seeds, mutations of them, and random operations, bounded and repeatable.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const CASES: u32 = 400;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(7),
        ..ProptestConfig::default()
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 3, "the seeds are gone");
    files
        .into_iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

/// A seed with a few edits: bytes changed, pieces cut out, doubled, or taken from another seed.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let tokens = prop::sample::select(vec![
        "null",
        "{}",
        "[]",
        "\"\"",
        "0",
        "-1",
        "1e999",
        "\"\\ud800\"",
        "true",
        "{\"a\":",
        "[[[[",
        "\u{0}",
        "\"metadata\":",
        "99999999999999999999",
    ]);
    let edit = (
        any::<prop::sample::Index>(),
        0_usize..40,
        0_u8..5,
        tokens,
        any::<u8>(),
    );
    (
        prop::sample::select(seeds()),
        prop::collection::vec(edit, 0..6),
    )
        .prop_map(|(mut text, edits)| {
            for (at, length, kind, token, byte) in edits {
                if text.is_empty() {
                    break;
                }
                let start = at.index(text.len());
                let end = (start + length).min(text.len());
                match kind {
                    0 => text[start] = byte,
                    1 => drop(text.drain(start..end)),
                    2 => {
                        let piece = text[start..end].to_vec();
                        text.splice(start..start, piece);
                    }
                    3 => drop(text.splice(start..end, token.bytes())),
                    _ => text.truncate(end),
                }
            }
            text
        })
}

#[test]
fn seeds_hold() {
    for seed in seeds() {
        slicewise_fuzz::plan(&seed);
        slicewise_fuzz::snapshot(&seed);
        slicewise_fuzz::review(&seed);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn plans_of_mutated_seeds(data in mutated()) {
        slicewise_fuzz::plan(&data);
    }

    #[test]
    fn snapshots_of_mutated_seeds(data in mutated()) {
        slicewise_fuzz::snapshot(&data);
    }

    #[test]
    fn reviews_of_mutated_seeds(data in mutated()) {
        slicewise_fuzz::review(&data);
    }

    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..200)) {
        slicewise_fuzz::plan(&data);
        slicewise_fuzz::snapshot(&data);
        slicewise_fuzz::review(&data);
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..config() })]

    #[test]
    fn histories(data in prop::collection::vec(any::<u8>(), 0..64)) {
        slicewise_fuzz::history(&data);
    }
}
