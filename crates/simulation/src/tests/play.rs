//! Playing a run step by step reports the same as the run as a whole.

use alloc::collections::BTreeMap;

use serde_json::{Value, json};

use super::{run_any, scenario};
use crate::{EndpointSeen, Play, Report, Scenario, SliceFate, TimelineStep};

/// All steps of a scenario, and the result of it.
fn play(scenario: &Value, service: Option<&str>) -> (Vec<TimelineStep>, Report) {
    let text = scenario.to_string();
    let scenario: Scenario<'_> = serde_json::from_str(&text).unwrap();
    scenario.check().unwrap();
    let mut play = Play::new(&scenario, service).unwrap();
    let steps = core::iter::from_fn(|| play.step()).collect();
    (steps, play.report().clone())
}

/// Everything that can go wrong: late, lost and duplicate events, refused writes, a restart, manual edits.
fn troubled() -> Value {
    let mut scenario = scenario(&json!([
        {"at": "10s", "phase": "update", "rollingUpdate": {"service": "shop/cart", "maxSurge": 1, "maxUnavailable": 0}},
        {"at": "15s", "refuseWrites": {"error": "Timeout", "share": "50%", "for": "10s"}},
        {"at": "30s", "phase": "restart", "restartController": true},
        {"at": "40s", "editSlices": {"service": "shop/cart", "edit": "empty"}},
        {"at": "50s", "phase": "zone", "failNodes": {"zone": "c", "noticedAfter": "5s", "evictAfter": "10s"}},
        {"at": "90s", "addNodes": {"zone": "a"}},
        {"at": "100s", "relabelPods": {"service": "shop/cart", "labels": {"app": "none"}}},
        {"at": "120s", "deleteService": {"service": "shop/till"}},
    ]));
    scenario["services"] = json!([
        {"service": "shop/cart", "replicas": 6, "jitter": "1500ms", "topologyMode": "Auto"},
        {"service": "shop/till", "replicas": 3},
    ]);
    scenario["apiServer"] = json!({"latency": "7ms"});
    scenario["watches"] = json!([{"lag": "30ms", "jitter": "300ms", "lost": "3%", "doubled": "3%", "reordered": "3%"}]);
    scenario
}

#[test]
fn steps_add_up_to_the_report() {
    for scenario in [troubled(), scenario(&json!([]))] {
        let whole = run_any(&scenario);
        let (steps, report) = play(&scenario, None);
        let without = Report {
            timeline: Vec::new(),
            ..whole.clone()
        };
        assert_eq!(report, without);
        let sum = |of: fn(&TimelineStep) -> u64| steps.iter().map(of).sum::<u64>();
        let total = &whole.total;
        assert_eq!(sum(|step| step.writes.made()), total.writes.made());
        assert_eq!(sum(|step| step.writes.refused), total.writes.refused);
        assert_eq!(sum(|step| step.bytes_written), total.bytes_written);
        assert_eq!(sum(|step| step.bytes_to_watchers), total.bytes_to_watchers);
        assert_eq!(sum(|step| step.watch_events), total.watch_events);
        assert_eq!(sum(|step| step.retries), total.retries);
        assert_eq!(sum(|step| step.hint_flips), total.hint_flips);
        assert_eq!(
            steps.last().unwrap().gauges,
            whole.phases.last().unwrap().gauges
        );
        assert!(steps.windows(2).all(|pair| pair[0].at < pair[1].at));
    }
}

#[test]
fn steps_tell_the_whole_timeline_in_order() {
    let whole = run_any(&troubled());
    let (steps, _) = play(&troubled(), None);
    let told = steps.iter().flat_map(|step| {
        let happened = step.happened.iter();
        happened.map(move |happened| (step.at, &happened.entry))
    });
    let entries = whole.timeline.iter().map(|entry| (entry.at, &entry.what));
    assert!(told.clone().count() > 100);
    assert!(told.eq(entries));
    let phases: Vec<usize> = steps.iter().map(|step| step.phase).collect();
    assert!(phases.is_sorted());
    assert_eq!(phases.last(), Some(&3));
}

/// What an observer knows who has seen the steps so far.
#[derive(Default)]
struct Seen {
    names: Vec<String>,
    slices: BTreeMap<usize, BTreeMap<usize, EndpointSeen>>,
}

impl Seen {
    fn take(&mut self, step: &TimelineStep) {
        let names = step.new_slices.iter().map(|slice| slice.name.clone());
        self.names.extend(names);
        for change in &step.slices {
            if change.is == SliceFate::Deleted {
                self.slices.remove(&change.slice).unwrap();
                continue;
            }
            let is_new = !self.slices.contains_key(&change.slice);
            assert_eq!(is_new, change.is == SliceFate::Created);
            let slice = self.slices.entry(change.slice).or_default();
            for pod in &change.drop {
                slice.remove(pod).unwrap();
            }
            for endpoint in &change.put {
                slice.insert(endpoint.0, endpoint.clone());
            }
        }
    }
}

#[test]
fn changes_of_slices_add_up_to_the_slices() {
    let mut scenario = troubled();
    scenario["services"] = json!([{"service": "shop/cart", "replicas": 6, "jitter": "1500ms"}]);
    scenario["actions"].as_array_mut().unwrap().pop();
    let (steps, _) = play(&scenario, None);
    let mut seen = Seen::default();
    for step in &steps {
        seen.take(step);
        let endpoints: usize = seen.slices.values().map(BTreeMap::len).sum();
        assert_eq!(endpoints as u64, step.gauges.endpoints, "at {}", step.at);
        assert_eq!(seen.slices.len() as u64, step.gauges.slices);
    }
    let pods: usize = steps.iter().map(|step| step.pods.len()).sum();
    let all = seen.slices.values().flat_map(BTreeMap::keys);
    assert!(all.clone().count() > 0 && all.into_iter().all(|pod| *pod < pods));
    assert!(seen.slices.keys().all(|slice| *slice < seen.names.len()));
}

/// The shares of the traffic over time: misdirected, crossing, unserved.
fn shares(scenario: &Value, service: &str) -> Vec<String> {
    let (steps, _) = play(scenario, Some(service));
    let told = steps.iter().filter_map(|step| {
        let shares = step.traffic.as_ref()?.as_ref()?;
        let (misdirected, crossing) = (shares.misdirected, shares.cross_zone);
        let unserved = shares.unserved;
        Some(format!(
            "{}: {misdirected:.2} {crossing:.2} {unserved:.2}",
            step.at
        ))
    });
    told.collect()
}

#[test]
fn traffic_is_routed_by_the_slices_there_are() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "failNodes": {"zone": "c", "noticedAfter": "5s", "evictAfter": "10s"}},
    ]));
    scenario["services"] = json!([
        {"service": "shop/cart", "replicas": 6},
        {"service": "shop/stock", "replicas": 6, "trafficDistribution": "PreferSameZone"},
    ]);
    // A third of the endpoints is gone, which has not been reported; deleted nodes send nothing.
    assert_eq!(
        shares(&scenario, "shop/cart"),
        [
            "0: 0.00 0.00 1.00",
            "3000: 0.00 0.67 0.00",
            "10000: 0.33 0.67 0.00",
            "15000: 0.00 0.50 0.00",
        ]
    );
    // Clients that stay in their zone do not notice.
    assert_eq!(
        shares(&scenario, "shop/stock"),
        ["0: 0.00 0.00 1.00", "3000: 0.00 0.00 0.00"]
    );
}

#[test]
fn hints_are_told_when_they_go_on_or_off() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "changeNodes": {"zone": "c", "cpu": "8"}},
        {"at": "20s", "deletePods": {"service": "shop/cart"}},
    ]));
    scenario["services"][0]["topologyMode"] = "Auto".into();
    let (steps, report) = play(&scenario, None);
    let told = steps.iter().filter_map(|step| {
        let hints = step.hints.as_ref()?.first()?;
        Some((step.at, hints.applied, hints.reason.is_some()))
    });
    let told: Vec<_> = told.collect();
    assert_eq!(told.first(), Some(&(0, false, true)), "{told:?}");
    assert!(told.contains(&(3000, true, false)), "{told:?}");
    assert!(!told.last().unwrap().1, "larger nodes in c: {told:?}");
    assert!(report.total.hint_flips >= 2);
}

#[test]
fn a_service_that_is_not_there_is_refused() {
    let text = scenario(&json!([])).to_string();
    let scenario: Scenario<'_> = serde_json::from_str(&text).unwrap();
    let error = Play::new(&scenario, Some("shop/card")).err().unwrap();
    assert_eq!(
        (error.code().as_str(), error.path()),
        ("InvalidValue", Some("/service"))
    );
    let nothing: Scenario<'_> = serde_json::from_str(r#"{"zones": []}"#).unwrap();
    let mut play = Play::new(&nothing, None).unwrap();
    assert_eq!(play.summary().service, None);
    while play.step().is_some() {}
    assert!(play.step().is_none() && !play.report().was_cut_off);
}

#[test]
fn nodes_and_pods_have_the_names_of_the_scenario() {
    let scenario = json!({
        "zones": [
            {"name": "a", "nodes": 3, "nodeNames": ["a-2.example", "a-2"]},
            {"name": "b", "nodes": 1},
        ],
        "services": [{"service": "shop/cart", "replicas": 3, "deployment": "cart-v2"}],
        "actions": [
            {"at": "10s", "phase": "drain", "drainNodes": {"node": "a-2.example"}},
            {"at": "20s", "addNodes": {"zone": "a"}},
        ],
    });
    let (steps, report) = play(&scenario, Some("shop/cart"));
    let nodes = steps.iter().flat_map(|step| &step.nodes);
    let nodes: Vec<&str> = nodes.map(|node| node.name.as_str()).collect();
    // `a-2` is taken, so the numbers go on behind it.
    assert_eq!(nodes, ["a-2.example", "a-2", "a-3", "b-1", "a-4"]);
    let mut pods = steps.iter().flat_map(|step| &step.pods);
    assert!(pods.all(|pod| pod.name.starts_with("cart-v2-")));
    assert!(report.end.is_converged);
}

#[test]
fn names_of_nodes_and_deployments_are_checked() {
    let check = |zone: Value, deployment: &str, path: &str| {
        let zones = [json!({"name": "b", "nodes": 1, "nodeNames": ["n"]}), zone];
        let services = [json!({"service": "shop/cart", "replicas": 1, "deployment": deployment})];
        let text = json!({"zones": zones, "services": services}).to_string();
        let scenario: Scenario<'_> = serde_json::from_str(&text).unwrap();
        let error = scenario.check().unwrap_err();
        assert_eq!(error.path(), Some(path), "{error}");
    };
    let zone = |names: &[&str]| json!({"name": "a", "nodes": 1, "nodeNames": names});
    check(zone(&["one", "two"]), "cart", "/zones/1/nodeNames");
    check(zone(&["One"]), "cart", "/zones/1/nodeNames/0");
    check(zone(&["n"]), "cart", "/zones/1/nodeNames/0");
    check(zone(&["one"]), "Cart", "/services/0/deployment");
}
