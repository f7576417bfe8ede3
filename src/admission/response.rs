//! The response of an `admission.k8s.io/v1` AdmissionReview, put together from what the policies found.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::request::Request;
use super::settings::Mode;
use super::step::{Effect, Found, Step};
use super::verdict::{Cause, Finding, Severity, Verdict};
use crate::model::order::sorted_unique;
use crate::model::text::printable;
use crate::model::{SortedMap, Text};

/// The only version that is spoken.
pub const API_VERSION: &str = "admission.k8s.io/v1";
/// The only kind.
pub const KIND: &str = "AdmissionReview";

/// The whole answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewAnswer<'r> {
    api_version: &'static str,
    kind: &'static str,
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

/// May the change be made, and what should people know?
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response<'r> {
    /// The request's.
    pub uid: Text<'r>,
    /// The verdict.
    pub allowed: bool,
    /// Why; the API server passes it on when the change is refused.
    pub status: Status<'r>,
    /// Shown to the user by `kubectl`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What each policy said, by its name, for the audit log.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub audit_annotations: SortedMap<&'static str, String>,
    /// The object's; for logs only.
    #[serde(skip)]
    namespace: Text<'r>,
}

/// What may be told of a review in logs: names and verdicts, never the object.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Record<'v> {
    /// `allow`, `warn` or `deny`.
    pub verdict: &'static str,
    /// The request's.
    pub uid: &'v str,
    /// The object's.
    pub kind: &'v str,
    /// The object's, if it has one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub namespace: &'v str,
    /// The object's, if it has one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: &'v str,
    /// Those that had something to say.
    pub policies: Vec<&'static str>,
    /// For people.
    pub reason: String,
}

impl Response<'_> {
    /// What may be told of it.
    pub fn record(&self) -> Record<'_> {
        let verdict = match (self.allowed, self.warnings.is_empty()) {
            (false, _) => "deny",
            (true, false) => "warn",
            (true, true) => "allow",
        };
        let said = self.audit_annotations.iter().map(|(name, _)| *name);
        Record {
            verdict,
            uid: &self.uid,
            kind: &self.status.details.kind,
            namespace: &self.namespace,
            name: &self.status.details.name,
            policies: said.filter(|name| *name != AGE).collect(),
            reason: if verdict == "warn" {
                self.warnings.join("; ")
            } else {
                self.status.message.clone()
            },
        }
    }
}

/// A `metav1.Status`.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Status<'r> {
    /// An HTTP status code: 200 or 403.
    pub code: u16,
    /// `Forbidden` when the change is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// What a user reads.
    pub message: String,
    /// The object, and every reason by field.
    pub details: Details<'r>,
}

/// A `metav1.StatusDetails`.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Details<'r> {
    /// Name of the object.
    #[serde(skip_serializing_if = "is_empty")]
    pub name: Text<'r>,
    /// Its API group.
    #[serde(skip_serializing_if = "is_empty")]
    pub group: Text<'r>,
    /// Its kind.
    pub kind: Text<'r>,
    /// The reasons to refuse.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<StatusCause>,
}

fn is_empty(text: &Text<'_>) -> bool {
    text.is_empty()
}

/// A `metav1.StatusCause`.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct StatusCause {
    /// What kind of mistake it is.
    pub reason: Cause,
    /// Policy, rule, what is wrong and how to fix it.
    pub message: String,
    /// The field.
    pub field: String,
}

/// Causes beyond these are only counted: a slice can hold a thousand wrong addresses.
const MOST_CAUSES: usize = 20;
/// Reasons spelt out in the message itself.
const MOST_IN_MESSAGE: usize = 3;
/// Warnings of one review.
const MOST_WARNINGS: usize = 10;
/// A message may repeat what a user wrote, of any length.
const LONGEST_CAUSE: usize = 512;
/// Longer warnings may be cut by the API server; so it is done here, visibly.
const LONGEST_WARNING: usize = 256;

/// The audit annotation that is not a policy's: how old what is known of the cluster is.
const AGE: &str = "context";

/// Gathers the verdicts of the policies.
#[derive(Debug)]
pub(super) struct ResponseBuilder<'q, 'r> {
    request: &'q Request<'r>,
    causes: Vec<StatusCause>,
    denials: usize,
    warnings: Vec<String>,
    annotations: SortedMap<&'static str, String>,
    /// The object is part of the way to the reviewer itself.
    is_own: bool,
    /// What the policies did, if anybody wants to know.
    steps: Option<Vec<Step>>,
    /// What the policy found that is asked now.
    found: Vec<Found>,
}

impl<'q, 'r> ResponseBuilder<'q, 'r> {
    pub(super) fn new(request: &'q Request<'r>, own_service: &str) -> Self {
        Self {
            request,
            is_own: request.is_of_service(own_service),
            causes: Vec::new(),
            denials: 0,
            warnings: Vec::new(),
            annotations: SortedMap::default(),
            steps: None,
            found: Vec::new(),
        }
    }

    /// From now on, what the policies do is kept.
    pub(super) fn keep_steps(&mut self) {
        self.steps = Some(Vec::new());
    }

    pub(super) fn take_steps(&mut self) -> Vec<Step> {
        self.steps.take().unwrap_or_default()
    }

    /// Keeps the result of a policy, if anybody wants to know; what it found was added before.
    pub(super) fn note_step(&mut self, step: impl FnOnce(Vec<Found>) -> Step) {
        if let Some(steps) = &mut self.steps {
            steps.push(step(core::mem::take(&mut self.found)));
        }
    }

    /// Adds what a policy found, as its mode says.
    pub(super) fn add(&mut self, policy: &'static str, mode: Mode, verdict: &Verdict) {
        if verdict.is_silent() || mode == Mode::Off {
            return;
        }
        self.annotations.insert(policy, annotation(mode, verdict));
        for finding in verdict.findings() {
            let effect = match (mode, finding.severity) {
                (Mode::Enforce, Severity::Deny) if !self.is_own => Effect::Deny,
                (Mode::Enforce | Mode::Warn, _) => Effect::Warn,
                (Mode::Audit | Mode::Off, _) => Effect::Note,
            };
            match effect {
                Effect::Deny => self.deny(policy, finding),
                Effect::Warn => self.warn(policy, finding),
                Effect::Note => {}
            }
            if self.steps.is_some() {
                self.found.push(Found {
                    rule: finding.rule.clone(),
                    effect,
                    field: finding.field.clone(),
                    message: finding.message.clone(),
                });
            }
        }
    }

    /// Notes how old the context is that the verdict depends on.
    pub(super) fn note_age(&mut self, seconds: Option<u32>) {
        if let Some(seconds) = seconds {
            self.annotations.insert(AGE, format!("{seconds} s old"));
        }
    }

    fn deny(&mut self, policy: &str, finding: &Finding) {
        self.denials += 1;
        if self.causes.len() < MOST_CAUSES {
            let message = shorten(
                format!("{policy}/{}: {}", finding.rule, finding.message),
                LONGEST_CAUSE,
            );
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
            printable(format!("{}: allowed", self.request.title()))
        } else {
            printable(self.reasons())
        };
        let details = Details {
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
            namespace: self.request.namespace.clone(),
            allowed,
            status: Status {
                code,
                reason,
                message,
                details,
            },
            warnings: self.warnings,
            audit_annotations: self.annotations,
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

/// `deny: rule, rule; warn: rule`, what the mode made of it included.
fn annotation(mode: Mode, verdict: &Verdict) -> String {
    let rules = |severity: Severity| {
        let findings = verdict.findings().iter();
        let of_severity = findings.filter(|finding| finding.severity == severity);
        sorted_unique(of_severity.map(|finding| &*finding.rule)).join(", ")
    };
    let (deny, warn) = match mode {
        Mode::Enforce => ("deny", "warn"),
        Mode::Warn => ("would deny", "warn"),
        Mode::Audit | Mode::Off => ("would deny", "would warn"),
    };
    let parts = [(deny, rules(Severity::Deny)), (warn, rules(Severity::Warn))];
    parts
        .iter()
        .filter(|(_, rules)| !rules.is_empty())
        .map(|(verb, rules)| format!("{verb}: {rules}"))
        .collect::<Vec<_>>()
        .join("; ")
}

/// Cuts a text at a character, so that it has at most so many bytes. Whoever reads it may be a terminal, and it may repeat
/// what a user wrote.
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
