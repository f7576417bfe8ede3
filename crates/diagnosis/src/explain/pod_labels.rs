//! The pods of an input by their labels: which of them a selector that matches none was meant for.

use alloc::vec::Vec;
use core::ops::Range;

use slicewise::membership::nearest::all_near;
use slicewise::membership::selector::matches;
use slicewise::model::order::{Grouped, sorted_unique};
use slicewise::model::{Pod, StringMap, Text};

/// Pods that follow each other and have the same namespace and labels, as those of a workload do.
pub(crate) type AlikePods<'l, 'p> = &'l [&'p Pod<'p>];

/// Pods in the order of their namespaces and names, indexed by each of their labels.
pub(crate) struct PodLabels<'p> {
    pods: Vec<&'p Pod<'p>>,
    /// Pods that are alike, as places in `pods`.
    alike: Vec<Range<usize>>,
    /// Places in `alike`, by label.
    by_label: Grouped<(&'p str, &'p str), usize>,
    /// The values of each key.
    values: Vec<(&'p str, Values<'p>)>,
}

/// The values of a key, sorted.
#[derive(Default)]
struct Values<'p> {
    all: Vec<&'p str>,
    /// Those that have an uppercase letter.
    with_uppercase: Vec<&'p str>,
}

impl<'p> PodLabels<'p> {
    /// Indexes pods that are sorted by namespace and name.
    pub(crate) fn new(pods: &[&'p Pod<'p>]) -> Self {
        let mut end = 0;
        let runs = pods.chunk_by(|a, b| {
            let (a, b) = (&a.metadata, &b.metadata);
            a.namespace == b.namespace && a.labels == b.labels
        });
        let alike: Vec<Range<usize>> = runs
            .map(|run| {
                let start = end;
                end += run.len();
                start..end
            })
            .collect();
        let labels = alike.iter().enumerate().flat_map(|(place, run)| {
            let pod: Option<&&'p Pod<'p>> = pods.get(run.start);
            let labels = pod.into_iter().flat_map(|pod| pod.metadata.labels.iter());
            labels.map(move |(key, value)| ((key.as_str(), value.as_str()), place))
        });
        let by_label = Grouped::new(labels);
        let mut values: Vec<(&str, Values<'_>)> = Vec::new();
        for &(key, value) in by_label.keys() {
            if values.last().is_none_or(|(last, _)| *last != key) {
                values.push((key, Values::default()));
            }
            let Some((_, of_key)) = values.last_mut() else {
                continue;
            };
            of_key.all.push(value);
            if value.bytes().any(|byte| byte.is_ascii_uppercase()) {
                of_key.with_uppercase.push(value);
            }
        }
        Self {
            pods: pods.to_vec(),
            alike,
            by_label,
            values,
        }
    }

    /// The pods of a namespace with the most pairs of a selector, in order; none if no pod has any of them.
    pub(crate) fn with_most_pairs(
        &self,
        namespace: &str,
        selector: &StringMap<'_>,
    ) -> Vec<AlikePods<'_, 'p>> {
        let pairs = selector.iter().map(|(key, value)| (&**key, &**value));
        let found = pairs.flat_map(|pair| self.of_namespace(namespace, pair));
        let mut found: Vec<usize> = found.collect();
        found.sort_unstable();
        let runs = || found.chunk_by(|a, b| a == b);
        let most = runs().map(<[usize]>::len).max();
        let with_most = runs().filter(|run| Some(run.len()) == most);
        self.pods_of(with_most.filter_map(|run| run.first().copied()))
    }

    /// The pods of a namespace that have the value under any key, or a similar value under the key, in order.
    pub(crate) fn with_similar(
        &self,
        namespace: &str,
        (key, value): (&Text<'_>, &Text<'_>),
    ) -> Vec<AlikePods<'_, 'p>> {
        let keys = self.values.iter().map(|(key, _)| *key);
        let mut pairs: Vec<(&str, &str)> = keys.map(|key| (key, value.as_str())).collect();
        let of_key = self
            .values
            .binary_search_by(|(other, _)| (*other).cmp(key.as_str()));
        if let Some((_, values)) = of_key.ok().and_then(|place| self.values.get(place)) {
            let near = all_near(value, &values.all);
            pairs.extend(near.into_iter().map(|near| (key.as_str(), near)));
            let same = values.with_uppercase.iter();
            let same = same.filter(|other| other.eq_ignore_ascii_case(value));
            pairs.extend(same.map(|same| (key.as_str(), *same)));
        }
        let lower = value.to_ascii_lowercase();
        pairs.push((key.as_str(), &lower));
        let found = pairs
            .into_iter()
            .flat_map(|pair| self.of_namespace(namespace, pair));
        self.pods_of(sorted_unique(found))
    }

    /// The pods that a selector matches in any namespace, in order.
    pub(crate) fn matched(&self, selector: &StringMap<'_>) -> Vec<AlikePods<'_, 'p>> {
        let pairs = selector.iter().map(|(key, value)| (&**key, &**value));
        let fewest = pairs
            .map(|pair| self.by_label.of(&pair))
            .min_by_key(|found| found.len());
        let all = match fewest {
            Some(found) => self.pods_of(found.iter().map(|(_, place)| *place)),
            None => self.pods_of(0..self.alike.len()),
        };
        let is_matched = |alike: &AlikePods<'_, '_>| {
            alike
                .first()
                .is_some_and(|pod| matches(selector, &pod.metadata.labels))
        };
        all.into_iter().filter(is_matched).collect()
    }

    /// The places of pods that have a label, in a namespace.
    fn of_namespace(&self, namespace: &str, pair: (&str, &str)) -> Vec<usize> {
        let found = self.by_label.of(&pair);
        let before = |end: &dyn Fn(&str) -> bool| {
            found.partition_point(|(_, place)| {
                self.alike_at(*place)
                    .first()
                    .is_some_and(|pod| end(&pod.metadata.namespace))
            })
        };
        let (start, end) = (
            before(&|other| other < namespace),
            before(&|other| other <= namespace),
        );
        let found = found.get(start..end).unwrap_or_default();
        found.iter().map(|(_, place)| *place).collect()
    }

    fn alike_at(&self, place: usize) -> AlikePods<'_, 'p> {
        let run = self.alike.get(place).cloned().unwrap_or_default();
        self.pods.get(run).unwrap_or_default()
    }

    fn pods_of(&self, places: impl IntoIterator<Item = usize>) -> Vec<AlikePods<'_, 'p>> {
        places
            .into_iter()
            .map(|place| self.alike_at(place))
            .collect()
    }
}
