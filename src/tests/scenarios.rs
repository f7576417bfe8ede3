//! Scenarios that say what cannot be: typed errors that name the place.

use serde_json::json;

use crate::api::{Limits, simulate};

#[track_caller]
fn check(change: impl FnOnce(&mut serde_json::Value), expected: &str) {
    let mut scenario = json!({
        "zones": [{"name": "a", "nodes": 2}, {"name": "b", "nodes": 2}],
        "services": [{"service": "shop/cart", "replicas": 6}],
        "controller": {"options": {}},
        "actions": [{"at": "1s", "resync": true}],
    });
    change(&mut scenario);
    let error = simulate(scenario.to_string().as_bytes(), false, Limits::default()).unwrap_err();
    let (code, path) = (error.code().as_str(), error.path().unwrap_or_default());
    assert_eq!(format!("{code} {path}"), expected, "{}", error.message());
    assert!(error.line().is_some(), "no place: {error:?}");
    assert!(!error.message().ends_with('.'));
}

#[test]
fn values() {
    check(|s| s["zone"] = json!(1), "UnknownField /zone");
    check(
        |s| drop(s.as_object_mut().unwrap().remove("zones")),
        "MissingField /zones",
    );
    check(
        |s| s["zones"][0]["nodes"] = json!(-1),
        "InvalidValue /zones/0/nodes",
    );
    check(
        |s| s["zones"][1]["nodes"] = json!(20_001),
        "TooLarge /zones/1/nodes",
    );
    check(
        |s| s["zones"][1]["name"] = json!("a"),
        "DuplicateName /zones/1/name",
    );
    check(
        |s| s["zones"][1]["name"] = json!("A b"),
        "InvalidValue /zones/1/name",
    );
    check(
        |s| s["zones"][0]["cpu"] = json!("many"),
        "InvalidValue /zones/0/cpu",
    );
    check(
        |s| s["services"][0]["service"] = json!("cart"),
        "InvalidValue /services/0/service",
    );
    check(
        |s| s["services"][0]["replicas"] = json!(300_001),
        "TooLarge /services/0/replicas",
    );
    check(
        |s| s["services"][0]["copies"] = json!(10_001),
        "TooLarge /services/0/copies",
    );
    check(
        |s| s["services"][0]["families"] = json!(["IPv4", "IPv5"]),
        "InvalidValue /services/0/families/1",
    );
    check(
        |s| s["services"][0]["ports"] = json!([{"targetPort": "http"}]),
        "InvalidValue /services/0/ports/0/targetPort",
    );
    check(
        |s| s["services"][0]["ports"] = json!([{"targetPort": 1, "protocol": "ICMP"}]),
        "InvalidValue /services/0/ports/0/protocol",
    );
    check(
        |s| s["services"][0]["readyAfter"] = json!("soon"),
        "InvalidValue /services/0/readyAfter",
    );
    let twice =
        json!([{"service": "shop/cart", "replicas": 1}, {"service": "shop/cart", "replicas": 1}]);
    check(
        |s| s["services"] = twice,
        "DuplicateName /services/1/service",
    );
}

#[test]
fn settings() {
    check(|s| s["until"] = json!("9000h"), "InvalidValue /until");
    check(
        |s| s["sampleEvery"] = json!("0s"),
        "InvalidValue /sampleEvery",
    );
    check(
        |s| s["sampleEvery"] = json!("100ms"),
        "InvalidValue /sampleEvery",
    );
    check(|s| s["watchers"] = json!(100_001), "TooLarge /watchers");
    check(
        |s| s["watches"] = json!([{"kind": "Secret"}]),
        "InvalidValue /watches/0/kind",
    );
    check(
        |s| s["watches"] = json!([{"lost": "101%"}]),
        "InvalidValue /watches/0/lost",
    );
    check(
        |s| s["controller"]["options"]["maxEndpointsPerSlice"] = json!(0),
        "InvalidValue /controller/options/maxEndpointsPerSlice",
    );
    check(
        |s| s["controller"]["concurrentServiceEndpointSyncs"] = json!(0),
        "InvalidValue /controller/concurrentServiceEndpointSyncs",
    );
    check(
        |s| s["controller"]["maxRetries"] = json!(1001),
        "InvalidValue /controller/maxRetries",
    );
    check(
        |s| s["apiServer"] = json!({"latency": true}),
        "InvalidType /apiServer/latency",
    );
}

#[test]
fn actions() {
    let action = |action: serde_json::Value, expected: &str| {
        check(|s| s["actions"][0] = action, expected);
    };
    action(json!({"resync": true}), "MissingField /actions/0/at");
    action(json!({"at": "1s"}), "InvalidValue /actions/0");
    action(
        json!({"at": "1s", "resync": true, "restartController": true}),
        "InvalidValue /actions/0",
    );
    action(
        json!({"at": "-1s", "resync": true}),
        "InvalidValue /actions/0/at",
    );
    action(
        json!({"at": "9000h", "resync": true}),
        "InvalidValue /actions/0/at",
    );
    action(
        json!({"at": "1s", "resync": true, "times": 0}),
        "InvalidValue /actions/0/times",
    );
    action(
        json!({"at": "1s", "scale": {"service": "shop/card", "replicas": 1}}),
        "InvalidValue /actions/0/scale/service",
    );
    action(
        json!({"at": "1s", "scale": {"service": "shop/cart", "replicas": 300_000}}),
        "TooLarge /actions/0/scale/replicas",
    );
    action(
        json!({"at": "1s", "scale": {"service": "shop/cart"}}),
        "MissingField /actions/0/scale/replicas",
    );
    action(
        json!({"at": "1s", "rollingUpdate": {"service": "shop/cart", "maxSurge": "x"}}),
        "InvalidValue /actions/0/rollingUpdate/maxSurge",
    );
    action(
        json!({"at": "1s", "drainNodes": {}}),
        "InvalidValue /actions/0/drainNodes",
    );
    action(
        json!({"at": "1s", "failNodes": {"node": "a-1", "zone": "a"}}),
        "InvalidValue /actions/0/failNodes",
    );
    action(
        json!({"at": "1s", "failNodes": {"zone": "d"}}),
        "InvalidValue /actions/0/failNodes/zone",
    );
    action(
        json!({"at": "1s", "addNodes": {"zone": "a", "count": 20_000}}),
        "TooLarge /actions/0/addNodes/count",
    );
    action(
        json!({"at": "1s", "editSlices": {"service": "shop/cart", "edit": "eat"}}),
        "InvalidValue /actions/0/editSlices/edit",
    );
    action(
        json!({"at": "1s", "refuseWrites": {"error": "Teapot", "next": 1}}),
        "InvalidValue /actions/0/refuseWrites/error",
    );
    action(
        json!({"at": "1s", "refuseWrites": {"error": "Conflict"}}),
        "InvalidValue /actions/0/refuseWrites",
    );
    action(
        json!({"at": "1s", "setWatch": {"kind": "pod"}}),
        "InvalidValue /actions/0/setWatch/kind",
    );
    action(
        json!({"at": "1s", "times": 2, "createService": {"service": "shop/new", "replicas": 1}}),
        "InvalidValue /actions/0/createService",
    );
}

#[test]
fn a_phase_may_begin_without_an_action() {
    let scenario = r#"{"zones": [], "actions": [{"at": "1s", "phase": "later"}]}"#;
    let report = simulate(scenario.as_bytes(), false, Limits::default()).unwrap();
    let phases: Vec<&str> = report.phases.iter().map(|phase| &*phase.name).collect();
    assert_eq!(phases, ["start", "later"]);
}
