//! Every metric's name, help text and samples, in the order in which a registry prints them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::model::SortedMap;

use super::family::{Metric, MetricFamily, MetricKind, MetricValue};
use super::histogram::Histogram;
use super::zones::ZoneLoad;
use super::{Metrics, Totals};

impl Metrics {
    /// All metrics, sorted by name and label values. Those without observations are left out.
    pub fn gather(&self) -> Vec<MetricFamily> {
        let mut families = self.reference();
        families.extend(self.own());
        families.retain(|family| !family.metrics.is_empty());
        families
    }

    /// The reference's names, help texts, labels and stability levels (`k8s.io/endpointslice/metrics/metrics.go`).
    fn reference(&self) -> Vec<MetricFamily> {
        let sums = |of: fn(Totals) -> usize| {
            let sums = self.cache.sums();
            sums.map(|sums| number([], of(sums) as f64))
        };
        let changed = self.changed.iter().map(|((topology, traffic), histogram)| {
            let labels = [("topology", *topology), ("traffic_distribution", *traffic)];
            metric(labels, histogram.value())
        });
        let by_traffic = self.cache.by_traffic();
        Vec::from([
            counter(
                self.kubernetes.changes_metric(),
                "[ALPHA] Number of EndpointSlice changes",
                "operation",
                self.changes.iter(),
            ),
            gauge(
                "endpoint_slice_controller_desired_endpoint_slices",
                "[BETA] Number of EndpointSlices that would exist with perfect endpoint allocation",
                sums(|sums| sums.desired),
            ),
            histogram(
                "endpoint_slice_controller_endpoints_added_per_sync",
                "[BETA] Number of endpoints added on each Service sync",
                observed(&self.added),
            ),
            gauge(
                "endpoint_slice_controller_endpoints_desired",
                "[BETA] Number of endpoints desired",
                sums(|sums| sums.endpoints),
            ),
            histogram(
                "endpoint_slice_controller_endpoints_removed_per_sync",
                "[BETA] Number of endpoints removed on each Service sync",
                observed(&self.removed),
            ),
            histogram(
                "endpoint_slice_controller_endpointslices_changed_per_sync",
                "[ALPHA] Number of EndpointSlices changed on each Service sync",
                changed,
            ),
            gauge(
                "endpoint_slice_controller_num_endpoint_slices",
                "[BETA] Number of EndpointSlices",
                sums(|sums| sums.slices),
            ),
            gauge(
                "endpoint_slice_controller_services_count_by_traffic_distribution",
                "[BETA] Number of Services using some specific trafficDistribution",
                by_traffic
                    .map(|(value, count)| number([("traffic_distribution", value)], count as f64)),
            ),
            counter(
                "endpoint_slice_controller_syncs",
                "[ALPHA] Number of EndpointSlice syncs",
                "result",
                self.syncs.iter(),
            ),
        ])
    }

    /// Metrics that the reference does not have.
    fn own(&self) -> Vec<MetricFamily> {
        let by_family = |of: fn(Totals) -> usize| {
            let families = self.cache.by_family();
            families
                .map(move |(family, totals)| number([("address_type", family)], of(totals) as f64))
        };
        let by_zone = |of: fn(&ZoneLoad) -> f64| {
            let zones = self.cache.zones().iter();
            zones.map(move |(name, zone)| number([("zone", name)], of(zone)))
        };
        let mut all = Totals::default();
        for (_, totals) in self.cache.by_family() {
            all.endpoints += totals.endpoints;
            all.slices += totals.slices;
        }
        Vec::from([
            gauge(
                "slicewise_endpoint_slices",
                "Number of EndpointSlices, of every address family",
                by_family(|totals| totals.slices),
            ),
            gauge(
                "slicewise_endpoints",
                "Number of endpoints desired, of every address family",
                by_family(|totals| totals.endpoints),
            ),
            gauge(
                "slicewise_slice_fill_ratio",
                "Endpoints for each that would fit into all EndpointSlices",
                self.fill(all).map(|fill| number([], fill)),
            ),
            histogram(
                "slicewise_slice_fill_ratio_per_sync",
                "Endpoints for each that would fit into the EndpointSlices of one address family on each Service sync",
                observed(&self.fill),
            ),
            gauge(
                "slicewise_zone_endpoints_hinted",
                "Number of endpoints hinted to the zone, of Services with topology mode Auto",
                by_zone(ZoneLoad::hinted),
            ),
            gauge(
                "slicewise_zone_endpoints_owed",
                "The zone's share, by CPU, of the ready endpoints of Services with topology mode Auto",
                by_zone(ZoneLoad::owed),
            ),
            gauge(
                "slicewise_zone_overload",
                "Greatest expected overload of endpoints serving the zone, of any Service with topology mode Auto: owed / hinted - 1",
                by_zone(ZoneLoad::overload),
            ),
        ])
    }
}

fn counter<'c>(
    name: &'static str,
    help: &'static str,
    label: &'static str,
    counts: impl Iterator<Item = (&'c &'static str, &'c u64)>,
) -> MetricFamily {
    let counts = counts.map(|(value, count)| number([(label, *value)], *count as f64));
    MetricFamily::new(name, help, MetricKind::Counter, counts)
}

fn gauge(
    name: &'static str,
    help: &'static str,
    metrics: impl IntoIterator<Item = Metric>,
) -> MetricFamily {
    MetricFamily::new(name, help, MetricKind::Gauge, metrics)
}

fn histogram(
    name: &'static str,
    help: &'static str,
    metrics: impl IntoIterator<Item = Metric>,
) -> MetricFamily {
    MetricFamily::new(name, help, MetricKind::Histogram, metrics)
}

fn observed(histogram: &Histogram) -> Option<Metric> {
    (!histogram.is_empty()).then(|| metric([], histogram.value()))
}

fn number<const N: usize>(labels: [(&'static str, &str); N], value: f64) -> Metric {
    metric(labels, MetricValue::Number { value })
}

fn metric<const N: usize>(labels: [(&'static str, &str); N], value: MetricValue) -> Metric {
    let labels = labels.into_iter();
    let labels: SortedMap<&'static str, String> = labels
        .map(|(name, value)| (name, value.to_string()))
        .collect();
    Metric { labels, value }
}
