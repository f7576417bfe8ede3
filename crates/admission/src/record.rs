//! What logs say about a review.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::response::{AGE, Response};
use super::verdict::Awaited;

/// What logs may contain about a review: names and verdicts, never the object.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ReviewRecord<'v> {
    /// `allow`, `warn` or `deny`.
    pub verdict: &'static str,
    /// The uid of the request.
    pub uid: &'v str,
    /// The kind of the object.
    pub kind: &'v str,
    /// The namespace of the object, if it has one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub namespace: &'v str,
    /// The name of the object, if it has one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: &'v str,
    /// The policies with findings.
    pub policies: Vec<&'static str>,
    /// The reason, for people.
    pub reason: String,
    /// The pods that a refusal rests on, if it rests on nothing else and they may exist: the watch may show them soon.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub awaits: &'v [Awaited],
}

impl Response<'_> {
    /// The log record.
    pub fn record(&self) -> ReviewRecord<'_> {
        let verdict = match (self.allowed, self.warnings.is_empty()) {
            (false, _) => "deny",
            (true, false) => "warn",
            (true, true) => "allow",
        };
        let said = self.audit_annotations.iter().map(|(name, _)| *name);
        ReviewRecord {
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
            awaits: &self.awaits,
        }
    }
}
