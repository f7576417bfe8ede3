//! The answer to events and lists: how much was taken, and what was not.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::Error;
use slicewise::api::encode;
use slicewise::api::snapshot::IgnoredKinds;
use slicewise::model::SortedMap;

use super::events::ErrorStatus;
use crate::session::event::{Kind, Reception, Unreadable};

/// The result of taking in events.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
#[schemars(rename = "Applied")]
pub struct AppliedEvents {
    /// Events that were applied. A complete list counts once for each kind it contains; a page of a list counts its
    /// objects.
    pub taken: usize,
    /// Events that were ignored because a later version of the object was known.
    pub late: usize,
    /// Deletions of objects that were not known.
    pub unknown: usize,
    /// Bookmarks.
    pub bookmarks: usize,
    /// The number of objects of kinds that plans do not depend on, by kind.
    pub ignored: IgnoredKinds,
    /// Kinds that are completely listed as of this input; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<&'static str>,
    /// The `resourceVersion` from which a watch can be resumed, by kind: the last one in this input. Left out if there
    /// is none, as in an incomplete list.
    #[serde(
        default,
        rename = "resourceVersions",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub resource_versions: SortedMap<&'static str, String>,
    /// The token that requests the next page of the list; left out on the last page.
    #[serde(default, rename = "continue", skip_serializing_if = "String::is_empty")]
    pub continue_token: String,
    /// The error that ended the watch; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<WatchError>,
    /// Objects that exist but cannot be read: nothing is known of them, and everything else was taken. Only the first
    /// 100 are reported; left out if there are none.
    #[serde(default, rename = "leftOut", skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutObject>,
    /// The number of further objects that cannot be read; left out if there are none.
    #[serde(rename = "moreLeftOut", skip_serializing_if = "Option::is_none")]
    pub more_left_out: Option<usize>,
    /// Lines that could not be read, if the input has several lines; they changed nothing, and not even the object can
    /// be named. Only the first 100 are reported.
    pub errors: Vec<LineError>,
    /// The number of further unreadable lines; left out if there are none.
    #[serde(rename = "moreErrors", skip_serializing_if = "Option::is_none")]
    pub more_errors: Option<usize>,
}

/// Why an API server ended a watch. After `410`, list again.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct WatchError {
    /// The HTTP status code; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// The reason in one word, such as `Expired`.
    pub reason: String,
    /// The message for humans.
    pub message: String,
}

impl From<ErrorStatus<'_>> for WatchError {
    fn from(status: ErrorStatus<'_>) -> Self {
        Self {
            code: status.code,
            reason: status.reason.to_string(),
            message: status.message.to_string(),
        }
    }
}

/// An object that cannot be read.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct LeftOutObject {
    /// Its kind.
    pub kind: &'static str,
    /// Its namespace; left out if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// What is wrong with it; positions are within the line.
    pub error: Error,
}

/// How many unreadable lines or objects are reported individually.
const MOST_ERRORS: usize = 100;

/// A line that could not be read.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct LineError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong with the line; positions are within the line.
    pub error: Error,
}

impl AppliedEvents {
    /// One line of JSON.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn to_json(&self) -> Result<Vec<u8>, Error> {
        encode(self)
    }

    pub(super) const fn count(&mut self, reception: Reception) {
        match reception {
            Reception::Taken => self.taken += 1,
            Reception::Late => self.late += 1,
            Reception::Unknown => self.unknown += 1,
        }
    }

    /// Reports a line that cannot be read.
    #[doc(hidden)]
    pub fn refuse(&mut self, line: usize, error: Error) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(LineError { line, error });
        } else {
            *self.more_errors.get_or_insert(0) += 1;
        }
    }

    /// Reports an object that cannot be read.
    #[doc(hidden)]
    pub fn leave_out(&mut self, object: &Unreadable) {
        if self.left_out.len() < MOST_ERRORS {
            self.left_out.push(LeftOutObject {
                kind: object.kind.as_str(),
                namespace: object.key.namespace.clone(),
                name: object.key.name.clone(),
                error: object.error.clone(),
            });
        } else {
            *self.more_left_out.get_or_insert(0) += 1;
        }
    }

    pub(super) fn ignore(&mut self, kind: String) {
        *self.ignored.or_default(kind) += 1;
    }

    pub(super) fn note_version(&mut self, kind: Kind, version: &str) {
        if !version.is_empty() {
            let known = self.resource_versions.or_default(kind.as_str());
            known.clear();
            known.push_str(version);
        }
    }

    pub(super) fn note_listed(&mut self, kind: Kind) {
        if !self.listed.contains(&kind.as_str()) {
            self.listed.push(kind.as_str());
        }
    }
}
