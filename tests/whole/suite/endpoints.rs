//! Endpoints that are not pods.

use serde_json::{Value, json};

use crate::api;

fn plan(endpoints: &Value, slices: &Value) -> Value {
    let request = json!({
        "service": {
            "metadata": {"namespace": "shop", "name": "cart", "uid": "u"},
            "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80, "targetPort": 80}]},
        },
        "endpoints": endpoints,
        "slices": slices,
    });
    serde_json::from_slice(&api::plan(request.to_string().as_bytes()).unwrap()).unwrap()
}

/// Reference: `EndpointSet.Insert`. Identity is addresses, hostname and target.
#[test]
fn of_those_with_one_identity_the_last_counts() {
    let endpoints = json!([
        {"addresses": ["10.0.0.2"]},
        {"addresses": ["10.0.0.1"], "zone": "a"},
        {"addresses": ["10.0.0.1"], "hostname": "h"},
        {"addresses": ["10.0.0.01"], "zone": "b"},
    ]);
    let first = plan(&endpoints, &json!([]));
    let planned = first["create"][0]["endpoints"].as_array().unwrap();
    let shown: Vec<_> = planned
        .iter()
        .map(|endpoint| {
            (
                &endpoint["addresses"][0],
                &endpoint["hostname"],
                &endpoint["zone"],
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (&json!("10.0.0.1"), &Value::Null, &json!("b")),
            (&json!("10.0.0.1"), &json!("h"), &Value::Null),
            (&json!("10.0.0.2"), &Value::Null, &Value::Null),
        ]
    );
    let mut written = first["create"][0].clone();
    written["metadata"]["name"] = json!("cart-a");
    let second = plan(&endpoints, &json!([written]));
    assert_eq!(second["unchanged"], json!(["cart-a"]), "{second}");
    assert_eq!(second["stats"]["added"], 0);
}

/// A Service without a selector, whose backends are the caller's own machines.
fn machines(endpoints: &Value, slices: &Value) -> Value {
    let request = json!({
        "service": {
            "metadata": {"namespace": "shop", "name": "db", "uid": "u"},
            "spec": {
                "ipFamilies": ["IPv4"], "trafficDistribution": "PreferSameZone",
                "ports": [{"name": "sql", "port": 5432, "targetPort": 5432, "protocol": "TCP"}],
            },
        },
        "nodes": [{"metadata": {"name": "n", "labels": {"topology.kubernetes.io/zone": "b"}}}],
        "endpoints": endpoints,
        "slices": slices,
        "options": {"managedBy": "machines.example.com"},
    });
    serde_json::from_slice(&api::plan(request.to_string().as_bytes()).unwrap()).unwrap()
}

#[test]
fn a_service_without_selector_has_slices_of_its_callers_own() {
    let endpoints = json!([
        {"addresses": ["10.9.0.1"], "zone": "a"},
        {"addresses": ["10.9.0.2"], "nodeName": "n"},
        {"addresses": ["10.9.0.3"], "zone": "a", "ports": [{"name": "sql", "port": 6432, "protocol": "TCP"}]},
    ]);
    let plan = machines(&endpoints, &json!([]));
    let slices = plan["create"].as_array().unwrap();
    let shown: Vec<_> = slices
        .iter()
        .map(|slice| {
            let endpoints = slice["endpoints"].as_array().unwrap();
            let hints: Vec<_> = endpoints
                .iter()
                .map(|endpoint| &endpoint["hints"]["forZones"][0]["name"])
                .collect();
            (
                &slice["ports"][0]["port"],
                hints,
                &slice["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"],
            )
        })
        .collect();
    let manager = json!("machines.example.com");
    assert_eq!(
        shown,
        [
            (&json!(5432), vec![&json!("a"), &json!("b")], &manager),
            (&json!(6432), vec![&json!("a")], &manager),
        ]
    );
}

#[test]
fn when_the_last_endpoint_goes_so_do_the_slices() {
    let endpoints = json!([{"addresses": ["10.9.0.1"]}, {"addresses": ["10.9.0.2"], "ports": []}]);
    let mut slices = machines(&endpoints, &json!([]))["create"].clone();
    for (number, slice) in slices.as_array_mut().unwrap().iter_mut().enumerate() {
        slice["metadata"]["name"] = json!(format!("db-{number}"));
    }
    let plan = machines(&json!([]), &slices);
    assert_eq!(plan["update"][0]["endpoints"], json!([]));
    assert_eq!(plan["delete"].as_array().map(Vec::len), Some(1));
    let left_alone = machines(&Value::Null, &slices);
    assert_eq!(left_alone["update"], json!([]));
    assert_eq!(left_alone["delete"], json!([]));
}
