//! The objects that reports are made of, as the APIs write them.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::SOURCE;

/// The longest name of an object.
const LONGEST_NAME: usize = 253;

/// An API of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportApi {
    /// `Report` and `ClusterReport` of `openreports.io/v1alpha1`.
    OpenReports,
    /// `PolicyReport` and `ClusterPolicyReport` of `wgpolicyk8s.io/v1alpha2`.
    PolicyReports,
}

impl ReportApi {
    /// All of them, in the order of preference.
    pub const ALL: [Self; 2] = [Self::OpenReports, Self::PolicyReports];

    /// The API group.
    pub const fn group(self) -> &'static str {
        match self {
            Self::OpenReports => "openreports.io",
            Self::PolicyReports => "wgpolicyk8s.io",
        }
    }

    /// The version in the group.
    pub const fn version(self) -> &'static str {
        match self {
            Self::OpenReports => "v1alpha1",
            Self::PolicyReports => "v1alpha2",
        }
    }

    /// The kind of reports on objects in a namespace, or outside of all.
    pub const fn kind(self, is_namespaced: bool) -> &'static str {
        match (self, is_namespaced) {
            (Self::OpenReports, true) => "Report",
            (Self::OpenReports, false) => "ClusterReport",
            (Self::PolicyReports, true) => "PolicyReport",
            (Self::PolicyReports, false) => "ClusterPolicyReport",
        }
    }

    /// That kind, as paths and RBAC rules name it.
    pub const fn plural(self, is_namespaced: bool) -> &'static str {
        match (self, is_namespaced) {
            (Self::OpenReports, true) => "reports",
            (Self::OpenReports, false) => "clusterreports",
            (Self::PolicyReports, true) => "policyreports",
            (Self::PolicyReports, false) => "clusterpolicyreports",
        }
    }
}

/// The object that a report is about (Kubernetes: `ObjectReference`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::exhaustive_structs, reason = "callers name the object")]
pub struct ReportSubject {
    /// Group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
    /// Namespace; empty outside of all.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name.
    pub name: String,
    /// The object itself, rather than another one of its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uid: String,
}

impl ReportSubject {
    /// The object as messages name it: `Service shop/cart`.
    pub fn title(&self) -> String {
        let Self { kind, name, .. } = self;
        match self.namespace.as_str() {
            "" => format!("{kind} {name}"),
            namespace => format!("{kind} {namespace}/{name}"),
        }
    }

    /// The name of its report, which no other object of the namespace has. Kinds have no `-` in them.
    pub(super) fn report_name(&self) -> String {
        let name = format!("{SOURCE}-{}-{}", self.kind.to_lowercase(), self.name);
        if name.len() <= LONGEST_NAME {
            return name;
        }
        let kept = name.get(..LONGEST_NAME - 17).unwrap_or_default();
        format!("{}-{:016x}", kept.trim_end_matches(['-', '.']), hash(&name))
    }
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The results of the policies for one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Report {
    /// Group and version of the report.
    pub api_version: String,
    /// `Report` or `ClusterReport`, or what they were called before.
    pub kind: String,
    /// Name, namespace, label and owner.
    pub metadata: ReportMeta,
    /// [`SOURCE`]; reports of the earlier API have it in their results only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The subject.
    pub scope: ReportSubject,
    /// The number of results of each kind.
    pub summary: ReportSummary,
    /// The first [`MOST_RESULTS`](super::MOST_RESULTS) results, worst first, then in the order of the policies.
    pub results: Vec<ReportResult>,
}

/// Metadata of a report, as far as its writer decides on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ReportMeta {
    /// The name, which follows from the subject.
    pub name: String,
    /// The namespace of the subject, if it has one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// [`MANAGED_BY`](super::MANAGED_BY).
    pub labels: BTreeMap<String, String>,
    /// The subject: a report goes with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owner_references: Vec<ReportOwner>,
}

/// The owner of a report (Kubernetes: `OwnerReference`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ReportOwner {
    /// Group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
    /// Name.
    pub name: String,
    /// The object itself.
    pub uid: String,
}

/// The number of results of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ReportSummary {
    /// What policies would not let pass.
    pub fail: usize,
    /// What could not be judged.
    pub error: usize,
    /// What policies warn about or note.
    pub warn: usize,
    /// Policies that were not asked.
    pub skip: usize,
    /// Policies that found nothing.
    pub pass: usize,
}

/// One finding, or a policy without any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportResult {
    /// [`SOURCE`].
    #[serde(default)]
    pub source: String,
    /// The policy.
    pub policy: String,
    /// The rule, of a finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// `Networking`.
    #[serde(default)]
    pub category: String,
    /// How bad a finding is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<ResultSeverity>,
    /// When it was first found.
    #[serde(default)]
    pub timestamp: ReportTime,
    /// The result.
    pub result: ResultKind,
    /// Does the webhook refuse changes because of it?
    #[serde(default)]
    pub scored: bool,
    /// What is wrong and how to fix it.
    #[serde(default)]
    pub message: String,
    /// The `field` of a finding, and the `mode` of the policy in the namespace.
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
}

/// The results, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ResultKind {
    /// The webhook would refuse it.
    Fail,
    /// It could not be judged.
    Error,
    /// The webhook would warn about it, or note it.
    Warn,
    /// The policy was not asked.
    Skip,
    /// The policy found nothing.
    Pass,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ResultSeverity {
    /// As others write it; never used here.
    Critical,
    /// It fails.
    High,
    /// It warns, or could not be judged.
    Medium,
    /// It is only noted.
    Low,
    /// As others write it; never used here.
    Info,
}

/// A time (Kubernetes: `metav1.Timestamp`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ReportTime {
    /// Seconds since 1970, in UTC.
    pub seconds: i64,
    /// Always 0: policies are not asked so often.
    pub nanos: i32,
}

impl ReportTime {
    /// So many seconds after the beginning of 1970, in UTC.
    pub const fn at(seconds: i64) -> Self {
        Self { seconds, nanos: 0 }
    }
}
