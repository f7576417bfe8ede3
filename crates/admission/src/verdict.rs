//! What a policy found: each finding names the rule, the field, what is wrong and how to fix it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::net::IpAddr;

use serde::Serialize;

use slicewise::model::order::sort_by;

/// How bad a finding is, before the policy's mode is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingSeverity {
    /// A warning.
    Warn,
    /// A reason to refuse the change.
    Deny,
}

/// One thing a policy found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule's stable name, such as `duplicate-endpoint`, or the name given in the configuration.
    pub rule: Cow<'static, str>,
    /// How severe it is.
    pub severity: FindingSeverity,
    /// What kind of mistake it is, in the API's words.
    pub cause: CauseType,
    /// The field it is about, as the API writes paths: `endpoints[3].addresses[0]`.
    pub field: String,
    /// What is wrong and how to fix it.
    pub message: String,
    /// The pod that the finding rests on, if the cluster may have it and the watch has not shown it yet.
    pub awaits: Option<Box<Awaited>>,
}

/// A pod that may exist although it is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Awaited {
    /// `Pod`.
    pub kind: &'static str,
    /// Its namespace.
    pub namespace: String,
    /// Its name, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its address, if its name is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl Awaited {
    /// A pod by name.
    pub fn pod(namespace: &str, name: &str) -> Self {
        Self {
            kind: "Pod",
            namespace: namespace.into(),
            name: Some(name.into()),
            address: None,
        }
    }

    /// A pod by address.
    pub fn pod_at(namespace: &str, address: IpAddr) -> Self {
        Self {
            kind: "Pod",
            namespace: namespace.into(),
            name: None,
            address: Some(address.to_string()),
        }
    }
}

/// What a refusal rests on, as its reasons are added.
#[derive(Debug)]
pub(super) struct Awaiting {
    pods: Vec<Awaited>,
    /// Would it stand whichever pods exist?
    is_final: bool,
}

impl Awaiting {
    /// More are not looked for.
    const MOST: usize = 20;

    pub(super) const fn new(is_final: bool) -> Self {
        Self {
            pods: Vec::new(),
            is_final,
        }
    }

    pub(super) fn rest_on(&mut self, reason: &Finding) {
        match &reason.awaits {
            None => self.is_final = true,
            Some(pod) if self.pods.len() < Self::MOST && !self.pods.contains(&**pod) => {
                self.pods.push((**pod).clone());
            }
            Some(_) => {}
        }
    }

    /// The pods that may exist and would change the verdict.
    pub(super) fn into_pods(self) -> Vec<Awaited> {
        if self.is_final {
            return Vec::new();
        }
        self.pods
    }
}

/// Kinds of mistakes (Kubernetes: `metav1.CauseType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum CauseType {
    /// The value cannot be used here.
    FieldValueInvalid,
    /// The value exists already.
    FieldValueDuplicate,
    /// Something that the value refers to does not exist.
    FieldValueNotFound,
    /// A required value is missing.
    FieldValueRequired,
    /// There are too many values.
    FieldValueTooMany,
    /// The value is not one of the supported ones.
    FieldValueNotSupported,
    /// The value is valid, but its effect is not allowed.
    FieldValueForbidden,
}

impl Finding {
    /// A reason to refuse the change.
    pub fn deny(
        rule: impl Into<Cow<'static, str>>,
        cause: CauseType,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(FindingSeverity::Deny, rule, cause, field, message)
    }

    /// A warning.
    pub fn warn(
        rule: impl Into<Cow<'static, str>>,
        cause: CauseType,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(FindingSeverity::Warn, rule, cause, field, message)
    }

    fn new(
        severity: FindingSeverity,
        rule: impl Into<Cow<'static, str>>,
        cause: CauseType,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule: rule.into(),
            severity,
            cause,
            field: field.into(),
            message: message.into(),
            awaits: None,
        }
    }

    /// The same, if the cluster does not have this pod after all.
    #[must_use]
    pub fn awaiting(self, pod: Awaited) -> Self {
        Self {
            awaits: Some(Box::new(pod)),
            ..self
        }
    }
}

/// The findings of a policy, worst first, then in the order of the object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyVerdict {
    findings: Vec<Finding>,
}

impl PolicyVerdict {
    /// No findings.
    pub fn allow() -> Self {
        Self::default()
    }

    /// The findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Are there no findings?
    pub const fn is_silent(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings that are reasons to refuse the change.
    pub fn denials(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| finding.severity == FindingSeverity::Deny)
    }
}

impl FromIterator<Finding> for PolicyVerdict {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        let mut findings: Vec<_> = findings.into_iter().collect();
        sort_by(&mut findings, |a, b| b.severity.cmp(&a.severity));
        Self { findings }
    }
}
