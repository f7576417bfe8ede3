//! Traffic of requests and of objects: the same as routes report node by node, and what is reported if there is no
//! traffic.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{service, slice};
use crate::api::{self, Limits, RouteOptions, TrafficOptions};
use crate::model::AddressType;

fn traffic(request: &Value) -> Value {
    serde_json::from_slice(&api::traffic(request.to_string().as_bytes()).unwrap()).unwrap()
}

fn route(request: &Value) -> Value {
    serde_json::from_slice(&api::route(request.to_string().as_bytes()).unwrap()).unwrap()
}

fn node(name: &str, zone: &str) -> Value {
    json!({"name": name, "labels": {"topology.kubernetes.io/zone": zone}})
}

fn list(items: &[Value]) -> Value {
    json!({"kind": "List", "apiVersion": "v1", "items": items})
}

fn node_object(name: &str, zone: &str) -> Value {
    json!({"kind": "Node", "apiVersion": "v1", "metadata": node(name, zone)})
}

/// The codes of warnings.
fn warnings(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

/// The endpoints that a port's nodes use, node by node.
fn uses(answer: &Value, port: &Value) -> Vec<Vec<String>> {
    let nodes = answer["nodes"].as_array().unwrap().iter().enumerate();
    let of_node = |(place, _): (usize, &Value)| {
        let mut groups = port["groups"].as_array().unwrap().iter();
        let group = groups.find(|group| group["nodes"].as_array().unwrap().contains(&place.into()));
        let used = group.expect("it is in no group")["uses"]
            .as_array()
            .unwrap()
            .iter();
        let name = |used: &Value| {
            let endpoint = &port["endpoints"][used.as_u64().unwrap() as usize];
            endpoint["endpoint"].as_str().unwrap().to_owned()
        };
        used.map(name).collect()
    };
    nodes.map(of_node).collect()
}

/// A pod is deleted on one node, and its address is reused on another: the slice with the ready endpoint counts,
/// whichever comes first.
#[test]
fn an_address_is_where_the_endpoint_is_that_counts() {
    let endpoint = |node: &str, zone: &str, ready: bool| {
        json!([{"addresses": ["10.0.0.1"], "nodeName": node, "zone": zone,
            "conditions": {"ready": ready, "serving": true, "terminating": !ready}}])
    };
    let old = slice("a", &endpoint("n1", "a", false));
    let new = slice("b", &endpoint("n2", "b", true));
    let both = slice(
        "a",
        &json!([endpoint("n2", "b", true)[0], endpoint("n1", "a", false)[0]]),
    );
    for slices in [vec![old.clone(), new.clone()], vec![new, old], vec![both]] {
        let request = json!({
            "service": service(&json!({"internalTrafficPolicy": "Local"})), "slices": slices,
            "nodes": [node("n1", "a"), node("n2", "b")],
        });
        let answer = traffic(&request);
        let port = &answer["ports"][0];
        let endpoint = &port["endpoints"][0];
        assert_eq!(
            (&endpoint["node"], &endpoint["zone"]),
            (&json!("n2"), &json!("b"))
        );
        assert_eq!(
            uses(&answer, port),
            [vec![], vec!["10.0.0.1:80".to_owned()]]
        );
    }
}

/// Slices by their address, port set, state, node and hint of each endpoint.
type Given = Vec<(u8, Vec<(u8, u8, u8, u8)>)>;

fn random_slices(given: &Given) -> Vec<Value> {
    let endpoint = |(address, state, node, hint): &(u8, u8, u8, u8)| {
        let (ready, serving, terminating) = match state {
            0..=2 => (true, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            _ => (false, false, false),
        };
        let hints = match hint {
            0 => Value::Null,
            1..=3 => json!({"forZones": [{"name": format!("z{}", hint % 2)}]}),
            _ => json!({"forZones": [{"name": "z0"}], "forNodes": [{"name": format!("n{node}")}]}),
        };
        json!({
            "addresses": [format!("10.0.0.{address}")],
            "nodeName": (*node < 4).then(|| format!("n{node}")),
            "zone": format!("z{}", node % 2),
            "conditions": {"ready": ready, "serving": serving, "terminating": terminating},
            "hints": hints,
        })
    };
    let slice_of = |(number, (ports, endpoints)): (usize, &(u8, Vec<_>))| {
        let endpoints: Vec<Value> = endpoints.iter().map(endpoint).collect();
        let mut slice = slice(&format!("s{}", (number * 7) % 5), &json!(endpoints));
        let port = |number: u16| json!({"name": "http", "port": number, "protocol": "TCP"});
        slice["ports"] = match ports {
            0 => json!([port(80), port(8080)]),
            1 => json!([port(8080)]),
            _ => json!([port(80)]),
        };
        slice
    };
    given.iter().enumerate().map(slice_of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Slices that have an address more than once, within themselves and across slices.
    #[test]
    fn traffic_is_what_routes_say_node_by_node(
        given in prop::collection::vec((0..4_u8, prop::collection::vec((0..5_u8, 0..6_u8, 0..5_u8, 0..6_u8), 0..6)), 0..4),
        is_local in any::<bool>(),
        with_node_hints in any::<bool>(),
    ) {
        let policy = if is_local { "Local" } else { "Cluster" };
        let common = json!({
            "service": service(&json!({"internalTrafficPolicy": policy})),
            "slices": random_slices(&given),
            "preferSameTrafficDistribution": with_node_hints,
        });
        let nodes: Vec<Value> = (0..6).map(|number| node(&format!("n{number}"), &format!("z{}", number % 3))).collect();
        let mut request = common.clone();
        request["nodes"] = json!(nodes);
        let answer = traffic(&request);
        let used = uses(&answer, &answer["ports"][0]);
        for (node, used) in nodes.iter().zip(used) {
            let mut request = common.clone();
            request["node"] = node.clone();
            let route = &route(&request)["routes"]["shop/web:http/TCP"];
            let list = if is_local { "local" } else { "cluster" };
            prop_assert_eq!(&json!(used), &route[list], "{}", node);
        }
    }
}

/// Each Service only visits its own slices and ports: all combinations would be hundreds of millions of steps.
#[test]
fn many_services_are_answered_one_by_one() {
    const COUNT: usize = 8_000;
    let mut items = vec![node_object("n1", "a")];
    for number in 0..COUNT {
        let name = format!("web-{number}");
        let mut service = service(&json!({}));
        service["metadata"]["name"] = json!(name);
        let mut slice = slice(&name, &json!([{"addresses": ["10.0.0.1"]}]));
        slice["metadata"]["labels"]["kubernetes.io/service-name"] = json!(name);
        items.extend([service, slice]);
    }
    let input = list(&items).to_string();
    let limits = Limits::default();
    let answer = api::with_traffic(input.as_bytes(), &TrafficOptions::default(), limits).unwrap();
    assert_eq!(answer.ports.len(), COUNT);
    assert!(answer.ports.iter().all(|port| port.unserved == 0.0));
    let options = {
        let mut made = RouteOptions::default();
        made.node = Some("n1".to_owned());
        made
    };
    let answer = api::with_route(input.as_bytes(), &options, limits).unwrap();
    assert_eq!(answer.routes.iter().count(), COUNT);
    assert!(answer.not_proxied.is_empty());
}

/// An answer about more nodes and ports than the budget allows is refused before it is computed.
#[test]
fn answers_are_bounded() {
    let mut items: Vec<Value> = (0..4_100)
        .map(|number| node_object(&format!("n{number}"), "a"))
        .collect();
    for number in 0..1_000 {
        let mut service = service(&json!({}));
        service["metadata"]["name"] = json!(format!("web-{number}"));
        items.push(service);
    }
    let input = list(&items).to_string();
    let answer = |service: Option<&str>| {
        let options = {
            let mut made = TrafficOptions::default();
            made.service = service.map(ToOwned::to_owned);
            made
        };
        api::with_traffic(input.as_bytes(), &options, Limits::default())
    };
    let error = answer(None).unwrap_err();
    assert_eq!(error.code().as_str(), "TooLarge");
    assert!(error.message().ends_with("ask for one Service"), "{error}");
    assert_eq!(answer(Some("shop/web-7")).unwrap().ports.len(), 1);
}

#[test]
fn what_is_not_proxied_is_told() {
    let check = |spec: Value, expected: &str, message: &str| {
        let request = json!({"service": service(&spec), "slices": [slice("a", &json!([]))],
            "nodes": [node("n1", "a")], "addressType": "IPv4"});
        let answer = traffic(&request);
        assert_eq!(answer["ports"], json!([]));
        assert_eq!(
            answer["notProxied"],
            json!([{"service": "shop/web", "rule": expected, "message": message}])
        );
        assert_eq!(answer["warnings"], json!([]));
    };
    let headless = "it is headless: clients find its endpoints by DNS";
    check(json!({"clusterIP": "None"}), "Headless", headless);
    let name = "it is an alias for another host";
    check(json!({"type": "ExternalName"}), "ExternalName", name);
    let other = "it has no IPv4 address";
    check(json!({"clusterIP": "fd00::1"}), "OtherFamily", other);
    check(json!({"ports": []}), "NoPorts", "it has no ports");
}

#[test]
fn what_an_input_lacks_is_told() {
    let check = |items: &[Value], expected: &[&str]| {
        assert_eq!(warnings(&traffic(&list(items))), expected, "{items:?}");
    };
    let pod =
        json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"namespace": "shop", "name": "p"}});
    let all = ["NoServices", "NoSlices", "NoNodes"];
    check(&[], &all);
    check(&[pod], &all);
    let (service, slice) = (service(&json!({})), slice("a", &json!([])));
    check(std::slice::from_ref(&service), &["NoSlices", "NoNodes"]);
    check(&[service.clone(), node_object("n", "a")], &["NoSlices"]);
    check(&[service.clone(), slice, node_object("n", "a")], &[]);
    let request = json!({"service": service, "node": {"name": "n"}});
    assert_eq!(warnings(&route(&request)), ["NoSlices"]);
}

/// Application teams often may not read nodes. Slices name those with endpoints, and their zones.
#[test]
fn slices_name_nodes_if_no_others_are_known() {
    let endpoint = |ip: &str, node: &str, zone: &str| json!({"addresses": [ip], "nodeName": node, "zone": zone});
    let hinted = |mut endpoint: Value, zone: &str| {
        endpoint["hints"] = json!({"forZones": [{"name": zone}]});
        endpoint
    };
    let mut one = slice(
        "a",
        &json!([
            hinted(endpoint("10.0.0.1", "n1", "a"), "a"),
            hinted(endpoint("10.0.0.2", "n2", "b"), "b"),
        ]),
    );
    let mut other = slice("b", &json!([endpoint("10.0.0.9", "n3", "a")]));
    for object in [&mut one, &mut other] {
        object["kind"] = "EndpointSlice".into();
    }
    other["metadata"]["labels"]["kubernetes.io/service-name"] = "other".into();
    let items = [service(&json!({})), one, other];
    let answer = traffic(&list(&items));
    let nodes = json!(["n1", "n2", "n3"]);
    let named: Vec<&Value> = answer["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| &node["node"])
        .collect();
    assert_eq!(json!(named), nodes);
    let known: Vec<Value> = [("n1", "a"), ("n2", "b"), ("n3", "a")]
        .map(|(name, zone)| node_object(name, zone))
        .into();
    let told = traffic(&list(&[&items[..], &known].concat()));
    assert_eq!(answer["ports"], told["ports"]);
    assert_eq!(
        (warnings(&answer), warnings(&told)),
        (vec!["NoNodes"], vec![])
    );
    assert_ne!(answer["assumption"], told["assumption"]);
    // A list of nodes that is there and empty names none.
    let mut none = list(&items);
    let empty = json!({"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": []});
    none["items"].as_array_mut().unwrap().push(empty);
    assert_eq!(traffic(&none)["nodes"], json!([]));

    let route = |node: &str, items: &[Value]| {
        let options = {
            let mut made = RouteOptions::default();
            made.node = Some(node.to_owned());
            made
        };
        let input = list(items).to_string();
        let answer = api::with_route(input.as_bytes(), &options, Limits::default());
        serde_json::to_value(answer.unwrap()).unwrap()
    };
    let with_nodes = [&items[..], &known].concat();
    assert_eq!(route("n2", &items), route("n2", &with_nodes));
    let unknown = route("n9", &items);
    assert_eq!(
        (&unknown["zone"], warnings(&unknown)),
        (&json!(""), vec!["NoNodes"])
    );
}

/// Without traffic, nothing is reported about it: neither that all of it is served, nor that an endpoint is below its
/// share.
#[test]
fn traffic_comes_from_somewhere() {
    let endpoints = json!([{"addresses": ["10.0.0.1"]}]);
    let request = json!({"service": service(&json!({})), "slices": [slice("a", &endpoints)]});
    let answer = traffic(&request);
    assert_eq!(
        (&answer["ports"], &answer["nodes"]),
        (&json!([]), &json!([]))
    );
    assert_eq!(warnings(&answer), ["NoNodes"]);
    let mut request = request;
    request["nodes"] = json!([node("n1", "a"), node("n2", "a")]);
    request["clients"] = json!([{"node": "n1", "weight": 0}, {"node": "n2", "weight": 0}]);
    check_error(&request, "InvalidValue /clients");
    request["clients"] = json!([{"node": "n1", "weight": 0}]);
    assert_eq!(traffic(&request)["nodes"][1]["share"], json!(1.0));
}

#[track_caller]
fn check_error(input: &Value, expected: &str) {
    let error = api::traffic(input.to_string().as_bytes()).expect_err("it was taken");
    let path = error.path().unwrap_or_default();
    assert_eq!(format!("{} {path}", error.code().as_str()), expected);
}

#[test]
fn what_is_given_twice_and_differs_is_an_error() {
    let (service, slice) = (service(&json!({})), slice("a", &json!([])));
    let node = node_object("n", "a");
    for (twice, path) in [(&service, "2"), (&slice, "2"), (&node, "2")] {
        let mut other = twice.clone();
        other["metadata"]["labels"]["topology.kubernetes.io/zone"] = "other".into();
        let items = list(&[twice.clone(), json!({"kind": "Secret"}), other]);
        check_error(
            &items,
            &format!("DuplicateName /items/{path}/metadata/name"),
        );
        let options = {
            let mut made = RouteOptions::default();
            made.node = Some("n".to_owned());
            made.zone = Some("a".to_owned());
            made
        };
        let input = items.to_string();
        let error = api::with_route(input.as_bytes(), &options, Limits::default()).unwrap_err();
        assert_eq!(error.code().as_str(), "DuplicateName");
        assert!(error.line().is_some(), "{error:?}");
    }
    let short = json!({"name": "n"});
    let request = json!({"service": service, "nodes": [short, short]});
    check_error(&request, "DuplicateName /nodes/1");
    let client = json!({"node": "n"});
    let request = json!({"service": service, "nodes": [short], "clients": [client, client]});
    check_error(&request, "DuplicateName /clients/1/node");
}

/// The Service is chosen first, then its first family.
#[test]
fn one_service_brings_its_own_family() {
    let mut six = service(
        &json!({"clusterIP": "fd00::1", "clusterIPs": ["fd00::1"], "ipFamilies": ["IPv6"]}),
    );
    six["metadata"]["name"] = json!("six");
    let input = list(&[service(&json!({})), six, node_object("n", "a")]).to_string();
    let limits = Limits::default();
    let of = |service: &str| {
        let service = Some(service.to_owned());
        let traffic = {
            let mut made = TrafficOptions::default();
            made.service = service.clone();
            made
        };
        let route = {
            let mut made = RouteOptions::default();
            made.service = service;
            made.node = Some("n".to_owned());
            made
        };
        let traffic = api::with_traffic(input.as_bytes(), &traffic, limits)?;
        let route = api::with_route(input.as_bytes(), &route, limits)?;
        assert_eq!(traffic.address_type, route.address_type);
        assert_eq!((traffic.ports.len(), route.routes.iter().count()), (1, 1));
        Ok::<_, crate::Error>(route.address_type)
    };
    assert_eq!(of("shop/six"), Ok(AddressType::IPv6));
    assert_eq!(of("shop/web"), Ok(AddressType::IPv4));
    let message = "there is no Service `shop/seven` in the input; it has `shop/six`, `shop/web`";
    assert_eq!(of("shop/seven").unwrap_err().message(), message);
}

#[test]
fn one_service_of_a_request_is_that_of_the_request() {
    let input = json!({"service": service(&json!({})), "node": {"name": "n"}}).to_string();
    let options = {
        let mut made = RouteOptions::default();
        made.service = Some("shop/other".to_owned());
        made
    };
    let error = api::with_route(input.as_bytes(), &options, Limits::default()).unwrap_err();
    assert_eq!(error.code().as_str(), "InvalidValue");
}

/// Objects do not say from which node they are viewed, and not every interface has another way to say it.
#[test]
fn a_route_of_objects_needs_a_request() {
    let input = list(&[service(&json!({}))]).to_string();
    let error = api::route(input.as_bytes()).unwrap_err();
    assert!(
        error.message().contains("give a request, `{\"service\""),
        "{error}"
    );
}
