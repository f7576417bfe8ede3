//! Addresses of pods in `shop`, and all others.

use serde_json::{Value, json};

use super::*;
use crate::admission::Context;
use crate::admission::settings::WhenStale;
use crate::admission::testing::{cart_slice, cluster, context, lines, slice_create, slice_update};

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
        ("255.255.255.255", "a reserved address"),
        ("240.0.0.1", "a reserved address"),
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
    ] {
        let request = slice_create(&cart_slice("by-hand", &endpoints(&[address])));
        let found = check(&request, &cluster(&context()), &Settings::default());
        let rules = found.findings().iter().map(|finding| &*finding.rule);
        assert_eq!(rules.collect::<Vec<_>>(), ["not-a-pod"], "{address}");
    }
}

#[test]
fn ranges_that_are_allowed_or_denied() {
    let settings = Settings {
        allowed_cidrs: vec!["203.0.113.0/24".into(), "127.0.0.53/32".into()],
        denied_cidrs: vec![
            "10.1.1.0/24".into(),
            "203.0.0.0/16".into(),
            "203.0.113.64/28".into(),
        ],
        ..Settings::default()
    };
    check_with(
        &settings,
        &endpoints(&[
            "203.0.113.7",
            "127.0.0.53",
            "10.1.0.1",
            "10.1.1.1",
            "203.0.113.65",
        ]),
        &[
            "deny denied-range endpoints[3].addresses[0]: 10.1.1.1 is in a range that `deniedCIDRs` forbids; use the address of a pod",
            "deny denied-range endpoints[4].addresses[0]: 203.0.113.65 is in a range that `deniedCIDRs` forbids; use the address of a pod",
        ],
    );
    let all = Settings {
        allowed_cidrs: vec!["0.0.0.0/0".into(), "169.254.0.0/16".into()],
        ..Settings::default()
    };
    check_with(
        &all,
        &endpoints(&["203.0.113.7", "169.254.169.254", "127.0.0.1", "169.254.7.7"]),
        &[
            "deny reserved-address endpoints[1].addresses[0]: 169.254.169.254 is the address of the cloud metadata service, and no Service may point to it",
            "deny reserved-address endpoints[2].addresses[0]: 127.0.0.1 is a loopback address, and no Service may point to it",
        ],
    );
    let everything = Settings {
        allowed_cidrs: vec!["0.0.0.0/0".into(), "::/0".into(), "64:ff9b::/96".into()],
        ..Settings::default()
    };
    // The first address of a range says nothing of the others, and the range of everything begins with no address.
    let request = slice_create(&cart_slice(
        "by-hand",
        &endpoints(&[
            "0.0.0.0",
            "0.0.0.1",
            "::",
            "64:ff9b::127.0.0.1",
            "203.0.113.7",
            "64:ff9b::203.0.113.7",
        ]),
    ));
    let found = check(&request, &cluster(&context()), &everything);
    let fields: Vec<_> = found.findings().iter().map(|each| &*each.field).collect();
    let refused = [0, 1, 2, 3].map(|number| format!("endpoints[{number}].addresses[0]"));
    assert_eq!(fields, refused);
    let wrong = |text: &str| Settings {
        allowed_cidrs: vec!["10.0.0.0/8".into(), text.into()],
        ..Settings::default()
    };
    for text in ["10.0.0.1/8", "web", ""] {
        let (field, _) = crate::admission::settings::Settings::check(&wrong(text)).unwrap_err();
        assert_eq!(field, "allowedCIDRs/1", "{text}");
    }
}

#[test]
fn a_range_that_is_both_allowed_and_denied_is_denied() {
    let settings = Settings {
        allowed_cidrs: vec!["203.0.113.0/24".into()],
        denied_cidrs: vec!["203.0.113.0/24".into()],
        ..Settings::default()
    };
    check_with(
        &settings,
        &endpoints(&["203.0.113.7"]),
        &[
            "deny denied-range endpoints[0].addresses[0]: 203.0.113.7 is in a range that `deniedCIDRs` forbids; use the address of a pod",
        ],
    );
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
    let mut ended = crate::admission::testing::pod("shop", "job-1", "job", "10.9.9.9", true);
    ended["status"]["phase"] = "Succeeded".into();
    let pods = [serde_json::from_str(crate::admission::testing::text(&ended)).unwrap()];
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
        ("127.1", "no-address"),
        ("0x7f.1", "no-address"),
        ("169.254.0xa9.0xfe", "no-address"),
    ] {
        assert_eq!(judged(&["db.example.com", name]), [rule], "{name}");
    }
    assert_eq!(judged(&["10.1.0.1"]), [""; 0], "a pod's");
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
