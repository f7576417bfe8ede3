//! Our own metrics, and that nothing is left behind.

use serde_json::{Value, json};

use super::{observe, planned, request, values, with_auto, with_traffic};
use crate::kubernetes::KubernetesVersion;
use crate::metrics::{MetricKind, Metrics, SyncOutcome, prometheus_text};
use crate::model::NamespacedName;
use crate::plan::writing::Answer;
use crate::reconcile::EndpointsPerSlice;

fn key(name: &str) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: name.into(),
    }
}

/// Plans a request and writes everything.
fn sync(metrics: &mut Metrics, request: &Value) {
    planned(request, |plan| {
        metrics.observe_plan(plan);
        let mut writing = plan.writing::<()>();
        while writing.operation().is_some() {
            writing.record(Answer::Done(None));
        }
        metrics.observe_writes(plan, &writing.finish().unwrap());
    });
    metrics.observe_sync(SyncOutcome::Success);
}

#[track_caller]
fn check(metrics: &Metrics, prefix: &str, expected: &[&str]) {
    assert_eq!(values(metrics, prefix), expected);
}

#[test]
fn both_families_are_counted_and_fill_slices() {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    observe(&mut metrics, &request("cart", &["IPv4", "IPv6"], &["a"; 6]));
    observe(&mut metrics, &request("till", &["IPv4"], &["a"; 3]));
    let endpoints = [r#"{address_type="IPv4"} 9"#, r#"{address_type="IPv6"} 6"#];
    check(&metrics, "slicewise_endpoints", &endpoints);
    let slices = [r#"{address_type="IPv4"} 3"#, r#"{address_type="IPv6"} 2"#];
    check(&metrics, "slicewise_endpoint_slices", &slices);
    check(&metrics, "slicewise_slice_fill_ratio ", &["0.75"]);
    check(
        &metrics,
        "slicewise_slice_fill_ratio_per_sync_sum",
        &[" 2.25"],
    );
    check(
        &metrics,
        r#"slicewise_slice_fill_ratio_per_sync_bucket{le="0.7"}"#,
        &[" 0"],
    );
    check(
        &metrics,
        r#"slicewise_slice_fill_ratio_per_sync_bucket{le="0.8"}"#,
        &[" 3"],
    );
    metrics.forget_service(&key("till"));
    metrics.forget_service(&key("cart"));
    check(&metrics, "slicewise_slice_fill_ratio ", &[]);
}

#[test]
fn a_family_that_is_dropped_no_longer_counts() {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    observe(&mut metrics, &request("cart", &["IPv4", "IPv6"], &["a"; 6]));
    observe(&mut metrics, &request("cart", &["IPv6"], &["a"; 5]));
    let endpoints = [r#"{address_type="IPv4"} 0"#, r#"{address_type="IPv6"} 5"#];
    check(&metrics, "slicewise_endpoints", &endpoints);
}

#[test]
fn zones_show_the_overload_of_the_worst_service() {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    let even = request("cart", &["IPv4"], &["a", "b", "c"]);
    observe(&mut metrics, &with_auto(even));
    let overload = |values: [&str; 3]| {
        ["a", "b", "c"]
            .into_iter()
            .zip(values)
            .map(|(zone, value)| format!("{{zone=\"{zone}\"}} {value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        values(&metrics, "slicewise_zone_overload"),
        overload(["0", "0", "0"])
    );
    // Of 7 endpoints, each zone is owed 2⅓, and at least 2.
    let uneven = request("till", &["IPv4"], &["a", "a", "a", "a", "a", "b", "c"]);
    observe(&mut metrics, &with_auto(uneven.clone()));
    assert_eq!(
        values(&metrics, "slicewise_zone_endpoints_owed"),
        overload(["3.333333"; 3])
    );
    assert_eq!(
        values(&metrics, "slicewise_zone_endpoints_hinted"),
        overload(["4", "3", "3"])
    );
    assert_eq!(
        values(&metrics, "slicewise_zone_overload"),
        overload(["0", "0.166667", "0.166667"])
    );
    observe(&mut metrics, &uneven);
    assert_eq!(
        values(&metrics, "slicewise_zone_overload"),
        overload(["0", "0", "0"])
    );
    metrics.forget_service(&key("cart"));
    check(&metrics, "slicewise_zone", &[]);
}

/// Two endpoints for three zones: no hints, hence no overload by hints.
#[test]
fn refused_hints_do_not_count() {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    observe(
        &mut metrics,
        &with_auto(request("cart", &["IPv4"], &["a", "b"])),
    );
    check(&metrics, "slicewise_zone", &[]);
}

/// As if they had never existed.
#[test]
fn services_that_are_gone_leave_nothing_behind() {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    let shape = |number: usize| {
        let request = request(
            &format!("s{number}"),
            &["IPv4", "IPv6"],
            &["a", "b", "c", "a", "b"][..3 + number % 3],
        );
        if number.is_multiple_of(2) {
            with_auto(request)
        } else {
            with_traffic(request, "PreferClose")
        }
    };
    let gauges = |metrics: &Metrics| {
        let families = metrics.gather().into_iter();
        families
            .filter(|family| family.kind == MetricKind::Gauge)
            .collect::<Vec<_>>()
    };
    let mut size = 0;
    let mut first = None;
    for round in 0..3 {
        for number in 0..500 {
            observe(&mut metrics, &shape(number));
        }
        assert_eq!(metrics.services(), 500);
        for number in 0..500 {
            metrics.forget_service(&key(&format!("s{number}")));
        }
        assert_eq!(metrics.services(), 0);
        let left = format!("{metrics:?}").len();
        assert!(left < 2_000, "{left}: {metrics:?}");
        assert!(round == 0 || left <= size + 64, "{size} grew to {left}");
        size = left;
        let gauges = gauges(&metrics);
        assert_eq!(*first.get_or_insert_with(|| gauges.clone()), gauges);
    }
    check(
        &metrics,
        "slicewise_endpoints",
        &[r#"{address_type="IPv4"} 0"#, r#"{address_type="IPv6"} 0"#],
    );
    check(&metrics, "slicewise_zone", &[]);
}

#[test]
fn strangers_are_forgotten_without_a_trace() {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    metrics.forget_service(&key("cart"));
    let mut foreign = request("cart", &["IPv4"], &[]);
    foreign["service"]["spec"]["type"] = "ExternalName".into();
    sync(&mut metrics, &foreign);
    let names: Vec<_> = metrics.gather().iter().map(|family| family.name).collect();
    assert_eq!(names, ["endpoint_slice_controller_syncs"]);
}

/// The example in `docs/metrics.md`.
fn example() -> Metrics {
    let mut metrics = Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    let zones = ["a", "a", "a", "a", "a", "b", "c"];
    sync(&mut metrics, &with_auto(request("cart", &["IPv4"], &zones)));
    let till = request("till", &["IPv4", "IPv6"], &["b"; 2]);
    sync(&mut metrics, &with_traffic(till, "PreferSameZone"));
    metrics.observe_sync(SyncOutcome::Stale);
    metrics
}

#[test]
fn the_document_shows_what_is_printed() {
    let document = include_str!("../../../../docs/metrics.md");
    let text = prometheus_text(&example().gather());
    assert!(
        document.contains(&format!("```text\n{text}```\n")),
        "{text}"
    );
    let json = serde_json::to_value(example().gather()).unwrap();
    let shown = document.split("```json\n").nth(1).unwrap();
    let shown: Value = serde_json::from_str(shown.split("```").next().unwrap()).unwrap();
    assert_eq!(json!([json[0], json[8]]), shown);
}

#[test]
fn the_document_lists_every_metric() {
    let document = include_str!("../../../../docs/metrics.md");
    let listed: Vec<_> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let families = example().gather();
    let names: Vec<_> = families.iter().map(|family| family.name).collect();
    assert_eq!(listed, names);
    assert!(names.is_sorted());
}
