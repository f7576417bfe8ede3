//! What a policy found: each finding names the rule, the field, what is wrong and how to mend it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::model::order::sort_by;

/// How bad a finding is, before the policy's mode is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Worth telling.
    Warn,
    /// Reason to refuse the change.
    Deny,
}

/// One thing a policy found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule's stable name, e.g. `duplicate-endpoint`, or the name that the configuration gives it.
    pub rule: Cow<'static, str>,
    /// How bad it is.
    pub severity: Severity,
    /// What kind of mistake it is, in the API's words.
    pub cause: Cause,
    /// The field it is about, as the API writes paths: `endpoints[3].addresses[0]`.
    pub field: String,
    /// What is wrong and how to mend it.
    pub message: String,
}

/// Kinds of mistakes (Kubernetes: `metav1.CauseType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Cause {
    /// The value cannot be used here.
    FieldValueInvalid,
    /// The value is there already.
    FieldValueDuplicate,
    /// Something the value names does not exist.
    FieldValueNotFound,
    /// A required value is missing.
    FieldValueRequired,
    /// There are too many values.
    FieldValueTooMany,
    /// The value is right, its effect is not.
    FieldValueForbidden,
}

impl Finding {
    /// A reason to refuse the change.
    pub fn deny(
        rule: impl Into<Cow<'static, str>>,
        cause: Cause,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(
            rule.into(),
            Severity::Deny,
            cause,
            field.into(),
            message.into(),
        )
    }

    /// Worth telling.
    pub fn warn(
        rule: impl Into<Cow<'static, str>>,
        cause: Cause,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(
            rule.into(),
            Severity::Warn,
            cause,
            field.into(),
            message.into(),
        )
    }

    const fn new(
        rule: Cow<'static, str>,
        severity: Severity,
        cause: Cause,
        field: String,
        message: String,
    ) -> Self {
        Self {
            rule,
            severity,
            cause,
            field,
            message,
        }
    }
}

/// All a policy found, worst first, then in the order of the object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    findings: Vec<Finding>,
}

impl Verdict {
    /// Nothing to say.
    pub fn allow() -> Self {
        Self::default()
    }

    /// The findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Is there nothing to say?
    pub const fn is_silent(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings that are reasons to refuse the change.
    pub fn denials(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| finding.severity == Severity::Deny)
    }
}

impl FromIterator<Finding> for Verdict {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        let mut findings: Vec<_> = findings.into_iter().collect();
        sort_by(&mut findings, |a, b| b.severity.cmp(&a.severity));
        Self { findings }
    }
}
