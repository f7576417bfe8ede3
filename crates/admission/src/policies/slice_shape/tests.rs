//! What the policy says about slices of `Service shop/cart` (IPv4, one port, one slice with two endpoints).

use serde_json::{Value, json};

use super::*;
use crate::Context;
use crate::settings::WhenStale;
use crate::testing::{
    cart_slice, cluster, context, lines, request, slice, slice_create,
};

#[track_caller]
fn check_create(value: &Value, expected: &[&str]) {
    assert_eq!(
        lines(&check(
            &slice_create(value),
            &cluster(&context()),
            &Settings::default()
        )),
        expected
    );
}

fn endpoints(addresses: &[&str]) -> Value {
    addresses
        .iter()
        .map(|address| json!({"addresses": [address], "conditions": {}}))
        .collect()
}

fn with(path: &str, value: Value) -> Value {
    let mut slice = cart_slice("by-hand", &endpoints(&["10.1.0.3"]));
    *slice.pointer_mut(path).unwrap() = value;
    slice
}

#[test]
fn a_good_slice() {
    check_create(
        &cart_slice("by-hand", &endpoints(&["10.1.0.3", "10.1.0.4"])),
        &[],
    );
    check_create(&cart_slice("by-hand", &json!([])), &[]);
}

#[test]
fn addresses_of_the_family_spelt_alike_by_all() {
    check_create(
        &cart_slice(
            "by-hand",
            &endpoints(&[
                "fd00::1",
                "010.1.0.3",
                "::ffff:10.1.0.3",
                "web",
                "10.1.0.300",
            ]),
        ),
        &[
            "deny address-family endpoints[0].addresses[0]: `fd00::1` is an IPv6 address in an IPv4 slice; put it into a slice of its own family",
            "deny address-family endpoints[1].addresses[0]: `010.1.0.3` is not in canonical form, and consumers read it differently; write `10.1.0.3`",
            "deny address-family endpoints[2].addresses[0]: `::ffff:10.1.0.3` is not in canonical form, and consumers read it differently; write `10.1.0.3`",
            "deny address-family endpoints[3].addresses[0]: `web` is not an IPv4 address; write one like `10.0.0.1`",
            "deny address-family endpoints[4].addresses[0]: `10.1.0.300` is not an IPv4 address; write one like `10.0.0.1`",
        ],
    );
    check_create(
        &cart_slice("by-hand", &json!([{"addresses": []}])),
        &[
            "deny no-address endpoints[0].addresses: an endpoint needs an address; add one, or remove the endpoint",
        ],
    );
}

#[test]
fn families_of_the_service() {
    check_create(
        &json!({"metadata": {"namespace": "shop", "name": "x", "labels": {"kubernetes.io/service-name": "cart"}}, "addressType": "IPv6",
                "endpoints": [{"addresses": ["fd00::1"]}, {"addresses": ["::ffff:10.0.0.1"]}], "ports": []}),
        &[
            "deny address-family endpoints[1].addresses[0]: `::ffff:10.0.0.1` means the IPv4 address 10.0.0.1; put that into a slice of its own family",
            "deny service-family addressType: Service cart has IPv4 only; use that, or add IPv6 to its ipFamilies",
        ],
    );
    check_create(
        &with("/addressType", json!("IPv5")),
        &["deny address-type addressType: `IPv5` is not an address type; write IPv4 or IPv6"],
    );
    check_create(
        &with("/addressType", json!("FQDN")),
        &[
            "warn address-type addressType: kube-proxy ignores FQDN slices; use IPv4 or IPv6, or a Service of type ExternalName",
        ],
    );
}

#[test]
fn a_port_of_the_service_has_a_name_and_a_protocol() {
    let port = |name: &str, protocol: &str| json!({"name": name, "protocol": protocol, "port": 53, "targetPort": 53});
    let ports = json!([
        port("z", "TCP"),
        port("dns", "UDP"),
        port("a", "TCP"),
        port("dns", "TCP")
    ]);
    let service = crate::testing::service(&crate::testing::cart(
        &json!({"app": "cart"}),
        &ports,
    ));
    let context = Context::new(&[service], &[], &[], &[]);
    for (name, protocol, expected) in [
        ("dns", "TCP", &[][..]),
        ("dns", "UDP", &[]),
        ("a", "TCP", &[]),
        ("z", "TCP", &[]),
        ("dns", "SCTP", &["ports[0].protocol"]),
        ("m", "TCP", &["ports[0].name"]),
    ] {
        let slice = with(
            "/ports",
            json!([{"name": name, "protocol": protocol, "port": 53}]),
        );
        let found = check(
            &slice_create(&slice),
            &cluster(&context),
            &Settings::default(),
        );
        let of_service = found
            .findings()
            .iter()
            .filter(|finding| finding.rule == "service-port");
        let fields: Vec<_> = of_service.map(|finding| &*finding.field).collect();
        assert_eq!(fields, expected, "{name} {protocol}");
    }
}

#[test]
fn ports() {
    check_create(
        &with("/ports/0/name", json!("web")),
        &["deny service-port ports[0].name: Service cart has no port `web`; it has `http` (TCP)"],
    );
    check_create(
        &with("/ports/0/protocol", json!("UDP")),
        &[
            "deny service-port ports[0].protocol: port `http` of Service cart is TCP, not UDP; write TCP",
        ],
    );
    check_create(
        &with("/ports/0/port", json!(0)),
        &["deny port-number ports[0].port: 0 is not a port number; write one from 1 to 65535"],
    );
    check_create(
        &with("/ports/0/port", Value::Null),
        &["warn port-number ports[0].port: kube-proxy ignores ports without a number; add one"],
    );
    check_create(
        &with(
            "/ports",
            json!([{"name": "http", "port": 1}, {"name": "http", "port": 2}]),
        ),
        &[
            "deny duplicate-port ports[1].name: the port name `http` is already used by ports[0]; give each port its own name",
        ],
    );
}

#[test]
fn application_protocols() {
    let check_protocol = |protocol: &str, expected: &[&str]| {
        let mut slice = with("/addressType", json!("IPv4"));
        slice["ports"][0]["appProtocol"] = json!(protocol);
        check_create(&slice, expected);
    };
    check_protocol("http", &[]);
    check_protocol("kubernetes.io/h2c", &[]);
    check_protocol(
        "",
        &[
            "deny app-protocol ports[0].appProtocol: the API server refuses the application protocol ``; write a name such as http or example.com/name, or remove the field",
        ],
    );
}

#[test]
fn duplicates_in_itself_and_across_siblings() {
    check_create(
        &cart_slice("by-hand", &endpoints(&["10.1.0.3", "10.1.0.4", "10.1.0.3"])),
        &[
            "deny duplicate-endpoint endpoints[2].addresses[0]: 10.1.0.3 is already endpoints[0].addresses[0]; keep one of them",
        ],
    );
    let sibling = "deny duplicate-in-sibling endpoints[0].addresses[0]: 10.1.0.2 is already in EndpointSlice cart-abc of the same Service, for the same port; remove it from one of them";
    check_create(
        &cart_slice("by-hand", &endpoints(&["10.1.0.2"])),
        &[sibling],
    );
    // The slice itself is not a sibling, and other ports of the same address may be in other slices.
    check_create(&cart_slice("cart-abc", &endpoints(&["10.1.0.2"])), &[]);
    let mut portless = cart_slice("by-hand", &endpoints(&["10.1.0.2"]));
    portless["ports"] = json!([]);
    check_create(&portless, &[]);
}

#[test]
fn sizes() {
    let many: Vec<Value> = (0..1001)
        .map(|number| json!({"addresses": [format!("10.2.{}.{}", number / 250, number % 250)]}))
        .collect();
    check_create(
        &cart_slice("by-hand", &json!(many)),
        &[
            "deny too-many-endpoints endpoints: a slice may have 1000 endpoints, this one has 1001; spread them over several slices",
        ],
    );
    let settings = Settings {
        max_endpoints: 1,
        ..Settings::default()
    };
    let verdict = check(
        &slice_create(&cart_slice(
            "by-hand",
            &endpoints(&["10.1.0.3", "10.1.0.4"]),
        )),
        &cluster(&context()),
        &settings,
    );
    assert_eq!(verdict.denials().count(), 1);
}

#[test]
fn orphans() {
    let label = "metadata.labels[kubernetes.io/service-name]";
    check_create(
        &with(
            "/metadata/labels",
            json!({"kubernetes.io/service-name": "crat"}),
        ),
        &[&format!(
            "deny orphan {label}: there is no Service shop/crat; create it first, or fix the label"
        )],
    );
    check_create(
        &with("/metadata/labels", json!({})),
        &[&format!(
            "warn orphan {label}: without the label kubernetes.io/service-name no Service uses this slice; add it"
        )],
    );
}

#[test]
fn what_is_not_judged() {
    let bad = cart_slice("by-hand", &endpoints(&["fd00::1"]));
    let mut without_finalizer = bad.clone();
    without_finalizer["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let unchanged = request(ReviewSubject::EndpointSlice(ObjectChange::Update {
        old: slice(&bad),
        new: slice(&without_finalizer),
    }));
    assert!(check(&unchanged, &cluster(&context()), &Settings::default()).is_silent());
    // A terminating slice that is changed is judged like any other.
    let mut worse = without_finalizer.clone();
    worse["endpoints"] = endpoints(&["fd00::2"]);
    let changed = request(ReviewSubject::EndpointSlice(ObjectChange::Update {
        old: slice(&without_finalizer),
        new: slice(&worse),
    }));
    assert_eq!(
        check(&changed, &cluster(&context()), &Settings::default())
            .denials()
            .count(),
        1
    );
    let gone = request(ReviewSubject::EndpointSlice(ObjectChange::Delete(slice(&bad))));
    assert!(check(&gone, &cluster(&context()), &Settings::default()).is_silent());
}

#[test]
fn without_a_cluster_the_slice_itself_is_judged_all_the_same() {
    let settings = Settings {
        when_stale: WhenStale::Warn,
        ..Settings::default()
    };
    let judge = |context: &Context| {
        let slice = cart_slice("by-hand", &endpoints(&["10.1.0.2", "fd00::1"]));
        lines(&check(&slice_create(&slice), &cluster(context), &settings))
    };
    let family = "deny address-family endpoints[1].addresses[0]: `fd00::1` is an IPv6 address in an IPv4 slice; put it into a slice of its own family";
    let not_checked = "so the slice was not compared with its Service and its siblings";
    assert_eq!(
        judge(&Context::default()),
        [
            family.to_owned(),
            format!("warn not-checked metadata: nothing is known about the cluster, {not_checked}"),
        ]
    );
    let only_nodes = [serde_json::from_str(r#"{"metadata": {"name": "n"}}"#).unwrap()];
    assert_eq!(
        judge(&Context::new(&[], &[], &only_nodes, &[])),
        [
            family.to_owned(),
            format!("warn not-checked metadata: the cluster's Services are unknown, {not_checked}"),
        ]
    );
}

#[test]
fn conditions_that_contradict_each_other() {
    let with = |conditions: &[Value]| -> Value {
        let endpoint = |(number, conditions): (usize, &Value)| json!({"addresses": [format!("10.1.0.{}", number + 3)], "conditions": conditions});
        conditions.iter().enumerate().map(endpoint).collect()
    };
    let terminating = json!({"ready": true, "serving": true, "terminating": true});
    let deaf = json!({"serving": false});
    let leaving = json!({"ready": false, "serving": true, "terminating": true});
    check_create(
        &cart_slice("by-hand", &with(&[leaving.clone(), json!({})])),
        &[],
    );
    check_create(
        &cart_slice(
            "by-hand",
            &with(&[leaving, terminating.clone(), deaf.clone()]),
        ),
        &[
            "warn conditions endpoints[1].conditions: the conditions contradict each other: a terminating endpoint is not ready; so does another",
        ],
    );
    check_create(
        &cart_slice("by-hand", &with(&[deaf])),
        &[
            "warn conditions endpoints[0].conditions: the conditions contradict each other: a ready endpoint is serving",
        ],
    );
}

#[test]
fn a_service_has_so_many_slices_at_most() {
    let settings = Settings {
        max_slices: 1,
        ..Settings::default()
    };
    let one_more = slice_create(&cart_slice("by-hand", &json!([])));
    assert_eq!(
        lines(&check(&one_more, &cluster(&context()), &settings)),
        [
            "deny too-many-slices metadata.labels[kubernetes.io/service-name]: Service cart already has 1 slices, of at most 1; put the endpoints into one of them"
        ],
    );
    let known = cart_slice("cart-abc", &endpoints(&["10.1.0.1"]));
    let update = request(ReviewSubject::EndpointSlice(ObjectChange::Update {
        old: slice(&known),
        new: slice(&cart_slice("cart-abc", &endpoints(&["10.1.0.4"]))),
    }));
    assert!(check(&update, &cluster(&context()), &settings).is_silent());
}
