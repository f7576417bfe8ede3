//! The Prometheus text format 0.0.4, byte for byte as Go's `expfmt` prints it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::family::{Bucket, Family, Kind, Metric, Value};

/// The families as a scrape answers them; serve it as `text/plain; version=0.0.4`.
///
/// Families and samples are printed in the order given; [`super::Metrics::gather`] sorts them.
pub fn prometheus_text(families: &[Family]) -> String {
    let mut out = String::new();
    for family in families {
        let (name, help) = (family.name, escape(family.help, false));
        let kind = match family.kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
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
        Value::Number { value } => sample(out, name, &labels(metric, None), *value),
        Value::Histogram {
            buckets,
            sum,
            count,
        } => {
            let all = Bucket {
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

/// Labels in braces, a bucket's bound last; nothing without any.
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

/// As Go's `strconv.FormatFloat(value, 'g', -1, 64)`: the fewest digits that give the number back, with an exponent
/// below 0.0001 and from a million on. Zero has no sign.
pub(super) fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SortedMap;

    /// The expectations are Go's.
    #[track_caller]
    fn check(value: f64, expected: &str) {
        assert_eq!(float(value), expected);
    }

    #[test]
    fn numbers_are_printed_as_by_go() {
        check(0.0, "0");
        check(-0.0, "0");
        check(1.0, "1");
        check(-1.25, "-1.25");
        check(32_768.0, "32768");
        check(999_999.0, "999999");
        check(100_000.5, "100000.5");
        check(1e6, "1e+06");
        check(1_234_567.5, "1.2345675e+06");
        check(2_097_152.0, "2.097152e+06");
        check(9_007_199_254_740_993.0, "9.007199254740992e+15");
        check(1e21, "1e+21");
        check(1e300, "1e+300");
        check(0.0001, "0.0001");
        check(0.00001, "1e-05");
        check(5e-324, "5e-324");
        check(0.1 + 0.2, "0.30000000000000004");
        check(f64::INFINITY, "+Inf");
        check(f64::NEG_INFINITY, "-Inf");
        check(f64::NAN, "NaN");
    }

    #[test]
    fn texts_are_escaped() {
        let family = Family {
            name: "n",
            help: "say \"a\\b\"\nor not",
            kind: Kind::Gauge,
            metrics: vec![Metric {
                labels: [("one", "a\"b".into()), ("two", "c\\d\ne".into())]
                    .into_iter()
                    .collect(),
                value: Value::Number { value: 2.0 },
            }],
        };
        assert_eq!(
            prometheus_text(&[family]),
            "# HELP n say \"a\\\\b\"\\nor not\n# TYPE n gauge\nn{one=\"a\\\"b\",two=\"c\\\\d\\ne\"} 2\n"
        );
    }

    #[test]
    fn a_histogram_ends_with_all_sum_and_count() {
        let family = Family {
            name: "n",
            help: "h",
            kind: Kind::Histogram,
            metrics: vec![Metric {
                labels: SortedMap::default(),
                value: Value::Histogram {
                    buckets: vec![Bucket { le: 0.5, count: 1 }],
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
