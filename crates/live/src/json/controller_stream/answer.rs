//! The output lines.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;
use slicewise::json;
use slicewise::model::{NamespacedName, duration};
use slicewise::topology::events::{Event, EventType};

use super::record::MetricsForm;
use crate::metrics::{MetricFamily, SyncOutcome, prometheus_text};

/// Milliseconds: whole numbers are written as integers, others with a fraction.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Milliseconds {
    Whole(u64),
    Fraction(f64),
}

impl From<Duration> for Milliseconds {
    fn from(at: Duration) -> Self {
        let whole = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        if at.subsec_nanos().is_multiple_of(1_000_000) {
            Self::Whole(whole)
        } else {
            Self::Fraction(at.as_nanos() as f64 / 1e6)
        }
    }
}

#[derive(Serialize)]
struct SyncLine {
    at: Milliseconds,
    sync: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<SyncEnd>,
}

// How a sync ended. What is written above a type is in its schema.
#[derive(Clone, Copy, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SyncEnd {
    Success,
    Stale,
    Error,
    Dropped,
}

impl SyncEnd {
    pub(super) const fn of(result: SyncOutcome, is_dropped: bool) -> Self {
        match result {
            _ if is_dropped => Self::Dropped,
            SyncOutcome::Success => Self::Success,
            SyncOutcome::Stale => Self::Stale,
            SyncOutcome::Error => Self::Error,
        }
    }
}

/// A Service will be retried.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "RetryAnswer")]
pub(crate) struct RetryLine {
    /// When the retry was scheduled, in milliseconds.
    at: Milliseconds,
    /// The Service, as `namespace/name`.
    retry: String,
    /// The delay, such as `2s`.
    after: String,
    /// The number of the retry, from 1.
    retries: u32,
}

/// An event to publish.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "EventAnswer")]
pub(crate) struct EventLine<'l> {
    /// The time, in milliseconds.
    at: Milliseconds,
    /// The event.
    event: PublishedEvent<'l>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct PublishedEvent<'l> {
    /// The severity.
    #[serde(rename = "type")]
    event_type: EventType,
    /// The reason, in CamelCase.
    reason: &'static str,
    /// The message.
    message: &'l str,
    /// The Service it is about, as `namespace/name`.
    service: String,
}

/// All metrics.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "MetricsAnswer")]
pub(crate) struct MetricsLine {
    /// The time, in milliseconds.
    at: Milliseconds,
    /// The metrics, by name.
    metrics: Vec<MetricFamily>,
}

/// All metrics in the Prometheus text format.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MetricsTextAnswer")]
pub(crate) struct MetricsTextLine {
    /// The time, in milliseconds.
    at: Milliseconds,
    /// The metrics in the Prometheus text format.
    metrics_text: String,
}

/// An input that changes nothing.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "IgnoredAnswer")]
pub(crate) struct IgnoredLine<'l> {
    /// The time, in milliseconds.
    at: Milliseconds,
    /// What was ignored, and why.
    ignored: Ignored<'l>,
}

/// An object whose event or list changes nothing.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename = "IgnoredObject")]
pub(super) struct Ignored<'l> {
    /// The kind of the object.
    pub(super) kind: &'l str,
    /// Its namespace and name, if the kind is watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<String>,
    /// Why it changes nothing.
    pub(super) reason: IgnoredReason,
    /// What is wrong with it, if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// The number of objects ignored for this reason so far.
    pub(super) count: u64,
}

#[derive(Clone, Copy, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum IgnoredReason {
    /// The kind is not watched.
    Kind,
    /// A later version is known.
    Late,
    /// The deleted object was not known.
    Unknown,
    /// It cannot be read: the last version that could be is kept.
    Unreadable,
}

/// The number of events that changed nothing.
#[derive(Default)]
pub(super) struct IgnoredCounts {
    kind: u64,
    late: u64,
    unknown: u64,
    unreadable: u64,
}

impl IgnoredCounts {
    /// The count for a reason.
    pub(super) const fn of(&mut self, reason: IgnoredReason) -> &mut u64 {
        match reason {
            IgnoredReason::Kind => &mut self.kind,
            IgnoredReason::Late => &mut self.late,
            IgnoredReason::Unknown => &mut self.unknown,
            IgnoredReason::Unreadable => &mut self.unreadable,
        }
    }
}

/// Lines, each with its line end.
#[derive(Default)]
pub(super) struct AnswerLines(pub(super) Vec<u8>);

impl AnswerLines {
    fn write(&mut self, line: &impl Serialize) {
        // Our own values always serialize, and writing to memory does not fail.
        if json::write::append(line, &mut self.0).is_ok() {
            self.0.push(b'\n');
        }
    }

    pub(super) fn sync(
        &mut self,
        at: Duration,
        service: &NamespacedName,
        result: Option<SyncEnd>,
        plan: Option<&str>,
    ) {
        self.write(&SyncLine {
            at: at.into(),
            sync: service.to_string(),
            result,
        });
        // As a field, the plan would be copied twice, and it is nearly all of the line.
        if let Some(plan) = plan
            && self.0.ends_with(b"}\n")
        {
            self.0.truncate(self.0.len() - 2);
            self.0.reserve(plan.len() + 16);
            self.0.extend_from_slice(br#","plan":"#);
            self.0.extend_from_slice(plan.as_bytes());
            self.0.extend_from_slice(b"}\n");
        }
    }

    pub(super) fn retry(
        &mut self,
        at: Duration,
        service: &NamespacedName,
        after: Duration,
        retries: u32,
    ) {
        self.write(&RetryLine {
            at: at.into(),
            retry: service.to_string(),
            after: duration::format(after),
            retries,
        });
    }

    pub(super) fn event(&mut self, at: Duration, service: &NamespacedName, event: &Event) {
        self.write(&EventLine {
            at: at.into(),
            event: PublishedEvent {
                event_type: event.event_type,
                reason: event.reason,
                message: &event.message,
                service: service.to_string(),
            },
        });
    }

    pub(super) fn metrics(&mut self, at: Duration, metrics: Vec<MetricFamily>, form: MetricsForm) {
        let at = at.into();
        match form {
            MetricsForm::Data => self.write(&MetricsLine { at, metrics }),
            MetricsForm::Text => {
                let metrics_text = prometheus_text(&metrics);
                self.write(&MetricsTextLine { at, metrics_text });
            }
        }
    }

    pub(super) fn ignored(&mut self, at: Duration, ignored: Ignored<'_>) {
        self.write(&IgnoredLine {
            at: at.into(),
            ignored,
        });
    }
}
