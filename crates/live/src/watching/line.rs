//! The output of `slicewise watch`: a line for each change, and for what happens to the connection.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use serde::Serialize;
use slicewise::words::counted;

use super::{Extent, TrafficChange};
use crate::session::event::Kind;

/// A line of `slicewise watch -o json`.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "WatchLine")]
#[non_exhaustive]
pub struct Line {
    /// The time at which it was noticed, in RFC 3339 format.
    pub time: String,
    /// The content of the line.
    #[serde(flatten)]
    pub what: WatchLineContent,
}

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
#[schemars(rename = "WatchLineAbout")]
#[non_exhaustive]
pub enum WatchLineContent {
    /// Traffic has changed.
    Change(Box<TrafficChange>),
    /// The status of the watches has changed.
    Status(WatchStatus),
}

/// A status, with a message.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "WatchStatus")]
#[non_exhaustive]
pub struct WatchStatus {
    /// What has happened.
    #[serde(flatten)]
    pub status: WatchStatusKind,
    /// The status in words.
    pub message: String,
}

/// The status of the watches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "status", rename_all = "camelCase")]
#[schemars(rename = "WatchStatusKind")]
#[non_exhaustive]
pub enum WatchStatusKind {
    /// Everything is known; changes are reported from now on.
    Following {
        /// The number of Services.
        services: usize,
        /// The number of their endpoints.
        endpoints: usize,
        /// The number of ready endpoints.
        ready: usize,
    },
    /// The connection was lost and is being retried. Changes in the meantime are reported afterwards.
    Lost {
        /// The kind that was watched.
        kind: &'static str,
        /// The reason.
        reason: String,
    },
    /// All kinds are being watched again.
    Resumed {
        /// After how many seconds.
        seconds: u64,
    },
    /// The API server no longer has all changes since the last event; all objects of the kind are listed again.
    Expired {
        /// The kind.
        kind: &'static str,
    },
    /// An object could not be read: nothing is known of it until it can be.
    Unreadable {
        /// Its kind.
        kind: &'static str,
        /// Its namespace and name.
        object: String,
        /// The reason.
        reason: String,
    },
}

impl WatchStatusKind {
    /// Reports that everything is known.
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

    /// Reports that a watch has failed.
    pub fn lost(kind: Kind, reason: &str) -> Self {
        Self::Lost {
            kind: kind.as_str(),
            reason: reason.into(),
        }
    }

    /// Reports that a kind will be listed again.
    pub const fn expired(kind: Kind) -> Self {
        Self::Expired {
            kind: kind.as_str(),
        }
    }

    /// The status with its text.
    pub fn said(self) -> WatchStatus {
        let message = match &self {
            Self::Following {
                services,
                endpoints,
                ready,
            } => {
                let services = counted(*services, "Service");
                let endpoints = counted(*endpoints, "endpoint");
                format!("following {services} with {endpoints}, {ready} ready")
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
            } => {
                format!("{kind} {object} cannot be read, and is left out until it can be: {reason}")
            }
        };
        WatchStatus {
            status: self,
            message,
        }
    }
}

impl Line {
    /// A change.
    pub fn change(time: String, change: TrafficChange) -> Self {
        Self {
            time,
            what: WatchLineContent::Change(Box::new(change)),
        }
    }

    /// A status.
    pub fn status(time: String, status: WatchStatusKind) -> Self {
        Self {
            time,
            what: WatchLineContent::Status(status.said()),
        }
    }
}
