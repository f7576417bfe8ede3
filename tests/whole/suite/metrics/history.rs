//! Updated step by step or counted again, the gauges are the same.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;

use super::observe;
use crate::kubernetes::KubernetesVersion;
use crate::metrics::{Metric, MetricFamily, MetricKind, MetricValue as Sample, Metrics};
use crate::model::NamespacedName;
use crate::reconcile::EndpointsPerSlice;
use crate::suite::cluster;

/// Gauges that are not 0: what existed once may be shown as 0.
fn gauges(metrics: &Metrics) -> Vec<(&'static str, Vec<Metric>)> {
    let is_there = |metric: &Metric| !matches!(metric.value, Sample::Number { value: 0.0 });
    let gauge = |family: MetricFamily| {
        let metrics = family.metrics.into_iter().filter(is_there);
        (family.name, metrics.collect::<Vec<_>>())
    };
    let families = metrics.gather().into_iter();
    let gauges = families.filter(|family| family.kind == MetricKind::Gauge);
    gauges
        .map(gauge)
        .filter(|(_, metrics)| !metrics.is_empty())
        .collect()
}

fn key(number: usize) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: format!("s{number}"),
    }
}

/// The cluster's Service under another name, so that its slices belong to another Service.
fn renamed(mut request: Value, number: usize) -> Value {
    request["service"]["metadata"]["name"] = key(number).name.into();
    request["options"]["maxEndpointsPerSlice"] = 3.into();
    request
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, rng_seed: RngSeed::Fixed(20_261_121), ..ProptestConfig::default() })]

    #[test]
    fn gauges_follow_the_last_plans(steps in prop::collection::vec((0_usize..3, prop::option::weighted(0.8, cluster::request())), 1..12)) {
        let mut kept = Metrics::new(EndpointsPerSlice::new(3).unwrap(), KubernetesVersion::default());
        let mut last: [Option<Value>; 3] = [None, None, None];
        for (number, request) in steps {
            let request = request.map(|request| renamed(request, number));
            match &request {
                Some(request) => observe(&mut kept, request),
                None => kept.forget_service(&key(number)),
            }
            last[number] = request;
        }
        let mut anew = Metrics::new(EndpointsPerSlice::new(3).unwrap(), KubernetesVersion::default());
        last.iter().flatten().for_each(|request| observe(&mut anew, request));
        prop_assert_eq!(gauges(&kept), gauges(&anew));
    }
}
