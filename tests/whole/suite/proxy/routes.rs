//! One Service, its slices and a node: the endpoints, and the rules that applied.

use serde_json::{Value, json};

use super::{service, slice};
use crate::api;

fn answer(request: &Value) -> Value {
    serde_json::from_slice(&api::route(request.to_string().as_bytes()).unwrap()).unwrap()
}

/// An endpoint: its last octet, its node, the zones and nodes it is hinted to, and `t` if it is terminating, `x` if it
/// does not serve either.
fn endpoint((octet, node, zones, nodes, state): (u8, &str, &str, &str, &str)) -> Value {
    let names = |names: &str| -> Vec<Value> {
        let names = names.split_whitespace();
        names.map(|name| json!({"name": name})).collect()
    };
    json!({
        "addresses": [format!("10.0.0.{octet}")], "nodeName": node,
        "conditions": {"ready": state.is_empty(), "serving": !state.contains('x'), "terminating": !state.is_empty()},
        "hints": {"forZones": names(zones), "forNodes": names(nodes)},
    })
}

/// Node `n1` in zone `a`; the answer as `cluster | local | reachable | hasAny topology | rules`.
#[track_caller]
fn check(spec: &Value, endpoints: &[(u8, &str, &str, &str, &str)], expected: &str) {
    check_with(&json!({}), spec, endpoints, expected);
}

#[track_caller]
fn check_with(
    extra: &Value,
    spec: &Value,
    endpoints: &[(u8, &str, &str, &str, &str)],
    expected: &str,
) {
    let endpoints: Vec<Value> = endpoints.iter().map(|given| endpoint(*given)).collect();
    let mut request = json!({
        "service": service(spec),
        "slices": [slice("a", &json!(endpoints))],
        "node": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "a"}},
    });
    for (key, value) in extra.as_object().unwrap() {
        request[key] = value.clone();
    }
    let answer = answer(&request);
    let route = &answer["routes"]["shop/web:http/TCP"];
    let octets = |list: &str| -> String {
        let names = route[list].as_array().unwrap().iter();
        let octet = |name: &Value| {
            name.as_str()
                .unwrap()
                .split(['.', ':'])
                .nth(3)
                .unwrap()
                .to_owned()
        };
        names.map(octet).collect::<Vec<_>>().join(" ")
    };
    let rules = route["rules"].as_array().unwrap().iter();
    let rules: Vec<_> = rules.map(|rule| rule["rule"].as_str().unwrap()).collect();
    let shown = format!(
        "{} | {} | {} | {} {} | {}",
        octets("cluster"),
        octets("local"),
        octets("reachable"),
        route["hasAny"],
        route["topology"].as_str().unwrap(),
        rules.join(" ")
    );
    assert_eq!(shown, expected);
}

#[test]
fn hints_hold_for_all_or_for_none() {
    let none = json!({});
    check(&none, &[], " |  |  | false None | NoEndpoints");
    check(
        &none,
        &[(1, "n1", "", "", ""), (2, "n2", "", "", "")],
        "1 2 |  | 1 2 | true None | NoHints AllReady",
    );
    check(
        &none,
        &[(1, "n1", "a", "", ""), (2, "n2", "b", "", "")],
        "1 |  | 1 | true PreferSameZone | SameZone",
    );
    check(
        &none,
        &[(1, "n1", "a", "", ""), (2, "n2", "", "", "")],
        "1 2 |  | 1 2 | true None | ZoneHintMissing AllReady",
    );
    check(
        &none,
        &[(1, "n1", "c", "", ""), (2, "n2", "b", "", "")],
        "1 2 |  | 1 2 | true None | NoHintForZone AllReady",
    );
    check(
        &none,
        &[(1, "n1", "a", "n1", ""), (2, "n2", "a", "n2", "")],
        "1 |  | 1 | true PreferSameNode | SameNode",
    );
    check(
        &none,
        &[(1, "n3", "a", "n3", ""), (2, "n2", "b", "n2", "")],
        "1 |  | 1 | true PreferSameZone | NoHintForNode SameZone",
    );
    check(
        &none,
        &[(1, "n1", "a", "n1", ""), (2, "n2", "b", "", "")],
        "1 |  | 1 | true PreferSameZone | NodeHintMissing SameZone",
    );
    // Hints of endpoints that are not ready do not count.
    check(
        &none,
        &[(1, "n1", "a", "", ""), (2, "n2", "", "", "t")],
        "1 |  | 1 | true PreferSameZone | SameZone",
    );
    let off = json!({"preferSameTrafficDistribution": false});
    check_with(
        &off,
        &none,
        &[(1, "n1", "a", "n1", ""), (2, "n2", "a", "n2", "")],
        "1 2 |  | 1 2 | true PreferSameZone | NodeHintsOff SameZone",
    );
    let nowhere = json!({"node": {"metadata": {"name": "n1"}, "spec": {}}});
    check_with(
        &nowhere,
        &none,
        &[(1, "n1", "a", "", "")],
        "1 |  | 1 | true None | NodeWithoutZone AllReady",
    );
}

#[test]
fn terminating_endpoints_serve_when_there_is_no_other() {
    let none = json!({});
    check(
        &none,
        &[(1, "n1", "", "", "t"), (2, "n2", "", "", "tx")],
        "1 |  | 1 | true None | ServingTerminating",
    );
    check(
        &none,
        &[(2, "n2", "", "", "tx")],
        " |  |  | false None | NoUsableEndpoint",
    );
    let local = json!({"internalTrafficPolicy": "Local"});
    check(
        &local,
        &[(1, "n1", "", "", "t"), (2, "n2", "", "", "")],
        " | 1 | 1 | true None | ClusterPolicyUnused LocalServingTerminating",
    );
    let both = json!({"type": "NodePort", "externalTrafficPolicy": "Local", "ports": [{"name": "http", "port": 80, "nodePort": 30080, "protocol": "TCP"}]});
    check(
        &both,
        &[(1, "n1", "", "", "t"), (2, "n2", "", "", "")],
        "2 | 1 | 1 2 | true None | NoHints AllReady LocalServingTerminating",
    );
}

#[test]
fn the_policy_local_stays_on_the_node() {
    let local = json!({"internalTrafficPolicy": "Local"});
    check(
        &local,
        &[(1, "n1", "b", "", ""), (2, "n2", "a", "", "")],
        " | 1 | 1 | true None | ClusterPolicyUnused LocalReady",
    );
    check(
        &local,
        &[(2, "n2", "", "", "")],
        " |  |  | true None | ClusterPolicyUnused DroppedWithoutLocal",
    );
    check(
        &local,
        &[(2, "n2", "", "", "tx")],
        " |  |  | false None | ClusterPolicyUnused RefusedWithoutAny",
    );
    let port = json!([{"name": "http", "port": 80, "nodePort": 30080, "protocol": "TCP"}]);
    let external = json!({"type": "NodePort", "externalTrafficPolicy": "Local", "ports": port});
    check(
        &external,
        &[(1, "n1", "b", "", ""), (2, "n2", "a", "", "")],
        "2 | 1 | 1 2 | true PreferSameZone | SameZone LocalReady",
    );
    // Without an entry point for external traffic, its policy does not matter.
    let closed = json!({"type": "LoadBalancer", "externalTrafficPolicy": "Local"});
    check(
        &closed,
        &[(2, "n2", "", "", "")],
        "2 |  | 2 | true None | NoHints AllReady",
    );
}

#[test]
fn services_that_are_not_proxied_say_why() {
    let check = |spec: Value, expected: &str, message: &str| {
        let mut service = service(&spec);
        service["metadata"]["uid"] = "stored".into();
        let request = json!({"service": service, "slices": [], "node": {"name": "n1"}, "addressType": "IPv4"});
        let answer = answer(&request);
        assert_eq!(
            answer["notProxied"],
            json!([{"service": "shop/web", "rule": expected, "message": message}])
        );
    };
    let headless = "it is headless: clients find its endpoints by DNS";
    check(json!({"clusterIP": "None"}), "Headless", headless);
    check(json!({"clusterIP": ""}), "Headless", headless);
    let name = "it is an alias for another host";
    check(json!({"type": "ExternalName"}), "ExternalName", name);
    let other = "it has no IPv4 address";
    check(json!({"clusterIP": "fd00::1"}), "OtherFamily", other);
    check(
        json!({"ipFamilies": ["IPv6"], "clusterIPs": ["fd00::1"]}),
        "OtherFamily",
        other,
    );
    check(json!({"ports": []}), "NoPorts", "it has no ports");
}

/// As kube-proxy takes it.
#[test]
fn a_service_with_a_version_is_taken_as_it_stands() {
    let mut service =
        service(&json!({"clusterIP": "10.96.0.1", "clusterIPs": [], "ipFamilies": ["IPv4"]}));
    service["metadata"]["resourceVersion"] = "1".into();
    let request =
        json!({"service": service, "slices": [], "node": {"name": "n1"}, "addressType": "IPv4"});
    assert_eq!(answer(&request)["notProxied"][0]["rule"], "OtherFamily");
}

/// What a port without endpoints is missing.
#[test]
fn a_port_without_endpoints_says_what_it_lacks() {
    let check = |slices: &[Value], expected: &str| {
        let request =
            json!({"service": service(&json!({})), "slices": slices, "node": {"name": "n1"}});
        let answer = answer(&request);
        let rules = answer["routes"]["shop/web:http/TCP"]["rules"]
            .as_array()
            .unwrap();
        let [rule] = rules.as_slice() else {
            panic!("{rules:?}");
        };
        let text = |key: &str| rule[key].as_str().unwrap().to_owned();
        assert_eq!(format!("{}: {}", text("rule"), text("message")), expected);
    };
    let endpoints = json!([{"addresses": ["10.0.0.1"]}]);
    let of = |key: &str, value: Value| {
        let mut slice = slice("a", &endpoints);
        slice[key] = value;
        slice
    };
    let mut others = slice("a", &endpoints);
    others["metadata"]["labels"]["kubernetes.io/service-name"] = json!("other");
    let mut elsewhere = slice("a", &endpoints);
    elsewhere["metadata"]["namespace"] = json!("elsewhere");
    elsewhere["metadata"]["labels"] = json!({});
    let nothing = "NoSlices: no slice has the label kubernetes.io/service-name: web; there is nothing to send traffic to";
    check(&[], nothing);
    check(&[others, elsewhere], nothing);
    let mut unlabelled = slice("b", &endpoints);
    unlabelled["metadata"]["labels"] = json!({"app": "web"});
    check(
        &[unlabelled],
        "SlicesWithoutService: no slice has the label kubernetes.io/service-name: web; 1 of the namespace, such as b, do not name any Service",
    );
    let mut six = of("addressType", json!("IPv6"));
    six["endpoints"] = json!([{"addresses": ["fd00::1"]}]);
    check(
        &[six],
        "SlicesOfOtherType: no slice of this Service is for IPv4, its slices are for IPv6",
    );
    check(
        &[of(
            "ports",
            json!([{"name": "web", "port": 80}, {"name": "http", "protocol": "TCP"}, {"port": 81}]),
        )],
        "NoMatchingPort: no slice of this Service has the port http/TCP, they have (no name)/TCP, http/TCP without a number, web/TCP; a port must have the same name in the Service and in its slices",
    );
    check(
        &[slice("a", &json!([]))],
        "NoEndpoints: no slice of this Service has an endpoint; are there pods that match its selector, and are they on nodes?",
    );
}

#[test]
fn the_family_is_the_services_first() {
    let family = |spec: Value| {
        let request = json!({"service": service(&spec), "node": {"name": "n1"}});
        answer(&request)["addressType"].clone()
    };
    assert_eq!(family(json!({})), "IPv4");
    assert_eq!(family(json!({"clusterIP": "fd00::1"})), "IPv6");
    assert_eq!(
        family(json!({"clusterIP": "fd00::1", "ipFamilies": ["IPv6", "IPv4"]})),
        "IPv6"
    );
}

#[track_caller]
fn check_error(request: &Value, expected: &str) {
    let error = api::route(request.to_string().as_bytes()).expect_err("it was taken");
    let path = error.path().unwrap_or_default();
    assert_eq!(format!("{} {path}", error.code().as_str()), expected);
}

#[test]
fn requests_that_cannot_be_answered_are_errors() {
    check_error(&json!({}), "MissingField /service");
    check_error(
        &json!({"service": service(&json!({}))}),
        "MissingField /node",
    );
    check_error(
        &json!({"service": service(&json!({})), "node": {}}),
        "MissingField /node",
    );
    check_error(
        &json!({"service": service(&json!({})), "node": {"name": "n"}, "family": 1}),
        "UnknownField /family",
    );
    check_error(
        &json!({"service": service(&json!({})), "node": {"name": "n"}, "addressType": "FQDN"}),
        "InvalidValue /addressType",
    );
    let twice = json!([slice("a", &json!([])), slice("a", &json!([]))]);
    check_error(
        &json!({"service": service(&json!({})), "node": {"name": "n"}, "slices": twice}),
        "DuplicateName /slices/1/metadata/name",
    );
    check_error(&json!({"kind": "List", "items": []}), "MissingField ");
}

#[test]
fn what_is_written_by_hand_is_filled_in_as_an_api_server_would() {
    let mut request = json!({
        "service": service(&json!({"ipFamilies": ["IPv4"]})),
        "slices": [slice("a", &json!([endpoint((1, "n1", "", "", ""))]))],
        "node": {"name": "n1"},
    });
    for object in ["/service/metadata", "/slices/0/metadata"] {
        let metadata = request.pointer_mut(object).unwrap();
        metadata.as_object_mut().unwrap().remove("namespace");
    }
    let name = "default/web:http/TCP";
    assert_eq!(
        answer(&request)["routes"][name]["cluster"],
        json!(["10.0.0.1:80"])
    );

    request["nodes"] = json!([request["node"]]);
    request.as_object_mut().unwrap().remove("node");
    let traffic = api::traffic(request.to_string().as_bytes()).unwrap();
    let traffic: Value = serde_json::from_slice(&traffic).unwrap();
    assert_eq!(traffic["ports"][0]["servicePort"], name);
    assert_eq!(traffic["ports"][0]["unserved"], 0.0);
}
