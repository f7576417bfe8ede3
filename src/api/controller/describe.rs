//! The shapes of the controller's stream, for their schemas alone: lines are read in parts, and answers are written from
//! what the controller holds.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;

use super::record::{ControllerConfig, RefusedWrites, SyncResult};
use crate::Error;
use crate::metrics::Family;
use crate::model::describe::KubernetesObject;
use crate::plan::Plan;
use crate::topology::events::EventType;

/// A line of the controller's stream: a configuration, or what happens and when, in milliseconds.
#[derive(JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ControllerLine {
    /// The first line only.
    Config {
        /// How plans are made, and how the controller and its world behave.
        config: ControllerConfig<'static>,
    },
    /// Time passes.
    Time {
        /// When.
        at: u64,
    },
    /// A watch event, or several.
    Event {
        /// When.
        at: u64,
        /// What the watch tells.
        event: Watched,
    },
    /// All there is of a kind.
    List {
        /// When.
        at: u64,
        /// The list as the API server answers it.
        #[schemars(with = "KubernetesObject")]
        list: (),
    },
    /// All objects are given again.
    Resync {
        /// When.
        at: u64,
        /// True.
        resync: bool,
    },
    /// A question for all metrics.
    Metrics {
        /// When.
        at: u64,
        /// In which form.
        metrics: MetricsForm,
    },
    /// Writes that will be refused, with `apply: auto`.
    Refuse {
        /// When.
        at: u64,
        /// Which.
        refuse: RefusedWrites<'static>,
    },
    /// What came of a plan, with `apply: manual`.
    Result {
        /// When.
        at: u64,
        /// Of which, and what.
        result: SyncResult<'static>,
    },
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "ControllerEvents")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Watched {
    /// One.
    One(WatchEvent),
    /// Several, in order.
    Several(Vec<WatchEvent>),
}

/// A watch event as an API server sends it.
#[derive(JsonSchema)]
#[schemars(rename = "ControllerEvent")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct WatchEvent {
    /// What has become of the object.
    #[serde(rename = "type")]
    event_type: WatchEventType,
    /// The object.
    #[schemars(with = "KubernetesObject")]
    object: (),
}

#[derive(JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(rename = "ControllerEventType")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum WatchEventType {
    Added,
    Modified,
    Deleted,
    Bookmark,
    Error,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum MetricsForm {
    /// As data.
    #[schemars(with = "bool")]
    Data,
    /// `text`: what a Prometheus server reads.
    #[schemars(with = "MetricsWord")]
    Text,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
#[expect(dead_code, reason = "only its schema is used")]
enum MetricsWord {
    Text,
}

/// Why a write was refused.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum WriteError {
    Conflict,
    AlreadyExists,
    NotFound,
    NamespaceTerminating,
    ServerError,
}

/// A line that comes out of the controller's stream, in the order it happens; `at` may have a fraction.
#[derive(JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ControllerAnswer {
    /// A sync: with `plan` alone, it is to be written, and its result told; with `result` alone, that result was taken,
    /// or there was nothing to plan; with both, it was written already.
    Sync {
        /// When.
        at: f64,
        /// The Service.
        sync: String,
        /// How it ended.
        result: Option<Ended>,
        /// What is to be written, or was.
        plan: Option<Box<Plan<'static>>>,
    },
    /// A Service will be tried again.
    Retry {
        /// When this was decided.
        at: f64,
        /// The Service.
        retry: String,
        /// In how long a time, such as `2s`.
        after: String,
        /// Which retry it is, from 1.
        retries: u32,
    },
    /// An event to publish.
    Event {
        /// When.
        at: f64,
        /// The event.
        event: Published,
    },
    /// Something came in that changes nothing.
    Ignored {
        /// When.
        at: f64,
        /// What it was.
        ignored: Ignored,
    },
    /// All metrics.
    Metrics {
        /// When.
        at: f64,
        /// By name.
        metrics: Vec<Family>,
    },
    /// All metrics, as the text that a Prometheus server reads.
    MetricsText {
        /// When.
        at: f64,
        /// The text.
        metrics_text: String,
    },
    /// The line cannot be read.
    Failure {
        /// What is wrong, where, and how to mend it.
        error: Error,
    },
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SyncEnd")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Ended {
    Success,
    Stale,
    Error,
    Dropped,
}

#[derive(JsonSchema)]
#[schemars(rename = "PublishedEvent")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Published {
    /// Severity.
    #[serde(rename = "type")]
    event_type: EventType,
    /// Reason.
    reason: String,
    /// Message.
    message: String,
    /// The Service it is about.
    service: String,
}

#[derive(JsonSchema)]
#[schemars(rename = "IgnoredObject")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Ignored {
    /// The object's kind.
    kind: String,
    /// Its namespace and name, where they are looked at.
    object: Option<String>,
    /// Why it changes nothing.
    reason: IgnoredReason,
    /// How many there have been for this reason.
    count: u64,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum IgnoredReason {
    /// Nobody watches it.
    Kind,
    /// A later version is known.
    Late,
    /// What is deleted was not there.
    Unknown,
}
