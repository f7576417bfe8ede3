//! Reports on objects as they exist, in the formats that dashboards of policies read.
//!
//! A [`Report`] has the results of the policies for one object, its subject. It is made of the [steps](crate::steps)
//! that an explanation has, so it says what the webhook would. What compares an object with
//! its predecessor stays silent: an existing object is judged as if it were created now.
//!
//! Sources: `openreports.io/v1alpha1` (github.com/openreports/reports-api) and its predecessor `wgpolicyk8s.io/v1alpha2`
//! (github.com/kubernetes-sigs/wg-policy-prototypes), whose results have the same fields.

mod objects;

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::policies::UNDECIDED;
use crate::settings::Mode;
use crate::step::{FindingEffect, PolicyResult, PolicyStep, StepFinding};
use slicewise::Error;
use slicewise::model::order::sort_by;
use slicewise::model::text::printable;

pub use objects::{
    Report, ReportApi, ReportMeta, ReportOwner, ReportResult, ReportSubject, ReportSummary,
    ReportTime, ResultKind, ResultSeverity,
};

/// Who writes the reports: their `source`, and the value of [`MANAGED_BY`] by which their writer finds them.
pub const SOURCE: &str = "slicewise";
/// The label of reports that names who writes them.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// Further results are only counted in the summary: a slice can hold a thousand wrong addresses.
pub const MOST_RESULTS: usize = 100;
const CATEGORY: &str = "Networking";

impl Report {
    /// The report on an object, of the [steps](crate::steps) of the policies; `now` is when they were taken.
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
        FindingEffect::Deny => (ResultKind::Fail, ResultSeverity::High),
        FindingEffect::Warn => (ResultKind::Warn, ResultSeverity::Medium),
        FindingEffect::Note => (ResultKind::Warn, ResultSeverity::Low),
    };
    let message = printable(finding.message.clone());
    let found = ReportResult {
        severity: Some(severity),
        scored: finding.effect == FindingEffect::Deny,
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
