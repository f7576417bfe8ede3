//! Every command with input that tries to control the terminal: none of it may get through.
//!
//! This runs the command itself with all its output formats, because what counts is what it prints. It must have been
//! built; it is taken from `SLICEWISE` or the target directory.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use slicewise_json::is_obeyed;

/// A command, its input, and whether the input is read line by line.
struct Run {
    args: &'static [&'static str],
    seed: &'static str,
    outputs: &'static [&'static str],
}

const REPORTS: &[&str] = &["table", "json", "yaml"];
const PLANS: &[&str] = &["json", "yaml", "diff", "summary", "patch"];

/// Commands with their output formats; `SEED` stands for a file with the unchanged seed.
const RUNS: &[Run] = &[
    run(&["plan", "-o"], "cluster.json", PLANS),
    run(
        &["plan", "--explain", "--assume-complete", "-o"],
        "cluster.json",
        PLANS,
    ),
    run(&["plan", "-o"], "request.json", PLANS),
    run(
        &["explain", "-o"],
        "cluster.json",
        &["text", "wide", "json", "yaml", "junit"],
    ),
    run(&["explain", "--verbose", "-o"], "cluster.json", &["text"]),
    run(
        &["diff", "-", "SEED", "-o"],
        "slices.json",
        &["diff", "summary", "json", "yaml"],
    ),
    run(
        &["mirror", "--assume-complete", "-o"],
        "migration-cluster.json",
        PLANS,
    ),
    run(&["mirror", "-o"], "migration-request.json", PLANS),
    run(
        &["kubernetes-service", "-o"],
        "migration-server.json",
        &["json", "yaml", "diff", "summary"],
    ),
    run(&["route", "-o"], "route.json", REPORTS),
    run(
        &["route", "--node", "gke-prod-pool-00", "-o"],
        "cluster.json",
        REPORTS,
    ),
    run(&["traffic", "-o"], "traffic.json", REPORTS),
    run(
        &[
            "upgrade",
            "--to",
            "1.38",
            "--prefer-same-traffic-distribution",
            "false",
            "-o",
        ],
        "upgrade.json",
        REPORTS,
    ),
    run(&["traffic", "-o"], "cluster.json", REPORTS),
    run(
        &["review", "-o"],
        "review-service.json",
        &["json", "text", "junit", "sarif"],
    ),
    run(
        &["review", "-o"],
        "review-slice.json",
        &["json", "text", "junit", "sarif"],
    ),
    run(
        &["review", "-o"],
        "cluster.json",
        &["json", "text", "junit", "sarif"],
    ),
    run(
        &["audit", "-o"],
        "cluster.json",
        &["text", "openreports", "openreports-json"],
    ),
    run(
        &["policy", "export", "--vap", "-o"],
        "rules.json",
        &["yaml", "json"],
    ),
    run(
        &["lint-config", "-o"],
        "webhooks.json",
        &["text", "json", "yaml"],
    ),
    run(&["simulate", "--timeline", "-o"], "scenario.json", REPORTS),
    run(&["plan", "--ndjson", "-o"], "request.json", &["json"]),
    run(
        &["proxy", "--ndjson", "--node"],
        "proxy.ndjson",
        &["node-1"],
    ),
    run(&["simulate"], "controller.ndjson", &["--ndjson"]),
];

const fn run(
    args: &'static [&'static str],
    seed: &'static str,
    outputs: &'static [&'static str],
) -> Run {
    Run {
        args,
        seed,
        outputs,
    }
}

/// Sequences that terminals obey, and some that only look like it.
const HARM: [&str; 14] = [
    "\u{1b}[2J",
    "\u{1b}]0;owned\u{7}",
    "\u{9b}31m",
    "\u{7f}",
    "\r",
    "\n",
    "\u{8}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{2028}",
    "\u{85}",
    "\u{feff}",
    "\u{e0041}",
];

/// Commands without input, and those whose objects come from an API server; the latter are tested for this where there is
/// an API server.
const NOT_RUN: [&str; 7] = [
    "completions",
    "controller",
    "help",
    "man",
    "serve",
    "version",
    "watch",
];

/// All runs: each command with each output format.
pub fn terminal_runs() -> Vec<String> {
    let runs = RUNS.iter().flat_map(|run| {
        let outputs = run.outputs.iter();
        outputs.map(|output| format!("{} {output} < {}", run.args.join(" "), run.seed))
    });
    runs.collect()
}

/// The output formats in the command's own help that no run covers.
pub fn terminal_gaps() -> Vec<String> {
    let help = said(&["--help"]);
    let commands = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty());
    let mut gaps = Vec::new();
    for command in commands {
        if NOT_RUN.contains(&command) {
            continue;
        }
        let of_command = RUNS.iter().filter(|run| run.args.first() == Some(&command));
        let covered: Vec<&str> = of_command.flat_map(|run| run.outputs).copied().collect();
        let help = said(&[command, "-h"]);
        let mut outputs = help
            .lines()
            .filter(|line| line.trim_start().starts_with("-o, --output"));
        let values = outputs.next().and_then(|line| {
            let (_, values) = line.split_once("[possible values: ")?;
            values.split(']').next()
        });
        let values: Vec<&str> = values.map_or_else(Vec::new, |all| all.split(", ").collect());
        // If the format of the help changes, nothing would be compared.
        let is_unread = values.is_empty() && help.contains("--output");
        if covered.is_empty() || is_unread {
            gaps.push(command.to_owned());
        }
        let missing = values.iter().filter(|value| !covered.contains(value));
        gaps.extend(missing.map(|value| format!("{command} -o {value}")));
    }
    gaps
}

/// The output for these arguments, with unwrapped lines.
fn said(args: &[&str]) -> String {
    let output = Command::new(command())
        .env("COLUMNS", "1000")
        .args(args)
        .output();
    let output = output.unwrap_or_else(|error| unreachable!("{args:?}: {error}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether every hostile text contains something a terminal obeys or starts a line; otherwise the runs prove nothing.
pub fn terminal_harms() -> bool {
    let is_harm = |harm: &&str| {
        harm.chars()
            .any(|character| is_obeyed(character) || character == '\n')
    };
    HARM.iter().all(is_harm)
}

/// Plants hostile texts in a seed as the bytes direct, and runs one command over it with one of its output formats.
pub fn terminal(data: &[u8]) {
    let (first, data) = data
        .split_first()
        .map_or((0, data), |(first, rest)| (*first, rest));
    let _ = terminal_run(usize::from(first), data);
}

/// Like [`terminal`], for the run with this number. Returns whether the planted text reached standard output and standard
/// error: a run where it never does proves nothing.
pub fn terminal_run(number: usize, data: &[u8]) -> [bool; 2] {
    let all = RUNS
        .iter()
        .flat_map(|run| run.outputs.iter().map(move |output| (run, *output)));
    let all: Vec<_> = all.collect();
    let (run, output) = all[number % all.len()];
    let seed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(run.seed);
    let text = std::fs::read_to_string(&seed)
        .unwrap_or_else(|error| unreachable!("{}: {error}", seed.display()));
    let mut planted = String::new();
    let mut planter = Planter {
        data,
        at: 0,
        is_bold: data.first().is_some_and(|byte| byte % 2 == 1),
        planted: BTreeMap::new(),
    };
    let is_lines = run.seed.ends_with(".ndjson");
    let documents = if is_lines {
        text.lines().collect()
    } else {
        vec![text.as_str()]
    };
    for document in documents {
        let mut value: Value = serde_json::from_str(document)
            .unwrap_or_else(|error| unreachable!("{}: {error}", seed.display()));
        planter.plant(&mut value);
        planted.push_str(&value.to_string());
        planted.push('\n');
    }
    let seed = seed.to_string_lossy().into_owned();
    let args = run
        .args
        .iter()
        .map(|arg| if *arg == "SEED" { seed.as_str() } else { *arg });
    let args: Vec<&str> = args.chain([output]).collect();
    printed(&args, &planted).map(|(what, shown)| {
        let shown = String::from_utf8(shown)
            .unwrap_or_else(|_| unreachable!("{args:?}: {what} is not UTF-8"));
        let obeyed = shown
            .char_indices()
            .find(|(_, character)| is_obeyed(*character) && *character != '\n');
        if let Some((place, character)) = obeyed {
            let line = shown.get(..place).unwrap_or_default().lines().count();
            unreachable!("{args:?}: {character:?} on line {line} of {what}, with {planted}");
        }
        // The beginning of every line is ours.
        assert!(
            !shown.lines().any(|line| line.starts_with(FORGED)),
            "{args:?}: a line of {what} is forged, with {planted}"
        );
        shown.contains(FORGED)
    })
}

const FORGED: &str = "forged";

/// The standard output and standard error of the command.
fn printed(args: &[&str], input: &str) -> [(&'static str, Vec<u8>); 2] {
    let mut child = Command::new(command())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            unreachable!(
                "the command must be built first (cargo build --package slicewise-cli): {error}"
            )
        });
    let input = input.to_owned();
    let stdin = child.stdin.take();
    let feeding = std::thread::spawn(move || {
        // The command may stop reading at an error.
        let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
    });
    let output = child
        .wait_with_output()
        .unwrap_or_else(|error| unreachable!("{error}"));
    let _ = feeding.join();
    // Neither a panic (101) nor a signal.
    assert!(
        output.status.code().is_some_and(|code| code < 64),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    [
        ("standard output", output.stdout),
        ("standard error", output.stderr),
    ]
}

fn command() -> PathBuf {
    if let Some(path) = std::env::var_os("SLICEWISE") {
        return path.into();
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    let built = ["release", "debug"].map(|profile| target.join(profile).join("slicewise"));
    let newest = |path: &PathBuf| path.metadata().and_then(|about| about.modified()).ok();
    built.into_iter().max_by_key(newest).unwrap_or_default()
}

/// Fields whose values have a required format. With any other value the input is refused and the rest of it never shown.
const FORMED: &[&str] = &[
    "about",
    "address",
    "addressType",
    "addressTypes",
    "addresses",
    "admissionReviewVersions",
    "allocatable",
    "apiVersion",
    "at",
    "caBundle",
    "capacity",
    "clusterDomain",
    "clusterIP",
    "clusterIPs",
    "controller",
    "cpu",
    "creationTimestamp",
    "deletionTimestamp",
    "do",
    "duration",
    "event",
    "every",
    "expires",
    "externalIPs",
    "externalTrafficPolicy",
    "failurePolicy",
    "finishedAt",
    "for",
    "hostIP",
    "internalTrafficPolicy",
    "ip",
    "ipFamilies",
    "ipFamilyPolicy",
    "ips",
    "kind",
    "kinds",
    "lastHeartbeatTime",
    "lastProbeTime",
    "lastTimestamp",
    "lastTransitionTime",
    "matchPolicy",
    "memory",
    "mode",
    "namespace",
    "op",
    "operation",
    "operations",
    "operator",
    "options",
    "packing",
    "patches",
    "podCIDR",
    "podCIDRs",
    "podIP",
    "podIPs",
    "pods",
    "protocol",
    "reader",
    "reinvocationPolicy",
    "renewTime",
    "requestKind",
    "resource",
    "resourceVersion",
    "resources",
    "rev",
    "rules",
    "scope",
    "scopeType",
    "sessionAffinity",
    "sideEffects",
    "start",
    "startTime",
    "startedAt",
    "time",
    "triggerTime",
    "type",
    "uid",
    "until",
    "url",
];

/// Inserts hostile text into texts, as the bytes direct.
struct Planter<'d> {
    data: &'d [u8],
    at: usize,
    /// Whether to change values with a required format as well.
    is_bold: bool,
    /// Replacements made so far: equal texts get equal replacements, or references would break.
    planted: BTreeMap<String, String>,
}

impl Planter<'_> {
    /// The next byte; wraps around.
    fn next(&mut self) -> usize {
        let byte = self.data.get(self.at % self.data.len().max(1)).copied();
        self.at += 1;
        // Each round differs from the one before.
        usize::from(byte.unwrap_or_default()).wrapping_add(self.at / self.data.len().max(1) * 7)
    }

    fn plant(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.plant_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.plant(item)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    let is_formed = FORMED.contains(&key.as_str());
                    if !is_formed || (self.is_bold && self.next().is_multiple_of(64)) {
                        self.plant(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn plant_text(&mut self, text: &mut String) {
        if let Some(known) = self.planted.get(text.as_str()) {
            text.clone_from(known);
            return;
        }
        let whole = text.clone();
        if self.next().is_multiple_of(4) {
            let harm = HARM[self.next() % HARM.len()];
            match self.next() % 4 {
                0 => *text = format!("{harm}{FORGED}{harm}{text}"),
                1 => text.insert_str(0, harm),
                2 => *text = format!("{text}{harm}{FORGED}"),
                _ => text.push_str(harm),
            }
        }
        self.planted.insert(whole, text.clone());
    }
}
