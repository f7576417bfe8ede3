//! Metrics as data: families of samples, as JSON or for printing.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use slicewise::model::SortedMap;

use super::number::float;

/// All samples of one metric.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename = "MetricFamily")]
#[non_exhaustive]
pub struct MetricFamily {
    /// The metric's name.
    pub name: &'static str,
    /// What it counts.
    pub help: &'static str,
    /// The type of the metric.
    #[serde(rename = "type")]
    pub kind: MetricKind,
    /// The samples, sorted by the values of their labels; there is at least one.
    pub metrics: Vec<Metric>,
}

impl MetricFamily {
    /// A family of these samples.
    pub fn new(
        name: &'static str,
        help: &'static str,
        kind: MetricKind,
        metrics: impl IntoIterator<Item = Metric>,
    ) -> Self {
        Self {
            name,
            help,
            kind,
            metrics: metrics.into_iter().collect(),
        }
    }
}

/// The type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MetricKind {
    /// It only increases.
    Counter,
    /// It can go up and down.
    Gauge,
    /// Observations counted in buckets; it only increases.
    Histogram,
}

/// One sample.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename = "Metric")]
#[non_exhaustive]
pub struct Metric {
    /// The labels, by name.
    pub labels: SortedMap<&'static str, String>,
    /// The value.
    #[serde(flatten)]
    pub value: MetricValue,
}

impl Metric {
    /// A sample of a counter or a gauge.
    pub const fn number(labels: SortedMap<&'static str, String>, value: f64) -> Self {
        Self {
            labels,
            value: MetricValue::Number { value },
        }
    }
}

/// The value of a sample.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename = "MetricValue", untagged)]
#[non_exhaustive]
pub enum MetricValue {
    /// The value of a counter or a gauge.
    Number {
        /// A number in JSON, or `"+Inf"`, `"-Inf"` or `"NaN"` if it is not finite.
        #[serde(serialize_with = "number")]
        #[schemars(with = "MetricNumber")]
        value: f64,
    },
    /// The value of a histogram.
    Histogram {
        /// The number of observations up to each bound, in ascending order. The bucket without a bound is `count`.
        buckets: Vec<MetricBucket>,
        /// The sum of all observations.
        #[serde(serialize_with = "number")]
        #[schemars(with = "MetricNumber")]
        sum: f64,
        /// The number of observations.
        count: u64,
    },
}

/// The number of observations up to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename = "MetricBucket")]
#[non_exhaustive]
pub struct MetricBucket {
    /// The bound, inclusive.
    #[serde(serialize_with = "number")]
    #[schemars(with = "MetricNumber")]
    pub le: f64,
    /// The number of observations less than or equal to the bound.
    pub count: u64,
}

/// A number, or a string if JSON has no number for it.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum MetricNumber {
    Number(f64),
    Text(NoNumber),
}

#[derive(schemars::JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "only its schema is used")]
enum NoNumber {
    #[serde(rename = "+Inf")]
    Infinite,
    #[serde(rename = "-Inf")]
    MinusInfinite,
    #[serde(rename = "NaN")]
    Undefined,
}

/// JSON has no infinite numbers. Integers are written without a fraction, as in other languages.
fn number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = *value as i64;
    if !value.is_finite() {
        serializer.serialize_str(&float(*value))
    } else if whole as f64 == *value && value.abs() < EXACT {
        serializer.serialize_i64(whole)
    } else {
        serializer.serialize_f64(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, expected: &str) {
        let metric = Metric {
            labels: [("zone", "a".into())].into_iter().collect(),
            value: MetricValue::Number { value },
        };
        assert_eq!(
            serde_json::to_string(&metric).unwrap(),
            format!(r#"{{"labels":{{"zone":"a"}},"value":{expected}}}"#)
        );
    }

    #[test]
    fn numbers_are_numbers_if_json_has_them() {
        check(3.0, "3");
        check(-1.0, "-1");
        check(0.25, "0.25");
        check(1e300, "1e+300");
        check(f64::INFINITY, r#""+Inf""#);
        check(f64::NEG_INFINITY, r#""-Inf""#);
        check(f64::NAN, r#""NaN""#);
    }

    #[test]
    fn a_histogram_lists_its_buckets() {
        let family = MetricFamily {
            name: "n",
            help: "h",
            kind: MetricKind::Histogram,
            metrics: vec![Metric {
                labels: SortedMap::default(),
                value: MetricValue::Histogram {
                    buckets: vec![
                        MetricBucket { le: 0.5, count: 1 },
                        MetricBucket { le: 2.0, count: 2 },
                    ],
                    sum: 7.5,
                    count: 3,
                },
            }],
        };
        assert_eq!(
            serde_json::to_string(&family).unwrap(),
            r#"{"name":"n","help":"h","type":"histogram","metrics":[{"labels":{},"buckets":[{"le":0.5,"count":1},{"le":2,"count":2}],"sum":7.5,"count":3}]}"#
        );
    }
}
