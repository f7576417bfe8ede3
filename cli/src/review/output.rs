//! Verdicts as the webhook's responses, as `kubectl` output, and as test results.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Value, json};
use slicewise::{Code, Error};

use crate::color::Color;
use crate::color::is_colored;
use crate::failure::{BAD_INPUT, CommandFailure};
use crate::print::{self, xml};
use crate::screen::{Data, painted};

/// The exit code if a change was refused or a test failed.
pub(super) const DENIED: u8 = 1;

/// How verdicts are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictFormat {
    /// AdmissionReviews, each on its line
    Json,
    /// As `kubectl` would show it
    Text,
    /// Test results in XML, for CI
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// A verdict, or the reason why there is none.
pub(super) enum Judged {
    /// The review cannot be read.
    Broken(Error),
    /// The webhook's response and its parsed form.
    Answer(Vec<u8>, ReviewResponse),
}

/// The parts of the response that are shown.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReviewResponse {
    pub(super) allowed: bool,
    status: ReviewStatus,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct ReviewStatus {
    pub message: String,
    details: ReviewDetails,
}

#[derive(Deserialize)]
struct ReviewDetails {
    #[serde(default)]
    causes: Vec<ReviewCause>,
}

#[derive(Deserialize)]
struct ReviewCause {
    message: String,
    field: String,
}

#[derive(Deserialize)]
struct PrintedReview {
    response: ReviewResponse,
}

/// A single finding.
pub(super) struct PrintedFinding<'f> {
    /// `policy/rule`.
    pub(super) rule: &'f str,
    message: &'f str,
    is_denial: bool,
}

impl Judged {
    pub(super) fn answer(answer: Vec<u8>) -> Result<Self, Error> {
        let read: PrintedReview = serde_json::from_slice(&answer)
            .map_err(|error| Error::new(Code::InvalidJson, error.to_string()))?;
        Ok(Self::Answer(answer, read.response))
    }

    pub(super) const fn is_allowed(&self) -> bool {
        matches!(self, Self::Answer(_, response) if response.allowed)
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Broken(_) => BAD_INPUT,
            Self::Answer(_, response) if !response.allowed => DENIED,
            Self::Answer(..) => 0,
        }
    }
}

impl ReviewResponse {
    /// The findings, denials first.
    pub(super) fn found(&self) -> impl Iterator<Item = PrintedFinding<'_>> {
        let denials = self
            .status
            .details
            .causes
            .iter()
            .map(|cause| (cause.message.as_str(), true));
        let warnings = self
            .warnings
            .iter()
            .map(|warning| (warning.as_str(), false));
        denials.chain(warnings).filter_map(|(text, is_denial)| {
            // Everything except the count of omitted findings.
            let (rule, message) = text.split_once(": ")?;
            rule.contains('/').then_some(PrintedFinding {
                rule,
                message,
                is_denial,
            })
        })
    }

    pub(super) fn message(&self) -> &str {
        &self.status.message
    }

    /// `Service shop/cart`.
    fn title(&self) -> &str {
        let message = &self.status.message;
        message
            .split_once(": ")
            .map_or(message.as_str(), |(title, _)| title)
    }

    fn fields(&self) -> impl Iterator<Item = &str> {
        self.status
            .details
            .causes
            .iter()
            .map(|cause| cause.field.as_str())
    }
}

/// The exit code for all verdicts.
pub(super) fn exit_code(judged: &[Judged]) -> u8 {
    worst(judged.iter().map(Judged::exit_code))
}

/// Prints the verdicts on a file's contents.
pub(super) fn print(
    judged: &[Judged],
    file: &str,
    format: VerdictFormat,
    color: Color,
) -> Result<(), CommandFailure> {
    print::to_stdout("the verdicts", |output| match format {
        VerdictFormat::Json => json_lines(judged, output),
        VerdictFormat::Text => text(judged, is_colored(color), output),
        VerdictFormat::Junit => junit(judged, file, output),
        VerdictFormat::Sarif => sarif(judged, file, output),
    })
}

fn json_lines(judged: &[Judged], output: &mut impl Write) -> io::Result<()> {
    for each in judged {
        match each {
            Judged::Broken(error) => Data::new(&mut *output).write_all(&error.to_json())?,
            Judged::Answer(answer, _) => Data::new(&mut *output).write_all(answer)?,
        }
        writeln!(output)?;
    }
    Ok(())
}

const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";

fn text(judged: &[Judged], is_colored: bool, output: &mut impl Write) -> io::Result<()> {
    let paint = |code: &'static str| is_colored.then_some(code);
    for each in judged {
        match each {
            Judged::Broken(error) => {
                painted(
                    output,
                    paint(RED),
                    format_args!("Error: {}", error.message()),
                )?;
                writeln!(output)?;
            }
            Judged::Answer(_, response) => {
                for warning in &response.warnings {
                    painted(output, paint(YELLOW), format_args!("Warning:"))?;
                    writeln!(output, " {warning}")?;
                }
                let message = &response.status.message;
                let mut lines = message.split('\n');
                let first = lines.next().unwrap_or_default();
                if response.allowed {
                    writeln!(output, "{first}")?;
                } else {
                    let line = "Error from server (Forbidden): admission webhook \"slicewise\" denied the request:";
                    painted(output, paint(RED), format_args!("{line}"))?;
                    writeln!(output, " {first}")?;
                }
                for line in lines {
                    writeln!(output, "{line}")?;
                }
            }
        }
    }
    Ok(())
}

/// One test per review; it fails if the review is denied.
fn junit(judged: &[Judged], file: &str, output: &mut impl Write) -> io::Result<()> {
    let count = |code| {
        judged
            .iter()
            .filter(|each| each.exit_code() == code)
            .count()
    };
    let (failures, errors) = (count(DENIED), count(BAD_INPUT));
    let counts = [judged.len(), failures, errors];
    print::junit("slicewise review", counts, output, |output| {
        for each in judged {
            match each {
                Judged::Broken(error) => {
                    let message = xml(error.message());
                    let file = xml(file);
                    writeln!(
                        output,
                        "    <testcase classname=\"{file}\" name=\"a review\">"
                    )?;
                    writeln!(output, "      <error message=\"{message}\"/>")?;
                    writeln!(output, "    </testcase>")?;
                }
                Judged::Answer(_, response) => {
                    let (title, file) = (xml(response.title()), xml(file));
                    write!(
                        output,
                        "    <testcase classname=\"{file}\" name=\"{title}\""
                    )?;
                    if response.allowed && response.warnings.is_empty() {
                        writeln!(output, "/>")?;
                        continue;
                    }
                    writeln!(output, ">")?;
                    if !response.allowed {
                        let message = xml(&response.status.message);
                        writeln!(
                            output,
                            "      <failure type=\"Forbidden\" message=\"{message}\"/>"
                        )?;
                    }
                    if !response.warnings.is_empty() {
                        let warnings = xml(&response.warnings.join("\n"));
                        writeln!(output, "      <system-out>{warnings}</system-out>")?;
                    }
                    writeln!(output, "    </testcase>")?;
                }
            }
        }
        Ok(())
    })
}

/// One result per finding.
fn sarif(judged: &[Judged], file: &str, output: &mut impl Write) -> io::Result<()> {
    let mut results = Vec::new();
    let mut rules = Vec::new();
    for each in judged {
        match each {
            Judged::Broken(error) => {
                results.push(result(
                    "review/broken",
                    "error",
                    error.message(),
                    file,
                    None,
                ));
            }
            Judged::Answer(_, response) => {
                let mut fields = response.fields();
                for found in response.found() {
                    let level = if found.is_denial { "error" } else { "warning" };
                    let field = if found.is_denial { fields.next() } else { None };
                    let logical = field.map(|field| format!("{}: {field}", response.title()));
                    results.push(result(
                        found.rule,
                        level,
                        found.message,
                        file,
                        logical.or_else(|| Some(response.title().to_owned())),
                    ));
                }
            }
        }
    }
    for result in &results {
        if let Some(rule) = result.get("ruleId")
            && !rules.contains(rule)
        {
            rules.push(rule.clone());
        }
    }
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({"id": rule})).collect();
    let driver = json!({"name": "slicewise", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let log = json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    });
    print::json(&log, output)
}

fn result(rule: &str, level: &str, message: &str, file: &str, logical: Option<String>) -> Value {
    let mut location = json!({});
    if let Some(location) = location.as_object_mut() {
        // Standard input has no location.
        if file != "-" {
            let artifact = json!({"artifactLocation": {"uri": uri(file)}});
            location.insert("physicalLocation".into(), artifact);
        }
        if let Some(name) = logical {
            let names = json!([{"fullyQualifiedName": name}]);
            location.insert("logicalLocations".into(), names);
        }
    }
    json!({"ruleId": rule, "level": level, "message": {"text": message}, "locations": [location]})
}

/// The path of a file as a URI reference (RFC 3986).
fn uri(file: &str) -> String {
    let mut uri = String::new();
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// The exit code for several verdicts.
fn worst(codes: impl Iterator<Item = u8>) -> u8 {
    codes
        .max_by_key(|code| {
            [0, DENIED, BAD_INPUT]
                .iter()
                .position(|known| known == code)
        })
        .unwrap_or_default()
}
