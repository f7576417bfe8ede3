//! The parts of the controller stream's schemas that differ from the types that read and write it: a line is one of
//! several, its events are read later, and plans are written before the line that contains them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;

use super::answer::{At, EventLine, IgnoredLine, MetricsLine, MetricsTextLine, RetryLine, SyncEnd};
use super::record::{ControllerConfig, MetricsForm, RefusedWrites, SyncResult};
use crate::Error;
use crate::model::describe::{KubernetesObject, schema_of};
use crate::plan::Plan;

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
    /// Everything of a kind.
    List {
        /// When.
        at: u64,
        /// The list as the API server answers it.
        #[schemars(with = "KubernetesObject")]
        list: (),
    },
    /// All objects are delivered again.
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
    /// The result of a plan, with `apply: manual`.
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

/// A line that comes out of the controller's stream, in the order it happens; `at` may have a fraction.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ControllerAnswer {
    /// What has become of a Service, or is to.
    Sync(SyncAnswer),
    /// A Service will be tried again.
    Retry(RetryLine),
    /// An event to publish.
    Event(EventLine<'static>),
    /// Something came in that changes nothing.
    Ignored(IgnoredLine<'static>),
    /// All metrics.
    Metrics(MetricsLine),
    /// All metrics, as the text that a Prometheus server reads.
    MetricsText(MetricsTextLine),
    /// The line cannot be read.
    Failure {
        /// What is wrong, where, and how to fix it.
        error: Error,
    },
}

/// A sync: with `plan` alone, it is to be written, and its result told; with `result` alone, that result was taken, or
/// there was nothing to plan; with both, it was written already.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct SyncAnswer {
    /// When.
    at: f64,
    /// The Service.
    sync: String,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<SyncEnd>,
    /// What is to be written, or was.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Box<Plan<'static>>>,
}

schema_of! {
    At => f64;
}
