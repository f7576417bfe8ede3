//! Our JSON reader compared with `serde_json`, over the same tables: the same values, the same errors.

use std::fmt::Debug;

use serde_json::Value;
use slicewise::model::read::{Object, read_text};
use slicewise::model::{EndpointSlice, Endpoints, Node, Pod, Service};
use slicewise::plan::request::PlanRequest;
use slicewise_json::Class;

/// Objects of all kinds, as written by an API server.
const CLUSTER: &str = include_str!("../../samples/cluster-at-rest.json");
const REQUEST: &str = include_str!("../seeds/request.json");

/// Reads a text with both, as a request and as each kind of object.
///
/// # Panics
/// If they differ; this applies to all functions here.
pub fn reader(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else {
        return;
    };
    compare::<PlanRequest<'_>>(text);
    (0..5).for_each(|kind| reader_of(kind, text));
}

/// Reads it as one kind of object, chosen by a number.
fn reader_of(kind: u8, text: &str) {
    match kind % 5 {
        0 => compare::<Pod<'_>>(text),
        1 => compare::<Service<'_>>(text),
        2 => compare::<Node<'_>>(text),
        3 => compare::<EndpointSlice<'_>>(text),
        _ => compare::<Endpoints<'_>>(text),
    }
}

fn compare<'a, T: Object<'a> + serde::Deserialize<'a> + Default + Debug>(text: &'a str) {
    let ours = read_text::<T>(text);
    let theirs = serde_json::from_str::<T>(text);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(
                format!("{ours:?}"),
                format!("{theirs:?}"),
                "values of {text}"
            );
        }
        // Our limit of what is read is lower.
        (Err(ours), _) if ours.class == Class::Depth => {
            assert!(text.matches(['[', '{']).count() > 100)
        }
        (Err(ours), Err(theirs)) => {
            let whole = theirs.to_string();
            let place = format!(" at line {} column {}", theirs.line(), theirs.column());
            let message = whole.strip_suffix(&place).unwrap_or(&whole);
            assert_eq!(ours.message, message, "of {text}");
            // `serde_json` stops inside such a number, our reader after it.
            if message != "number out of range" {
                let read = &text.as_bytes()[..ours.at];
                let line = read.iter().filter(|byte| **byte == b'\n').count() + 1;
                let column = read.iter().rev().take_while(|byte| **byte != b'\n').count();
                let place = (theirs.line(), theirs.column());
                assert_eq!((line, column), place, "`{message}` in {text}");
            }
        }
        (ours, theirs) => unreachable!("ours: {ours:?}; theirs: {theirs:?}; of {text}"),
    }
}

/// Edits texts at random: changes bytes, cuts out, duplicates or replaces pieces, and truncates.
#[derive(Debug)]
pub struct Mutator(u64);

const TOKENS: [&str; 42] = [
    "null",
    "{}",
    "[]",
    "\"\"",
    "0",
    "-1",
    "-0",
    "01",
    "1.",
    "1.5",
    "1e5",
    "-",
    "1e999",
    "1E+",
    "true",
    "false",
    "tru",
    "\"a\"",
    "\"Ready\"",
    "\"\\u00e9\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\x\"",
    "{\"a\":",
    "[[[[",
    "]",
    "}",
    ",",
    ":",
    "\u{0}",
    "\"kind\":\"Pod\",",
    "\"kind\":\"List\",",
    "\"name\":\"x\",",
    "\"metadata\":",
    "1001",
    "\"warn\"",
    "99999999999999999999",
    "-9223372036854775808",
    " ",
    "\n",
    "\\",
    "\"",
];

impl Mutator {
    /// The same seed gives the same texts.
    pub const fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        // Xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    /// Edits a text.
    pub fn mutate(&mut self, text: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(text.len() + 1);
            let end = (at + self.below(24)).min(text.len());
            match self.below(8) {
                0 if at < text.len() => text[at] = self.below(256) as u8,
                1 => drop(text.drain(at..end)),
                2 => {
                    let piece = text[at..end].to_vec();
                    text.splice(at..at, piece);
                }
                3 | 4 => drop(text.splice(at..end, TOKENS[self.below(TOKENS.len())].bytes())),
                5 => drop(text.splice(at..at, TOKENS[self.below(TOKENS.len())].bytes())),
                6 => {
                    // A complete value, located by its colon.
                    let from = text[at..]
                        .iter()
                        .position(|byte| *byte == b':')
                        .map_or(at, |found| at + found + 1);
                    let to = text[from..]
                        .iter()
                        .position(|byte| matches!(byte, b',' | b'}'))
                        .map_or(from, |found| from + found);
                    drop(text.splice(from..to, TOKENS[self.below(TOKENS.len())].bytes()));
                }
                _ if self.below(6) == 0 => text.truncate(end),
                _ => {}
            }
        }
    }
}

/// How many objects of a list are alike: enough for the reader to make a template, and to learn where they differ.
const ALIKE: usize = 8;

impl Mutator {
    /// A list of one kind of object that differ in some values, a few of them also elsewhere.
    fn alike(&mut self, object: &[u8]) -> Vec<u8> {
        let mut list = Vec::new();
        for number in 0..ALIKE {
            if number > 0 {
                list.push(b',');
            }
            let mut other = object.to_vec();
            for _ in 0..self.below(4) {
                self.change_value(&mut other);
            }
            if self.below(3 * ALIKE) == 0 {
                self.mutate(&mut other);
            }
            list.append(&mut other);
        }
        list
    }

    /// Replaces a scalar, most of the time by one of its type.
    fn change_value(&mut self, text: &mut Vec<u8>) {
        let from = self.below(text.len());
        let is_edge =
            |byte: &u8| matches!(byte, b',' | b':' | b'[' | b'{' | b']' | b'}' | b' ' | b'\n');
        let Some(start) = text.iter().skip(from).position(is_edge) else {
            return;
        };
        let start = from + start + 1;
        let len = text.iter().skip(start).position(is_edge);
        let end = start + len.unwrap_or_default();
        if start >= end {
            return;
        }
        let value = &text[start..end];
        let is_text = value.len() > 1 && value.starts_with(b"\"") && value.ends_with(b"\"");
        if self.below(8) == 0 {
            drop(text.splice(start..end, TOKENS[self.below(TOKENS.len())].bytes()));
        } else if is_text {
            let end = end - 1;
            let at = start + 1 + self.below(end - start);
            let end = end.min(at + self.below(3));
            let new = ["x", "12", "\\u00e9", "\\\"", "é", ""][self.below(6)];
            drop(text.splice(at.min(end)..end, new.bytes()));
        } else if value.iter().all(u8::is_ascii_digit) {
            let new = self.below(70_000).to_string();
            drop(text.splice(start..end, new.bytes()));
        }
    }
}

/// Reads this many lists of objects that are alike with both: of the pods and nodes among the texts.
pub fn reader_run_alike(texts: &[Vec<u8>], seed: u64, count: u64) {
    let mut mutator = Mutator::new(seed);
    let lists = [(r#""kind":"Pod""#, "pods"), (r#""kind":"Node""#, "nodes")];
    let of_kind = |(kind, list): (&'static str, &'static str)| {
        let is_one = move |text: &&Vec<u8>| {
            let text = String::from_utf8_lossy(text).replace("\": \"", "\":\"");
            text.contains(kind) && !text.contains("\"pods\"") && !text.contains("\"items\"")
        };
        texts.iter().filter(is_one).map(move |text| (list, text))
    };
    let objects: Vec<_> = lists.into_iter().flat_map(of_kind).collect();
    assert!(!objects.is_empty(), "no pods and nodes to compare");
    for _ in 0..count {
        let (list, object) = objects[mutator.below(objects.len())];
        let items = mutator.alike(object);
        let Ok(items) = String::from_utf8(items) else {
            continue;
        };
        let text = format!(
            r#"{{"service":{{"metadata":{{"name":"s","namespace":"n"}},"spec":{{}}}},"{list}":[{items}]}}"#
        );
        compare::<PlanRequest<'_>>(&text);
    }
}

/// Reads this many mutations of the texts with both.
pub fn reader_run(texts: &[Vec<u8>], seed: u64, count: u64) {
    let mut mutator = Mutator::new(seed);
    let mut text = Vec::new();
    for number in 0..count {
        text.clear();
        text.extend_from_slice(&texts[mutator.below(texts.len())]);
        mutator.mutate(&mut text);
        let Ok(text) = core::str::from_utf8(&text) else {
            continue;
        };
        if text.contains("\"pods\"") {
            compare::<PlanRequest<'_>>(text);
        } else {
            reader_of(number as u8, text);
        }
    }
}

/// The base texts for mutations: a few objects of each kind, complete, in parts and indented; and a request.
///
/// # Errors
/// If a sample is not JSON.
pub fn reader_texts() -> Result<Vec<Vec<u8>>, serde_json::Error> {
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
        let is_like_others = item
            .get("kind")
            .is_some_and(|kind| kind == "Pod" || kind == "Node");
        for text in [item.to_string(), format!("{item:#}")] {
            if text.len() < LONGEST || is_like_others {
                texts.push(text.into_bytes());
            }
        }
    }
    Ok(texts)
}
