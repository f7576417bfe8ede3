//! Reports on objects as they exist, in the formats that dashboards of policies read.
//!
//! A [`Report`] has the results of the policies for one object, its subject. It is made of the steps of a
//! [`VerdictExplanation`](crate::VerdictExplanation), so it says what the webhook would. What compares an object with
//! its predecessor stays silent: an existing object is judged as if it were created now.
//!
//! Sources: `openreports.io/v1alpha1` (github.com/openreports/reports-api) and its predecessor `wgpolicyk8s.io/v1alpha2`
//! (github.com/kubernetes-sigs/wg-policy-prototypes), whose results have the same fields.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::policies::UNDECIDED;
use crate::settings::Mode;
use crate::step::{Effect, PolicyResult, PolicyStep, StepFinding};
use slicewise::Error;
use slicewise::model::order::sort_by;
use slicewise::model::text::printable;

/// Who writes the reports: their `source`, and the value of [`MANAGED_BY`] by which their writer finds them.
pub const SOURCE: &str = "slicewise";
/// The label of reports that names who writes them.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// Further results are only counted in the summary: a slice can hold a thousand wrong addresses.
pub const MOST_RESULTS: usize = 100;
/// The longest name of an object.
const LONGEST_NAME: usize = 253;
const CATEGORY: &str = "Networking";

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
    fn report_name(&self) -> String {
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
    /// The first [`MOST_RESULTS`] results, worst first, then in the order of the policies.
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
    /// [`MANAGED_BY`].
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

impl Report {
    /// The report on an object, of the steps of its [`VerdictExplanation`](crate::VerdictExplanation); `now` is when they
    /// were taken.
    pub fn new(
        api: ReportApi,
        subject: &ReportSubject,
        steps: &[PolicyStep],
        now: ReportTime,
    ) -> Self {
        let results = steps.iter().flat_map(|step| results_of(step, now));
        Self::of(api, subject, results.collect())
    }

    /// The report on an object that cannot be read.
    pub fn unread(api: ReportApi, subject: &ReportSubject, error: &Error, now: ReportTime) -> Self {
        let message = printable(error.message().to_owned());
        let unread = ReportResult {
            severity: Some(ResultSeverity::Medium),
            ..ReportResult::new("review", Some("broken"), ResultKind::Error, message, now)
        };
        Self::of(api, subject, [unread].into())
    }

    fn of(api: ReportApi, subject: &ReportSubject, mut results: Vec<ReportResult>) -> Self {
        let mut summary = ReportSummary::default();
        for result in &results {
            *summary.count(result.result) += 1;
        }
        sort_by(&mut results, |one, other| one.result.cmp(&other.result));
        results.truncate(MOST_RESULTS);
        let owner = ReportOwner {
            api_version: subject.api_version.clone(),
            kind: subject.kind.clone(),
            name: subject.name.clone(),
            uid: subject.uid.clone(),
        };
        let has_owner = !owner.uid.is_empty();
        Self {
            api_version: format!("{}/{}", api.group(), api.version()),
            kind: api.kind(!subject.namespace.is_empty()).to_owned(),
            metadata: ReportMeta {
                name: subject.report_name(),
                namespace: subject.namespace.clone(),
                labels: [(MANAGED_BY.to_owned(), SOURCE.to_owned())].into(),
                owner_references: has_owner.then_some(owner).into_iter().collect(),
            },
            source: match api {
                ReportApi::OpenReports => SOURCE.to_owned(),
                ReportApi::PolicyReports => String::new(),
            },
            scope: subject.clone(),
            summary,
            results,
        }
    }

    /// Is there anything to report? Reports without findings are not kept.
    pub const fn has_findings(&self) -> bool {
        let ReportSummary {
            fail, error, warn, ..
        } = self.summary;
        fail + error + warn > 0
    }

    /// The findings, worst first.
    pub fn findings(&self) -> impl Iterator<Item = &ReportResult> {
        let results = self.results.iter();
        results.take_while(|result| result.result <= ResultKind::Warn)
    }

    /// Keeps the times of results that were found before: a report changes only if its results do.
    pub fn keep_times(&mut self, stored: &Self) {
        for result in &mut self.results {
            let is_same = |known: &&ReportResult| result.is_as(known);
            if let Some(known) = stored.results.iter().find(is_same) {
                result.timestamp = known.timestamp;
            }
        }
    }

    /// Does the stored report have everything that this one says? Others may have labelled it.
    pub fn is_stored_as(&self, stored: &Self) -> bool {
        let labels = &stored.metadata.labels;
        let mut ours = self.metadata.labels.iter();
        ours.all(|(key, value)| labels.get(key) == Some(value))
            && self.metadata.owner_references == stored.metadata.owner_references
            && self.source == stored.source
            && self.scope == stored.scope
            && self.summary == stored.summary
            && self.results == stored.results
    }
}

impl ReportSummary {
    const fn count(&mut self, kind: ResultKind) -> &mut usize {
        match kind {
            ResultKind::Fail => &mut self.fail,
            ResultKind::Error => &mut self.error,
            ResultKind::Warn => &mut self.warn,
            ResultKind::Skip => &mut self.skip,
            ResultKind::Pass => &mut self.pass,
        }
    }
}

impl ReportResult {
    fn new(
        policy: &str,
        rule: Option<&str>,
        result: ResultKind,
        message: String,
        timestamp: ReportTime,
    ) -> Self {
        Self {
            source: SOURCE.to_owned(),
            policy: policy.to_owned(),
            rule: rule.map(String::from),
            category: CATEGORY.to_owned(),
            severity: None,
            timestamp,
            result,
            scored: false,
            message,
            properties: BTreeMap::new(),
        }
    }

    /// The same result, whenever it was found?
    fn is_as(&self, other: &Self) -> bool {
        let at = |timestamp, result: &Self| Self {
            timestamp,
            ..result.clone()
        };
        self.policy == other.policy
            && self.message == other.message
            && *self == at(self.timestamp, other)
    }
}

/// The findings of a policy, or why there are none; nothing if it looks at other kinds, or only another one was to run.
fn results_of(step: &PolicyStep, now: ReportTime) -> Vec<ReportResult> {
    let alone = |kind| {
        let result = ReportResult::new(step.policy, None, kind, step.said.clone(), now);
        let scored = kind == ResultKind::Pass && step.mode == Mode::Enforce;
        Vec::from([ReportResult { scored, ..result }.with("mode", step.mode.name())])
    };
    match step.standing {
        PolicyResult::OtherKind | PolicyResult::NotChosen => Vec::new(),
        PolicyResult::Asked if step.findings.is_empty() => alone(ResultKind::Pass),
        PolicyResult::Asked => {
            let findings = step.findings.iter();
            findings.map(|finding| found(step, finding, now)).collect()
        }
        _ => alone(ResultKind::Skip),
    }
}

fn found(step: &PolicyStep, finding: &StepFinding, now: ReportTime) -> ReportResult {
    let (result, severity) = match finding.effect {
        _ if UNDECIDED.contains(&&*finding.rule) => (ResultKind::Error, ResultSeverity::Medium),
        Effect::Deny => (ResultKind::Fail, ResultSeverity::High),
        Effect::Warn => (ResultKind::Warn, ResultSeverity::Medium),
        Effect::Note => (ResultKind::Warn, ResultSeverity::Low),
    };
    let message = printable(finding.message.clone());
    let found = ReportResult {
        severity: Some(severity),
        scored: finding.effect == Effect::Deny,
        ..ReportResult::new(step.policy, Some(&finding.rule), result, message, now)
    };
    found
        .with("field", &finding.field)
        .with("mode", step.mode.name())
}

impl ReportResult {
    fn with(mut self, key: &str, value: &str) -> Self {
        self.properties.insert(key.to_owned(), value.to_owned());
        self
    }
}

#[cfg(test)]
mod tests;
