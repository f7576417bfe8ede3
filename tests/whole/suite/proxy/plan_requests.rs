//! Traffic and routes of a plan request: those of its objects.

use std::fs;

use serde_json::{Value, json};

use crate::api::{self, Limits, RouteOptions, TrafficOptions};

/// The objects of a plan request, as a List.
fn objects(request: &Value) -> Value {
    let one = |kind: &str, version: &str, object: &Value| {
        let mut object = object.clone();
        object["kind"] = kind.into();
        object["apiVersion"] = version.into();
        object
    };
    let mut items = vec![one("Service", "v1", &request["service"])];
    for (list, kind, version) in [
        ("pods", "Pod", "v1"),
        ("nodes", "Node", "v1"),
        ("slices", "EndpointSlice", "discovery.k8s.io/v1"),
    ] {
        let objects = request[list].as_array().into_iter().flatten();
        items.extend(objects.map(|object| one(kind, version, object)));
    }
    json!({"kind": "List", "apiVersion": "v1", "items": items})
}

fn traffic(input: &Value) -> Value {
    let options = TrafficOptions::default();
    let answer = api::with_traffic(input.to_string().as_bytes(), &options, Limits::default());
    let mut answer = serde_json::to_value(answer.unwrap()).unwrap();
    answer["warnings"].take();
    answer
}

fn route(input: &Value, node: &str) -> Result<Value, String> {
    let mut options = RouteOptions::default();
    options.node = Some(node.into());
    let answer = api::with_route(input.to_string().as_bytes(), &options, Limits::default());
    let mut answer = serde_json::to_value(answer.map_err(|error| error.to_string())?).unwrap();
    answer["warnings"].take();
    Ok(answer)
}

#[test]
fn a_plan_request_has_the_answers_of_its_objects() {
    let folder = crate::suite::from_root("www/samples");
    let (mut compared, mut served) = (0, 0);
    for file in fs::read_dir(folder).unwrap() {
        let Ok(text) = fs::read_to_string(file.unwrap().path()) else {
            continue;
        };
        let Ok(request) = serde_json::from_str::<Value>(&text) else {
            continue;
        };
        if request["pods"].as_array().is_none() || request["service"].is_null() {
            continue;
        }
        let list = objects(&request);
        let answer = traffic(&request);
        assert_eq!(answer, traffic(&list), "{request}");
        served += usize::from(answer["ports"] != json!([]));
        for node in request["nodes"].as_array().into_iter().flatten() {
            let name = node["metadata"]["name"].as_str().unwrap();
            assert_eq!(route(&request, name), route(&list, name), "{request}");
        }
        compared += 1;
    }
    assert!(compared > 20 && served > 10, "{compared}, {served}");
}

#[test]
fn nodes_of_a_request_weigh_as_those_of_a_cluster() {
    let node = |name: &str, cpu: &str| {
        json!({"metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": name}},
            "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": "True"}]}})
    };
    let mut request = json!({
        "service": {"metadata": {"name": "cart"}, "spec": {"ports": [{"port": 80}]}},
        "nodes": [node("a", "3"), node("b", "1")],
    });
    let shares = |request: &Value| {
        let answer = traffic(request);
        let nodes = answer["nodes"].as_array().unwrap().iter();
        nodes
            .map(|node| node["share"].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(shares(&request), [0.75, 0.25]);
    assert_eq!(shares(&objects(&request)), [0.75, 0.25]);
    request["clients"] = json!([{"node": "a", "weight": 1}]);
    assert_eq!(shares(&request), [0.5, 0.5], "what is said counts");
}

#[test]
fn options_of_a_plan_request_count() {
    let endpoint = |ip: &str, node: &str| json!({"addresses": [ip], "nodeName": node, "zone": "z", "hints": {"forZones": [{"name": "z"}], "forNodes": [{"name": node}]}});
    let labels = json!({"kubernetes.io/service-name": "cart"});
    let nodes = ["a", "b"].map(
        |name| json!({"metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": "z"}}}),
    );
    let used = |options: Value| {
        let request = json!({
            "service": {"metadata": {"name": "cart"}, "spec": {"ports": [{"port": 80}]}},
            "slices": [{"metadata": {"name": "s", "labels": labels}, "addressType": "IPv4", "ports": [{"name": "", "port": 80, "protocol": "TCP"}],
                "endpoints": [endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")]}],
            "nodes": nodes,
            "options": options,
        });
        let answer = route(&request, "a").unwrap();
        answer["routes"]["default/cart/TCP"]["cluster"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!(used(json!({})), Some(1));
    assert_eq!(
        used(json!({"preferSameTrafficDistribution": false})),
        Some(2)
    );
}

#[test]
fn what_a_plan_would_refuse_is_refused() {
    let request = json!({"service": {"metadata": {"name": "cart"}}, "pods": [{"metadata": {}}]});
    let options = TrafficOptions::default();
    let error = api::with_traffic(request.to_string().as_bytes(), &options, Limits::default());
    assert_eq!(error.unwrap_err().path(), Some("/pods/0/metadata/name"));
}
