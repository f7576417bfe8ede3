//! Feeds mutations of real objects to our reader and to `serde_json`, as many as asked for.
//!
//! `cargo run --release --package slicewise-fuzz --example reader -- SEED MILLIONS` ends with the number of texts read,
//! or with the first text on which the two disagree.

use std::io::Write as _;

use serde_json::Value;

/// Objects of all kinds, as written by an API server.
const CLUSTER: &str = include_str!("../../samples/cluster-at-rest.json");
const REQUEST: &str = include_str!("../seeds/request.json");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let millions: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let texts = texts()?;
    for million in 0..millions {
        slicewise_fuzz::reader_run(
            &texts,
            seed.wrapping_add(million.wrapping_mul(0x9e37_79b9)),
            1_000_000,
        );
    }
    writeln!(
        std::io::stdout(),
        "{millions} million texts, seed {seed}: the same values, the same errors"
    )?;
    Ok(())
}

/// The base texts for mutations: a few objects of each kind, complete, in parts and indented; and a request.
fn texts() -> Result<Vec<Vec<u8>>, serde_json::Error> {
    const LONGEST: usize = 3000;
    let cluster: Value = serde_json::from_str(CLUSTER)?;
    let request: Value = serde_json::from_str(REQUEST)?;
    let mut texts = vec![request.to_string().into_bytes()];
    let items = cluster.get("items").and_then(Value::as_array);
    let of = |kind: &str, from: usize| -> Vec<&Value> {
        let of_kind = items.into_iter().flatten();
        let of_kind = of_kind.filter(|item| item.get("kind").is_some_and(|named| named == kind));
        of_kind.skip(from).take(3).collect()
    };
    // Several of each, so that the reader's cache of objects is used.
    for from in 0..4 {
        let request = serde_json::json!({
            "pods": of("Pod", 20 * from), "nodes": of("Node", from), "slices": of("EndpointSlice", from),
            "service": of("Service", from).first(),
        });
        texts.extend([
            request.to_string().into_bytes(),
            format!("{request:#}").into_bytes(),
        ]);
    }
    for mut item in items.into_iter().flatten().step_by(9).cloned() {
        if let Some(metadata) = item.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("managedFields");
        }
        for text in [item.to_string(), format!("{item:#}")] {
            if text.len() < LONGEST {
                texts.push(text.into_bytes());
            }
        }
    }
    Ok(texts)
}
