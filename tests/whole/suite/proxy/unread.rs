//! What the reference's informers exclude, over a proxy's lifetime and in a single answer.

use serde_json::{Value, json};

use super::{added, answers, deleted, endpoints, on_node, service, slice};
use crate::api;

const SERVICE_LABEL: &str = "service.kubernetes.io/service-proxy-name";
const SLICE_LABEL: &str = "service.kubernetes.io/headless";

fn labelled(mut object: Value, label: &str, value: &str) -> Value {
    object["metadata"]["labels"][label] = json!(value);
    object
}

/// A slice with one endpoint and its own version.
fn version(name: &str, octet: u8) -> Value {
    let mut slice = slice(name, &json!([{"addresses": [format!("10.0.0.{octet}")]}]));
    slice["metadata"]["resourceVersion"] = json!(octet.to_string());
    slice
}

#[test]
fn a_service_comes_and_goes_with_its_label() {
    let handed = labelled(service(&json!({})), SERVICE_LABEL, "");
    let sync = json!({"sync": true});
    let lines = [
        added(&handed),
        sync.clone(),
        added(&service(&json!({}))),
        sync.clone(),
        added(&handed),
        sync.clone(),
        deleted(&handed),
        sync,
    ];
    let answers = answers(on_node(), &lines);
    let routes: Vec<usize> = answers
        .iter()
        .map(|answer| answer["routes"].as_object().unwrap().len())
        .collect();
    assert_eq!(routes, [0, 1, 0, 0]);
    let updated: Vec<_> = answers
        .iter()
        .map(|answer| &answer["updatedServicePorts"])
        .collect();
    let web = json!(["shop/web"]);
    assert_eq!(updated, [&json!([]), &web, &web, &json!([])]);
    let unread = json!([{"kind": "Service", "name": "shop/web", "label": SERVICE_LABEL}]);
    assert_eq!(answers[0]["unread"], unread);
    assert_eq!(answers[1]["unread"], Value::Null);
    assert_eq!(answers[2]["unread"], unread);
    assert_eq!(answers[3]["unread"], Value::Null);
}

#[test]
fn a_slice_comes_and_goes_with_its_label() {
    let sync = json!({"sync": "endpoints"});
    let headless = labelled(version("a", 2), SLICE_LABEL, "");
    let lines = [
        added(&headless),
        sync.clone(),
        added(&version("a", 1)),
        added(&version("b", 9)),
        sync.clone(),
        added(&headless),
        sync.clone(),
        added(&labelled(version("a", 3), SLICE_LABEL, "yes")),
        sync.clone(),
        added(&version("a", 4)),
        sync,
    ];
    let answers = answers(on_node(), &lines);
    let seen: Vec<String> = answers
        .iter()
        .map(|answer| endpoints(answer).join(" "))
        .collect();
    let (both, one) = (
        "shop/web:http/TCP 10.0.0.1:80 10.0.0.9:80",
        "shop/web:http/TCP 10.0.0.9:80",
    );
    let again = "shop/web:http/TCP 10.0.0.4:80 10.0.0.9:80";
    assert_eq!(seen, ["", both, one, one, again]);
    let updated: Vec<usize> = answers
        .iter()
        .map(|answer| answer["updatedServices"].as_array().unwrap().len())
        .collect();
    assert_eq!(updated, [0, 1, 1, 0, 1]);
    let unread = json!([{"kind": "EndpointSlice", "name": "shop/a", "label": SLICE_LABEL}]);
    assert_eq!(answers[2]["unread"], unread);
}

/// A watch reports once that an object is no longer selected, so notes about others in between stay.
#[test]
fn a_slice_that_is_out_stays_out_unseen() {
    let triggered = |name: &str, octet: u8| {
        let mut slice = version(name, octet);
        slice["metadata"]["annotations"] =
            json!({"endpoints.kubernetes.io/last-change-trigger-time": "2026-01-02T03:04:05Z"});
        slice
    };
    let out = |octet: u8| labelled(version("a", octet), SLICE_LABEL, "");
    let lines = [
        added(&version("a", 1)),
        json!({"sync": "endpoints"}),
        added(&out(2)),
        added(&triggered("b", 9)),
        added(&out(3)),
        deleted(&out(3)),
        json!({"sync": "endpoints"}),
    ];
    let answers = answers(on_node(), &lines);
    assert_eq!(
        answers[1]["triggerTimes"],
        json!({"shop/web": ["2026-01-02T03:04:05Z"]})
    );
}

#[test]
fn a_slice_that_moves_and_is_marked_at_once_stays_where_it_was() {
    let mut moved = labelled(version("a", 2), SLICE_LABEL, "");
    moved["metadata"]["labels"]["kubernetes.io/service-name"] = json!("api");
    let sync = json!({"sync": "endpoints"});
    let lines = [added(&version("a", 1)), sync.clone(), added(&moved), sync];
    let answers = answers(on_node(), &lines);
    assert_eq!(endpoints(&answers[1]), ["shop/web:http/TCP 10.0.0.1:80"]);
}

fn request(service: &Value, slices: &[Value]) -> Value {
    json!({"service": service, "slices": slices, "node": {"name": "n1"}})
}

#[track_caller]
fn routed(request: &Value) -> Value {
    serde_json::from_slice(&api::route(request.to_string().as_bytes()).unwrap()).unwrap()
}

#[test]
fn a_route_says_what_was_not_read() {
    let both = [labelled(version("a", 1), SLICE_LABEL, ""), version("b", 2)];
    let answer = routed(&request(&service(&json!({})), &both));
    let route = &answer["routes"]["shop/web:http/TCP"];
    assert_eq!(route["cluster"], json!(["10.0.0.2:80"]));
    let unread = json!([{"service": "shop/web", "slice": "a", "rule": "HeadlessLabel",
        "message": "kube-proxy does not read slice a: it has the label service.kubernetes.io/headless, which is for headless Services; remove the label"}]);
    assert_eq!(answer["unread"], unread);

    let only = routed(&request(&service(&json!({})), &both[..1]));
    let rules = &only["routes"]["shop/web:http/TCP"]["rules"];
    assert_eq!(rules[0]["rule"], "SlicesHeadless");
    assert_eq!(
        rules[0]["message"],
        "all slices of this Service have the label service.kubernetes.io/headless, which marks slices of headless Services, and those are not read; remove the label"
    );

    let handed = labelled(service(&json!({})), SERVICE_LABEL, "cilium");
    let answer = routed(&request(&handed, &both));
    assert_eq!(answer["routes"], json!({}));
    assert_eq!(answer["unread"], json!([]));
    assert_eq!(
        answer["notProxied"],
        json!([{"service": "shop/web", "rule": "OtherProxy",
        "message": "its label service.kubernetes.io/service-proxy-name assigns it to the proxy `cilium`, so kube-proxy ignores it; without the label, kube-proxy serves it"}])
    );
}

#[test]
fn traffic_says_what_was_not_read() {
    let mut both = vec![labelled(version("a", 1), SLICE_LABEL, ""), version("b", 2)];
    both[1]["endpoints"][0]["addresses"] = json!(["10.0.0.2", "10.0.0.3"]);
    let ask = |reader: &str| -> Value {
        let request = json!({"service": service(&json!({})), "slices": both, "nodes": [{"name": "n1"}], "reader": reader});
        serde_json::from_slice(&api::traffic(request.to_string().as_bytes()).unwrap()).unwrap()
    };
    let rules = |answer: &Value| -> Vec<String> {
        let unread = answer["unread"].as_array().unwrap().iter();
        unread
            .map(|unread| {
                format!(
                    "{} {}",
                    unread["slice"].as_str().unwrap(),
                    unread["rule"].as_str().unwrap()
                )
            })
            .collect()
    };
    let by_proxy = ask("kube-proxy");
    assert_eq!(rules(&by_proxy), ["a HeadlessLabel", "b LaterAddresses"]);
    assert_eq!(
        by_proxy["ports"][0]["endpoints"].as_array().unwrap().len(),
        1
    );
    let by_mesh = ask("linkerd");
    assert_eq!(rules(&by_mesh), ["b LaterAddresses"]);
    assert_eq!(
        by_mesh["ports"][0]["endpoints"].as_array().unwrap().len(),
        2
    );
}
