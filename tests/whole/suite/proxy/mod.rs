//! The reader's side: cases that the reference answers too, random histories compared with a plain merge, bad input,
//! and the rules that routes name.

mod changes;
mod input;
mod naive;
mod plan_requests;
mod routes;
mod shared;
mod traffic;
mod unread;

use serde_json::{Value, json};

use super::versions;
use crate::api::{Limits, ProxyStream};
use crate::kubernetes::{Behavior, KubernetesVersion};
use crate::model::{AddressType, Timestamp};
use crate::proxy::ProxierSettings;

/// The answers to lines; some lines have none.
fn answers(settings: ProxierSettings, lines: &[Value]) -> Vec<Value> {
    let mut stream = ProxyStream::new(settings);
    let mut answers = Vec::new();
    for line in lines {
        let mut output = Vec::new();
        match stream.feed(line.to_string().as_bytes(), Limits::default(), &mut output) {
            Ok(()) if output.is_empty() => {}
            Ok(()) => answers.push(serde_json::from_slice(&output).unwrap()),
            Err(error) => answers.push(serde_json::from_slice(&error.to_json()).unwrap()),
        }
    }
    answers
}

fn on_node() -> ProxierSettings {
    ProxierSettings::on_node("node-1")
}

fn added(object: &Value) -> Value {
    json!({"type": "ADDED", "object": object})
}

fn deleted(object: &Value) -> Value {
    json!({"type": "DELETED", "object": object})
}

/// A slice of the Service `shop/web` with the port `http`, and these endpoints.
fn slice(name: &str, endpoints: &Value) -> Value {
    json!({
        "kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1",
        "metadata": {"namespace": "shop", "name": name, "labels": {"kubernetes.io/service-name": "web"}},
        "addressType": "IPv4",
        "ports": [{"name": "http", "port": 80, "protocol": "TCP"}],
        "endpoints": endpoints,
    })
}

/// The Service `shop/web` with the port `http`, and with the other fields of `spec`.
fn service(spec: &Value) -> Value {
    let mut service = json!({
        "kind": "Service", "apiVersion": "v1",
        "metadata": {"namespace": "shop", "name": "web"},
        "spec": {"type": "ClusterIP", "clusterIP": "10.96.0.1", "ports": [{"name": "http", "port": 80, "protocol": "TCP"}]},
    });
    for (key, value) in spec.as_object().unwrap() {
        service["spec"][key] = value.clone();
    }
    service
}

/// The names of endpoints in an answer, port by port.
fn endpoints(answer: &Value) -> Vec<String> {
    let of_port = |(port, endpoints): (&String, &Value)| {
        let names = endpoints.as_array().unwrap().iter();
        let names: Vec<_> = names
            .map(|endpoint| endpoint["endpoint"].as_str().unwrap())
            .collect();
        format!("{port} {}", names.join(" "))
    };
    answer["endpoints"]
        .as_object()
        .unwrap()
        .iter()
        .map(of_port)
        .collect()
}

/// The reference's answers, as recorded in `pkg-tests/cluster/proxy`, in all versions.
#[test]
fn cases_of_the_reference() {
    for version in KubernetesVersion::ALL {
        check_cases(version);
    }
}

fn check_cases(version: KubernetesVersion) {
    let mut count = 0;
    for entry in std::fs::read_dir(versions::folder().join("proxy")).unwrap() {
        let name = entry.unwrap().file_name();
        let path = versions::golden(version, &format!("proxy/{}", name.to_str().unwrap()));
        let case: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let given = |key: &str| case["settings"][key].as_str();
        let zone = case["settings"]["nodeLabels"]["topology.kubernetes.io/zone"].as_str();
        let has_gate = version.has(Behavior::PreferSameGate);
        let is_on = &case["settings"]["preferSameTrafficDistribution"];
        let settings = {
            let mut made = ProxierSettings::on_node(given("node").unwrap());
            made.zone = zone.unwrap_or_default().to_owned();
            made.address_type = match given("addressType") {
                Some("IPv6") => AddressType::IPv6,
                _ => AddressType::IPv4,
            };
            made.started = given("started").and_then(Timestamp::parse);
            made.prefer_same_traffic_distribution = !has_gate || *is_on != false;
            made.kubernetes = version;
            made
        };
        let answers = answers(settings, case["lines"].as_array().unwrap());
        let expected = case["expected"].as_array().unwrap();
        assert_eq!(answers.len(), expected.len(), "{}", path.display());
        for (answer, expected) in answers.iter().zip(expected) {
            for (field, expected) in expected.as_object().unwrap() {
                // The answer about endpoints alone does not include them, and the reference's does.
                let may_be_left_out = ["healthCheckNodePorts", "localReadyEndpoints"];
                let answered = &answer[field];
                let is_left_out = answered.is_null() && may_be_left_out.contains(&field.as_str());
                assert!(
                    is_left_out || answered == expected,
                    "{}: {field}: {answered}",
                    path.display()
                );
            }
        }
        count += 1;
    }
    assert!(count > 50, "the cases have moved");
}

#[test]
fn a_change_is_told_once() {
    let lines = [
        added(&slice("a", &json!([{"addresses": ["10.0.0.1"]}]))),
        json!({"sync": "endpoints"}),
        added(&slice("a", &json!([{"addresses": ["10.0.0.1"]}]))),
        json!({"sync": "endpoints"}),
    ];
    let answers = answers(on_node(), &lines);
    assert_eq!(answers[0]["updatedServices"], json!(["shop/web"]));
    assert_eq!(answers[1]["updatedServices"], json!([]));
    assert_eq!(endpoints(&answers[1]), ["shop/web:http/TCP 10.0.0.1:80"]);
    assert!(answers[1]["routes"].is_null());
}

/// Deleted objects leave nothing behind, whatever came before.
#[test]
fn churn_does_not_grow_a_proxy() {
    let mut stream = ProxyStream::new(on_node());
    let mut feed = |line: Value| {
        let mut output = Vec::new();
        stream
            .feed(line.to_string().as_bytes(), Limits::default(), &mut output)
            .unwrap();
        drop(output);
    };
    for number in 0..50 {
        let slice = slice(
            &format!("s-{number}"),
            &json!([{"addresses": [format!("10.0.0.{number}")]}]),
        );
        feed(added(&slice));
        feed(json!({"sync": true}));
        feed(deleted(&slice));
        feed(json!({"sync": true}));
        feed(added(&service(&json!({}))));
        feed(deleted(&service(&json!({}))));
    }
    let empty = format!("{:?}", ProxyStream::new(on_node()));
    assert_eq!(format!("{stream:?}"), empty);
}
