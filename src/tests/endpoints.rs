//! Endpoints that are no pods.

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
