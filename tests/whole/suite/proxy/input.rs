//! Unusual input: treated as in the reference if possible, otherwise an error.

use serde_json::{Value, json};

use super::{added, answers, deleted, endpoints, on_node, service, slice};
use crate::api::{Limits, ProxyStream};

/// What a proxy derives from one slice.
#[track_caller]
fn check(slice: &Value, expected: &[&str]) {
    let lines = [added(slice), json!({"sync": "endpoints"})];
    let answers = answers(on_node(), &lines);
    assert_eq!(endpoints(&answers[0]), expected);
}

fn with_ports(ports: &Value) -> Value {
    let mut slice = slice("a", &json!([{"addresses": ["10.0.0.1"]}]));
    slice["ports"] = ports.clone();
    slice
}

#[test]
fn ports_without_name_or_number_stand_for_nothing() {
    check(&with_ports(&json!(null)), &[]);
    check(&with_ports(&json!([])), &[]);
    check(&with_ports(&json!([{"port": 80, "protocol": "TCP"}])), &[]);
    check(
        &with_ports(&json!([{"name": "http", "protocol": "TCP"}])),
        &[],
    );
    check(
        &with_ports(&json!([{"name": "http", "port": 0, "protocol": "TCP"}])),
        &[],
    );
    check(
        &with_ports(&json!([{"name": "", "port": 80, "protocol": "TCP"}])),
        &["shop/web/TCP 10.0.0.1:80"],
    );
    check(
        &with_ports(&json!([{"name": "x", "port": -1, "protocol": "TCP"}])),
        &["shop/web:x/TCP 10.0.0.1:-1"],
    );
}

#[test]
fn a_port_without_protocol_is_tcp() {
    check(
        &with_ports(&json!([{"name": "http", "port": 80}])),
        &["shop/web:http/TCP 10.0.0.1:80"],
    );
}

#[test]
fn protocols_are_taken_as_they_stand() {
    check(
        &with_ports(&json!([{"name": "x", "port": 80, "protocol": "QUIC"}])),
        &["shop/web:x/QUIC 10.0.0.1:80"],
    );
}

#[test]
fn bad_addresses_are_written_as_go_writes_them() {
    let of = |address: &str| slice("a", &json!([{"addresses": [address]}]));
    check(&of("web.example"), &["shop/web:http/TCP <nil>:80"]);
    check(&of("010.0.0.01"), &["shop/web:http/TCP 10.0.0.1:80"]);
    // The slice says IPv4, which is not checked.
    check(&of("FD00:0::1"), &["shop/web:http/TCP [fd00::1]:80"]);
    check(&of("::ffff:10.0.0.1"), &["shop/web:http/TCP 10.0.0.1:80"]);
    check(&slice("a", &json!([{"addresses": []}])), &[]);
    check(&slice("a", &json!([{}])), &[]);
    check(
        &slice("a", &json!([{"addresses": ["10.0.0.2", "10.0.0.1"]}])),
        &["shop/web:http/TCP 10.0.0.2:80"],
    );
}

#[test]
fn slices_of_others_are_not_looked_at() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut slice = slice("a", &json!([{"addresses": ["10.0.0.1"]}]));
        change(&mut slice);
        slice
    };
    for kind in ["FQDN", "IPv6", "ipv4"] {
        check(&with(&|slice| slice["addressType"] = json!(kind)), &[]);
    }
    check(
        &with(&|slice| slice["metadata"]["labels"] = json!(null)),
        &[],
    );
    check(
        &with(&|slice| slice["metadata"]["labels"] = json!({"kubernetes.io/service-name": ""})),
        &[],
    );
    check(
        &with(&|slice| slice["metadata"]["namespace"] = json!("")),
        &[],
    );
}

#[test]
fn what_is_not_said_is_ready() {
    let slice = slice(
        "a",
        &json!([{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"], "conditions": {"ready": null, "terminating": true}}]),
    );
    let answers = answers(on_node(), &[added(&slice), json!({"sync": "endpoints"})]);
    let of = |place: usize| {
        let endpoint = &answers[0]["endpoints"]["shop/web:http/TCP"][place];
        ["ready", "serving", "terminating", "local"].map(|field| endpoint[field].as_bool().unwrap())
    };
    assert_eq!(of(0), [true, true, false, false]);
    assert_eq!(of(1), [true, true, true, false]);
}

#[test]
fn of_an_endpoint_in_several_slices_the_last_name_wins() {
    let of = |name: &str, ready: bool, terminating: bool| {
        added(&slice(
            name,
            &json!([{"addresses": ["10.0.0.1"], "conditions": {"ready": ready, "terminating": terminating}, "hints": {"forZones": [{"name": name}]}}]),
        ))
    };
    let check = |lines: &[Value], expected: &str| {
        let mut lines = lines.to_vec();
        for _ in 0..2 {
            lines.push(json!({"sync": "endpoints"}));
            let answers = answers(on_node(), &lines);
            let of_port = &answers.last().unwrap()["endpoints"]["shop/web:http/TCP"];
            assert_eq!(of_port.as_array().unwrap().len(), 1);
            assert_eq!(of_port[0]["zoneHints"], json!([expected]));
            lines.pop();
            lines.reverse();
        }
    };
    check(
        &[
            of("a", true, false),
            of("b", false, false),
            of("c", true, true),
        ],
        "b",
    );
    check(&[of("a", true, false), of("b", false, true)], "a");
    check(&[of("a", false, true), of("b", false, true)], "a");
}

#[test]
fn an_empty_list_is_none() {
    let mut other = slice("a", &json!([]));
    let lines = |other: &Value| {
        [
            added(&slice("a", &json!([]))),
            json!({"sync": true}),
            added(other),
            json!({"sync": true}),
        ]
    };
    other["endpoints"] = json!(null);
    other["metadata"]["annotations"] = json!({});
    other["newInALaterVersion"] = json!(1);
    assert_eq!(
        answers(on_node(), &lines(&other))[1]["updatedServices"],
        json!([])
    );
    other["metadata"]["resourceVersion"] = json!("2");
    assert_eq!(
        answers(on_node(), &lines(&other))[1]["updatedServices"],
        json!(["shop/web"])
    );
}

#[test]
fn a_slice_that_changes_its_service_stays_with_the_first() {
    let first = slice("a", &json!([{"addresses": ["10.0.0.1"]}]));
    let mut second = first.clone();
    second["metadata"]["labels"]["kubernetes.io/service-name"] = json!("api");
    let lines = [
        added(&first),
        json!({"type": "MODIFIED", "object": second}),
        json!({"sync": "endpoints"}),
        deleted(&second),
        json!({"sync": "endpoints"}),
    ];
    let answers = answers(on_node(), &lines);
    assert_eq!(
        endpoints(&answers[0]),
        [
            "shop/api:http/TCP 10.0.0.1:80",
            "shop/web:http/TCP 10.0.0.1:80"
        ]
    );
    assert_eq!(endpoints(&answers[1]), ["shop/web:http/TCP 10.0.0.1:80"]);
}

#[test]
fn affinity_without_a_timeout_lasts_as_by_default() {
    let mut stream = ProxyStream::new(on_node());
    let service = service(&json!({"sessionAffinity": "ClientIP"}));
    for line in [added(&service), json!({"sync": true})] {
        stream
            .feed(
                line.to_string().as_bytes(),
                Limits::default(),
                &mut Vec::new(),
            )
            .unwrap();
    }
    let (_, port) = stream.proxier().service_ports().next().unwrap();
    assert_eq!(port.sticky_max_age_seconds, 10_800);
}

#[test]
fn of_two_services_with_one_frontend_the_last_has_it() {
    let of = |name: &str, ip: &str, address: &str| {
        let port = json!({"name": "dns", "port": 53, "protocol": "UDP"});
        let mut service =
            service(&json!({"clusterIP": ip, "externalIPs": ["192.0.2.1"], "ports": [port]}));
        service["metadata"]["name"] = json!(name);
        let mut slice = slice(name, &json!([{"addresses": [address]}]));
        slice["ports"] = json!([port]);
        slice["metadata"]["labels"]["kubernetes.io/service-name"] = json!(name);
        [added(&service), added(&slice)]
    };
    let entry = |reply: &str| {
        json!({"protocol": "UDP",
            "origin": {"src": "10.9.9.9", "dst": "192.0.2.1", "srcPort": 1000, "dstPort": 53},
            "reply": {"src": reply, "dst": "10.9.9.9", "srcPort": 53, "dstPort": 1000}})
    };
    let mut lines = [
        of("b", "10.96.0.2", "10.0.0.2"),
        of("a", "10.96.0.1", "10.0.0.1"),
    ]
    .concat();
    lines.push(json!({"sync": {"conntrack": [entry("10.0.0.1"), entry("10.0.0.2")]}}));
    assert_eq!(answers(on_node(), &lines)[0]["staleConntrack"], json!([0]));
}

#[test]
fn a_node_that_goes_leaves_its_zone_behind() {
    let node = |name: &str, zone: &str| json!({"kind": "Node", "apiVersion": "v1", "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}}});
    let hinted = slice(
        "a",
        &json!([
            {"addresses": ["10.0.0.1"], "hints": {"forZones": [{"name": "a"}]}},
            {"addresses": ["10.0.0.2"], "hints": {"forZones": [{"name": "b"}]}},
        ]),
    );
    let sync = json!({"sync": true});
    let lines = [
        added(&service(&json!({}))),
        added(&hinted),
        sync.clone(),
        added(&node("node-1", "a")),
        added(&node("node-2", "b")),
        sync.clone(),
        deleted(&node("node-1", "a")),
        sync.clone(),
        added(&node("node-1", "")),
        sync,
    ];
    let answers = answers(on_node(), &lines);
    let used = |answer: &Value| {
        answer["routes"]["shop/web:http/TCP"]["cluster"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(answers.iter().map(used).collect::<Vec<_>>(), [2, 1, 1, 2]);
}

#[track_caller]
fn check_error(line: &str, expected: &str) {
    let mut stream = ProxyStream::new(on_node());
    let mut output = Vec::new();
    let error = stream.feed(line.as_bytes(), Limits::default(), &mut output);
    let error = error.expect_err("it was taken");
    assert!(output.is_empty());
    let path = error.path().unwrap_or_default();
    assert_eq!(
        format!("{} {path}", error.code().as_str()),
        expected,
        "{line}"
    );
    assert!(error.line().is_some(), "{line}");
}

#[test]
fn lines_that_cannot_be_read_are_errors() {
    check_error("", "InvalidJson ");
    check_error("{", "InvalidJson ");
    check_error("7", "InvalidType ");
    check_error("{}", "MissingField ");
    check_error(r#"{"sink": true}"#, "UnknownField /sink");
    check_error(r#"{"sync": false}"#, "InvalidValue /sync");
    check_error(r#"{"sync": "all"}"#, "InvalidValue /sync");
    check_error(r#"{"sync": true, "type": "ADDED"}"#, "InvalidValue /sync");
    check_error(r#"{"type": "ADDED"}"#, "MissingField /object");
    check_error(r#"{"object": {}}"#, "MissingField /type");
    check_error(
        r#"{"type": "SEEN", "object": {"kind": "Node"}}"#,
        "InvalidValue /type",
    );
    check_error(
        r#"{"type": "ADDED", "object": {}}"#,
        "MissingField /object/kind",
    );
    check_error(
        r#"{"type": "ADDED", "object": {"kind": "Pod", "metadata": {"name": "p"}}}"#,
        "Unsupported /object/kind",
    );
    check_error(
        r#"{"type": "ADDED", "object": {"kind": "Service", "metadata": {}}}"#,
        "MissingField /object/metadata/name",
    );
    check_error(
        r#"{"type": "ADDED", "object": {"kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [{"port": "80"}]}}}"#,
        "InvalidType /object/spec/ports/0/port",
    );
    check_error(
        r#"{"type": "ADDED", "object": {"kind": "EndpointSlice", "metadata": {"name": "a"}}}"#,
        "MissingField /object/addressType",
    );
    check_error(
        r#"{"type": "ADDED", "object": {"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1beta1", "metadata": {"name": "a"}}}"#,
        "Unsupported /object/apiVersion",
    );
    check_error(
        r#"{"sync": {"conntrack": [{}]}}"#,
        "MissingField /sync/conntrack/0/protocol",
    );
    let entry = |origin: &str| {
        format!(
            r#"{{"sync": {{"conntrack": [{{"protocol": 17, "origin": {origin}, "reply": {{"src": "10.0.0.1", "dst": "10.0.0.2"}}}}]}}}}"#
        )
    };
    check_error(
        &entry(r#"{"src": "10.0.0.1"}"#),
        "MissingField /sync/conntrack/0/origin/dst",
    );
    check_error(
        &entry(r#"{"src": "x", "dst": "10.0.0.1"}"#),
        "InvalidValue /sync/conntrack/0/origin/src",
    );
    check_error(
        &entry(r#"{"src": "10.0.0.2", "dst": "10.0.0.1", "dstPort": 65536}"#),
        "InvalidValue /sync/conntrack/0/origin/dstPort",
    );
    check_error(
        &entry(r#"{"src": "10.0.0.2", "dst": "10.0.0.1", "port": 1}"#),
        "UnknownField /sync/conntrack/0/origin/port",
    );
}

/// Each port lists all endpoints: some megabytes of input would become terabytes of output.
#[test]
fn slices_with_too_many_ports_are_errors() {
    let port = json!({"name": "http", "port": 80, "protocol": "UDP"});
    let endpoint = json!({"addresses": ["10.0.0.1"]});
    let mut slice = slice("a", &json!(vec![endpoint; 1_001]));
    slice["ports"] = json!(vec![port; 1_000]);
    check_error(&added(&slice).to_string(), "TooLarge /object/ports");
    check_error(&deleted(&slice).to_string(), "TooLarge /object/ports");
    let request = json!({"service": service(&json!({})), "node": {"name": "n"}, "slices": [slice]});
    let error = crate::api::route(request.to_string().as_bytes()).expect_err("it was taken");
    assert_eq!(
        (error.code().as_str(), error.path()),
        ("TooLarge", Some("/slices/0/ports"))
    );
}
