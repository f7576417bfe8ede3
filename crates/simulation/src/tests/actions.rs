//! Every action does what it says.

use serde_json::json;

use super::{run_to_rest, scenario, shown};

#[track_caller]
fn check(actions: &serde_json::Value, expected: &[&str]) {
    let report = run_to_rest(&scenario(actions));
    assert_eq!(shown(&report), expected, "{:#?}", report.timeline);
}

const START: &str = "start: 6 ready, 6 in 2; 2/3/0";

#[test]
fn scale() {
    check(
        &json!([
            {"at": "10s", "phase": "up", "scale": {"service": "shop/cart", "replicas": 9}},
            {"at": "20s", "phase": "down", "scale": {"service": "shop/cart", "replicas": 2}},
            {"at": "30s", "phase": "none", "scale": {"service": "shop/cart", "replicas": 0}},
        ]),
        &[
            START,
            "up: 9 ready, 9 in 3; 1/1/0",
            "down: 2 ready, 2 in 1; 0/4/2",
            "none: 0 ready, 0 in 1; 0/2/0",
        ],
    );
}

#[test]
fn rolling_update() {
    check(
        &json!([{"at": "10s", "phase": "update", "rollingUpdate": {"service": "shop/cart", "maxSurge": 1, "maxUnavailable": 0}}]),
        &[START, "update: 6 ready, 6 in 3; 1/22/0"],
    );
    check(
        &json!([{"at": "10s", "phase": "update", "rollingUpdate": {"service": "shop/cart", "maxSurge": 0, "maxUnavailable": 0}}]),
        &[START, "update: 6 ready, 6 in 2; 0/23/0"],
    );
}

#[test]
fn pods() {
    check(
        &json!([
            {"at": "10s", "phase": "unready", "unreadyPods": {"service": "shop/cart", "count": 2, "for": "5s"}},
            {"at": "12s", "phase": "ready", "resync": true},
            {"at": "20s", "phase": "deleted", "deletePods": {"service": "shop/cart", "count": 3}},
            {"at": "40s", "phase": "relabelled", "relabelPods": {"service": "shop/cart", "count": 1, "labels": {"app": "other"}}},
        ]),
        &[
            START,
            "unready: 4 ready, 6 in 2; 0/1/0",
            "ready: 6 ready, 6 in 2; 0/1/0",
            "deleted: 6 ready, 6 in 2; 1/4/1",
            "relabelled: 6 ready, 6 in 2; 0/3/0",
        ],
    );
}

#[test]
fn services() {
    check(
        &json!([
            {"at": "10s", "phase": "labels", "changeService": {"service": "shop/cart", "labels": {"team": "a"}}},
            {"at": "20s", "phase": "hints", "changeService": {"service": "shop/cart", "trafficDistribution": "PreferSameZone"}},
            {"at": "30s", "phase": "no hints", "changeService": {"service": "shop/cart", "trafficDistribution": ""}},
            {"at": "40s", "phase": "another", "createService": {"service": "shop/stock", "copies": 2, "replicas": 1}},
            {"at": "50s", "phase": "gone", "deleteService": {"service": "shop/stock-1"}},
        ]),
        &[
            START,
            "labels: 6 ready, 6 in 2; 0/2/0",
            "hints: 6 ready, 6 in 2; 0/2/0",
            "no hints: 6 ready, 6 in 2; 0/2/0",
            "another: 8 ready, 8 in 4; 2/4/0",
            "gone: 7 ready, 7 in 3; 0/0/0",
        ],
    );
}

#[test]
fn nodes() {
    check(
        &json!([
            {"at": "10s", "phase": "drain", "drainNodes": {"node": "a-1"}},
            {"at": "1m", "phase": "back", "recoverNodes": {"node": "a-1"}},
            {"at": "2m", "phase": "fail", "failNodes": {"zone": "b"}},
            {"at": "2m20s", "phase": "unnoticed", "resync": true},
            {"at": "10m", "phase": "recover", "recoverNodes": {"zone": "b"}},
            {"at": "11m", "phase": "remove", "removeNodes": {"zone": "c", "count": 1}},
            {"at": "12m", "phase": "add", "addNodes": {"zone": "c", "count": 2}},
        ]),
        &[
            START,
            "drain: 6 ready, 6 in 2; 0/4/0",
            "back: 6 ready, 6 in 2; 0/0/0",
            "fail: 3 ready, 6 in 2; 0/0/0",
            "unnoticed: 6 ready, 9 in 3; 1/5/0",
            "recover: 6 ready, 6 in 3; 0/2/0",
            "remove: 6 ready, 6 in 3; 0/4/0",
            "add: 6 ready, 6 in 3; 0/0/0",
        ],
    );
}

#[test]
fn edits() {
    check(
        &json!([
            {"at": "10s", "phase": "empty", "editSlices": {"service": "shop/cart", "count": 1, "edit": "empty"}},
            {"at": "20s", "phase": "label", "editSlices": {"service": "shop/cart", "edit": "label"}},
            {"at": "30s", "phase": "annotate", "editSlices": {"service": "shop/cart", "edit": "annotate"}},
            {"at": "40s", "phase": "delete", "editSlices": {"service": "shop/cart", "edit": "delete"}},
        ]),
        &[
            START,
            "empty: 6 ready, 6 in 2; 0/1/0",
            "label: 6 ready, 6 in 2; 0/2/0",
            "annotate: 6 ready, 6 in 2; 0/0/0",
            "delete: 6 ready, 6 in 2; 2/0/0",
        ],
    );
}

#[test]
fn the_controller_starts_anew() {
    check(
        &json!([
            {"at": "10s", "phase": "restart", "restartController": true},
            {"at": "20s", "phase": "resync", "resync": true},
        ]),
        &[
            START,
            "restart: 6 ready, 6 in 2; 0/0/0",
            "resync: 6 ready, 6 in 2; 0/0/0",
        ],
    );
}

#[test]
fn families_and_ports() {
    check(
        &json!([
            {"at": "10s", "phase": "both", "changeService": {"service": "shop/cart", "families": ["IPv4", "IPv6"]}},
            {"at": "20s", "phase": "IPv6", "changeService": {"service": "shop/cart", "families": ["IPv6"]}},
            {"at": "30s", "phase": "renamed", "changeService": {"service": "shop/cart", "ports": [{"name": "web", "targetPort": 8080}]}},
        ]),
        &[
            START,
            "both: 6 ready, 12 in 4; 2/0/0",
            "IPv6: 6 ready, 6 in 2; 0/0/2",
            "renamed: 6 ready, 6 in 2; 0/2/0",
        ],
    );
}

#[test]
fn cpu() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "phase": "off", "changeNodes": {"zone": "c", "cpu": "8"}},
        {"at": "20s", "deletePods": {"service": "shop/cart"}},
        {"at": "30s", "phase": "as before", "changeNodes": {"node": "c-1", "cpu": "4"}},
        {"at": "30s", "changeNodes": {"node": "c-2", "cpu": "4"}},
        {"at": "40s", "deletePods": {"service": "shop/cart"}},
    ]));
    scenario["services"][0]["topologyMode"] = "Auto".into();
    let report = super::run_any(&scenario);
    assert!(report.services[0].has_hints);
    let flips = report.phases.iter().map(|phase| phase.sums.hint_flips);
    assert_eq!(flips.collect::<Vec<_>>(), [1, 1, 1]);
}
