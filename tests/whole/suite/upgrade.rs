//! What another version of Kubernetes changes: the difference of what both do by themselves.

use std::fs;

use serde_json::{Value, json};

use super::versions;
use crate::api::{explained, plan, traffic, upgrade};
use crate::kubernetes::KubernetesVersion;

fn answer(input: &Value, question: &Value) -> Result<Value, crate::Error> {
    let answer = upgrade(
        input.to_string().as_bytes(),
        question.to_string().as_bytes(),
    );
    answer.map(|bytes| serde_json::from_slice(&bytes).unwrap())
}

fn to_next(input: &Value) -> Value {
    answer(input, &json!({"to": "1.38"})).unwrap()
}

/// The plan as one version makes it.
fn planned(request: &Value, version: KubernetesVersion) -> Value {
    let mut request = request.clone();
    versions::adapt(&mut request["options"], version);
    serde_json::from_slice(&plan(request.to_string().as_bytes()).unwrap()).unwrap()
}

/// The first request of each golden case.
fn requests() -> Vec<(String, Value)> {
    let files = fs::read_dir(versions::folder().join("corpus")).unwrap();
    let mut requests: Vec<_> = files
        .map(|entry| {
            let path = entry.unwrap().path();
            let case: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            let mut request = match case.get("request") {
                Some(request) => request.clone(),
                None => case["history"][0].clone(),
            };
            if request["options"].is_null() {
                request["options"] = json!({});
            }
            (path.display().to_string(), request)
        })
        .collect();
    requests.sort_by(|one, other| one.0.cmp(&other.0));
    requests
}

#[test]
fn both_sides_are_what_each_version_plans() {
    let (mut changed, mut counted) = (Vec::new(), 0);
    for (name, request) in requests() {
        let found = to_next(&request);
        let [from, to] = KubernetesVersion::ALL.map(|version| planned(&request, version));
        let service = &found["services"][0];
        for (side, plan) in [("before", &from), ("after", &to)] {
            for list in ["create", "update", "delete", "unchanged"] {
                if !service[side].is_null() {
                    let count = plan[list].as_array().unwrap().len();
                    assert_eq!(service[side][list], count, "{name}: {side} {list}");
                    counted += 1;
                }
            }
        }
        let is_same = ["create", "update", "delete"]
            .iter()
            .all(|list| from[list] == to[list]);
        let has_slices = !service["slices"].as_array().unwrap().is_empty();
        assert_eq!(has_slices, !is_same, "{name}");
        let lost = !request["options"]["preferSameTrafficDistribution"].is_null();
        let settings = found["settings"].as_array().unwrap().len();
        assert_eq!(settings, usize::from(lost), "{name}");
        if !is_same || lost {
            assert_eq!(found["changes"], true, "{name}");
            changed.push(name);
        }
    }
    assert!(counted > 500, "the corpus has moved");
    // The gate, and the placeholder of an older Service.
    assert!(changed.len() > 1, "{changed:?}");
}

/// A Service whose slice has hints for nodes, and two nodes of a zone.
fn with_node_hints() -> Value {
    let node = |name: &str| json!({"metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": "a"}}});
    let endpoint = |number: usize, node: &str| json!({"addresses": [format!("10.0.0.{number}")], "hints": {"forNodes": [{"name": node}]}});
    json!({
        "service": {
            "metadata": {"namespace": "shop", "name": "dns"},
            "spec": {"clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "ports": [{"name": "dns", "port": 53, "protocol": "UDP"}]},
        },
        "nodes": [node("n1"), node("n2")],
        "slices": [{
            "metadata": {"namespace": "shop", "name": "dns-a", "labels": {"kubernetes.io/service-name": "dns"}},
            "addressType": "IPv4", "ports": [{"name": "dns", "port": 53, "protocol": "UDP"}],
            "endpoints": [endpoint(1, "n1"), endpoint(2, "n2")],
        }],
    })
}

#[test]
fn traffic_is_that_of_each_version_without_a_plan() {
    let mut request = with_node_hints();
    assert_eq!(to_next(&request)["changes"], false);
    request["options"] = json!({"preferSameTrafficDistribution": false});
    let found = to_next(&request);
    let service = &found["services"][0];
    assert_eq!(service["before"], Value::Null, "nobody manages the slice");
    assert_eq!(service["slices"], json!([]));
    let nodes = service["traffic"][0]["nodes"].as_array().unwrap();
    let [n1, _] = nodes.as_slice() else {
        panic!("each node uses its own: {nodes:?}");
    };
    assert_eq!(n1["nodes"], json!(["n1"]));
    assert_eq!(
        n1["before"]["endpoints"],
        json!(["10.0.0.1:53", "10.0.0.2:53"])
    );
    assert_eq!(n1["after"]["endpoints"], json!(["10.0.0.1:53"]));
    // As the answers about traffic have it.
    request.as_object_mut().unwrap().remove("options");
    for (version, prefer, side) in [
        ("1.37", json!(false), "before"),
        ("1.38", Value::Null, "after"),
    ] {
        request["kubernetes"] = version.into();
        request["preferSameTrafficDistribution"] = prefer;
        let told: Value =
            serde_json::from_slice(&traffic(request.to_string().as_bytes()).unwrap()).unwrap();
        assert_eq!(
            told["ports"][0]["groups"][0]["rule"], n1[side]["rule"],
            "{version}"
        );
    }
}

/// The others are compared all the same.
#[test]
fn traffic_that_is_too_much_is_named() {
    let mut request = with_node_hints();
    let ports: Vec<Value> = (1..=100)
        .map(|port| json!({"name": format!("p{port}"), "port": port, "protocol": "TCP"}))
        .collect();
    request["slices"][0]["ports"] = json!(ports);
    request["service"]["spec"]["ports"] = json!(ports);
    let node = |number: usize| json!({"metadata": {"name": format!("n{number}")}});
    request["nodes"] = (1..11_000).map(node).collect();
    request["options"] = json!({"preferSameTrafficDistribution": false});
    let found = to_next(&request);
    let service = &found["services"][0];
    assert_eq!(found["changes"], true, "it may");
    assert_eq!(service["traffic"], json!([]));
    let reason = service["trafficUnknown"].as_str().unwrap();
    assert!(reason.ends_with("give one node of each kind"), "{reason}");
}

#[test]
fn addresses_that_only_older_servers_accept_are_refused() {
    let mut request = with_node_hints();
    request["service"]["spec"]["externalIPs"] = json!(["192.0.2.1", "192.0.02.1"]);
    request["service"]["spec"]["loadBalancerSourceRanges"] = json!(["10.0.0.1/8"]);
    request["slices"][0]["endpoints"][1]["addresses"] = json!(["::ffff:10.0.0.2"]);
    let found = to_next(&request);
    assert_eq!(found["changes"], true);
    let refused = found["refused"].as_array().unwrap();
    let told: Vec<_> = refused
        .iter()
        .map(|one| {
            format!(
                "{} {}",
                one["kind"].as_str().unwrap(),
                one["path"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "EndpointSlice /endpoints/1/addresses/0",
            "Service /spec/externalIPs/1",
            "Service /spec/loadBalancerSourceRanges/0"
        ]
    );
    // Back to a version that may accept them.
    let back = json!({"to": "1.37", "options": {"kubernetes": "1.38"}});
    let found = answer(&request, &back).unwrap();
    assert_eq!(
        (&found["refused"], &found["from"]),
        (&json!([]), &json!("1.38"))
    );
    assert_eq!(
        found["metrics"][0]["after"],
        "endpoint_slice_controller_changes"
    );
}

#[test]
fn of_a_snapshot_all_services_are_listed_or_one() {
    let list: Value =
        serde_json::from_slice(include_bytes!("../../../samples/cluster-at-rest.json")).unwrap();
    let found = to_next(&list);
    let services = found["services"].as_array().unwrap();
    let all = explained(
        list.to_string().as_bytes(),
        &crate::api::Question::default(),
        crate::api::Limits::default(),
    );
    assert_eq!(services.len(), all.unwrap().services.len());
    assert_eq!(found["changes"], false);
    let name = services[0]["service"]["name"].as_str().unwrap();
    let one = answer(&list, &json!({"to": "1.38", "service": name})).unwrap();
    assert_eq!(one["services"], json!([services[0]]));
}

#[test]
fn questions_that_cannot_be_answered() {
    let input = with_node_hints();
    let off = json!({"kubernetes": "1.38", "preferSameTrafficDistribution": false});
    for (question, expected) in [
        (json!({}), "MissingField /to"),
        (json!({"to": "1.36"}), "InvalidValue /to"),
        (
            json!({"to": "1.38", "service": "shop/x"}),
            "InvalidValue /service",
        ),
        (
            json!({"to": "1.37", "options": off}),
            "InvalidValue /options/preferSameTrafficDistribution",
        ),
    ] {
        let error = answer(&input, &question).unwrap_err();
        let told = format!(
            "{} {}",
            error.code().as_str(),
            error.path().unwrap_or_default()
        );
        assert_eq!(told, expected);
    }
}
