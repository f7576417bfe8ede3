//! The parts of the controller stream's schemas that differ from the types that read and write it: a line is one of
//! several, its events are read later, and plans are written before the line that contains them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use slicewise::Error;
use slicewise::model::describe::{KubernetesObject, schema_of};
use slicewise::plan::Plan;

use super::answer::{
    EventLine, IgnoredLine, MetricsLine, MetricsTextLine, Milliseconds, RetryLine, SyncEnd,
};
use super::record::{ControllerConfig, MetricsForm, RefusedWrites, SyncResult};

/// A line of input to the controller's stream: a configuration, or what happens at a time in milliseconds.
#[derive(JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ControllerLine {
    /// The configuration; only as the first line.
    Config {
        /// How plans are made, and how the controller and its environment behave.
        config: ControllerConfig<'static>,
    },
    /// Advances the time.
    Time {
        /// The time, in milliseconds.
        at: u64,
    },
    /// One or several watch events.
    Event {
        /// The time, in milliseconds.
        at: u64,
        /// The watch event or events.
        event: ControllerEvents,
    },
    /// A list of all objects of a kind.
    List {
        /// The time, in milliseconds.
        at: u64,
        /// The list as returned by the API server.
        #[schemars(with = "KubernetesObject")]
        list: (),
    },
    /// Delivers all objects again.
    Resync {
        /// The time, in milliseconds.
        at: u64,
        /// Must be true.
        resync: bool,
    },
    /// Requests all metrics.
    Metrics {
        /// The time, in milliseconds.
        at: u64,
        /// The format of the metrics.
        metrics: MetricsForm,
    },
    /// Refuses writes; with `apply: auto`.
    Refuse {
        /// The time, in milliseconds.
        at: u64,
        /// The writes to refuse.
        refuse: RefusedWrites<'static>,
    },
    /// Reports the result of writing a plan; with `apply: manual`.
    Result {
        /// The time, in milliseconds.
        at: u64,
        /// The Service, and the result of its writes.
        result: SyncResult<'static>,
    },
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "ControllerEvents")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ControllerEvents {
    /// One event.
    One(WatchEvent),
    /// Several events, in order.
    Several(Vec<WatchEvent>),
}

/// A watch event as sent by an API server.
#[derive(JsonSchema)]
#[schemars(rename = "ControllerEvent")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct WatchEvent {
    /// The type of the event.
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
    /// Begins a list that comes in pieces; no API server sends it.
    Listing,
}

/// A line of output of the controller's stream, in the order in which things happen. `at` may have a fraction.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ControllerAnswer {
    /// A sync of a Service.
    Sync(SyncAnswer),
    /// A Service will be retried.
    Retry(RetryLine),
    /// An event to publish.
    Event(EventLine<'static>),
    /// An input that changes nothing.
    Ignored(IgnoredLine<'static>),
    /// All metrics.
    Metrics(MetricsLine),
    /// All metrics in the Prometheus text format.
    MetricsText(MetricsTextLine),
    /// The line could not be read.
    Failure {
        /// What is wrong, where, and how to fix it.
        error: Error,
    },
}

/// A sync. With `plan` alone, the plan must be written and its result reported. With `result` alone, the reported
/// result was taken, or there was nothing to plan. With both, the plan was already written.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct SyncAnswer {
    /// The time, in milliseconds.
    at: f64,
    /// The Service, as `namespace/name`.
    sync: String,
    /// The result of the sync.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<SyncEnd>,
    /// The plan to write, or that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Box<Plan<'static>>>,
}

schema_of! {
    Milliseconds => f64;
}
