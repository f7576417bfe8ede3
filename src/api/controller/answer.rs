//! The lines that go out.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;

use super::record::MetricsForm;
use crate::json;
use crate::metrics::{Family, prometheus_text};
use crate::model::{NamespacedName, duration};
use crate::topology::events::{Event, EventType};

/// Milliseconds: whole ones as such, others with a fraction.
#[derive(Serialize)]
#[serde(untagged)]
enum At {
    Whole(u64),
    Fraction(f64),
}

impl From<Duration> for At {
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
    at: At,
    sync: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
}

#[derive(Serialize)]
struct RetryLine {
    at: At,
    retry: String,
    after: String,
    retries: u32,
}

#[derive(Serialize)]
struct EventLine<'l> {
    at: At,
    event: PublishedEvent<'l>,
}

#[derive(Serialize)]
struct PublishedEvent<'l> {
    #[serde(rename = "type")]
    event_type: EventType,
    reason: &'static str,
    message: &'l str,
    service: String,
}

#[derive(Serialize)]
struct MetricsLine {
    at: At,
    metrics: Vec<Family>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetricsTextLine {
    at: At,
    metrics_text: String,
}

#[derive(Serialize)]
struct IgnoredLine<'l> {
    at: At,
    ignored: Ignored<'l>,
}

/// An event that changes nothing.
#[derive(Serialize)]
pub(super) struct Ignored<'l> {
    /// The object's kind.
    pub(super) kind: &'l str,
    /// Its namespace and name, where they are looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<String>,
    /// `kind`: nobody watches it; `late`: a later version is known; `unknown`: what is deleted was not there.
    pub(super) reason: &'static str,
    /// How many there have been for this reason.
    pub(super) count: u64,
}

/// Lines, each with its end.
#[derive(Default)]
pub(super) struct Lines(pub(super) Vec<u8>);

impl Lines {
    fn write(&mut self, line: &impl Serialize) {
        // Our own values always have JSON, and memory takes every write.
        if json::write::append(line, &mut self.0).is_ok() {
            self.0.push(b'\n');
        }
    }

    pub(super) fn sync(
        &mut self,
        at: Duration,
        service: &NamespacedName,
        result: Option<&'static str>,
        plan: Option<&str>,
    ) {
        self.write(&SyncLine {
            at: at.into(),
            sync: service.to_string(),
            result,
        });
        // As a field it would be copied twice, and is nearly all of the line.
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

    pub(super) fn metrics(&mut self, at: Duration, metrics: Vec<Family>, form: MetricsForm) {
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
