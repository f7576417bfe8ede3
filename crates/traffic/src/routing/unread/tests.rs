//! What each reader ignores, and the effect on traffic.

use serde_json::{Value, json};

use super::super::{Client, Situation, matrix};
use super::*;

fn service(labels: &Value, spec: &Value) -> String {
    let mut service = json!({
        "metadata": {"namespace": "shop", "name": "cart", "labels": labels},
        "spec": {"clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "ipFamilies": ["IPv4"],
            "ports": [{"name": "http", "port": 80, "protocol": "TCP"}]},
    });
    json_patch::merge(&mut service["spec"], spec);
    service.to_string()
}

fn slice(name: &str, labels: &Value, address_type: &str, addresses: &[&[&str]]) -> Value {
    let mut all = json!({"kubernetes.io/service-name": "cart"});
    json_patch::merge(&mut all, labels);
    let endpoint = |addresses: &&[&str]| json!({"addresses": addresses});
    let endpoints: Vec<Value> = addresses.iter().map(endpoint).collect();
    json!({
        "metadata": {"namespace": "shop", "name": name, "labels": all},
        "addressType": address_type, "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}], "endpoints": endpoints,
    })
}

fn headless() -> Value {
    json!({"service.kubernetes.io/headless": ""})
}

/// The unread parts of slices: `slice rule`, and the message of the first.
#[track_caller]
fn check(reader: SliceReader, service: &str, slices: &[Value], expected: &[&str], message: &str) {
    let service = serde_json::from_str(service).unwrap();
    let texts: Vec<String> = slices.iter().map(Value::to_string).collect();
    let slices: Vec<EndpointSlice<'_>> = texts
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    let slices: Vec<_> = slices.iter().collect();
    let found = unread(&service, &slices, reader);
    let shown = found
        .iter()
        .map(|unread| format!("{} {} {:?}", unread.service, unread.slice, unread.rule));
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let said = found.first().map_or("", |unread| unread.message.as_str());
    assert_eq!(said, message);
}

#[test]
fn slices_that_say_headless_are_not_read() {
    let slices = [
        slice("cart-a", &headless(), "IPv4", &[&["10.0.0.1"]]),
        slice("cart-b", &json!({}), "IPv4", &[&["10.0.0.2"]]),
    ];
    let service = service(&json!({}), &json!({}));
    for (reader, name) in [
        (SliceReader::KubeProxy, "kube-proxy"),
        (SliceReader::Cilium, "cilium"),
    ] {
        let message = format!(
            "{name} does not read slice cart-a: it has the label service.kubernetes.io/headless, which is for headless Services; remove the label"
        );
        let expected = ["shop/cart cart-a HeadlessLabel"];
        check(reader, &service, &slices, &expected, &message);
    }
    for reader in [
        SliceReader::Istio,
        SliceReader::Linkerd,
        SliceReader::EnvoyGateway,
    ] {
        check(reader, &service, &slices, &[], "");
    }
}

#[test]
fn slices_of_no_family_of_the_service_are_not_read() {
    let slices = [
        slice("cart-6", &json!({}), "IPv6", &[&["fd00::1"]]),
        slice("cart-4", &json!({}), "IPv4", &[&["10.0.0.1"]]),
        slice("cart-n", &json!({}), "FQDN", &[&["pod.example.com"]]),
    ];
    check(
        SliceReader::KubeProxy,
        &service(&json!({}), &json!({})),
        &slices,
        &[
            "shop/cart cart-6 OtherFamily",
            "shop/cart cart-n NotAddresses",
        ],
        "slice cart-6 is not read: it is IPv6, and the Service has no IPv6 address",
    );
    let both = json!({"clusterIPs": ["10.96.0.1", "fd00:96::1"], "ipFamilies": ["IPv4", "IPv6"]});
    check(
        SliceReader::KubeProxy,
        &service(&json!({}), &both),
        &slices,
        &["shop/cart cart-n NotAddresses"],
        "slice cart-n is of type FQDN: it contains names, and only addresses are read",
    );
}

#[test]
fn addresses_after_the_first_are_not_read() {
    let service = service(&json!({}), &json!({}));
    let one: &[&[&str]] = &[&["10.0.0.1"], &["10.0.0.2", "10.0.0.3"], &[]];
    check(
        SliceReader::KubeProxy,
        &service,
        &[slice("cart-a", &json!({}), "IPv4", one)],
        &["shop/cart cart-a LaterAddresses"],
        "only the first address of each endpoint in slice cart-a counts, so 10.0.0.3 gets no traffic; write a separate endpoint for each address",
    );
    let more: &[&[&str]] = &[
        &["10.0.0.1", "10.0.0.2", "10.0.0.3"],
        &["10.0.0.4", "10.0.0.5"],
    ];
    check(
        SliceReader::KubeProxy,
        &service,
        &[slice("cart-a", &json!({}), "IPv4", more)],
        &["shop/cart cart-a LaterAddresses"],
        "only the first address of each endpoint in slice cart-a counts, so 10.0.0.2 and 2 more get no traffic; write a separate endpoint for each address",
    );
}

#[test]
fn of_what_is_not_served_or_not_its_own_nothing_is_said() {
    let mut other = slice("other", &headless(), "IPv4", &[&["10.0.0.1"]]);
    other["metadata"]["labels"]["kubernetes.io/service-name"] = json!("other");
    let mut elsewhere = slice("elsewhere", &headless(), "IPv4", &[&["10.0.0.1"]]);
    elsewhere["metadata"]["namespace"] = json!("bank");
    let served = service(&json!({}), &json!({}));
    check(
        SliceReader::KubeProxy,
        &served,
        &[other, elsewhere],
        &[],
        "",
    );
    let own = [slice("cart-a", &headless(), "IPv4", &[&["10.0.0.1"]])];
    for spec in [
        json!({"clusterIP": "None", "clusterIPs": ["None"]}),
        json!({"type": "ExternalName"}),
        json!({"ports": []}),
    ] {
        check(
            SliceReader::KubeProxy,
            &service(&json!({}), &spec),
            &own,
            &[],
            "",
        );
    }
}

#[track_caller]
fn check_served(reader: SliceReader, service: &str, expected: Option<NotProxied>, message: &str) {
    let service = serde_json::from_str(service).unwrap();
    let found = not_served(&service, AddressType::IPv4, reader);
    assert_eq!(found.as_ref().map(|found| found.rule), expected);
    assert_eq!(found.map_or(String::new(), |found| found.message), message);
}

#[test]
fn services_for_other_proxies_are_left_alone() {
    for name in ["other", ""] {
        let handed = service(
            &json!({"service.kubernetes.io/service-proxy-name": name}),
            &json!({}),
        );
        for reader in SliceReader::ALL {
            if !reader.is_selective() {
                check_served(reader, &handed, None, "");
                continue;
            }
            let message = format!(
                "its label service.kubernetes.io/service-proxy-name assigns it to the proxy `{name}`, so {0} ignores it; without the label, {0} serves it",
                reader.name()
            );
            check_served(reader, &handed, Some(NotProxied::OtherProxy), &message);
        }
    }
    let plain = service(&json!({"app": "cart"}), &json!({}));
    check_served(SliceReader::KubeProxy, &plain, None, "");
}

/// The addresses that get traffic.
#[track_caller]
fn check_traffic(reader: SliceReader, service: &str, slices: &[Value], expected: &[&str]) {
    let service = serde_json::from_str(service).unwrap();
    let texts: Vec<String> = slices.iter().map(Value::to_string).collect();
    let slices: Vec<EndpointSlice<'_>> = texts
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    let slices: Vec<_> = slices.iter().collect();
    let situation = Situation {
        service: &service,
        slices: &slices,
        address_type: AddressType::IPv4,
        reader,
        with_node_hints: true,
    };
    let client = Client {
        node: "n1",
        zone: "a",
        weight: 1.0,
    };
    let ports = matrix(&situation, &[client]);
    let endpoints = ports.iter().flat_map(|port| &port.endpoints);
    let served = endpoints.filter(|endpoint| endpoint.share > 0.0);
    let served: Vec<_> = served.map(|endpoint| endpoint.endpoint.as_str()).collect();
    assert_eq!(served, expected, "{reader:?}");
}

#[test]
fn traffic_goes_by_what_is_read() {
    let slices = [
        slice("cart-a", &headless(), "IPv4", &[&["10.0.0.1"]]),
        slice("cart-b", &json!({}), "IPv4", &[&["10.0.0.2", "10.0.0.3"]]),
        slice("cart-c", &json!({}), "IPv6", &[&["fd00::1"]]),
    ];
    let plain = service(&json!({}), &json!({}));
    let handed = service(
        &json!({"service.kubernetes.io/service-proxy-name": "other"}),
        &json!({}),
    );
    for reader in [SliceReader::KubeProxy, SliceReader::Cilium] {
        check_traffic(reader, &plain, &slices, &["10.0.0.2:8080"]);
        check_traffic(reader, &handed, &slices, &[]);
    }
    for reader in [
        SliceReader::Istio,
        SliceReader::Linkerd,
        SliceReader::EnvoyGateway,
    ] {
        let both = ["10.0.0.1:8080", "10.0.0.2:8080"];
        check_traffic(reader, &plain, &slices, &both);
        check_traffic(reader, &handed, &slices, &both);
    }
}
