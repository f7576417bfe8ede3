//! Webhook configurations against Kubernetes' good practices, and what in them could deadlock a cluster.
//!
//! A configuration says which writes wait for a webhook. Some of those writes create the webhook itself, or bring the
//! network or a node back; if they wait for a webhook that is gone, and the API server fails closed, the cluster cannot
//! recover. Selectors and conditions are evaluated as far as the configuration allows; what cannot be decided is
//! reported as a warning that says so. Rules are listed in [`RULES`]. There is no clock: expiry is checked against an
//! argument.
//!
//! ```
//! use slicewise_lint::{LintSeverity, check};
//!
//! let configuration = r#"{
//!     "apiVersion": "admissionregistration.k8s.io/v1",
//!     "kind": "ValidatingWebhookConfiguration",
//!     "metadata": {"name": "strict"},
//!     "webhooks": [{
//!         "name": "pods.strict.example.com",
//!         "clientConfig": {"service": {"namespace": "strict", "name": "webhook"}},
//!         "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}],
//!         "sideEffects": "None",
//!         "admissionReviewVersions": ["v1"]
//!     }]
//! }"#;
//! let linted = check(&[configuration], None)?;
//! // The webhook's own pods wait for the webhook.
//! let [strict] = linted.configurations.as_slice() else { unreachable!() };
//! assert!(strict.findings.iter().any(|finding| finding.rule == "own-pods"));
//! assert!(linted.has(LintSeverity::Error));
//! # Ok::<(), slicewise::Error>(())
//! ```

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod certificate;
mod client;
mod conditions;
mod deadlocks;
mod loops;
mod needed;
mod reach;
mod read;
mod rules;
mod scope;
mod settings;
pub mod webhooks;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::Error;
use slicewise::model::Timestamp;
use slicewise::model::order::sort_by;
use slicewise::words;

use reach::Namespaces;
pub use rules::{LintRule, RULES};
use webhooks::{Webhook, WebhookConfiguration};

/// The kinds that are checked.
pub const KINDS: [&str; 2] = [
    "ValidatingWebhookConfiguration",
    "MutatingWebhookConfiguration",
];

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename_all = "lowercase")]
#[non_exhaustive]
#[schemars(rename = "Severity")]
pub enum LintSeverity {
    /// The cluster could stop working, or the API server refuses the configuration.
    Error,
    /// It works until something else fails.
    Warning,
    /// Useful to know.
    Info,
}

impl LintSeverity {
    /// All severities, worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// The name used in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A finding of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
#[schemars(rename = "Finding")]
pub struct LintFinding {
    /// The name of the rule.
    pub rule: &'static str,
    /// The severity.
    pub severity: LintSeverity,
    /// The location, as a JSON pointer into the configuration.
    pub path: String,
    /// The name of the webhook; empty if the finding is about the whole configuration.
    pub webhook: String,
    /// The problem and its consequence.
    pub message: String,
    /// What to do.
    pub mend: String,
    /// The lines to write, as YAML; empty if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub yaml: String,
}

/// The findings about one configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct LintedConfiguration {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The number of rules checked.
    pub rules: usize,
    /// The number of rules that the configuration follows.
    pub followed: usize,
    /// The findings webhook by webhook, most severe first.
    pub findings: Vec<LintFinding>,
}

/// The result of linting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Linted {
    /// The configurations, in the order of the input.
    pub configurations: Vec<LintedConfiguration>,
}

impl Linted {
    /// Is there a finding of this severity or worse?
    pub fn has(&self, severity: LintSeverity) -> bool {
        let mut findings = self.configurations.iter().flat_map(|each| &each.findings);
        findings.any(|finding| finding.severity <= severity)
    }
}

/// The input of a check.
struct LintInput<'g> {
    configurations: Vec<WebhookConfiguration<'g>>,
    namespaces: Namespaces<'g>,
    /// The time for checking expiry, which is skipped without it.
    now: Option<Timestamp>,
}

/// Findings about one webhook, in the order they are found.
struct WebhookReport<'r> {
    webhook: &'r Webhook<'r>,
    index: usize,
    findings: Vec<LintFinding>,
}

impl WebhookReport<'_> {
    /// Adds a finding at a path below the webhook.
    fn add(&mut self, rule: &'static str, severity: LintSeverity, path: &str, said: FindingText) {
        self.findings.push(LintFinding {
            rule,
            severity,
            path: format!("/webhooks/{}{path}", self.index),
            webhook: self.webhook.name.to_string(),
            message: said.message,
            mend: said.mend,
            yaml: said.yaml,
        });
    }
}

/// The content of a finding.
struct FindingText {
    message: String,
    mend: String,
    yaml: String,
}

/// A message with its remedy, without suggested YAML.
fn said(message: impl Into<String>, mend: impl Into<String>) -> FindingText {
    FindingText {
        message: message.into(),
        mend: mend.into(),
        yaml: String::new(),
    }
}

impl FindingText {
    /// Adds the YAML to write.
    fn with(mut self, yaml: impl Into<String>) -> Self {
        self.yaml = yaml.into();
        self
    }
}

/// Checks the webhook configurations among Kubernetes objects, each a JSON text. Namespaces among them provide their
/// labels; everything else is skipped, so without configurations there are no findings. `now` is used to check when certificates expire, which is skipped without it.
///
/// # Errors
/// When an object cannot be read or has another version. The path begins with the object's index.
pub fn check(objects: &[&str], now: Option<Timestamp>) -> Result<Linted, Error> {
    read::given(objects, now).map(|given| linted(&given))
}

fn linted(given: &LintInput<'_>) -> Linted {
    let loops = loops::find(given);
    let mut configurations = Vec::new();
    for (place, configuration) in given.configurations.iter().enumerate() {
        let mut findings = Vec::new();
        for (index, webhook) in configuration.webhooks.iter().enumerate() {
            let mut report = WebhookReport {
                webhook,
                index,
                findings: Vec::new(),
            };
            deadlocks::check(&mut report, &given.namespaces);
            loops.check((place, index), &mut report);
            scope::check(&mut report, configuration, &given.namespaces);
            settings::check(&mut report, configuration);
            client::check(&mut report, configuration, given.now);
            sort_by(&mut report.findings, |one, other| {
                one.severity.cmp(&other.severity)
            });
            findings.append(&mut report.findings);
        }
        findings.extend(settings::of_configuration(configuration));
        let rules: Vec<_> = RULES
            .iter()
            .filter(|rule| rule.applies_to(&configuration.kind))
            .collect();
        let is_followed =
            |rule: &&&LintRule| findings.iter().all(|finding| finding.rule != rule.id);
        configurations.push(LintedConfiguration {
            kind: configuration.kind.to_string(),
            name: configuration.metadata.name.to_string(),
            followed: rules.iter().filter(is_followed).count(),
            rules: rules.len(),
            findings,
        });
    }
    Linted { configurations }
}

/// `a`, `a and b`, `a, b, c, d and 3 more`.
fn listed(items: &[String]) -> String {
    words::listed(items, "and", 4)
}

/// The JSON Schemas of the output, by name.
pub fn schemas() -> Vec<(&'static str, schemars::Schema)> {
    alloc::vec![("linted", slicewise::schema::written::<Linted>())]
}

#[cfg(test)]
mod tests;
