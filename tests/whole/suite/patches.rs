//! Applying a patch to the original gives the planned slice; an independent library applies it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::cluster::request;
use super::wanted::list;
use crate::api;
use crate::model::EndpointSlice;
use crate::plan::patches::{PatchKind, one};

fn plan(request: &Value) -> Value {
    let bytes = api::plan(&serde_json::to_vec(request).unwrap()).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The request with all kinds of patches, and slices that state their kind, like an API server's.
fn with_patches(mut request: Value) -> Value {
    request["options"]["patches"] = json!(["json", "merge", "apply"]);
    for slice in request["slices"].as_array_mut().unwrap() {
        slice["kind"] = "EndpointSlice".into();
        slice["apiVersion"] = "discovery.k8s.io/v1".into();
    }
    request
}

/// Slices and their updates in the plan, with the patches.
fn updates(request: &Value) -> Vec<(Value, Value, Value)> {
    let plan = plan(request);
    let name = |slice: &Value| slice["metadata"]["name"].as_str().unwrap().to_owned();
    let update = |after: &Value| {
        let mut all = list(&request["slices"]).iter();
        let before = all.find(|before| name(before) == name(after)).unwrap();
        let patches = plan["patches"][name(after)].clone();
        (before.clone(), after.clone(), patches)
    };
    list(&plan["update"]).iter().map(update).collect()
}

/// Drops fields that are equivalent to absent ones.
fn plain(mut slice: Value) -> Value {
    fn prune(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.values_mut().for_each(prune);
                let is_nothing = |value: &Value| *value == json!({}) || *value == json!([]);
                fields.retain(|_, value| !value.is_null() && !is_nothing(value));
            }
            Value::Array(items) => items.iter_mut().for_each(prune),
            _ => {}
        }
    }
    prune(&mut slice);
    slice
}

/// A patch that may be absent.
fn without_nothing(patch: &Value) -> Value {
    if patch.is_null() {
        json!({})
    } else {
        patch.clone()
    }
}

/// Server-side apply on a slice that others manage as well: lists are replaced, maps are merged, and nothing is
/// removed.
fn server_side_applied(mut slice: Value, body: &Value) -> Value {
    json_patch::merge(&mut slice, body);
    slice
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_121), ..ProptestConfig::default() })]

    #[test]
    fn a_patch_gives_the_slice_of_the_plan(request in request().prop_map(with_patches)) {
        for (before, after, patches) in updates(&request) {
            let wanted = plain(after);
            let operations: json_patch::Patch = serde_json::from_value(patches["json"].clone()).unwrap();
            let mut patched = before.clone();
            json_patch::patch(&mut patched, &operations).unwrap();
            prop_assert_eq!(plain(patched), wanted.clone(), "{}", patches["json"]);

            let mut merged = before.clone();
            json_patch::merge(&mut merged, &patches["merge"]);
            prop_assert_eq!(plain(merged), wanted.clone(), "{}", patches["merge"]);

            let mut applied = server_side_applied(before, &patches["apply"]["body"]);
            json_patch::merge(&mut applied, &without_nothing(&patches["apply"]["remove"]));
            prop_assert_eq!(plain(applied), wanted, "{}", patches["apply"]);
        }
    }

    #[test]
    fn a_patch_is_refused_by_a_slice_that_has_changed(request in request().prop_map(with_patches)) {
        for (mut before, _, patches) in updates(&request) {
            let operations: json_patch::Patch = serde_json::from_value(patches["json"].clone()).unwrap();
            before["metadata"]["resourceVersion"] = "another".into();
            prop_assert!(json_patch::patch(&mut before, &operations).is_err());
            for version in [&patches["merge"]["metadata"]["resourceVersion"], &patches["apply"]["body"]["metadata"]["resourceVersion"]] {
                prop_assert!(version.is_string());
            }
        }
    }
}

#[test]
fn without_a_version_no_place_in_a_list_is_trusted() {
    let mut before = json!({"metadata": {"name": "a"}, "addressType": "IPv4", "ports": [], "endpoints": [
        {"addresses": ["10.0.0.1"], "conditions": {}, "nodeName": "a-node-of-a-long-name-that-makes-the-list-longer-than-its-change"},
        {"addresses": ["10.0.0.2"], "conditions": {}, "nodeName": "a-node-of-a-long-name-that-makes-the-list-longer-than-its-change"},
    ]});
    let mut after = before.clone();
    after["endpoints"][1]["conditions"] = json!({"ready": false});
    let places = |before: &Value, after: &Value| -> Vec<String> {
        let (before, after) = (before.to_string(), after.to_string());
        let before: EndpointSlice<'_> = serde_json::from_str(&before).unwrap();
        let after: EndpointSlice<'_> = serde_json::from_str(&after).unwrap();
        let patch = one(&before, &after, &[PatchKind::Json]);
        patch
            .json
            .unwrap()
            .into_iter()
            .map(|operation| operation.path)
            .collect()
    };
    assert_eq!(places(&before, &after), ["/endpoints"]);
    for slice in [&mut before, &mut after] {
        slice["metadata"]["resourceVersion"] = "7".into();
    }
    assert_eq!(
        places(&before, &after),
        ["/metadata/resourceVersion", "/endpoints/1/conditions/ready"]
    );
}

fn pod(number: usize, ready: bool) -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": format!("p{number}"), "uid": format!("u{number}"), "labels": {"app": "cart"}},
        "spec": {"nodeName": "n1"},
        "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}], "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
    })
}

fn cart(pods: &[Value], slices: &[Value]) -> Value {
    json!({
        "service": {"metadata": {"namespace": "shop", "name": "cart", "uid": "s"}, "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"],
            "ports": [{"name": "http", "protocol": "TCP", "targetPort": 80}]}},
        "pods": pods, "nodes": [{"metadata": {"name": "n1"}}], "slices": slices,
        "options": {"patches": ["json", "merge"]},
    })
}

/// The patches of the only slice after three ready pods have been replaced by these.
#[track_caller]
fn check(pods: &[Value], json: &Value, merge: &Value) {
    let first = plan(&cart(&[pod(1, true), pod(2, true), pod(3, true)], &[]));
    let mut slice = first["create"][0].clone();
    slice["metadata"]["name"] = "cart-a".into();
    slice["metadata"]["resourceVersion"] = "7".into();
    let after = plan(&cart(pods, &[slice]));
    let patches = &after["patches"]["cart-a"];
    assert_eq!(&patches["json"], json);
    let endpoints = list(&patches["merge"]["endpoints"]).len();
    assert_eq!(
        &json!({"metadata": patches["merge"]["metadata"], "endpoints": endpoints}),
        merge
    );
    assert_eq!(patches["apply"], Value::Null);
}

#[test]
fn of_an_endpoint_that_changes_only_its_fields_are_in_the_patch() {
    let test = json!({"op": "test", "path": "/metadata/resourceVersion", "value": "7"});
    let merge =
        |endpoints: usize| json!({"metadata": {"resourceVersion": "7"}, "endpoints": endpoints});
    check(
        &[pod(1, true), pod(2, false), pod(3, true)],
        &json!([
            test,
            {"op": "replace", "path": "/endpoints/1/conditions/ready", "value": false},
            {"op": "replace", "path": "/endpoints/1/conditions/serving", "value": false},
        ]),
        &merge(3),
    );
    check(
        &[pod(2, true), pod(3, true)],
        &json!([test, {"op": "remove", "path": "/endpoints/0"}]),
        &merge(2),
    );
    let new = json!({"addresses": ["10.0.0.4"], "conditions": {"ready": true, "serving": true, "terminating": false}, "nodeName": "n1",
        "targetRef": {"kind": "Pod", "namespace": "shop", "name": "p4", "uid": "u4"}});
    check(
        &[pod(1, true), pod(3, true), pod(4, true)],
        &json!([test, {"op": "remove", "path": "/endpoints/1"}, {"op": "add", "path": "/endpoints/2", "value": new}]),
        &merge(3),
    );
}
