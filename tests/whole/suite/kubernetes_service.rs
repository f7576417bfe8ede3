//! The writes of API servers. `pkg-tests/cluster/migration` compares them with the reference.

use serde_json::{Value, json};

use crate::api;

fn plan(request: &Value) -> Value {
    let answer = api::kubernetes_service(request.to_string().as_bytes()).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

/// The server 10.0.0.1, with a live lease of 10.0.0.2 and an expired one.
fn request() -> Value {
    json!({
        "address": "10.0.0.1", "ports": [{"name": "https", "port": 6443}], "now": "2026-01-02T03:04:05Z",
        "leases": [
            {"address": "10.0.0.2", "expires": "2026-01-02T03:04:06Z"},
            {"address": "10.0.0.3", "expires": "2026-01-02T03:04:05Z"},
        ],
    })
}

/// The request with the objects after its plan.
fn settled(mut request: Value) -> Value {
    for write in plan(&request)["writes"].as_array().unwrap() {
        let mut object = write["object"].clone();
        object["metadata"]["uid"] = json!("u1");
        object["metadata"]["resourceVersion"] = json!("7");
        match write["kind"].as_str().unwrap() {
            "Endpoints" => request["endpoints"] = object,
            _ => request["slices"] = json!([object]),
        }
    }
    request
}

/// A short form of the writes.
fn brief(plan: &Value) -> String {
    let writes = plan["writes"].as_array().unwrap().iter().map(|write| {
        let (operation, kind) = (
            write["operation"].as_str().unwrap(),
            write["kind"].as_str().unwrap(),
        );
        format!("{operation} {kind} {}", write["reasons"])
    });
    let error = plan["error"]["code"].as_str().map(str::to_owned);
    writes.chain(error).collect::<Vec<_>>().join(", ")
}

fn addresses(plan: &Value) -> Vec<&str> {
    let listed = plan["writes"][0]["object"]["subsets"][0]["addresses"].as_array();
    listed
        .into_iter()
        .flatten()
        .map(|address| address["ip"].as_str().unwrap())
        .collect()
}

#[track_caller]
fn check(request: &Value, expected: &str) {
    assert_eq!(brief(&plan(request)), expected);
}

#[test]
fn the_servers_with_live_leases_are_published() {
    let first = plan(&request());
    assert_eq!(
        brief(&first),
        "create Endpoints [\"NotFound\"], create EndpointSlice [\"NotFound\"]"
    );
    assert_eq!(addresses(&first), ["10.0.0.1", "10.0.0.2"]);
    assert_eq!(
        first["leases"],
        json!([
            {"address": "10.0.0.1", "expires": "2026-01-02T03:04:20Z"},
            {"address": "10.0.0.2", "expires": "2026-01-02T03:04:06Z"},
        ])
    );
    let slice = &first["writes"][1]["object"];
    assert_eq!(
        slice["metadata"],
        json!({"name": "kubernetes", "namespace": "default", "labels": {"kubernetes.io/service-name": "kubernetes"}})
    );
    check(&settled(request()), "");
}

#[test]
fn a_lease_that_ends_takes_its_address_along() {
    let mut request = settled(request());
    request["now"] = json!("2026-01-02T03:04:06Z");
    let next = plan(&request);
    assert_eq!(
        brief(&next),
        "update Endpoints [\"AddressesChanged\"], update EndpointSlice [\"OutOfStep\"]"
    );
    assert_eq!(addresses(&next), ["10.0.0.1"]);
}

#[test]
fn ports_are_set_if_that_is_asked_for() {
    let mut request = settled(request());
    request["ports"][0]["port"] = json!(443);
    check(&request, "");
    request["reconcilePorts"] = json!(true);
    check(
        &request,
        "update Endpoints [\"PortsChanged\"], update EndpointSlice [\"OutOfStep\"]",
    );
}

#[test]
fn the_slice_is_of_one_family() {
    let mut request = settled(request());
    request["address"] = json!("fd00::1");
    request["leases"] = json!([]);
    let expected = "update Endpoints [\"AddressesChanged\"], delete EndpointSlice [\"AddressTypeChanged\"], create EndpointSlice [\"AddressTypeChanged\"]";
    check(&request, expected);
    request["leases"] = json!([{"address": "10.0.0.2"}]);
    let mixed = plan(&request);
    assert_eq!(addresses(&mixed), ["10.0.0.2", "fd00::1"]);
    assert_eq!(
        mixed["writes"][1]["object"]["endpoints"][0]["addresses"],
        json!(["10.0.0.2"])
    );
    assert_eq!(mixed["writes"][1]["object"]["endpoints"][1], Value::Null);
}

#[test]
fn what_others_have_changed_is_set_right() {
    let mut request = settled(request());
    request["endpoints"]["metadata"]["labels"] = json!({"a": "b"});
    request["endpoints"]["metadata"]["annotations"] = json!({"note": "kept"});
    request["slices"][0]["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] =
        json!("somebody");
    let next = plan(&request);
    assert_eq!(
        brief(&next),
        "update Endpoints [\"SkipMirrorLabel\"], update EndpointSlice [\"OutOfStep\"]"
    );
    assert_eq!(
        next["writes"][0]["object"]["metadata"],
        json!({
            "name": "kubernetes", "namespace": "default", "uid": "u1", "resourceVersion": "7",
            "labels": {"a": "b", "endpointslice.kubernetes.io/skip-mirror": "true"}, "annotations": {"note": "kept"},
        })
    );
    request["endpoints"]["subsets"] = json!([]);
    check(
        &request,
        "update Endpoints [\"SubsetsReset\",\"SkipMirrorLabel\"], update EndpointSlice [\"OutOfStep\"]",
    );
}

#[test]
fn a_server_that_stops_removes_itself() {
    let mut request = settled(request());
    request["leases"] = plan(&request)["leases"].clone();
    request["stopped"] = json!(true);
    check(&request, "");
    request["operation"] = json!("remove");
    let next = plan(&request);
    assert_eq!(addresses(&next), ["10.0.0.2"]);
    request["leases"] = json!([{"address": "10.0.0.1"}]);
    check(
        &request,
        "update Endpoints [\"AddressesChanged\"], update EndpointSlice [\"OutOfStep\"]",
    );
    request["stopped"] = json!(false);
    check(&request, "NoLeases");
    request["leases"] = json!([]);
    check(&request, "LeaseNotFound");
}

#[test]
fn as_many_servers_as_there_are_said_to_be() {
    let mut request = request();
    request["reconciler"] = json!("master-count");
    let mut request = settled(request);
    request["address"] = json!("10.0.0.2");
    let alone = plan(&request);
    assert_eq!(addresses(&alone), ["10.0.0.2"]);
    request["apiServerCount"] = json!(2);
    let both = plan(&request);
    assert_eq!(addresses(&both), ["10.0.0.1", "10.0.0.2"]);
    assert_eq!(both["leases"], json!([]));
    request["operation"] = json!("remove");
    request["address"] = json!("10.0.0.1");
    check(
        &request,
        "update Endpoints [\"AddressesChanged\"], update EndpointSlice [\"OutOfStep\"]",
    );
    request["reconciler"] = json!("none");
    check(&request, "");
}

/// Deviation 32: the reference sends the update, which changes nothing.
#[test]
fn endpoints_that_are_right_are_not_written() {
    let mut request = request();
    request["reconciler"] = json!("master-count");
    let mut request = settled(request);
    request["operation"] = json!("remove");
    request["address"] = json!("10.0.0.9");
    check(&request, "");
    assert_eq!(
        plan(&request)["unchanged"],
        json!(["Endpoints", "EndpointSlice"])
    );
}

/// Deviation 30.
#[test]
fn the_updated_slice_keeps_its_identity() {
    let mut request = settled(request());
    request["slices"][0]["metadata"]["finalizers"] = json!(["example.com/keep"]);
    request["slices"][0]["metadata"]["ownerReferences"] =
        json!([{"apiVersion": "v1", "kind": "Service", "name": "kubernetes", "uid": "s"}]);
    request["slices"][0]["ports"] = json!([]);
    let next = plan(&request);
    assert_eq!(
        next["writes"][0]["object"]["metadata"],
        json!({
            "name": "kubernetes", "namespace": "default", "uid": "u1", "resourceVersion": "7",
            "labels": {"kubernetes.io/service-name": "kubernetes"}, "finalizers": ["example.com/keep"],
        })
    );
}

#[test]
fn mistakes() {
    let check = |pointer: &str, value: Value, code: &str| {
        let mut request = settled(request());
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        match field.parse::<usize>() {
            Ok(index) => request.pointer_mut(parent).unwrap()[index] = value,
            Err(_) => request.pointer_mut(parent).unwrap()[field] = value,
        }
        let error = api::kubernetes_service(request.to_string().as_bytes()).unwrap_err();
        assert_eq!(
            (error.code().as_str(), error.path().unwrap_or_default()),
            (code, pointer)
        );
    };
    for address in ["", "host", "127.0.0.1", "::", "fe80::1"] {
        check("/address", json!(address), "InvalidValue");
    }
    check("/ports/0/port", json!(0), "InvalidValue");
    check("/reconciler", json!("etcd"), "InvalidValue");
    check("/operation", json!("stop"), "InvalidValue");
    check("/apiServerCount", json!(0), "InvalidValue");
    check("/leaseDurationSeconds", json!(0), "InvalidValue");
    check("/serviceName", json!(""), "InvalidValue");
    check("/now", Value::Null, "MissingField");
    check("/leases/0/address", json!(""), "InvalidValue");
    check(
        "/leases",
        json!([{"address": "10.0.0.2"}, {"address": "10.0.0.2"}]),
        "DuplicateName",
    );
    check("/endpoints/metadata/name", json!("other"), "InvalidValue");
    check("/slices/0/addressType", json!(""), "MissingField");
}
