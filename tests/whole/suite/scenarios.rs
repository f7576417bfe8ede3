//! Impossible scenarios: typed errors with their positions.

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
    for rate in ["retriesPerSecond", "retryBurst"] {
        for number in [0, 1_000_001] {
            check(
                |s| s["controller"][rate] = json!(number),
                &format!("InvalidValue /controller/{rate}"),
            );
        }
    }
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
}

#[test]
fn actions_on_nodes_slices_and_watches() {
    let action = |action: serde_json::Value, expected: &str| {
        check(|s| s["actions"][0] = action, expected);
    };
    action(
        json!({"at": "1s", "drainNodes": {}}),
        "InvalidValue /actions/0/drainNodes",
    );
    action(
        json!({"at": "1s", "failNodes": {"node": "a-1", "zone": "a"}}),
        "InvalidValue /actions/0/failNodes",
    );
    action(
        json!({"at": "1s", "changeNodes": {"zone": "a"}}),
        "InvalidValue /actions/0/changeNodes/cpu",
    );
    action(
        json!({"at": "1s", "changeService": {"service": "shop/cart", "families": ["IPv5"]}}),
        "InvalidValue /actions/0/changeService/families/0",
    );
    action(
        json!({"at": "1s", "changeService": {"service": "shop/cart", "ports": [{"targetPort": "web"}]}}),
        "InvalidValue /actions/0/changeService/ports/0/targetPort",
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

/// Checks whether the Services that the actions create have unused names.
#[track_caller]
fn names(actions: &serde_json::Value, expected: Option<&str>) {
    let scenario = json!({
        "zones": [],
        "services": [{"service": "shop/cart", "replicas": 0}],
        "actions": actions,
    });
    let report = simulate(scenario.to_string().as_bytes(), false, Limits::default());
    let error = report.err();
    let path = error.as_ref().and_then(crate::Error::path);
    assert_eq!(path, expected);
    assert!(error.is_none_or(|error| error.code() == crate::Code::DuplicateName));
}

#[test]
fn a_name_is_free_once_its_service_is_deleted() {
    let create =
        |at: &str| json!({"at": at, "createService": {"service": "shop/cart", "replicas": 0}});
    let delete = |at: &str| json!({"at": at, "deleteService": {"service": "shop/cart"}});
    let second = Some("/actions/1/createService/service");
    names(&json!([delete("1s"), create("2s")]), None);
    names(&json!([create("2s"), delete("1s")]), None);
    names(&json!([delete("1s"), create("1s")]), None);
    names(
        &json!([create("1s"), delete("1s")]),
        Some("/actions/0/createService/service"),
    );
    names(&json!([delete("2s"), create("1s")]), second);
    names(
        &json!([delete("1s"), create("2s"), create("3s")]),
        Some("/actions/2/createService/service"),
    );
    names(
        &json!([delete("1s"), create("2s"), delete("3s"), create("4s")]),
        None,
    );
    names(
        &json!([{"at": "1s", "deleteEverything": true}, create("2s")]),
        None,
    );
    // Deleted every 10 s: after 21 s again, by the third repetition.
    let often = |times: u32| json!({"at": "1s", "every": "10s", "times": times, "deleteService": {"service": "shop/cart"}});
    names(&json!([often(3), create("12s"), create("22s")]), None);
    names(
        &json!([often(2), create("12s"), create("22s")]),
        Some("/actions/2/createService/service"),
    );
    // Copies have their own names.
    let copies =
        json!({"at": "2s", "createService": {"service": "shop/cart", "copies": 2, "replicas": 0}});
    names(&json!([copies, copies]), second);
    names(
        &json!([copies, {"at": "3s", "deleteService": {"service": "shop/cart-1"}}, {"at": "4s", "createService": {"service": "shop/cart-1", "replicas": 0}}]),
        None,
    );
}

#[test]
fn names_that_are_given_again_count_as_services() {
    let copies = json!({"service": "shop/cart", "copies": 6000, "replicas": 0});
    check(
        |s| {
            s["actions"] = json!([
                {"at": "1s", "createService": copies},
                {"at": "2s", "deleteEverything": true},
                {"at": "3s", "createService": copies},
            ]);
        },
        "TooLarge /actions/2/createService",
    );
}

#[test]
fn retries_have_the_rate_they_are_given() {
    let after = |controller: serde_json::Value| {
        let scenario = json!({
            "zones": [{"name": "a", "nodes": 1}],
            "services": [{"service": "shop/cart", "replicas": 1, "copies": 5}],
            "controller": controller,
            "actions": [{"at": "10s", "refuseWrites": {"error": "Conflict", "next": 5}},
                {"at": "10s", "removeNodes": {"node": "a-1"}}],
        });
        let report = simulate(scenario.to_string().as_bytes(), true, Limits::default()).unwrap();
        let retries = report
            .timeline
            .iter()
            .filter_map(|entry| match &entry.what {
                crate::simulation::report::TimelineEntryKind::Retry(retry) => Some(retry.after),
                _ => None,
            });
        retries.collect::<Vec<_>>()
    };
    assert_eq!(after(json!({})), [1000; 5]);
    assert_eq!(
        after(json!({"retryBurst": 2, "retriesPerSecond": 1})),
        [1000, 1000, 1000, 2000, 3000]
    );
}

#[test]
fn a_phase_may_begin_without_an_action() {
    let scenario = r#"{"zones": [], "actions": [{"at": "1s", "phase": "later"}]}"#;
    let report = simulate(scenario.as_bytes(), false, Limits::default()).unwrap();
    let phases: Vec<&str> = report.phases.iter().map(|phase| &*phase.name).collect();
    assert_eq!(phases, ["start", "later"]);
}
