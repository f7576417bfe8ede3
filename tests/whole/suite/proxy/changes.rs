//! The reported changes, call by call: what is pending, what is new, and which UDP endpoints were gained or lost.

use serde_json::{Value, json};

use super::{on_node, service, slice};
use crate::model::{EndpointSlice, NamespacedName};
use crate::proxy::{Proxier, ServicePortName, Update};

/// Reads an object and passes it to the proxier; is that a change?
macro_rules! call {
    ($proxier:ident.$method:ident($json:expr)) => {{
        let text = $json.to_string();
        $proxier.$method(&serde_json::from_str(&text).unwrap())
    }};
}

fn port(protocol: &str) -> ServicePortName {
    ServicePortName {
        service: NamespacedName {
            namespace: "shop".into(),
            name: "web".into(),
        },
        port: "http".into(),
        protocol: protocol.into(),
    }
}

#[test]
fn what_came_is_pending_until_the_next_sync() {
    let mut proxier = Proxier::new(on_node());
    assert!(!proxier.is_pending());
    assert!(call!(proxier.set_service(service(&json!({})))));
    assert!(proxier.is_pending());
    assert_eq!(proxier.service_port(&port("TCP")), None);
    proxier.sync();
    assert!(!proxier.is_pending());
    let info = proxier.service_port(&port("TCP"));
    assert_eq!(info.map(|info| info.port), Some(80));
    assert!(call!(proxier.set_slice(slice("a", &json!([])))));
    assert!(proxier.is_pending());
}

#[test]
fn a_slice_that_is_no_longer_selected_goes_before_a_sync_too() {
    let mut proxier = Proxier::new(on_node());
    let mut slice = slice("a", &json!([{"addresses": ["10.0.0.1"]}]));
    assert!(call!(proxier.set_slice(slice)));
    slice["metadata"]["labels"]["service.kubernetes.io/headless"] = "".into();
    assert!(call!(proxier.set_slice(slice)));
    proxier.sync();
    assert_eq!(proxier.endpoint_ports().count(), 0);
}

#[test]
fn any_field_that_the_api_knows_makes_a_slice_another() {
    let mut base = slice(
        "a",
        &json!([{
            "addresses": ["10.0.0.1"],
            "conditions": {"ready": true, "serving": true, "terminating": false},
            "hostname": "h", "nodeName": "node-1", "zone": "a", "deprecatedTopology": {"rack": "1"},
            "targetRef": {"kind": "Pod", "namespace": "shop", "name": "p", "uid": "u"},
            "hints": {"forZones": [{"name": "a"}], "forNodes": [{"name": "node-1"}]},
        }]),
    );
    base["metadata"]["annotations"] = json!({"note": "1"});
    base["metadata"]["ownerReferences"] = json!([{"kind": "Service", "controller": true}]);
    for (field, value) in [
        ("/metadata/annotations/note", json!("2")),
        ("/metadata/labels/kubernetes.io~1service-name", json!("web")),
        ("/metadata/ownerReferences/0/kind", json!("Pod")),
        ("/metadata/ownerReferences/0/controller", json!(false)),
        ("/endpoints/0/addresses/0", json!("10.0.0.2")),
        ("/endpoints/0/conditions/ready", json!(false)),
        ("/endpoints/0/conditions/ready", Value::Null),
        ("/endpoints/0/conditions/serving", json!(false)),
        ("/endpoints/0/hostname", json!("i")),
        ("/endpoints/0/nodeName", json!("node-2")),
        ("/endpoints/0/zone", json!("b")),
        ("/endpoints/0/deprecatedTopology/rack", json!("2")),
        ("/endpoints/0/targetRef/name", json!("q")),
        ("/endpoints/0/hints/forZones/0/name", json!("b")),
        ("/endpoints/0/hints/forNodes/0/name", json!("node-2")),
        ("/ports/0/name", json!("https")),
        ("/ports/0/port", json!(81)),
    ] {
        let mut proxier = Proxier::new(on_node());
        assert!(call!(proxier.set_slice(base)));
        let mut other = base.clone();
        *other.pointer_mut(field).unwrap() = value;
        assert_eq!(call!(proxier.set_slice(other)), other != base, "{field}");
    }
}

#[test]
fn the_external_policy_counts_where_a_service_is_reached_from_outside() {
    for (service_type, external_ips, expected) in [
        ("ClusterIP", json!([]), false),
        ("ClusterIP", json!(["192.0.2.1"]), true),
        ("NodePort", json!([]), true),
        ("", json!(["192.0.2.1"]), false),
    ] {
        let spec = json!({"type": service_type, "externalIPs": external_ips, "externalTrafficPolicy": "Local"});
        let mut proxier = Proxier::new(on_node());
        call!(proxier.set_service(service(&spec)));
        proxier.sync();
        let info = proxier.service_port(&port("TCP")).unwrap();
        assert_eq!(info.external_policy_local, expected, "{spec}");
    }
}

/// A slice of the UDP port `http`: its endpoints by the last octet of their address, and whether each is serving.
fn udp(name: &str, endpoints: &[(u8, bool)]) -> Value {
    let endpoint = |(number, serving): &(u8, bool)| json!({"addresses": [format!("10.0.0.{number}")], "conditions": {"ready": serving, "serving": serving}});
    let endpoints: Vec<_> = endpoints.iter().map(endpoint).collect();
    let mut slice = slice(name, &json!(endpoints));
    slice["ports"][0]["protocol"] = "UDP".into();
    slice
}

/// Sets slices, each followed by a sync, and checks what each sync reports: `+` if the port has gained its first
/// endpoint, and the endpoints that are gone.
#[track_caller]
fn check(slices: &[Value], expected: &[&str]) {
    let mut proxier = Proxier::new(on_node());
    let said = |update: Update| {
        let gained = update.gained_udp_endpoints.iter().map(|_| "+".to_owned());
        let gone = update.deleted_udp_endpoints.iter();
        let gone = gone.map(|endpoint| endpoint.host.ip());
        gained.chain(gone).collect::<Vec<_>>().join(" ")
    };
    let found = slices.iter().map(|slice| {
        call!(proxier.set_slice(slice));
        said(proxier.sync())
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn a_udp_port_gains_its_first_serving_endpoint_whenever_it_has_none() {
    let (serving, not) = (udp("a", &[(1, true)]), udp("a", &[(1, false)]));
    check(&[not.clone(), serving.clone()], &["", "+"]);
    check(&[serving.clone(), not, serving], &["+", "10.0.0.1", "+"]);
    check(
        &[udp("a", &[(1, false)]), udp("a", &[(1, false), (2, false)])],
        &["", ""],
    );
}

#[test]
fn a_udp_endpoint_that_comes_before_others_can_go_again() {
    check(
        &[
            udp("a", &[(2, true)]),
            udp("a", &[(1, true), (2, true)]),
            udp("a", &[(2, true)]),
        ],
        &["+", "", "10.0.0.1"],
    );
}

#[test]
fn of_two_slices_that_name_a_udp_endpoint_the_later_by_name_is_believed() {
    let (first, last) = (udp("a", &[(1, true)]), udp("b", &[(1, false)]));
    check(&[first.clone(), last.clone()], &["+", "10.0.0.1"]);
    check(&[last, first], &["", ""]);
    let (first, last) = (udp("a", &[(1, false)]), udp("b", &[(1, true)]));
    check(&[first.clone(), last.clone()], &["", "+"]);
    check(&[last, first], &["+", ""]);
}

#[test]
fn removing_what_was_never_there_leaves_nothing_behind() {
    let mut proxier = Proxier::new(on_node());
    let text = slice("a", &json!([])).to_string();
    let slice: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
    assert!(!proxier.remove_slice(&slice));
    assert!(!proxier.is_pending());
}
