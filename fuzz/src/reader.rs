//! Our JSON reader compared with `serde_json`, over the same tables: the same values, the same errors.

use std::fmt::Debug;

use slicewise::json::Class;
use slicewise::model::read::{Object, read_text};
use slicewise::model::{EndpointSlice, Endpoints, Node, Pod, Service};
use slicewise::plan::request::PlanRequest;

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
        // Our nesting limit is lower, and also applies to values that are skipped.
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
