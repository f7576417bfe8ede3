//! What `slicewise watch` prints: a line for each change, and for what happens to the connection.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use serde::Serialize;

use super::{Change, Extent};
use crate::session::event::Kind;

/// A line of `slicewise watch -o json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "WatchLine")
)]
#[non_exhaustive]
pub struct Line {
    /// When it was noticed, as RFC 3339 has it.
    pub time: String,
    /// What it is about.
    #[serde(flatten)]
    pub what: About,
}

/// What a line is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "WatchLineAbout")
)]
#[non_exhaustive]
pub enum About {
    /// Traffic has changed.
    Change(Box<Change>),
    /// Something is to be known about what is followed.
    Status(Said),
}

/// A status with its words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "WatchStatus")
)]
#[non_exhaustive]
pub struct Said {
    /// What has happened.
    #[serde(flatten)]
    pub status: Status,
    /// The same in words.
    pub message: String,
}

/// What has become of that which is followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "WatchStatusKind")
)]
#[non_exhaustive]
pub enum Status {
    /// Everything is known, and changes are reported from here on.
    Following {
        /// Services.
        services: usize,
        /// Their endpoints.
        endpoints: usize,
        /// How many of these are ready.
        ready: usize,
    },
    /// The connection is lost and is being retried. Missed changes are reported afterwards.
    Lost {
        /// Of which kind.
        kind: &'static str,
        /// Why.
        reason: String,
    },
    /// All is heard of again.
    Resumed {
        /// After so many seconds.
        seconds: u64,
    },
    /// The API server no longer knows what has happened since the last event; all objects of the kind are listed again.
    Expired {
        /// The kind.
        kind: &'static str,
    },
    /// An object cannot be read; what was known of it before stays.
    Unreadable {
        /// Its kind.
        kind: &'static str,
        /// Its namespace and name.
        object: String,
        /// Why.
        reason: String,
    },
}

impl Status {
    /// That all is known.
    pub const fn following(extent: Extent) -> Self {
        let Extent {
            services,
            endpoints,
            ready,
        } = extent;
        Self::Following {
            services,
            endpoints,
            ready,
        }
    }

    /// That a watch has failed.
    pub fn lost(kind: Kind, reason: &str) -> Self {
        Self::Lost {
            kind: kind.as_str(),
            reason: reason.into(),
        }
    }

    /// That a list is to be recreated.
    pub const fn expired(kind: Kind) -> Self {
        Self::Expired {
            kind: kind.as_str(),
        }
    }

    /// With its words.
    pub fn said(self) -> Said {
        let message = match &self {
            Self::Following {
                services,
                endpoints,
                ready,
            } => {
                let plural = |number: &usize| if *number == 1 { "" } else { "s" };
                format!(
                    "following {services} Service{} with {endpoints} endpoint{}, {ready} ready",
                    plural(services),
                    plural(endpoints)
                )
            }
            Self::Lost { kind, reason } => format!(
                "the watch of {kind}s failed and will be retried: {reason}; changes in the meantime are reported afterwards"
            ),
            Self::Resumed { seconds } => format!("connected again, after {seconds} s"),
            Self::Expired { kind } => {
                format!("the API server no longer has all changes of {kind}s: listing them again")
            }
            Self::Unreadable {
                kind,
                object,
                reason,
            } => format!(
                "{kind} {object} cannot be parsed, and keeps its last known state: {reason}"
            ),
        };
        Said {
            status: self,
            message,
        }
    }
}

impl Line {
    /// A change.
    pub fn change(time: String, change: Change) -> Self {
        Self {
            time,
            what: About::Change(Box::new(change)),
        }
    }

    /// A status.
    pub fn status(time: String, status: Status) -> Self {
        Self {
            time,
            what: About::Status(status.said()),
        }
    }
}
