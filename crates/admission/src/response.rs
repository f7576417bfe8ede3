//! The response of an `admission.k8s.io/v1` AdmissionReview, assembled from the findings of the policies.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::exceptions::Exception;
use super::record::AskedReview;
use super::request::{Request, ReviewSubject};
use super::settings::Mode;
use super::step::{FindingEffect, PolicyStep, StepFinding};
use super::verdict::{Awaited, Awaiting, CauseType, Finding, FindingSeverity, PolicyVerdict};
use slicewise::model::order::sorted_unique;
use slicewise::model::text::printable;
use slicewise::model::{SortedMap, Text};

/// The only supported version.
pub const API_VERSION: &str = "admission.k8s.io/v1";
/// The only supported kind.
pub const KIND: &str = "AdmissionReview";

/// An AdmissionReview with a response.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewAnswer<'r> {
    #[schemars(extend("const" = API_VERSION))]
    api_version: &'static str,
    #[schemars(extend("const" = KIND))]
    kind: &'static str,
    /// The response to the request.
    response: Response<'r>,
}

impl<'r> ReviewAnswer<'r> {
    /// Wraps a response.
    pub const fn new(response: Response<'r>) -> Self {
        Self {
            api_version: API_VERSION,
            kind: KIND,
            response,
        }
    }

    /// The response.
    pub const fn response(&self) -> &Response<'r> {
        &self.response
    }
}

/// Whether the change is allowed, and what people should know.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ReviewResponse")]
#[serde(rename_all = "camelCase")]
pub struct Response<'r> {
    /// The uid of the request.
    pub uid: Text<'r>,
    /// The verdict.
    pub allowed: bool,
    /// Why; the API server forwards it if the change is refused.
    pub status: Status<'r>,
    /// Shown to the user by `kubectl`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What each policy found, by its name, for the audit log.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub audit_annotations: SortedMap<&'static str, String>,
    /// What was asked, and by whom; for logs only.
    #[serde(skip)]
    pub(super) asked: AskedReview<'r>,
    /// The pods that the refusal rests on and that may exist; for callers that can look again.
    #[serde(skip)]
    pub(super) awaits: Vec<Awaited>,
}

/// A `metav1.Status`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ReviewStatus")]
#[non_exhaustive]
pub struct Status<'r> {
    /// An HTTP status code: 200 or 403.
    pub code: u16,
    /// `Forbidden` if the change is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The message that users read.
    pub message: String,
    /// The object, and every reason by field.
    pub details: StatusDetails<'r>,
}

/// A `metav1.StatusDetails`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ReviewStatusDetails")]
#[non_exhaustive]
pub struct StatusDetails<'r> {
    /// Name of the object.
    #[serde(skip_serializing_if = "is_empty")]
    pub name: Text<'r>,
    /// Its API group.
    #[serde(skip_serializing_if = "is_empty")]
    pub group: Text<'r>,
    /// Its kind.
    pub kind: Text<'r>,
    /// The reasons for refusing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<StatusCause>,
}

fn is_empty(text: &Text<'_>) -> bool {
    text.is_empty()
}

/// A `metav1.StatusCause`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct StatusCause {
    /// What kind of mistake it is.
    pub reason: CauseType,
    /// Policy, rule, what is wrong and how to fix it.
    pub message: String,
    /// The field.
    pub field: String,
}

/// Further causes are only counted: a slice can hold a thousand wrong addresses.
pub const MOST_CAUSES: usize = 20;
/// The number of reasons listed in the message itself.
const MOST_IN_MESSAGE: usize = 3;
/// The number of warnings in one response.
const MOST_WARNINGS: usize = 10;
/// A message may quote user input of any length.
const LONGEST_CAUSE: usize = 512;
/// The API server may truncate longer warnings, so they are shortened here, visibly.
const LONGEST_WARNING: usize = 256;

/// The audit annotation that does not belong to a policy: the age of what is known about the cluster.
pub(super) const AGE: &str = "context";

/// How the audit annotation of a policy begins if an exception applies.
const EXCEPTED: &str = "excepted";

/// Gathers the verdicts of the policies.
#[derive(Debug)]
pub(super) struct ResponseBuilder<'q, 'r> {
    request: &'q Request<'r>,
    causes: Vec<StatusCause>,
    denials: usize,
    /// What they rest on.
    awaits: Awaiting,
    /// What was done to find these pods, for messages.
    search: Option<String>,
    warnings: Vec<String>,
    annotations: SortedMap<&'static str, String>,
    /// The object belongs to the Service of the reviewer itself.
    is_own: bool,
    /// Does any policy look at such objects?
    is_examined: bool,
    /// The steps of the policies, if they are recorded.
    steps: Option<Vec<PolicyStep>>,
    /// The findings of the current policy.
    found: Vec<StepFinding>,
}

impl<'q, 'r> ResponseBuilder<'q, 'r> {
    /// `search` says what was done to find pods that are not known.
    pub(super) fn new(request: &'q Request<'r>, own_service: &str, search: Option<String>) -> Self {
        Self {
            request,
            is_own: request.is_of_service(own_service),
            is_examined: true,
            causes: Vec::new(),
            denials: 0,
            awaits: Awaiting::new(search.is_some()),
            search,
            warnings: Vec::new(),
            annotations: SortedMap::default(),
            steps: None,
            found: Vec::new(),
        }
    }

    /// Records the steps of the policies from now on.
    pub(super) fn keep_steps(&mut self) {
        self.steps = Some(Vec::new());
    }

    pub(super) fn take_steps(&mut self) -> Vec<PolicyStep> {
        self.steps.take().unwrap_or_default()
    }

    /// Records the result of a policy if steps are recorded; its findings were added before.
    pub(super) fn note_step(&mut self, step: impl FnOnce(Vec<StepFinding>) -> PolicyStep) {
        if let Some(steps) = &mut self.steps {
            steps.push(step(core::mem::take(&mut self.found)));
        }
    }

    /// Adds the findings of a policy, according to its mode, or as an exception has it: they are recorded then, and
    /// whoever would be refused is told why not.
    pub(super) fn add(
        &mut self,
        policy: &'static str,
        mode: Mode,
        verdict: &PolicyVerdict,
        exception: Option<&Exception>,
    ) {
        if verdict.is_silent() || mode == Mode::Off {
            return;
        }
        let mode = exception.map_or(mode, |_| Mode::Audit);
        let by = exception.map(Exception::said);
        let mut annotation = annotation(mode, verdict);
        if let Some(by) = &by {
            annotation = format!("{EXCEPTED}: {annotation}; {by}");
            let rules = verdict.denials().map(|finding| &*finding.rule);
            let rules = sorted_unique(rules).join(", ");
            if !rules.is_empty() {
                let told = format!("{policy}/{rules}: {}: passes by {by}", self.request.title());
                self.warnings.push(shorten(told, LONGEST_WARNING));
            }
        }
        self.annotations.insert(policy, printable(annotation));
        for finding in verdict.findings() {
            let effect = match (mode, finding.severity) {
                (Mode::Enforce, FindingSeverity::Deny) if !self.is_own => FindingEffect::Deny,
                (Mode::Enforce | Mode::Warn, _) => FindingEffect::Warn,
                (Mode::Audit | Mode::Off, _) => FindingEffect::Note,
            };
            match effect {
                FindingEffect::Deny => self.deny(policy, finding),
                FindingEffect::Warn => self.warn(policy, finding),
                FindingEffect::Note => {}
            }
            if self.steps.is_some() {
                let by = by.as_ref().map(|by| format!(" (passes by {by})"));
                self.found.push(StepFinding {
                    rule: finding.rule.clone(),
                    effect,
                    field: finding.field.clone(),
                    message: finding.message.clone() + by.as_deref().unwrap_or_default(),
                });
            }
        }
    }

    /// Records whether any policy looks at such objects; rules of the configuration look at all.
    pub(super) fn note_examined(&mut self, has_rules: bool) {
        self.is_examined = has_rules || !matches!(self.request.subject, ReviewSubject::Other);
    }

    /// Records the age of the context that the verdict depends on.
    pub(super) fn note_age(&mut self, seconds: Option<u32>) {
        if let Some(seconds) = seconds {
            self.annotations.insert(AGE, format!("{seconds} s old"));
        }
    }

    fn deny(&mut self, policy: &str, finding: &Finding) {
        self.denials += 1;
        self.awaits.rest_on(finding);
        if self.causes.len() < MOST_CAUSES {
            let search = self.search.as_ref().filter(|_| finding.awaits.is_some());
            let search = search.map_or("", String::as_str);
            let message = format!("{policy}/{}: {}{search}", finding.rule, finding.message);
            let message = shorten(message, LONGEST_CAUSE);
            self.causes.push(StatusCause {
                reason: finding.cause,
                message,
                field: finding.field.clone(),
            });
        }
    }

    fn warn(&mut self, policy: &str, finding: &Finding) {
        let text = format!(
            "{policy}/{}: {}: {} ({})",
            finding.rule,
            self.request.title(),
            finding.message,
            finding.field
        );
        self.warnings.push(shorten(text, LONGEST_WARNING));
    }

    pub(super) fn finish(mut self) -> Response<'r> {
        let allowed = self.denials == 0;
        if self.warnings.len() > MOST_WARNINGS {
            let left = self.warnings.len() - (MOST_WARNINGS - 1);
            self.warnings.truncate(MOST_WARNINGS - 1);
            self.warnings.push(format!("and {left} more warnings"));
        }
        let message = if allowed {
            let verdict = match self.is_examined {
                true => "allowed",
                false => "not examined: no policy looks at such objects",
            };
            printable(format!("{}: {verdict}", self.request.title()))
        } else {
            printable(self.reasons())
        };
        let details = StatusDetails {
            name: self.request.name.clone(),
            group: self.request.group.clone(),
            kind: self.request.kind.clone(),
            causes: self.causes,
        };
        let (code, reason) = if allowed {
            (200, None)
        } else {
            (403, Some("Forbidden"))
        };
        Response {
            uid: self.request.uid.clone(),
            asked: AskedReview::of(self.request),
            allowed,
            status: Status {
                code,
                reason,
                message,
                details,
            },
            warnings: self.warnings,
            audit_annotations: self.annotations,
            awaits: self.awaits.into_pods(),
        }
    }

    fn reasons(&self) -> String {
        let spelt: Vec<String> = self
            .causes
            .iter()
            .take(MOST_IN_MESSAGE)
            .map(|cause| format!("{} ({})", cause.message, cause.field))
            .collect();
        let mut message = format!("{}: {}", self.request.title(), spelt.join("; "));
        let left = self.denials - spelt.len();
        if left > 0 {
            message.push_str(&format!("; and {left} more"));
        }
        message
    }
}

/// `deny: rule, rule; warn: rule`, with the mode applied.
fn annotation(mode: Mode, verdict: &PolicyVerdict) -> String {
    let rules = |severity: FindingSeverity| {
        let findings = verdict.findings().iter();
        let of_severity = findings.filter(|finding| finding.severity == severity);
        sorted_unique(of_severity.map(|finding| &*finding.rule)).join(", ")
    };
    let (deny, warn) = match mode {
        Mode::Enforce => ("deny", "warn"),
        Mode::Warn => ("would deny", "warn"),
        Mode::Audit | Mode::Off => ("would deny", "would warn"),
    };
    let parts = [
        (deny, rules(FindingSeverity::Deny)),
        (warn, rules(FindingSeverity::Warn)),
    ];
    parts
        .iter()
        .filter(|(_, rules)| !rules.is_empty())
        .map(|(verb, rules)| format!("{verb}: {rules}"))
        .collect::<Vec<_>>()
        .join("; ")
}

/// Shortens a text to at most so many bytes, at a character boundary. It may be printed to a terminal, and it may quote
/// user input.
fn shorten(text: String, longest: usize) -> String {
    const ELLIPSIS: char = '…';
    let text = printable(text);
    if text.len() <= longest {
        return text;
    }
    let end = text
        .char_indices()
        .map(|(place, _)| place)
        .take_while(|place| place + ELLIPSIS.len_utf8() <= longest)
        .last()
        .unwrap_or_default();
    let mut short = text.get(..end).unwrap_or_default().to_owned();
    short.push(ELLIPSIS);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_to_fit_with_the_ellipsis() {
        for (text, longest, expected) in [
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abc…"),
            ("aéééé", 7, "aé…"),
            ("aéééé", 8, "aéé…"),
        ] {
            assert_eq!(shorten(text.to_owned(), longest), expected);
        }
    }
}
