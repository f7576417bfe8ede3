//! Feeds mutations of real objects to our reader and to `serde_json`, as many as asked for.
//!
//! `cargo run --release --package slicewise-fuzz --example reader -- SEED MILLIONS` ends with the number of texts read,
//! or with the first text on which the two disagree.

use std::io::Write as _;

/// How many of a million texts are lists of objects that are alike.
const LISTS: u64 = 100_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let millions: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let texts = slicewise_fuzz::reader_texts()?;
    for million in 0..millions {
        let seed = seed.wrapping_add(million.wrapping_mul(0x9e37_79b9));
        slicewise_fuzz::reader_run(&texts, seed, 1_000_000 - LISTS);
        slicewise_fuzz::reader_run_alike(&texts, seed, LISTS);
    }
    writeln!(
        std::io::stdout(),
        "{millions} million texts, seed {seed}: the same values, the same errors"
    )?;
    Ok(())
}
