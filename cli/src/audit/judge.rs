//! Judges the objects of an input, as the webhook would if they were created now.

#[cfg(not(target_family = "wasm"))]
use std::collections::BTreeMap;

use serde::Deserialize;
use slicewise::Error;
use slicewise_admission::reports::{Report, ReportApi, ReportSubject, ReportTime};
use slicewise_admission::{Asking, Reviewer, policies};

use super::args::{AuditArgs, WANTED};
#[cfg(not(target_family = "wasm"))]
use super::cluster::AuditedCluster;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, ReadableInput};
use crate::notes;
use crate::review::given::objects;
use crate::reviewer::{configured, take_exceptions};

/// What the policies found.
#[derive(Default)]
pub(super) struct Audit {
    /// The reports on objects with findings, in the order of the input.
    pub(super) reports: Vec<Report>,
    /// The objects by verdict: allowed, warned about, denied, and not judged.
    pub(super) verdicts: [usize; 4],
    /// The objects by policy and its verdict, as its annotation in the API server's audit log begins.
    #[cfg(not(target_family = "wasm"))]
    pub(super) findings: BTreeMap<(&'static str, String), usize>,
}

/// The names of [`Audit::verdicts`].
#[cfg(not(target_family = "wasm"))]
pub(super) const VERDICTS: [&str; 4] = ["allow", "warn", "deny", "error"];

/// The identity of an object.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ObjectHead {
    api_version: String,
    kind: String,
    metadata: Meta,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    name: String,
    namespace: String,
    uid: String,
}

impl From<ObjectHead> for ReportSubject {
    fn from(head: ObjectHead) -> Self {
        Self {
            api_version: head.api_version,
            kind: head.kind,
            namespace: head.metadata.namespace,
            name: head.metadata.name,
            uid: head.metadata.uid,
        }
    }
}

impl Audit {
    /// Judges the objects in a text by what a reviewer knows of the cluster, or of one namespace of it.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub(super) fn of(
        reviewer: &mut Reviewer,
        json: &[u8],
        namespace: Option<&str>,
        api: ReportApi,
        arguments: &AuditArgs,
    ) -> Result<Self, Error> {
        let asking = arguments.reviewer.asking(arguments.now());
        let now = ReportTime::at(arguments.now());
        let mut audit = Self::default();
        for object in objects(json)? {
            let head: ObjectHead = serde_json::from_str(&object).unwrap_or_default();
            let subject = ReportSubject::from(head);
            // Of one namespace, not enough is known to judge what is outside of all.
            let is_known = namespace.is_none() || !subject.namespace.is_empty();
            if is_known && policies::judge_existing(&subject.kind) {
                audit.add(reviewer, &object, &subject, asking, api, now);
            }
        }
        Ok(audit)
    }

    fn add(
        &mut self,
        reviewer: &mut Reviewer,
        object: &str,
        subject: &ReportSubject,
        asking: Asking<'_>,
        api: ReportApi,
        now: ReportTime,
    ) {
        let (report, verdict) = match reviewer.steps(object.as_bytes(), asking) {
            Ok((steps, response)) => {
                #[cfg(not(target_family = "wasm"))]
                for (policy, found) in response.audit_annotations.iter() {
                    let verdict = found.split(':').next().unwrap_or_default();
                    let count = self.findings.entry((policy, verdict.to_owned()));
                    *count.or_default() += 1;
                }
                let report = Report::new(api, subject, &steps, now);
                let verdict = match (response.allowed, response.warnings.is_empty()) {
                    (true, true) => 0,
                    (true, false) => 1,
                    (false, _) => 2,
                };
                (report, verdict)
            }
            Err(error) => (Report::unread(api, subject, &error, now), 3),
        };
        if let Some(count) = self.verdicts.get_mut(verdict) {
            *count += 1;
        }
        if report.has_findings() {
            self.reports.push(report);
        }
    }

    /// The number of objects that policies looked at.
    pub(super) fn objects(&self) -> usize {
        self.verdicts.iter().sum()
    }
}

/// Judges the objects of files, or of a cluster.
pub(super) fn audit(arguments: &AuditArgs) -> Result<Audit, CommandFailure> {
    let api = ReportApi::OpenReports;
    let config = arguments.config()?;
    #[cfg(not(target_family = "wasm"))]
    if arguments.cluster.is_given() {
        let mut cluster = AuditedCluster::read(config.as_ref(), arguments)?;
        notes::tell(&cluster.notes);
        return cluster.audit(api, arguments);
    }
    let mut reviewer = configured(config.as_ref())?;
    let origin = arguments.origin()?;
    let input = ReadableInput::open_from(origin, WANTED, arguments.max_input_bytes())?;
    // What is left out has an error as its result.
    let loaded = reviewer.load(input.json(), CHECKED);
    loaded.map_err(|error| input.placed(error))?;
    let json = input.json();
    notes::tell(&take_exceptions(&mut reviewer, config.as_ref(), &[json])?);
    let audit = Audit::of(&mut reviewer, json, None, api, arguments);
    Ok(audit.map_err(|error| input.placed(error))?)
}
