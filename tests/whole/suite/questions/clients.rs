//! Where requests come from, if the question names the pods that send them.

use serde_json::{Value, json};

use crate::api::{self, Limits, Question, TrafficOptions};
use crate::plan::explanation::Severity;
use slicewise_traffic::routing::ClientSelector;

/// Four endpoints in each of three zones, hinted to their own, and clients in some zones.
fn cluster(clients: &[(&str, &str)], distribution: Option<&str>) -> Vec<Value> {
    let zones = ["a", "b", "c"];
    let mut items: Vec<Value> = zones
        .iter()
        .map(|zone| {
            json!({"kind": "Node", "apiVersion": "v1",
                "metadata": {"name": format!("w-{zone}"), "labels": {"topology.kubernetes.io/zone": zone}},
                "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}}})
        })
        .collect();
    let pod = |namespace: &str, name: &str, app: &str, node: &str, ip: &str| {
        json!({"kind": "Pod", "apiVersion": "v1",
            "metadata": {"namespace": namespace, "name": name, "uid": name, "labels": {"app": app}},
            "spec": {"nodeName": node},
            "status": {"phase": "Running", "podIP": ip, "podIPs": [{"ip": ip}],
                "conditions": [{"type": "Ready", "status": "True"}]}})
    };
    let mut endpoints = Vec::new();
    for (number, zone) in zones.iter().enumerate() {
        for index in 0..4 {
            let (name, ip) = (
                format!("api-{zone}{index}"),
                format!("10.1.{number}.{index}"),
            );
            let node = format!("w-{zone}");
            items.push(pod("shop", &name, "api", &node, &ip));
            endpoints.push(json!({"addresses": [ip], "conditions": {"ready": true, "serving": true, "terminating": false},
                "nodeName": node, "zone": zone, "hints": {"forZones": [{"name": zone}]},
                "targetRef": {"kind": "Pod", "namespace": "shop", "name": name, "uid": name}}));
        }
    }
    for (number, (namespace, node)) in clients.iter().enumerate() {
        items.push(pod(
            namespace,
            &format!("web-{number}"),
            "web",
            node,
            &format!("10.2.0.{number}"),
        ));
    }
    let mut service = json!({"kind": "Service", "apiVersion": "v1",
        "metadata": {"namespace": "shop", "name": "api", "uid": "api"},
        "spec": {"type": "ClusterIP", "clusterIP": "10.96.0.1", "ipFamilies": ["IPv4"], "selector": {"app": "api"},
            "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080}]}});
    match distribution {
        Some(distribution) => service["spec"]["trafficDistribution"] = distribution.into(),
        None => {
            let auto = json!({"service.kubernetes.io/topology-mode": "Auto"});
            service["metadata"]["annotations"] = auto;
        }
    }
    items.push(service);
    items.push(json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "addressType": "IPv4",
        "metadata": {"namespace": "shop", "name": "api-x", "uid": "api-x",
            "labels": {"kubernetes.io/service-name": "api", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "api", "uid": "api", "controller": true, "blockOwnerDeletion": true}]},
        "endpoints": endpoints, "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]}));
    items
}

fn text(items: &[Value]) -> String {
    json!({"kind": "List", "items": items}).to_string()
}

/// The severity and the verdict, asked through JSON.
#[track_caller]
fn check(items: &[Value], clients: &str, expected: &str) {
    let question = json!({"service": "shop/api", "clients": clients}).to_string();
    let answer = api::explain(text(items).as_bytes(), question.as_bytes()).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let verdict = &answer["services"][0]["verdict"];
    let found = format!(
        "{}: {}",
        verdict["severity"].as_str().unwrap(),
        verdict["text"].as_str().unwrap()
    );
    assert_eq!(found, expected);
}

#[test]
fn a_zone_without_clients_is_idle() {
    let clients = [
        ("shop", "w-a"),
        ("shop", "w-a"),
        ("shop", "w-b"),
        ("shop", "w-b"),
    ];
    let idle = "degraded: No client is in c, so the 4 endpoints there get no requests. Hints keep requests in their zone, and the clients (app=web) are in a (2 pods) and b (2 pods); the busiest endpoint gets 1.50 times its share. All clients are served by 8 endpoints.";
    for distribution in [None, Some("PreferSameZone")] {
        check(&cluster(&clients, distribution), "app=web", idle);
    }
    // Clients of another namespace count if they are named, wherever the Service is.
    let mut elsewhere = clients.to_vec();
    elsewhere.extend([("bank", "w-c"), ("bank", "w-c")]);
    let elsewhere = cluster(&elsewhere, Some("PreferSameZone"));
    check(
        &elsewhere,
        "app=web",
        "note: All clients are served by 12 endpoints.",
    );
    check(
        &elsewhere,
        "shop/app=web",
        &idle.replace("(app=web)", "(shop/app=web)"),
    );
}

#[test]
fn clients_in_every_zone_may_still_be_uneven() {
    let clients = [
        ("shop", "w-a"),
        ("shop", "w-a"),
        ("shop", "w-b"),
        ("shop", "w-c"),
    ];
    check(
        &cluster(&clients, Some("PreferSameZone")),
        "app in (web)",
        "degraded: Some endpoints get more requests than their share. Hints keep requests in their zone, and the clients (app in (web)) are in a (2 pods), b (1 pod) and c (1 pod); the busiest endpoint gets 1.50 times its share. All clients are served by 12 endpoints.",
    );
}

/// A policy that keeps requests on their node is looked at from the nodes that have clients.
#[test]
fn local_traffic_is_that_of_the_clients() {
    let with = |node: &str| {
        let mut items = cluster(&[("shop", "w-a"), ("shop", node)], Some("PreferClose"));
        for item in &mut items {
            match item["kind"].as_str() {
                Some("Service") => {
                    item["spec"] = json!({"type": "ClusterIP", "clusterIP": "10.96.0.1", "ipFamilies": ["IPv4"],
                    "selector": {"app": "api"}, "internalTrafficPolicy": "Local",
                    "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080}]})
                }
                Some("EndpointSlice") => {
                    for endpoint in item["endpoints"].as_array_mut().unwrap() {
                        endpoint.as_object_mut().unwrap().remove("hints");
                    }
                }
                _ => {}
            }
        }
        items.push(json!({"kind": "Node", "apiVersion": "v1",
            "metadata": {"name": "w-d", "labels": {"topology.kubernetes.io/zone": "a"}},
            "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}}}));
        items
    };
    check(
        &with("w-b"),
        "app=web",
        "note: All clients are served by 8 endpoints.",
    );
    let question = json!({"service": "api", "clients": "app=web"}).to_string();
    let question: Question<'_> = serde_json::from_str(&question).unwrap();
    let list = text(&with("w-d"));
    let half = api::explained(list.as_bytes(), &question, Limits::default()).unwrap();
    let verdict = &half.services[0].verdict;
    assert_eq!(verdict.severity, Severity::Degraded);
    let starts = "50 % of the clients are not served on http/TCP: ";
    assert!(verdict.text.starts_with(starts), "{verdict:?}");
}

#[test]
fn traffic_starts_at_the_clients() {
    let items = cluster(&[("shop", "w-a"), ("shop", "w-b"), ("bank", "w-b")], None);
    let traffic = |clients: &str| {
        let mut options = TrafficOptions::default();
        options.clients = Some(ClientSelector::parse(clients).unwrap());
        api::with_traffic(text(&items).as_bytes(), &options, Limits::default())
    };
    let answer = traffic("app=web").unwrap();
    let shares: Vec<_> = answer
        .nodes
        .iter()
        .map(|node| (&*node.node, &*node.zone, node.share))
        .collect();
    assert_eq!(shares, [("w-a", "a", 1.0 / 3.0), ("w-b", "b", 2.0 / 3.0)]);
    assert!(
        answer
            .assumption
            .starts_with("Assumes that all client pods"),
        "{}",
        answer.assumption
    );
    assert!((answer.ports[0].overload - 1.0).abs() < 1e-9);
    let none = traffic("app=nobody").unwrap_err();
    assert_eq!(
        none.message(),
        "`app=nobody` selects none of the 15 pods in the input"
    );
}

#[test]
fn clients_that_are_not_there_are_an_error() {
    let list = text(&cluster(&[("shop", ""), ("shop", "w-a")], None));
    let ask = |clients: &str| {
        let question = json!({"clients": clients}).to_string();
        let error = api::explain(list.as_bytes(), question.as_bytes()).unwrap_err();
        assert_eq!(error.path(), Some("/clients"));
        error.message().to_owned()
    };
    assert_eq!(
        ask("app=nobody"),
        "`app=nobody` selects none of the 14 pods in the input"
    );
    assert_eq!(
        ask("bank/app=web"),
        "`bank/app=web` selects none of the 14 pods in the input"
    );
    assert!(ask("app=a b").contains("is not a selector of labels"));
}
