//! Whatever is lost, late, duplicated, out of order or refused, a run converges.

use serde_json::{Value, json};

use super::{run_any, run_to_rest, scenario};

fn busy() -> Value {
    scenario(&json!([
        {"at": "10s", "times": 4, "every": "7s", "rollingUpdate": {"service": "shop/cart"}},
        {"at": "12s", "times": 10, "every": "3s", "deletePods": {"service": "shop/cart"}},
        {"at": "15s", "times": 5, "every": "4s", "editSlices": {"service": "shop/cart", "count": 1, "edit": "empty"}},
        {"at": "16s", "times": 3, "every": "9s", "editSlices": {"service": "shop/cart", "edit": "delete"}},
        {"at": "20s", "scale": {"service": "shop/cart", "replicas": 15}},
        {"at": "30s", "scale": {"service": "shop/cart", "replicas": 3}},
        {"at": "35s", "restartController": true},
    ]))
}

#[test]
fn watches() {
    for watch in [
        json!({"lag": "2s", "jitter": "1s"}),
        json!({"lost": "30%"}),
        json!({"doubled": "30%"}),
        json!({"reordered": "30%"}),
        json!({"kind": "EndpointSlice", "lag": "1500ms", "lost": "20%", "doubled": "20%", "reordered": "20%"}),
        json!({"lost": "100%"}),
    ] {
        for seed in 0..5 {
            let mut scenario = busy();
            scenario["seed"] = seed.into();
            scenario["watches"] = json!([watch]);
            scenario["apiServer"] = json!({"latency": "300ms"});
            run_to_rest(&scenario);
        }
    }
}

#[test]
fn what_happened_on_the_way_is_counted() {
    let mut scenario = busy();
    scenario["watches"] =
        json!([{"lost": "20%", "doubled": "20%", "reordered": "20%", "relist": "3s"}]);
    let figures = run_to_rest(&scenario).watches;
    for (what, count) in [
        ("lost", figures.lost),
        ("doubled", figures.doubled),
        ("reordered", figures.reordered),
        ("dropped", figures.dropped),
        ("late", figures.late),
        ("lists", figures.lists.saturating_sub(8)),
    ] {
        assert!(count > 0, "no event {what}: {figures:?}");
    }
}

#[test]
fn refusals() {
    for error in [
        "Conflict",
        "AlreadyExists",
        "NotFound",
        "ServerError",
        "Timeout",
        "NamespaceTerminating",
    ] {
        let mut scenario = busy();
        let actions = scenario["actions"].as_array_mut().unwrap();
        actions.push(
            json!({"at": "11s", "refuseWrites": {"error": error, "share": "40%", "for": "25s"}}),
        );
        actions.push(json!({"at": "40s", "refuseWrites": {"error": error, "next": 3}}));
        // There are no retries for a namespace that is reported as terminating.
        actions.push(json!({"at": "5m", "resync": true}));
        let report = run_to_rest(&scenario);
        assert!(
            report.total.writes.refused > 3,
            "{error}: {:?}",
            report.total
        );
        if error != "NamespaceTerminating" {
            assert!(report.total.retries > 0, "{error}");
        }
    }
}

/// Late events of slices make the controller wait, and not write based on old ones.
#[test]
fn slow_slices_are_stale() {
    let mut scenario = busy();
    scenario["watches"] = json!([{"kind": "EndpointSlice", "lag": "2s"}]);
    let report = run_to_rest(&scenario);
    assert!(report.total.syncs.stale > 0);
}

/// A slow API server: other Services are synced in the meantime, but never the same one twice.
#[test]
fn syncs_at_once() {
    let mut scenario = busy();
    scenario["services"] = json!([
        {"service": "shop/cart", "replicas": 6, "jitter": "5s"},
        {"service": "shop/stock", "copies": 9, "replicas": 6, "jitter": "5s"},
    ]);
    scenario["apiServer"] = json!({"latency": "400ms"});
    scenario["controller"]["concurrentServiceEndpointSyncs"] = 3.into();
    let report = run_to_rest(&scenario);
    assert_eq!(report.end.most_syncs_at_once, 3);
}

#[test]
fn a_failure_that_lasts_drops_the_service() {
    let mut scenario = scenario(&json!([
        {"at": 0, "refuseWrites": {"error": "ServerError", "for": "1h"}},
        {"at": "2h", "resync": true},
    ]));
    scenario["controller"]["maxRetries"] = 3.into();
    let report = run_to_rest(&scenario);
    assert_eq!(
        (report.total.syncs.dropped > 0, report.total.retries > 0),
        (true, true)
    );
    assert!(report.total.unused_seconds > 3600.0, "{:?}", report.total);
}

/// Errors at the end are detected.
#[test]
fn a_run_that_has_not_converged_says_so() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "refuseWrites": {"error": "ServerError", "for": "1h"}},
        {"at": "11s", "deletePods": {"service": "shop/cart"}},
    ]));
    scenario["until"] = "10m".into();
    let end = run_any(&scenario).end;
    assert!(!end.is_converged);
    assert_eq!(end.missing_writes, 1, "its slice takes the new pod as well");
}
