//! Addresses of pods in `shop`, and all others.

use serde_json::{Value, json};

use super::*;
use crate::Context;
use crate::settings::WhenStale;
use crate::testing::{cart_slice, cluster, context, lines, slice_create, slice_update};

mod places;
mod ranges;

fn endpoints(addresses: &[&str]) -> Value {
    addresses
        .iter()
        .map(|address| json!({"addresses": [address]}))
        .collect()
}

#[track_caller]
fn check_with(settings: &Settings, endpoints: &Value, expected: &[&str]) {
    let request = slice_create(&cart_slice("by-hand", endpoints));
    assert_eq!(
        lines(&check(&request, &cluster(&context()), settings)),
        expected
    );
}

#[track_caller]
fn check_create(endpoints: &Value, expected: &[&str]) {
    check_with(&Settings::default(), endpoints, expected);
}

#[test]
fn pods_of_the_namespace() {
    check_create(&endpoints(&["10.1.0.1", "10.1.0.5", "10.1.1.1"]), &[]);
}

#[test]
fn another_namespace_s_pod_is_no_different_from_nobody() {
    check_create(
        &endpoints(&["10.9.9.9", "203.0.113.7"]),
        &[
            "deny not-a-pod endpoints[0].addresses[0]: 10.9.9.9 does not belong to a pod in namespace shop; use the address of a pod, or have the range allowed by `allowedCIDRs`",
            "deny not-a-pod endpoints[1].addresses[0]: 203.0.113.7 does not belong to a pod in namespace shop; use the address of a pod, or have the range allowed by `allowedCIDRs`",
        ],
    );
}

#[test]
fn addresses_that_lead_to_no_pod_anywhere() {
    for (address, what) in [
        ("127.0.0.1", "a loopback address"),
        (
            "169.254.169.254",
            "the address of the cloud metadata service",
        ),
        ("169.254.1.1", "a link-local address"),
        ("0.0.0.0", "no address"),
        ("224.0.0.1", "a multicast address"),
        ("255.255.255.255", "the broadcast address"),
        ("0.1.2.3", "no address"),
        ("::", "no address"),
        ("febf::1", "a link-local address"),
        ("::1", "a loopback address"),
        ("fe80::1", "a link-local address"),
        ("ff02::1", "a multicast address"),
        ("fd00:ec2::254", "an address of the cloud metadata service"),
        // As consumers parse them.
        ("0127.0.0.01", "a loopback address"),
        ("::ffff:127.0.0.1", "a loopback address"),
        (
            "::ffff:a9fe:a9fe",
            "the address of the cloud metadata service",
        ),
        // Through a NAT64.
        (
            "64:ff9b::169.254.169.254",
            "the address of the cloud metadata service",
        ),
        ("64:ff9b::7f00:1", "a loopback address"),
        ("64:ff9b:1::7f00:1", "a loopback address"),
        ("64:ff9b:1:7f00:0:100::", "a loopback address"),
        ("64:ff9b:1:7f:0:1::", "a loopback address"),
        ("64:ff9b:1:0:7f:0:100:0", "a loopback address"),
        // 6to4, Teredo's client and server, ISATAP, and compatible addresses.
        ("2002:7f00:1::", "a loopback address"),
        ("2001:0:c000:201::80ff:fffe", "a loopback address"),
        ("2001:0:7f00:1::3fff:fdfe", "a loopback address"),
        ("2001:db8::5efe:7f00:1", "a loopback address"),
        ("2001:db8::200:5efe:7f00:1", "a loopback address"),
        ("::7f00:1", "a loopback address"),
        (
            "100.100.100.200",
            "the address of the cloud metadata service",
        ),
        ("168.63.129.16", "the address of the cloud metadata service"),
        ("192.0.0.192", "the address of the cloud metadata service"),
        ("fd20:ce::254", "an address of the cloud metadata service"),
    ] {
        let request = slice_create(&cart_slice("by-hand", &endpoints(&[address])));
        let found = lines(&check(&request, &cluster(&context()), &Settings::default()));
        let [found] = found.as_slice() else {
            panic!("{address}: {found:?}");
        };
        assert!(
            found.starts_with("deny reserved-address endpoints[0].addresses[0]: "),
            "{found}"
        );
        assert!(
            found.ends_with(&format!(" is {what}, and no Service may point to it")),
            "{found}"
        );
    }
}

#[test]
fn neighbours_of_reserved_addresses_are_not_reserved() {
    for address in [
        "1.0.0.0",
        "223.255.255.255",
        "fec0::1",
        "fd00:ec3::254",
        "fd01:ec2::254",
        "fd20:ce::253",
        "240.0.0.1",
        "::cb00:7107",
        "2002:cb00:7107::",
        "64:ff9b:1::cb00:7107",
    ] {
        let request = slice_create(&cart_slice("by-hand", &endpoints(&[address])));
        let found = check(&request, &cluster(&context()), &Settings::default());
        let rules = found.findings().iter().map(|finding| &*finding.rule);
        assert_eq!(rules.collect::<Vec<_>>(), ["not-a-pod"], "{address}");
    }
}

#[test]
fn a_pod_that_is_named_must_exist_even_if_the_address_is_allowed() {
    let settings = Settings {
        allowed_cidrs: vec!["203.0.113.0/24".into()],
        ..Settings::default()
    };
    let target = json!({"kind": "Pod", "namespace": "shop", "name": "ghost"});
    check_with(
        &settings,
        &json!([{"addresses": ["203.0.113.7"], "targetRef": target}]),
        &[
            "deny target-missing endpoints[0].targetRef.name: there is no pod ghost in namespace shop, or it has finished",
        ],
    );
    // If no pod matters, the pods need not be known.
    let request = slice_create(&cart_slice("by-hand", &endpoints(&["203.0.113.7"])));
    let nothing = Context::default();
    assert!(check(&request, &cluster(&nothing), &settings).is_silent());
}

#[test]
fn a_pod_that_has_ended_has_no_address_any_more() {
    let mut ended = crate::testing::pod("shop", "job-1", "job", "10.9.9.9", true);
    ended["status"]["phase"] = "Succeeded".into();
    let pods = [serde_json::from_str(crate::testing::text(&ended)).unwrap()];
    let context = Context::new(&[], &pods, &[], &[]);
    let target = json!({"kind": "Pod", "namespace": "shop", "name": "job-1"});
    let slice = cart_slice(
        "by-hand",
        &json!([{"addresses": ["10.9.9.9"], "targetRef": target}]),
    );
    let found = check(
        &slice_create(&slice),
        &cluster(&context),
        &Settings::default(),
    );
    let rules: Vec<_> = found
        .findings()
        .iter()
        .map(|finding| &*finding.rule)
        .collect();
    assert_eq!(rules, ["not-a-pod", "target-missing"]);
}

#[test]
fn what_is_no_address_is_refused_here_as_well() {
    for text in [
        "127.1",
        "2852039166",
        "0xa9fea9fe",
        "fe80::1%eth0",
        "10.1.0.1 ",
        "",
    ] {
        let request = slice_create(&cart_slice("by-hand", &endpoints(&[text])));
        let found = check(&request, &cluster(&context()), &Settings::default());
        let rules: Vec<_> = found
            .findings()
            .iter()
            .map(|finding| &*finding.rule)
            .collect();
        assert_eq!(rules, ["no-address"], "{text}");
    }
}

#[test]
fn names_that_are_addresses_are_judged_as_such() {
    let judged = |names: &[&str]| {
        let mut slice = cart_slice("by-name", &endpoints(names));
        slice["addressType"] = "FQDN".into();
        let found = check(
            &slice_create(&slice),
            &cluster(&context()),
            &Settings::default(),
        );
        let rules = found.findings().iter().map(|finding| finding.rule.clone());
        rules.collect::<Vec<_>>()
    };
    assert_eq!(
        judged(&["db.example.com", "db.example.com.", "10.example", "0x.com"]),
        [""; 0]
    );
    for (name, rule) in [
        ("169.254.169.254", "reserved-address"),
        ("127.0.0.1.", "reserved-address"),
        ("203.0.113.7", "not-a-pod"),
        ("127.1", "reserved-address"),
        ("0x7f.1", "reserved-address"),
        ("2130706433", "reserved-address"),
        ("017700000001", "reserved-address"),
        ("169.254.0xa9.0xfe", "reserved-address"),
        ("10.589825", "not-a-pod"),
        ("1.2.3.4.5", "no-address"),
        ("10.256.1.1", "no-address"),
        ("4294967296", "no-address"),
    ] {
        assert_eq!(judged(&["db.example.com", name]), [rule], "{name}");
    }
    // Decimal and octal.
    for name in ["0177.0.0.1", "0127.0.0.01"] {
        assert_eq!(judged(&[name]), ["reserved-address", "not-a-pod"], "{name}");
    }
    for pod in ["10.1.0.1", "10.65537", "0xa010001"] {
        assert_eq!(judged(&[pod]), [""; 0], "a pod's: {pod}");
    }
}

#[test]
fn a_pod_that_is_named_must_be_that_pod() {
    let with = |target: Value, node: &str| json!([{"addresses": ["10.1.0.1"], "nodeName": node, "targetRef": target}]);
    let pod = |name: &str| json!({"kind": "Pod", "namespace": "shop", "name": name});
    check_create(&with(pod("cart-1"), "n"), &[]);
    check_create(
        &with(pod("cart-2"), "n"),
        &[
            "deny target-address endpoints[0].addresses[0]: 10.1.0.1 is the address of pod cart-1, not of cart-2, which targetRef names",
        ],
    );
    check_create(
        &with(pod("cart-9"), "n"),
        &[
            "deny target-missing endpoints[0].targetRef.name: there is no pod cart-9 in namespace shop, or it has finished",
        ],
    );
    check_create(
        &with(pod("cart-1"), "elsewhere"),
        &["deny target-node endpoints[0].nodeName: pod cart-1 runs on n, not on elsewhere"],
    );
    check_create(
        &with(
            json!({"kind": "Pod", "namespace": "secret", "name": "vault-1"}),
            "n",
        ),
        &[
            "deny target-namespace endpoints[0].targetRef.namespace: endpoints may only refer to pods in their own namespace, shop",
        ],
    );
    check_create(&with(json!({"kind": "Database", "name": "main"}), "n"), &[]);
}

#[test]
fn what_stood_there_already_is_not_judged_again() {
    let old = cart_slice(
        "by-hand",
        &endpoints(&["203.0.113.1", "203.0.113.2", "10.1.0.1"]),
    );
    let new = cart_slice(
        "by-hand",
        &endpoints(&["203.0.113.2", "10.1.0.1", "203.0.113.3"]),
    );
    let judged = |new: &Value| {
        let found = check(
            &slice_update(&old, new),
            &cluster(&context()),
            &Settings::default(),
        );
        found
            .findings()
            .iter()
            .map(|finding| finding.field.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(judged(&new), ["endpoints[2].addresses[0]"]);
    let mut moved = old.clone();
    moved["metadata"]["labels"]["kubernetes.io/service-name"] = "catalog".into();
    assert_eq!(
        judged(&moved).len(),
        2,
        "another Service's traffic is sent there now"
    );
}

#[test]
fn an_endpoint_that_takes_other_traffic_is_judged_again() {
    let stale = |conditions: Value| {
        let endpoint = json!({"addresses": ["203.0.113.1"], "conditions": conditions});
        cart_slice("by-hand", &json!([endpoint]))
    };
    let judged = |old: &Value, new: &Value| {
        let found = check(
            &slice_update(old, new),
            &cluster(&context()),
            &Settings::default(),
        );
        found.findings().len()
    };
    let (ready, not_ready) = (stale(json!({})), stale(json!({"ready": false})));
    let draining = stale(json!({"ready": false, "serving": true, "terminating": true}));
    assert_eq!(judged(&not_ready, &ready), 1);
    assert_eq!(judged(&not_ready, &draining), 1);
    assert_eq!(judged(&ready, &draining), 0);
    assert_eq!(judged(&ready, &not_ready), 0);
    let mut ported = ready.clone();
    ported["ports"][0]["port"] = 8081.into();
    assert_eq!(judged(&ready, &ported), 1);
    ported["endpoints"] = json!([]);
    assert_eq!(judged(&ready, &ported), 0, "it can be removed");
}

#[test]
fn what_cannot_be_known_is_said() {
    let judge = |context: &Context, when_stale, address: &str| {
        let settings = Settings {
            when_stale,
            ..Settings::default()
        };
        let request = slice_create(&cart_slice("by-hand", &endpoints(&[address])));
        lines(&check(&request, &cluster(context), &settings))
    };
    let blind = Context::default();
    assert_eq!(
        judge(&blind, WhenStale::Warn, "10.1.0.1"),
        [
            "warn not-checked metadata: nothing is known about the cluster, so addresses were not compared with the pods of the namespace"
        ],
    );
    assert_eq!(judge(&blind, WhenStale::Allow, "10.1.0.1"), [""; 0]);
    assert_eq!(
        judge(&blind, WhenStale::Allow, "127.0.0.1").len(),
        1,
        "that needs no cluster"
    );
}
