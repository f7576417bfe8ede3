//! The controller's metrics over a history.

use serde_json::json;

use super::*;
use crate::metrics::prometheus_text;

/// The current scrape, without help texts, types and histogram buckets.
#[track_caller]
fn check(run: &Run, expected: &[&str]) {
    let text = prometheus_text(&run.stream.controller().metrics().gather());
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    let samples: Vec<_> = samples.filter(|line| !line.contains("_bucket{")).collect();
    assert_eq!(samples, expected);
}

#[test]
fn plans_writes_and_syncs_are_counted_and_removed_services_forgotten() {
    let mut run = settled(json!({"maxEndpointsPerSlice": 4}));
    check(
        &run,
        &[
            "endpoint_slice_controller_changes{operation=\"create\"} 1",
            "endpoint_slice_controller_desired_endpoint_slices 1",
            "endpoint_slice_controller_endpoints_added_per_sync_sum 1",
            "endpoint_slice_controller_endpoints_added_per_sync_count 1",
            "endpoint_slice_controller_endpoints_desired 1",
            "endpoint_slice_controller_endpoints_removed_per_sync_sum 0",
            "endpoint_slice_controller_endpoints_removed_per_sync_count 1",
            "endpoint_slice_controller_endpointslices_changed_per_sync_sum{topology=\"Disabled\",traffic_distribution=\"\"} 1",
            "endpoint_slice_controller_endpointslices_changed_per_sync_count{topology=\"Disabled\",traffic_distribution=\"\"} 1",
            "endpoint_slice_controller_num_endpoint_slices 1",
            "endpoint_slice_controller_syncs{result=\"success\"} 1",
            "slicewise_endpoint_slices{address_type=\"IPv4\"} 1",
            "slicewise_endpoints{address_type=\"IPv4\"} 1",
            "slicewise_slice_fill_ratio 0.25",
            "slicewise_slice_fill_ratio_per_sync_sum 0.25",
            "slicewise_slice_fill_ratio_per_sync_count 1",
        ],
    );
    // Refused once, then written; the gauges reflect plans, the changes reflect writes.
    run.feed(json!({"at": 1000, "refuse": {"error": "Conflict"}}))
        .event(1000, "ADDED", pod(2))
        .until(10_000);
    // Deleted, along with its slice.
    run.event(20_000, "DELETED", service("cart")).until(30_000);
    check(
        &run,
        &[
            "endpoint_slice_controller_changes{operation=\"create\"} 1",
            "endpoint_slice_controller_changes{operation=\"update\"} 1",
            "endpoint_slice_controller_desired_endpoint_slices 0",
            "endpoint_slice_controller_endpoints_added_per_sync_sum 3",
            "endpoint_slice_controller_endpoints_added_per_sync_count 3",
            "endpoint_slice_controller_endpoints_desired 0",
            "endpoint_slice_controller_endpoints_removed_per_sync_sum 0",
            "endpoint_slice_controller_endpoints_removed_per_sync_count 3",
            "endpoint_slice_controller_endpointslices_changed_per_sync_sum{topology=\"Disabled\",traffic_distribution=\"\"} 2",
            "endpoint_slice_controller_endpointslices_changed_per_sync_count{topology=\"Disabled\",traffic_distribution=\"\"} 2",
            "endpoint_slice_controller_num_endpoint_slices 0",
            "endpoint_slice_controller_syncs{result=\"error\"} 1",
            "endpoint_slice_controller_syncs{result=\"success\"} 3",
            "slicewise_endpoint_slices{address_type=\"IPv4\"} 0",
            "slicewise_endpoints{address_type=\"IPv4\"} 0",
            "slicewise_slice_fill_ratio_per_sync_sum 1.25",
            "slicewise_slice_fill_ratio_per_sync_count 3",
        ],
    );
    assert_eq!(run.stream.controller().metrics().services(), 0);
}

#[test]
fn a_stale_sync_is_counted_as_such() {
    let mut run = Run::new(json!({"watchLag": "10s"}));
    run.event(0, "ADDED", service("cart"))
        .event(100, "ADDED", pod(1));
    let text = prometheus_text(&run.stream.controller().metrics().gather());
    assert!(text.contains("_syncs{result=\"stale\"} 1\n"), "{text}");
    assert!(text.contains("_syncs{result=\"success\"} 1\n"), "{text}");
    // Nothing was planned.
    assert!(text.contains("_added_per_sync_count 1\n"), "{text}");
}

#[test]
fn a_line_asks_for_all_metrics() {
    let mut run = settled(json!({}));
    run.feed(json!({"at": 500, "metrics": true}));
    let line = run.lines.pop().unwrap();
    let syncs = line["metrics"].as_array().unwrap().iter();
    let mut syncs = syncs.filter(|family| family["name"] == "endpoint_slice_controller_syncs");
    assert_eq!(line["at"], 500);
    assert_eq!(
        *syncs.next().unwrap(),
        json!({
            "name": "endpoint_slice_controller_syncs",
            "help": "[ALPHA] Number of EndpointSlice syncs",
            "type": "counter",
            "metrics": [{"labels": {"result": "success"}, "value": 1}],
        })
    );
    run.feed(json!({"at": 600, "metrics": true, "resync": true}))
        .check(&["InvalidValue "]);
}
