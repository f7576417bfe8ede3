//! Manual edits: the changes of the input that implement them.

use serde_json::{Value, json};

use super::{changed, cluster, look};
use crate::api::{edit, partners};

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "written as they stand")]
fn check(question: Value, expected: Value) {
    let answer = edit(question.to_string().as_bytes()).unwrap();
    let found: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(found, expected, "{found}");
}

fn pod(name: &str, node: &str) -> Value {
    json!({"kind": "Pod", "metadata": {"name": name, "namespace": "shop"}, "spec": {"nodeName": node}})
}

#[test]
fn drained_are_the_pods_that_nothing_brings_back_to_the_node() {
    let mut others = [pod("daemon", "a"), pod("mirror", "a"), pod("ends", "a")];
    others[0]["metadata"]["ownerReferences"] = json!([{"kind": "DaemonSet"}]);
    others[1]["metadata"]["ownerReferences"] = json!([{"kind": "Node"}]);
    others[2]["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    let mut objects = vec![json!({"kind": "Node", "metadata": {"name": "a"}})];
    objects.extend(others);
    objects.extend([pod("cart-1", "a"), pod("cart-2", "b")]);
    check(
        json!({"do": "drain", "name": "a", "objects": objects}),
        json!([
            {"kind": "Node", "name": "a", "patch": [{"op": "add", "path": "/spec/unschedulable", "value": true}]},
            {"kind": "Pod", "namespace": "shop", "name": "cart-1", "patch": [
                {"op": "add", "path": "/metadata/deletionTimestamp", "value": "2026-01-01T00:00:00Z"},
            ]},
        ]),
    );
}

#[test]
fn ready_is_a_condition() {
    let mut object = pod("cart-1", "a");
    let mut check_patch = |status: Value, is_ready: bool, path: &str, value: Value| {
        object["status"] = status;
        check(
            json!({"do": "ready", "ready": is_ready, "objects": [object]}),
            json!([{"kind": "Pod", "namespace": "shop", "name": "cart-1", "patch": [{"op": "add", "path": path, "value": value}]}]),
        );
    };
    let other = json!({"type": "Initialized", "status": "True"});
    let there = json!({"type": "Ready", "status": "True"});
    let status = json!({"conditions": [other, there]});
    check_patch(status, false, "/status/conditions/1/status", "False".into());
    let status = json!({"conditions": [other]});
    check_patch(status, true, "/status/conditions/-", there.clone());
    check_patch(json!({}), true, "/status/conditions", json!([there]));
}

#[test]
fn another_one_has_a_name_and_addresses_of_its_own() {
    let mut pods = [pod("cart-09", "a"), pod("cart-08", "a")];
    pods[0]["status"] =
        json!({"podIP": "10.0.0.9", "podIPs": [{"ip": "10.0.0.9"}, {"ip": "fd00::9"}]});
    pods[1]["status"] =
        json!({"podIP": "10.0.0.8", "podIPs": [{"ip": "10.0.0.8"}, {"ip": "fd00::8"}]});
    pods[1]["metadata"]["uid"] = "1".into();
    pods[1]["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    check(
        json!({"do": "add", "objects": pods}),
        json!([{"kind": "Pod", "namespace": "shop", "name": "cart-10", "copyOf": "cart-08", "patch": [
            {"op": "replace", "path": "/metadata/uid", "value": "pod-cart-10"},
            {"op": "remove", "path": "/metadata/deletionTimestamp"},
            {"op": "replace", "path": "/status/podIP", "value": "10.0.0.10"},
            {"op": "replace", "path": "/status/podIPs", "value": [{"ip": "10.0.0.10"}, {"ip": "fd00::a"}]},
        ]}]),
    );
    let node = json!({
        "kind": "Node",
        "metadata": {"name": "node-a", "labels": {"kubernetes.io/hostname": "node-a"}},
        "spec": {"unschedulable": true},
    });
    check(
        json!({"do": "add", "objects": [node]}),
        json!([{"kind": "Node", "name": "node-a-2", "copyOf": "node-a", "patch": [
            {"op": "remove", "path": "/spec/unschedulable"},
            {"op": "add", "path": "/metadata/labels/kubernetes.io~1hostname", "value": "node-a-2"},
        ]}]),
    );
    check(json!({"do": "add", "objects": []}), json!([]));
}

#[test]
fn the_next_number_is_free_and_there_always_is_one() {
    let largest = format!("cart-{}", u64::MAX);
    for (names, expected) in [
        (&["cart"][..], "cart-2"),
        (&["cart-2", "cart"], "cart-3"),
        (&["cart-10", "cart-9"], "cart-11"),
        (&["cart-009"], "cart-010"),
        (&[&largest], &format!("{largest}-2")),
    ] {
        let pods: Vec<Value> = names.iter().map(|name| pod(name, "a")).collect();
        check(
            json!({"do": "add", "objects": pods}),
            json!([{"kind": "Pod", "namespace": "shop", "name": expected, "copyOf": names.last()}]),
        );
    }
}

#[test]
fn a_list_says_what_is_meant_by_what_is_written() {
    let condition = |status: &str| json!({"conditions": [{"type": "Ready", "status": status}]});
    let zoned = json!({"name": "a", "labels": {"topology.kubernetes.io/zone": "zone-a"}});
    let ends = json!({"name": "cart-1", "deletionTimestamp": "2026-01-02T03:04:05Z"});
    check(
        json!({"do": "list", "objects": [
            {"kind": "Node", "metadata": zoned, "status": condition("True")},
            {"kind": "Node", "metadata": {"name": "b"}, "spec": {"unschedulable": true}, "status": condition("Unknown")},
            {"kind": "Pod", "metadata": ends, "status": condition("False")},
            {"kind": "Service", "metadata": {"name": "cart"}},
        ]}),
        json!([
            {"ready": true, "words": ["zone-a"]},
            {"ready": false, "words": ["no zone label", "cordoned"]},
            {"ready": false, "words": ["terminating"]},
            {"ready": null, "words": []},
        ]),
    );
}

#[test]
fn edits_that_do_not_exist() {
    let error = edit(br#"{"do": "melt", "objects": []}"#).unwrap_err();
    assert_eq!(
        error.message(),
        "`melt` is not an edit; use one of `drain`, `ready`, `add`, `list`"
    );
    assert_eq!(error.path(), Some("/do"));
}

/// Whatever a Service requests, it can be changed to request exactly one other thing.
#[test]
fn a_service_asks_for_hints_in_one_way() {
    let mut input = cluster(&["a", "b", "c"], 12);
    let service = &mut input["service"];
    service["metadata"]["annotations"]["service.kubernetes.io/topology-aware-hints"] =
        "auto".into();
    service["metadata"]["annotations"]["team"] = "shop".into();
    service["spec"]["trafficDistribution"] = "PreferClose".into();
    for mode in [
        "None",
        "Auto",
        "PreferClose",
        "PreferSameZone",
        "PreferSameNode",
    ] {
        let told = look(&input, &json!({"hints": mode}));
        assert_eq!(told["mode"], mode);
        let changed = changed(&input, &told["changes"]);
        let service = &changed["service"];
        let mut annotations = json!({"team": "shop"});
        if mode == "Auto" {
            annotations["service.kubernetes.io/topology-mode"] = "Auto".into();
        }
        assert_eq!(service["metadata"]["annotations"], annotations, "{mode}");
        let field = service["spec"].get("trafficDistribution");
        let expected = mode.starts_with("Prefer").then(|| Value::from(mode));
        assert_eq!(field, expected.as_ref(), "{mode}");
        assert_eq!(look(&changed, &json!({}))["mode"], mode);
    }
    let error =
        crate::api::glance(input.to_string().as_bytes(), br#"{"hints": "Near"}"#).unwrap_err();
    assert_eq!(
        error.message(),
        "`Near` is not a way to ask for hints; use one of `None`, `Auto`, `PreferClose`, `PreferSameZone`, `PreferSameNode`"
    );
}

/// The partner of an endpoint that was in two slices is the one in the slice that stays.
#[test]
fn endpoints_are_paired_by_slice_then_by_ports() {
    let slice = |name: &str, family: &str, port: u16, addresses: &[&str]| {
        let endpoints: Vec<Value> = addresses
            .iter()
            .map(|one| json!({"addresses": [one]}))
            .collect();
        json!({"metadata": {"name": name}, "addressType": family, "ports": [{"port": port}], "endpoints": endpoints})
    };
    let found = |before: &[Value], after: &[Value]| {
        let slices = json!({"before": before, "after": after}).to_string();
        partners(slices.as_bytes()).unwrap()
    };
    let before = [
        slice("a", "IPv4", 80, &["10.0.0.1", "10.0.0.2"]),
        slice("b", "IPv4", 80, &["10.0.0.2", "10.0.0.3"]),
    ];
    let after = [slice(
        "b",
        "IPv4",
        80,
        &["10.0.0.3", "10.0.0.2", "10.0.0.1", "10.0.0.4"],
    )];
    assert_eq!(found(&before, &after), [4, 3, 1, 0]);
    let elsewhere = [
        slice("c", "IPv4", 81, &["10.0.0.1"]),
        slice("d", "FQDN", 80, &["10.0.0.2"]),
    ];
    assert_eq!(found(&before, &elsewhere), [0, 0]);
    let mut created = slice("", "IPv4", 80, &["10.0.0.3"]);
    created["metadata"] = json!({"generateName": "cart-"});
    assert_eq!(found(&before, &[created]), [4]);
}
