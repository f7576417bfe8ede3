//! Lines and the parser read alike: every input gives the same JSON, the same places and the same errors both ways.

use std::io::{self, Read};

use crate::conversion::{Conversion, Converted};
use crate::refusal::Stopped;

/// As `kubectl get -o yaml` and `helm template` print them.
const SEEDS: [&str; 7] = [
    "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    annotations:\n      a/b: '{\"c\":\"d\"}'\n      note: |\n        first: 1\n\n        second # x\n      last: |-\n        end\n    creationTimestamp: \"2026-11-29T10:00:00Z\"\n    labels:\n      app: cart\n      \"1\": \"true\"\n    managedFields:\n    - fieldsV1:\n        f:metadata:\n          f:labels:\n            .: {}\n            f:app: {}\n            k:{\"type\":\"Ready\"}:\n              .: {}\n      time: null\n    name: cart-1\n  spec:\n    containers: []\n    nodeName: n1\n  status:\n    conditions:\n    - lastProbeTime: null\n      message: 'containers with unready status: [app]\n        and more'\n      status: \"False\"\n    podIP: 10.0.0.1\n    podIPs:\n    - ip: 10.0.0.1\n    - ip: fd00::1\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
    "---\n# Source: chart/templates/service.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  name: cart\nspec:\n  ports:\n    - port: 80\n      targetPort: http\n    - name: \"a\\tb \\\n        c\"\n      port: 0x1F\n  selector:\n    app: cart\n---\nkind: Node\nmetadata:\n  name: n\n",
    "a: 1\nb:\n- - x\n  - y\n- k: v\n  l:\n  - m: n\nc:\nd: ~\ne: plain text\n  goes on\nf: .5\ng: -1\nh: 1e3\ni: -\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n  b: 3\ne: >\n  folded\n  text\n",
    "- a: 1\n  b: 'it''s'\n- 'x: y'\n- \"#\"\n- {}\n- []\n- |+\n  kept\n\n- end\n",
    "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a-1\n  spec:\n    containers:\n    - args:\n      - \"1\"\n      - x\n      name: c\n  status:\n    message: 'containers with unready status: [app]\n      and more'\n    phase: Pending\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: b-2\n  spec:\n    containers:\n    - args:\n      - \"2\"\n      - 'y'\n      name: 0x1F\n  status:\n    message: well\n    phase: \"Run\\\"ning\"\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: |\n      c\n\n      3\n  spec:\n    containers:\n    - args:\n      - one\n        two\n      - z\n      name: c\n  status:\n    message: \"a\\tb \\\n      c\"\n    phase: ~\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: d-4\n  spec:\n    containers:\n    - args:\n      - a\n      - b\n      name: c\n  status:\n    message: m\n    phase: Running\n- apiVersion: v2\n  kind: Pod\n  metadata:\n    name: e\n  spec: {}\n- - x\n- y\n- 7\n- end\nkind: List\n",
    "z: 1\na: 2\nz: 3\nä: ö\n\"q\": 'ü'\n",
];

/// What mutations put in.
const PIECES: [&str; 30] = [
    " ", "  ", "\n", "\n\n", "- ", ":", ": ", "#", " #", "'", "\"", "\\", "|", ">", "{}", "[]",
    "{", "]", "&x ", "*x", "!t ", "<<: ", "---\n", "...\n", "%", "?", "\t", "\r\n", "ä", "\u{85}",
];

/// Numbers that repeat themselves.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

fn shown(converted: Result<Converted, Stopped>) -> String {
    match converted {
        Ok(Converted { json, places }) => {
            format!("{} at {places:?}", String::from_utf8(json).unwrap())
        }
        Err(Stopped::Unread(error)) => error.to_string(),
        Err(Stopped::Refused(error)) => {
            format!("{error} at {:?}:{:?}", error.line(), error.column())
        }
    }
}

#[track_caller]
fn check(yaml: &str) {
    let lines = shown(Conversion::new(yaml.as_bytes()).whole());
    let events = shown(Conversion::by_events(yaml.as_bytes()).whole());
    assert_eq!(lines, events, "{yaml}");
}

fn mutated(seed: &str, numbers: &mut Numbers) -> String {
    let mut text: Vec<char> = seed.chars().collect();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(text.len() + 1);
        let end = (at + numbers.below(6)).min(text.len());
        match numbers.below(4) {
            0 => drop(text.drain(at..end)),
            1 => {
                let piece = PIECES[numbers.below(PIECES.len())];
                drop(text.splice(at..at, piece.chars()));
            }
            2 => {
                let piece = PIECES[numbers.below(PIECES.len())];
                drop(text.splice(at..end, piece.chars()));
            }
            _ => {
                let line: String = text.iter().collect();
                let lines: Vec<&str> = line.split_inclusive('\n').collect();
                let (from, to) = (numbers.below(lines.len()), numbers.below(lines.len() + 1));
                let moved = lines
                    .get(from)
                    .map_or_else(Vec::new, |line| line.chars().collect());
                let at = lines
                    .iter()
                    .take(to)
                    .map(|line| line.chars().count())
                    .sum::<usize>();
                drop(text.splice(at..at, moved));
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn seeds() {
    for seed in SEEDS {
        check(seed);
    }
}

/// A pipe that gives little at a time: each byte of a long value is read a few times, not once for each piece.
#[test]
fn a_long_value_from_a_slow_pipe() {
    struct Slow<'t>(&'t [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = to.len().min(64);
            self.0.read(to.get_mut(..most).unwrap())
        }
    }
    let lines = "  < < < < < < < < < < < < < < < < < < < < < < < <\n".repeat(80_000);
    let text = format!("kind: List\ndata: |\n{lines}end: 1\n");
    let slow = shown(Conversion::new(Slow(text.as_bytes())).whole());
    assert_eq!(slow, shown(Conversion::new(text.as_bytes()).whole()));
    assert!(slow.contains("\"end\":1"));
}

/// `SLICEWISE_CASES` documents, from `SLICEWISE_SEED`.
#[test]
fn mutations() {
    let given = |name: &str| std::env::var_os(name)?.to_str()?.parse().ok();
    let mut numbers = Numbers(given("SLICEWISE_SEED").unwrap_or(20_261_129).max(1));
    for _ in 0..given("SLICEWISE_CASES").unwrap_or(3_000) {
        let seed = SEEDS[numbers.below(SEEDS.len())];
        check(&mutated(seed, &mut numbers));
    }
}
