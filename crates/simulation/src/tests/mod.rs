//! Scenarios and their results.

mod actions;
mod play;
mod random;
mod timeline;
mod troubles;

use serde_json::{Value, json};

use super::{Report, Scenario, run};

/// Three zones with two nodes each, one Service with six pods, four endpoints per slice.
fn scenario(actions: &Value) -> Value {
    json!({
        "zones": [{"name": "a", "nodes": 2}, {"name": "b", "nodes": 2}, {"name": "c", "nodes": 2}],
        "services": [{"service": "shop/cart", "replicas": 6}],
        "controller": {"options": {"maxEndpointsPerSlice": 4}},
        "actions": actions,
    })
}

/// Runs a valid scenario, which must converge.
#[track_caller]
fn run_to_rest(scenario: &Value) -> Report {
    let report = run_any(scenario);
    let end = &report.end;
    assert!(!report.was_cut_off, "it does not come to rest");
    assert!(end.is_converged, "{end:?}");
    assert_eq!(end.overlapping_syncs, 0, "two syncs of one Service at once");
    report
}

#[track_caller]
fn run_any(scenario: &Value) -> Report {
    let text = scenario.to_string();
    let scenario: Scenario<'_> = serde_json::from_str(&text).unwrap();
    scenario.check().unwrap();
    run(&scenario, true)
}

/// `ready pods, endpoints in slices, slices; created/updated/deleted` at the end of each phase.
fn shown(report: &Report) -> Vec<String> {
    let phases = report.phases.iter().map(|phase| {
        let (gauges, writes) = (&phase.gauges, &phase.sums.writes);
        format!(
            "{}: {} ready, {} in {}; {}/{}/{}",
            phase.name,
            gauges.ready_pods,
            gauges.endpoints,
            gauges.slices,
            writes.create,
            writes.update,
            writes.delete
        )
    });
    phases.collect()
}

#[test]
fn the_same_scenario_gives_the_same_bytes() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "rollingUpdate": {"service": "shop/cart"}},
        {"at": "20s", "times": 5, "deletePods": {"service": "shop/cart", "count": 2}},
    ]));
    scenario["services"][0]["jitter"] = "2s".into();
    scenario["watches"] =
        json!([{"jitter": "300ms", "lost": "10%", "doubled": "10%", "reordered": "10%"}]);
    let bytes = |scenario: &Value| serde_json::to_string(&run_to_rest(scenario)).unwrap();
    let first = bytes(&scenario);
    assert_eq!(first, bytes(&scenario));
    scenario["seed"] = 2.into();
    assert_ne!(first, bytes(&scenario), "another seed, another run");
}

#[test]
fn nothing_is_left_when_everything_is_deleted() {
    let mut scenario = scenario(&json!([
        {"at": "5s", "scale": {"service": "shop/cart", "replicas": 20}},
        {"at": "6s", "relabelPods": {"service": "shop/cart", "labels": {"app": "none"}}},
        {"at": "8s", "refuseWrites": {"error": "Timeout", "next": 2}},
        {"at": "9s", "deleteEverything": true},
    ]));
    scenario["apiServer"] = json!({"latency": "200ms"});
    scenario["watches"] =
        json!([{"lag": "500ms", "lost": "5%", "doubled": "5%", "reordered": "5%"}]);
    let report = run_to_rest(&scenario);
    assert!(report.end.is_empty, "{report:?}");
    assert_eq!(report.phases[0].gauges.slices, 0);
}

#[test]
fn a_run_that_is_cut_off_says_so() {
    let mut scenario = scenario(&json!([{"at": "1h", "resync": true}]));
    scenario["until"] = "2s".into();
    let report = run_any(&scenario);
    assert!(report.was_cut_off);
    assert_eq!(report.ended_at, 2000);
    assert!(!report.end.is_empty);
}

#[test]
fn samples_and_bytes_add_up() {
    let mut scenario = scenario(
        &json!([{"at": "10s", "phase": "more", "scale": {"service": "shop/cart", "replicas": 9}}]),
    );
    scenario["sampleEvery"] = "5s".into();
    let report = run_to_rest(&scenario);
    let last = report.samples.last().unwrap();
    assert_eq!(last.bytes_to_watchers, report.total.bytes_to_watchers);
    assert_eq!(last.writes, report.total.writes.made());
    let by_phase: u64 = report
        .phases
        .iter()
        .map(|phase| phase.sums.bytes_to_watchers)
        .sum();
    assert_eq!(by_phase, report.total.bytes_to_watchers);
    // Six nodes watch: an event has the slice's bytes, plus its frame.
    let events = report.total.watch_events / 6;
    assert_eq!(report.total.watch_events % 6, 0);
    let frames = report.total.bytes_to_watchers / 6 - report.total.bytes_written;
    assert!(
        (events * 27..=events * 30).contains(&frames),
        "{frames} bytes around {events} events"
    );
}

/// KEP-752's three cases, with a hundredth of the pods and a tenth of the endpoints per slice.
#[test]
fn writes_are_as_kep_752_counts_them() {
    let scenario = json!({
        "zones": [{"name": "a", "nodes": 50}],
        "services": [{"service": "prod/web", "replicas": 200, "addressAfter": 0, "readyAfter": 0, "goneAfter": 0}],
        "controller": {"options": {"maxEndpointsPerSlice": 10}},
        "actions": [
            {"at": "1m", "phase": "one", "deletePods": {"service": "prod/web"}},
            {"at": "2m", "phase": "all", "rollingUpdate": {"service": "prod/web", "maxSurge": 1, "maxUnavailable": 0, "pace": "10ms"}},
        ],
    });
    let report = run_to_rest(&scenario);
    assert_eq!(
        shown(&report),
        [
            "start: 200 ready, 200 in 20; 20/0/0",
            "one: 200 ready, 200 in 20; 0/1/0",
            "all: 200 ready, 200 in 20; 0/200/0",
        ]
    );
    let sent: Vec<u64> = report
        .phases
        .iter()
        .map(|phase| phase.sums.endpoints_to_watchers)
        .collect();
    assert_eq!(sent, [200 * 50, 10 * 50, 200 * 10 * 50]);
    let objects: Vec<u64> = report
        .phases
        .iter()
        .map(|phase| phase.sums.endpoints_object.writes)
        .collect();
    assert_eq!(objects, [1, 1, 200]);
}
