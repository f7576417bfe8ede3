//! What is mirrored, and what is kept of slices. `pkg-tests/cluster/migration` compares with the reference.

use serde_json::{Value, json};

use crate::api;
use crate::api_server::{ApiServer, Refusal};
use crate::kubernetes::KubernetesVersion;
use crate::metrics::{Metrics, prometheus_text};
use crate::mirroring::MirrorInput;
use crate::model::EndpointSlice;
use crate::reconcile::EndpointsPerSlice;
use crate::tracker::SliceTracker;

fn mirror(request: &Value) -> Value {
    serde_json::from_slice(&api::mirror(request.to_string().as_bytes()).unwrap()).unwrap()
}

/// Endpoints `shop/db` with two addresses, their Service, and no slices.
fn request() -> Value {
    json!({
        "endpoints": {
            "metadata": {"namespace": "shop", "name": "db", "uid": "e1", "labels": {"app": "db"}, "annotations": {"note": "n"}},
            "subsets": [{"addresses": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}], "ports": [{"port": 5432, "protocol": "TCP"}]}],
        },
        "service": {"metadata": {"namespace": "shop", "name": "db"}, "spec": {"type": "ExternalName"}},
        "slices": [],
    })
}

/// The request with the slices that its plan creates.
fn mirrored() -> Value {
    let mut request = request();
    let mut slice = mirror(&request)["create"][0].clone();
    slice["metadata"]["name"] = json!("db-a");
    slice["metadata"]["uid"] = json!("u1");
    slice["metadata"]["resourceVersion"] = json!("7");
    slice["metadata"]["finalizers"] = json!(["example.com/keep"]);
    request["slices"] = json!([slice]);
    request
}

/// A short form of a plan: signs with names or families and endpoints, and why nothing is mirrored.
fn brief(plan: &Value) -> String {
    let mut words = Vec::new();
    for slice in plan["create"].as_array().unwrap() {
        let count = slice["endpoints"].as_array().unwrap().len();
        words.push(format!(
            "+{} {count}",
            slice["addressType"].as_str().unwrap()
        ));
    }
    for slice in plan["update"].as_array().unwrap() {
        let name = slice["metadata"]["name"].as_str().unwrap();
        words.push(format!("~{name} {}", plan["reasons"][name]));
    }
    for slice in plan["delete"].as_array().unwrap() {
        words.push(format!("-{}", slice["name"].as_str().unwrap()));
    }
    for name in plan["unchanged"].as_array().unwrap() {
        words.push(format!("={}", name.as_str().unwrap()));
    }
    if let Some(reason) = plan["skipped"].as_str() {
        words.push(reason.to_owned());
    }
    words.join(", ")
}

/// The effect of another value at a pointer on the mirrored request.
#[track_caller]
fn check(pointer: &str, value: Value, expected: &str) {
    let mut request = mirrored();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    request.pointer_mut(parent).unwrap()[field] = value;
    assert_eq!(brief(&mirror(&request)), expected, "{pointer}");
}

#[test]
fn what_is_mirrored_stays() {
    check("/service/spec", json!({}), "=db-a");
    check(
        "/endpoints/metadata/annotations",
        json!({"note": "n", "endpoints.kubernetes.io/last-change-trigger-time": "t"}),
        "=db-a",
    );
}

#[test]
fn what_is_not_mirrored_has_a_reason() {
    check("/endpoints", Value::Null, "-db-a, EndpointsNotFound");
    let labels =
        |value: &str| json!({"app": "db", "endpointslice.kubernetes.io/skip-mirror": value});
    check(
        "/endpoints/metadata/labels",
        labels("true"),
        "-db-a, SkipMirrorLabel",
    );
    check(
        "/endpoints/metadata/labels",
        labels("false"),
        "~db-a [\"LabelsChanged\"]",
    );
    let lock = json!({"control-plane.alpha.kubernetes.io/leader": ""});
    check(
        "/endpoints/metadata/annotations",
        lock,
        "-db-a, LeaderElection",
    );
    check("/service", Value::Null, "-db-a, ServiceNotFound");
    check(
        "/service/spec",
        json!({"selector": {}}),
        "-db-a, ServiceHasSelector",
    );
}

#[test]
fn changes() {
    check(
        "/endpoints/subsets/0/addresses/0/ip",
        json!("10.0.0.3"),
        "~db-a [\"EndpointsChanged\",\"EndpointsAdded\"]",
    );
    check(
        "/endpoints/metadata/annotations",
        json!({}),
        "~db-a [\"AnnotationsChanged\"]",
    );
    check(
        "/endpoints/metadata/uid",
        json!("e2"),
        "~db-a [\"NotOwned\"]",
    );
    check(
        "/endpoints/subsets/0/ports/0/port",
        json!(1),
        "~db-a [\"NewEndpoints\",\"Recycled\"]",
    );
    check(
        "/endpoints/subsets/0/addresses",
        json!([{"ip": "fd00::1"}]),
        "+IPv6 1, -db-a",
    );
    check("/endpoints/subsets", json!([]), "-db-a");
}

#[test]
fn slices_of_others_are_left_alone() {
    for label in [
        "endpointslice.kubernetes.io~1managed-by",
        "kubernetes.io~1service-name",
    ] {
        let label = label.replace("~1", "/");
        let mut request = mirrored();
        request["slices"][0]["metadata"]["labels"][&label] = json!("other");
        assert_eq!(brief(&mirror(&request)), "+IPv4 2", "{label}");
    }
}

#[test]
fn a_slice_that_is_right_is_kept_of_several() {
    let mut request = mirrored();
    let mut wrong = request["slices"][0].clone();
    wrong["metadata"]["name"] = json!("db-0");
    wrong["endpoints"] = json!([]);
    request["slices"].as_array_mut().unwrap().push(wrong);
    assert_eq!(brief(&mirror(&request)), "-db-0, =db-a");
}

#[test]
fn endpoints_being_deleted_get_no_new_slices() {
    let mut request = request();
    request["endpoints"]["metadata"]["deletionTimestamp"] = json!("2026-01-02T03:04:05Z");
    assert_eq!(brief(&mirror(&request)), "");
}

#[test]
fn what_is_left_out_is_told() {
    let mut request = request();
    request["options"] = json!({"maxEndpointsPerSubset": 1});
    let addresses = json!([{"ip": "10.0.0.1"}, {"ip": "bogus"}, {"ip": "10.0.0.0.1"}]);
    request["endpoints"]["subsets"][0]["notReadyAddresses"] = addresses.clone();
    request["endpoints"]["subsets"][0]["addresses"] = json!([{"ip": "1"}, {"ip": "10.0.0.9"}]);
    let plan = mirror(&request);
    assert_eq!(
        plan["create"][0]["endpoints"][0]["addresses"],
        json!(["10.0.0.9"])
    );
    let messages: Vec<_> = plan["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages,
        [
            "Skipped 1 invalid IP addresses when mirroring to EndpointSlices",
            "A max of 1 addresses can be mirrored to EndpointSlices per Endpoints subset. 4 addresses were skipped",
        ]
    );
}

/// Deviation 30.
#[test]
fn updated_slices_keep_what_is_not_the_endpoints() {
    let mut request = mirrored();
    request["slices"][0]["metadata"]["annotations"] = json!({"other": "x"});
    let metadata = mirror(&request)["update"][0]["metadata"].clone();
    assert_eq!(metadata["annotations"], json!({"note": "n"}));
    for field in ["uid", "resourceVersion", "finalizers", "generateName"] {
        assert_eq!(
            metadata[field], request["slices"][0]["metadata"][field],
            "{field}"
        );
    }
}

/// Deviation 31: the reference removes the IPv4 slice from its list instead of the IPv6 one, or never succeeds.
#[test]
fn slices_of_both_families_are_recycled_at_once() {
    let mut request = request();
    request["endpoints"]["subsets"][0]["addresses"] =
        json!([{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]);
    let mut slices = mirror(&request)["create"].clone();
    for (number, slice) in slices.as_array_mut().unwrap().iter_mut().enumerate() {
        slice["metadata"]["name"] = json!(format!("db-{number}"));
        slice["ports"][0]["port"] = json!(1);
    }
    request["slices"] = slices;
    assert_eq!(
        brief(&mirror(&request)),
        "~db-0 [\"NewEndpoints\",\"Recycled\"], ~db-1 [\"NewEndpoints\",\"Recycled\"]"
    );
}

#[test]
fn mistakes() {
    let check = |change: &dyn Fn(&mut Value), code: &str, path: &str| {
        let mut request = mirrored();
        change(&mut request);
        let error = api::mirror(request.to_string().as_bytes()).unwrap_err();
        assert_eq!(
            (error.code().as_str(), error.path().unwrap_or_default()),
            (code, path)
        );
    };
    check(
        &|request| request["options"] = json!({"maxEndpointsPerSubset": 0}),
        "InvalidValue",
        "/options/maxEndpointsPerSubset",
    );
    check(
        &|request| request["service"]["metadata"]["name"] = json!("other"),
        "InvalidValue",
        "/service/metadata/name",
    );
    check(
        &|request| request["endpoints"]["kind"] = json!("Pod"),
        "InvalidValue",
        "/endpoints/kind",
    );
    check(
        &|request| request["endpoints"]["metadata"]["name"] = json!(""),
        "MissingField",
        "/endpoints/metadata/name",
    );
    check(
        &|request| request["pods"] = json!([]),
        "UnknownField",
        "/pods",
    );
    check(
        &|request| *request = json!({"slices": []}),
        "MissingField",
        "/endpoints",
    );
    check(
        &|request| request["endpoints"]["subsets"][0]["ports"][0]["port"] = json!("x"),
        "InvalidType",
        "/endpoints/subsets/0/ports/0/port",
    );
}

#[test]
fn a_cluster_is_planned_at_once() {
    let mirrored = mirrored();
    let mut orphan = mirrored["slices"][0].clone();
    orphan["metadata"]["labels"]["kubernetes.io/service-name"] = json!("gone");
    orphan["metadata"]["name"] = json!("gone-a");
    let typed = |kind: &str, object: &Value| {
        let mut object = object.clone();
        object["kind"] = json!(kind);
        object
    };
    let list = json!({"kind": "List", "items": [
        typed("Endpoints", &mirrored["endpoints"]),
        {"kind": "ServiceList", "apiVersion": "v1", "items": [mirrored["service"]]},
        typed("EndpointSlice", &mirrored["slices"][0]),
        typed("EndpointSlice", &orphan),
        {"kind": "Secret", "metadata": {"name": "s"}},
    ]});
    let answer = api::mirror_snapshot(list.to_string().as_bytes()).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let plans: Vec<_> = answer["plans"]
        .as_array()
        .unwrap()
        .iter()
        .map(brief)
        .collect();
    assert_eq!(plans, ["=db-a", "-gone-a, EndpointsNotFound"]);
    assert_eq!(answer["ignored"], json!({"Secret": 1}));
    let mut other = typed("Endpoints", &mirrored["endpoints"]);
    other["metadata"]["labels"]["version"] = "other".into();
    let twice = json!([typed("Endpoints", &mirrored["endpoints"]), other]);
    let error = api::mirror_snapshot(twice.to_string().as_bytes()).unwrap_err();
    assert_eq!(
        (error.code().as_str(), error.path()),
        ("DuplicateName", Some("/1/metadata/name"))
    );
}

/// The slice is gone by the time that it would be deleted, as after somebody else's delete.
#[test]
fn a_delete_that_finds_nothing_succeeds_since_1_38() {
    let text = mirrored()["slices"][0].to_string();
    let slice: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
    let mut input = MirrorInput::new("shop", "db");
    input.slices = [&slice].into();
    let mirrored = crate::mirroring::mirror(&input);
    assert_eq!(mirrored.plan.delete.len(), 1);
    for version in KubernetesVersion::ALL {
        let mut server = ApiServer::default();
        server.set_kubernetes(version);
        let applied = match (mirrored.plan.apply(&mut server), version) {
            (Err(refused), KubernetesVersion::V1_37) => {
                assert_eq!(refused.failures[0].error.refusal, Refusal::NotFound);
                refused.applied
            }
            (applied, _) => applied.unwrap(),
        };
        let mut tracker = SliceTracker::default();
        applied.record(&mirrored.plan.service, &mut tracker);
        assert!(tracker.is_empty(), "{version:?}: it is not waited for");
        let mut metrics = Metrics::new(EndpointsPerSlice::default(), version);
        metrics.observe_writes(&mirrored.plan, &applied);
        let text = prometheus_text(&metrics.gather());
        assert!(
            !text.contains(r#"operation="delete""#),
            "{version:?}: it is not counted"
        );
    }
}
