//! Observations counted by size.

use alloc::vec;
use alloc::vec::Vec;

use super::family::{MetricBucket, MetricValue};

/// A histogram with fixed upper bounds.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    /// In ascending order.
    bounds: &'static [f64],
    /// Observations by the first bound they do not exceed; the last count is for those above all bounds.
    counts: Vec<u64>,
    sum: f64,
}

impl Histogram {
    pub(super) fn new(bounds: &'static [f64]) -> Self {
        Self {
            bounds,
            counts: vec![0; bounds.len() + 1],
            sum: 0.0,
        }
    }

    pub(super) fn observe(&mut self, value: f64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
        self.sum += value;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }

    /// The cumulative counts.
    pub(super) fn value(&self) -> MetricValue {
        let mut total = 0;
        let mut cumulative = self.counts.iter().map(|count| {
            total += count;
            total
        });
        let with_bound = self.bounds.iter().zip(&mut cumulative);
        let buckets = with_bound
            .map(|(le, count)| MetricBucket { le: *le, count })
            .collect();
        let count = cumulative.next().unwrap_or_default();
        MetricValue::Histogram {
            buckets,
            sum: self.sum,
            count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_in_its_bucket() {
        let mut histogram = Histogram::new(&[1.0, 2.0]);
        assert!(histogram.is_empty());
        for value in [0.0, 1.0, 1.5, 2.0, 2.5] {
            histogram.observe(value);
        }
        let buckets = vec![
            MetricBucket { le: 1.0, count: 2 },
            MetricBucket { le: 2.0, count: 4 },
        ];
        let expected = MetricValue::Histogram {
            buckets,
            sum: 7.0,
            count: 5,
        };
        assert_eq!(histogram.value(), expected);
    }
}
