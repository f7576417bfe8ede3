//! What logs say about a review.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::request::Request;
use super::response::{AGE, Response};
use super::verdict::Awaited;
use slicewise::model::Text;

/// What was asked, and by whom.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedReview<'r> {
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: Text<'r>,
    #[serde(skip_serializing_if = "str::is_empty")]
    user: Text<'r>,
    /// The number of groups that the user is in: a token may have thousands.
    groups: usize,
    /// In the API's words; of an object that exists, nothing was asked.
    #[serde(skip_serializing_if = "str::is_empty")]
    operation: Text<'r>,
    dry_run: bool,
}

impl<'r> AskedReview<'r> {
    pub(super) fn of(request: &Request<'r>) -> Self {
        Self {
            namespace: request.namespace.clone(),
            user: request.user.clone(),
            groups: request.groups.len(),
            operation: request.operation.clone(),
            dry_run: request.dry_run,
        }
    }
}

/// What logs may contain about a review: names and verdicts, never the object.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "JudgedRecord")]
#[non_exhaustive]
pub struct ReviewRecord<'v> {
    /// `allow`, `warn` or `deny`.
    #[schemars(extend("enum" = ["allow", "warn", "deny"]))]
    pub verdict: &'static str,
    /// The uid of the request.
    pub uid: &'v str,
    /// The kind of the object.
    pub kind: &'v str,
    /// What was asked, and by whom.
    #[serde(flatten)]
    asked: &'v AskedReview<'v>,
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
            asked: &self.asked,
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
