//! What the controller counts besides the planner's own metrics.

use std::collections::BTreeMap;
use std::fs;

use slicewise::model::kind::Kind;
use slicewise_live::metrics::family::{Metric, MetricFamily, MetricKind};

/// Counts since the start.
#[derive(Default)]
pub(super) struct ControllerCounts {
    /// Watch events, by kind.
    pub(super) watched: BTreeMap<Kind, u64>,
    /// Failed lists and watches, by kind.
    pub(super) watch_failures: BTreeMap<Kind, u64>,
    /// Objects that could not be read, by kind.
    pub(super) unreadable: BTreeMap<Kind, u64>,
    /// Refused writes, by operation and reason.
    pub(super) refused: BTreeMap<(&'static str, String), u64>,
    /// Events that were dropped because the API server did not keep up.
    pub(super) events_dropped: u64,
}

/// Adds one.
pub(super) fn count<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K) {
    *counts.entry(key).or_default() += 1;
}

impl ControllerCounts {
    /// All counters; those that are zero are left out.
    pub(super) fn families(&self, leads: bool) -> Vec<MetricFamily> {
        let refused = self.refused.iter().map(|((operation, reason), count)| {
            let labels = [("operation", *operation), ("reason", reason.as_str())];
            metric(labels, *count as f64)
        });
        let mut families = vec![
            MetricFamily::new(
                "slicewise_controller_events_dropped_total",
                "Events that were not published because too many were queued",
                MetricKind::Counter,
                (self.events_dropped > 0).then(|| metric([], self.events_dropped as f64)),
            ),
            MetricFamily::new(
                "slicewise_controller_leader",
                "Whether this instance leads (1) or is a standby (0)",
                MetricKind::Gauge,
                [metric([], f64::from(u8::from(leads)))],
            ),
            MetricFamily::new(
                "slicewise_controller_refused_writes_total",
                "Writes of EndpointSlices that were refused or not answered",
                MetricKind::Counter,
                refused,
            ),
            by_kind(
                "slicewise_controller_unreadable_objects_total",
                "Objects that could not be parsed and were skipped",
                &self.unreadable,
            ),
            by_kind(
                "slicewise_controller_watch_events_total",
                "Objects received from lists and watches",
                &self.watched,
            ),
            by_kind(
                "slicewise_controller_watch_failures_total",
                "Lists and watches that failed and were retried",
                &self.watch_failures,
            ),
            MetricFamily::new(
                "process_resident_memory_bytes",
                "Resident memory size in bytes",
                MetricKind::Gauge,
                resident_memory().map(|bytes| metric([], bytes)),
            ),
        ];
        families.retain(|family| !family.metrics.is_empty());
        families
    }
}

fn by_kind(name: &'static str, help: &'static str, counts: &BTreeMap<Kind, u64>) -> MetricFamily {
    let counts = counts.iter();
    let counts = counts.map(|(kind, count)| metric([("kind", kind.as_str())], *count as f64));
    MetricFamily::new(name, help, MetricKind::Counter, counts)
}

fn metric<const N: usize>(labels: [(&'static str, &str); N], value: f64) -> Metric {
    let labels = labels.into_iter();
    let labels = labels.map(|(name, value)| (name, value.to_owned()));
    Metric::number(labels.collect(), value)
}

/// The resident memory, where the system reports it, as Linux does.
fn resident_memory() -> Option<f64> {
    const KIB: f64 = 1024.0;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let number: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(number * KIB)
}

#[cfg(test)]
mod tests {
    use slicewise_live::metrics::prometheus_text;

    use super::*;

    #[test]
    fn what_has_happened_is_told_by_name() {
        let mut counts = ControllerCounts::default();
        count(&mut counts.watched, Kind::Pod);
        count(&mut counts.watched, Kind::Pod);
        count(&mut counts.refused, ("update", "Conflict".to_owned()));
        let text = prometheus_text(&counts.families(true));
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        let samples: Vec<_> = samples
            .filter(|line| !line.starts_with("process_"))
            .collect();
        assert_eq!(
            samples,
            [
                "slicewise_controller_leader 1",
                "slicewise_controller_refused_writes_total{operation=\"update\",reason=\"Conflict\"} 1",
                "slicewise_controller_watch_events_total{kind=\"Pod\"} 2",
            ]
        );
    }
}
