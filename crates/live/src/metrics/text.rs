//! The Prometheus text format 0.0.4, with the same bytes as Go's `expfmt`.

use alloc::format;
use alloc::string::String;

use super::family::{Metric, MetricBucket, MetricFamily, MetricKind, MetricValue};
use super::number::float;

/// The families in the format of a scrape; serve it as `text/plain; version=0.0.4`.
///
/// Families and samples are printed in the order given; [`super::Metrics::gather`] sorts them.
pub fn prometheus_text(families: &[MetricFamily]) -> String {
    let mut out = String::new();
    for family in families {
        let (name, help) = (family.name, escape(family.help, false));
        let kind = match family.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        out += &format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for metric in &family.metrics {
            print(&mut out, name, metric);
        }
    }
    out
}

fn print(out: &mut String, name: &str, metric: &Metric) {
    match &metric.value {
        MetricValue::Number { value } => sample(out, name, &labels(metric, None), *value),
        MetricValue::Histogram {
            buckets,
            sum,
            count,
        } => {
            let all = MetricBucket {
                le: f64::INFINITY,
                count: *count,
            };
            let bucket_name = format!("{name}_bucket");
            for bucket in buckets.iter().chain([&all]) {
                let labels = labels(metric, Some(bucket.le));
                sample(out, &bucket_name, &labels, bucket.count as f64);
            }
            let labels = labels(metric, None);
            sample(out, &format!("{name}_sum"), &labels, *sum);
            sample(out, &format!("{name}_count"), &labels, *count as f64);
        }
    }
}

fn sample(out: &mut String, name: &str, labels: &str, value: f64) {
    *out += &format!("{name}{labels} {}\n", float(value));
}

/// Labels in braces, a bucket's bound last; empty without labels.
fn labels(metric: &Metric, bound: Option<f64>) -> String {
    let mut out = String::new();
    let mut add = |name: &str, value: &str| {
        let before = if out.is_empty() { "{" } else { "," };
        out += &format!("{before}{name}=\"{value}\"");
    };
    for (name, value) in metric.labels.iter() {
        add(name, &escape(value, true));
    }
    if let Some(bound) = bound {
        add("le", &float(bound));
    }
    if !out.is_empty() {
        out.push('}');
    }
    out
}

fn escape(text: &str, quotes: bool) -> String {
    let escaped = text.replace('\\', r"\\").replace('\n', r"\n");
    if quotes {
        escaped.replace('"', r#"\""#)
    } else {
        escaped
    }
}

#[cfg(test)]
mod tests {
    use slicewise::model::SortedMap;

    use super::*;

    #[test]
    fn texts_are_escaped() {
        let family = MetricFamily {
            name: "n",
            help: "say \"a\\b\"\nor not",
            kind: MetricKind::Gauge,
            metrics: vec![Metric {
                labels: [("one", "a\"b".into()), ("two", "c\\d\ne".into())]
                    .into_iter()
                    .collect(),
                value: MetricValue::Number { value: 2.0 },
            }],
        };
        assert_eq!(
            prometheus_text(&[family]),
            "# HELP n say \"a\\\\b\"\\nor not\n# TYPE n gauge\nn{one=\"a\\\"b\",two=\"c\\\\d\\ne\"} 2\n"
        );
    }

    #[test]
    fn a_histogram_ends_with_all_sum_and_count() {
        let family = MetricFamily {
            name: "n",
            help: "h",
            kind: MetricKind::Histogram,
            metrics: vec![Metric {
                labels: SortedMap::default(),
                value: MetricValue::Histogram {
                    buckets: vec![MetricBucket { le: 0.5, count: 1 }],
                    sum: 7.5,
                    count: 3,
                },
            }],
        };
        assert_eq!(
            prometheus_text(&[family]),
            "# HELP n h\n# TYPE n histogram\nn_bucket{le=\"0.5\"} 1\nn_bucket{le=\"+Inf\"} 3\nn_sum 7.5\nn_count 3\n"
        );
    }
}
