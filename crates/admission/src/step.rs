//! What one policy did in a review, and what it found.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::settings::Mode;

/// The result of a policy in a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum PolicyResult {
    /// It ran.
    Asked,
    /// It looks at other kinds of objects.
    OtherKind,
    /// Only another policy was to run.
    NotChosen,
    /// Its mode in this namespace is `off`.
    Off,
    /// The caller is exempt from it.
    Exempt,
    /// The update leaves everything it looks at as it was.
    Unchanged,
    /// The API servers write their own Service, or its objects exist already.
    ApiServers,
    /// It judges who writes, and no request writes the object.
    NobodyWrites,
}

/// What one policy did.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyStep {
    /// Its name.
    pub policy: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// The kinds it looks at.
    pub kinds: &'static [&'static str],
    /// Whether it ran, and why not.
    pub standing: PolicyResult,
    /// Its mode in the namespace.
    pub mode: Mode,
    /// The kinds for which it looked at what is known about the cluster.
    pub looked_at: Vec<&'static str>,
    /// What it found, worst first.
    pub findings: Vec<StepFinding>,
    /// Whether it found something, or why it did not run, in a sentence.
    pub said: String,
}

/// What a finding does to the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FindingEffect {
    /// It is refused.
    Deny,
    /// The user gets a warning.
    Warn,
    /// It is recorded in the audit log.
    Note,
}

/// One finding of a policy, and its effect.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct StepFinding {
    /// The rule's name.
    pub rule: Cow<'static, str>,
    /// What it does to the change.
    pub effect: FindingEffect,
    /// The field it is about.
    pub field: String,
    /// What is wrong and how to fix it.
    pub message: String,
}

impl StepFinding {
    pub(super) fn line(&self) -> String {
        let effect = match self.effect {
            FindingEffect::Deny => "denies",
            FindingEffect::Warn => "warns",
            FindingEffect::Note => "noted only",
        };
        format!(
            "  {} ({effect}), {}: {}",
            self.rule, self.field, self.message
        )
    }
}
