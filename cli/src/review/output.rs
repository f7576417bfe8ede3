//! Verdicts as the webhook's responses, as `kubectl` output, and as test results.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use slicewise::words::counted;
use slicewise::{Code, Error};
use slicewise_admission::MOST_CAUSES;
use slicewise_admission::policies::{ABOUT, NAMES};

use super::baseline::Baseline;
use super::files::{JudgedFiles, JudgedObject};
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
pub(super) struct PrintedReview {
    pub(super) response: ReviewResponse,
}

/// The mildest verdict that fails.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A change that is denied
    Deny,
    /// A change that is allowed with warnings
    Warn,
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

    fn exit_code(&self, fail_on: FailOn, baseline: Option<&Baseline>) -> u8 {
        let Self::Answer(_, response) = self else {
            return BAD_INPUT;
        };
        let is_mild = response.allowed && (fail_on == FailOn::Deny || response.warnings.is_empty());
        let is_known = || baseline.is_some_and(|known| known.covers(response).is_some());
        if is_mild || is_known() { 0 } else { DENIED }
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

    /// Does it have all findings? Of very many it only counts the last.
    pub(super) fn is_complete(&self) -> bool {
        self.found().count() == self.status.details.causes.len() + self.warnings.len()
            && self.status.details.causes.len() < MOST_CAUSES
    }

    /// `Service shop/cart`.
    pub(super) fn title(&self) -> &str {
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

/// How verdicts are printed.
#[derive(Clone, Copy)]
pub(super) struct Printing<'p> {
    pub(super) files: &'p JudgedFiles<'p>,
    pub(super) format: VerdictFormat,
    pub(super) color: Color,
    pub(super) fail_on: FailOn,
    pub(super) baseline: Option<&'p Baseline>,
}

impl Printing<'_> {
    pub(super) fn print(self, judged: &[Judged]) -> Result<(), CommandFailure> {
        print::to_stdout("the verdicts", |output| match self.format {
            VerdictFormat::Json => json_lines(judged, output),
            VerdictFormat::Text => self.text(judged, output),
            VerdictFormat::Junit => self.junit(judged, output),
            VerdictFormat::Sarif => self.sarif(judged, output),
        })
    }

    /// The exit code for all verdicts.
    pub(super) fn exit_code(self, judged: &[Judged]) -> u8 {
        let codes = judged.iter();
        worst(codes.map(|each| each.exit_code(self.fail_on, self.baseline)))
    }

    /// The number of a verdict's findings, if all of them are known.
    fn known(self, response: &ReviewResponse) -> Option<usize> {
        self.baseline.and_then(|baseline| baseline.covers(response))
    }
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

impl Printing<'_> {
    fn text(self, judged: &[Judged], output: &mut impl Write) -> io::Result<()> {
        let is_colored = is_colored(self.color);
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
                    if let Some(known) = self.known(response) {
                        let known = counted(known, "known finding");
                        writeln!(output, "{}: {known}, and no other", response.title())?;
                        continue;
                    }
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

    /// One test per review; it fails if the review does.
    fn junit(self, judged: &[Judged], output: &mut impl Write) -> io::Result<()> {
        let code = |each: &Judged| each.exit_code(self.fail_on, self.baseline);
        let count = |wanted| judged.iter().filter(|each| code(each) == wanted).count();
        let (failures, errors) = (count(DENIED), count(BAD_INPUT));
        let counts = [judged.len(), failures, errors];
        print::junit("slicewise review", counts, output, |output| {
            for (object, each) in self.files.of(judged) {
                let file = xml(object.name());
                match each {
                    Judged::Broken(error) => {
                        let message = xml(error.message());
                        writeln!(
                            output,
                            "    <testcase classname=\"{file}\" name=\"a review\">"
                        )?;
                        writeln!(output, "      <error message=\"{message}\"/>")?;
                        writeln!(output, "    </testcase>")?;
                    }
                    Judged::Answer(_, response) => {
                        let title = xml(response.title());
                        write!(
                            output,
                            "    <testcase classname=\"{file}\" name=\"{title}\""
                        )?;
                        if response.allowed && response.warnings.is_empty() {
                            writeln!(output, "/>")?;
                            continue;
                        }
                        writeln!(output, ">")?;
                        let (kind, message) = match response.allowed {
                            true => ("Warning", response.warnings.join("\n")),
                            false => ("Forbidden", response.status.message.clone()),
                        };
                        let message = xml(&message);
                        let is_failure = code(each) == DENIED;
                        if is_failure {
                            writeln!(
                                output,
                                "      <failure type=\"{kind}\" message=\"{message}\"/>"
                            )?;
                        } else {
                            writeln!(output, "      <system-out>{message}</system-out>")?;
                        }
                        if is_failure && !response.allowed && !response.warnings.is_empty() {
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
    fn sarif(self, judged: &[Judged], output: &mut impl Write) -> io::Result<()> {
        let mut results = Vec::new();
        for (object, each) in self.files.of(judged) {
            match each {
                Judged::Broken(error) => {
                    let place = SarifPlace::of(object, "", None);
                    results.push(sarif_result(
                        "review/broken",
                        "error",
                        error.message(),
                        place,
                    ));
                }
                Judged::Answer(_, response) => {
                    let mut fields = response.fields();
                    for found in response.found() {
                        let level = if found.is_denial { "error" } else { "warning" };
                        let title = response.title();
                        let denied = if found.is_denial { fields.next() } else { None };
                        let logical = match denied {
                            Some(field) => format!("{title}: {field}"),
                            None => title.to_owned(),
                        };
                        let field = denied.or_else(|| field_of(found.message));
                        let place =
                            SarifPlace::of(object, field.unwrap_or_default(), Some(logical));
                        let mut told = sarif_result(found.rule, level, found.message, place);
                        if let (Some(baseline), Some(told)) = (self.baseline, told.as_object_mut())
                        {
                            let is_known = baseline.knows(title, found.rule);
                            let state = if is_known { "unchanged" } else { "new" };
                            told.insert("baselineState".into(), state.into());
                        }
                        results.push(told);
                    }
                }
            }
        }
        print::json(&sarif_log(&results), output)
    }
}

/// The field at the end of a warning: `… (spec.selector)`.
fn field_of(message: &str) -> Option<&str> {
    let (_, field) = message.strip_suffix(')')?.rsplit_once(" (")?;
    Some(field).filter(|field| !field.contains(' '))
}

/// A log of results.
pub(super) fn sarif_log(results: &[Value]) -> Value {
    let ids = results.iter().filter_map(|result| result.get("ruleId"));
    let ids: BTreeSet<&str> = ids.filter_map(Value::as_str).collect();
    let rules: Vec<Value> = ids.into_iter().map(sarif_rule).collect();
    let driver = json!({"name": "slicewise", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    })
}

/// A rule, with what its policy is about.
fn sarif_rule(id: &str) -> Value {
    let (policy, name) = id.split_once('/').unwrap_or((id, id));
    let place = NAMES.iter().position(|known| *known == policy);
    let about = place.and_then(|place| ABOUT.get(place));
    let Some(about) = about.map(|about| about.trim()) else {
        return json!({"id": id, "name": name});
    };
    let help = format!("{about} Every rule of {policy}, and what to do: docs/webhook.md.");
    json!({
        "id": id,
        "name": name,
        "shortDescription": {"text": format!("{policy}: {name}")},
        "fullDescription": {"text": about},
        "help": {"text": help},
        "properties": {"tags": ["kubernetes", "endpointslice", policy]},
    })
}

/// Where a result is.
#[derive(Default)]
pub(super) struct SarifPlace {
    /// Its file; none if that is not known.
    pub(super) file: Option<String>,
    /// Line and column of the field.
    pub(super) position: Option<(usize, usize)>,
    /// The object, and its field if it is known.
    pub(super) logical: Option<String>,
}

impl SarifPlace {
    fn of(object: &JudgedObject<'_>, field: &str, logical: Option<String>) -> Self {
        let position = object.position(field);
        // Of standard input, there are only lines.
        let file = object.file.clone();
        let file = file.or_else(|| position.map(|_| "stdin".to_owned()));
        Self {
            file,
            position,
            logical,
        }
    }
}

/// One result.
pub(super) fn sarif_result(rule: &str, level: &str, message: &str, place: SarifPlace) -> Value {
    let mut location = Map::new();
    if let Some(file) = &place.file {
        let mut physical = Map::new();
        physical.insert("artifactLocation".into(), json!({"uri": uri(file)}));
        if let Some((line, column)) = place.position {
            let region = json!({"startLine": line, "startColumn": column});
            physical.insert("region".into(), region);
        }
        location.insert("physicalLocation".into(), physical.into());
    }
    if let Some(name) = place.logical {
        let names = json!([{"fullyQualifiedName": name}]);
        location.insert("logicalLocations".into(), names);
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
