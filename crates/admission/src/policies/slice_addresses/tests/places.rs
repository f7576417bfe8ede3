//! Where endpoints say that they are, and addresses that have another owner now.

use serde_json::{Value, json};

use super::super::*;
use crate::Context;
use crate::testing::{cart_slice, cluster, lines, pod, slice_create, slice_update, text};

fn context(node: &Value, owner: &str) -> Context {
    let pods = [pod("shop", owner, "cart", "10.1.0.1", true)];
    let pods = pods.map(|pod| serde_json::from_str(text(&pod)).unwrap());
    Context::new(&[], &pods, &[serde_json::from_str(text(node)).unwrap()], &[])
}

fn node(zone: Option<&str>) -> Value {
    let labels = zone.map(|zone| json!({"topology.kubernetes.io/zone": zone}));
    json!({"metadata": {"name": "n", "labels": labels}})
}

#[track_caller]
fn check_place(zone: Option<&str>, place: &Value, expected: &[&str]) {
    let context = context(&node(zone), "cart-1");
    for target in [
        json!(null),
        json!({"kind": "Pod", "namespace": "shop", "name": "cart-1"}),
    ] {
        let mut endpoint = json!({"addresses": ["10.1.0.1"], "targetRef": target});
        for (field, value) in place.as_object().unwrap() {
            endpoint[field] = value.clone();
        }
        let request = slice_create(&cart_slice("by-hand", &json!([endpoint])));
        let found = check(&request, &cluster(&context), &Settings::default());
        assert_eq!(lines(&found), expected, "{endpoint}");
    }
}

#[test]
fn an_endpoint_is_where_its_pod_runs_with_or_without_its_name() {
    check_place(Some("a"), &json!({}), &[]);
    check_place(Some("a"), &json!({"nodeName": "n", "zone": "a"}), &[]);
    check_place(
        Some("a"),
        &json!({"nodeName": "m"}),
        &["deny target-node endpoints[0].nodeName: pod cart-1 runs on n, not on m"],
    );
    check_place(
        Some("a"),
        &json!({"zone": "b"}),
        &["deny target-zone endpoints[0].zone: pod cart-1 runs on n, which is in zone a, not in b"],
    );
    check_place(
        None,
        &json!({"nodeName": "n", "zone": "b"}),
        &["deny target-zone endpoints[0].zone: pod cart-1 runs on n, which has no zone, not in b"],
    );
}

#[test]
fn a_zone_of_an_unknown_node_cannot_be_wrong() {
    let pods = [serde_json::from_str(text(&pod("shop", "cart-1", "cart", "10.1.0.1", true))).unwrap()];
    let context = Context::new(&[], &pods, &[], &[]);
    let endpoint = json!({"addresses": ["10.1.0.1"], "zone": "b"});
    let request = slice_create(&cart_slice("by-hand", &json!([endpoint])));
    let found = check(&request, &cluster(&context), &Settings::default());
    assert!(found.is_silent());
}

#[test]
fn an_update_that_moves_an_endpoint_to_another_zone_is_judged() {
    let context = context(&node(Some("a")), "cart-1");
    let slice = |zone: &str| {
        let endpoint = json!({"addresses": ["10.1.0.1"], "nodeName": "n", "zone": zone});
        cart_slice("by-hand", &json!([endpoint]))
    };
    let request = slice_update(&slice("a"), &slice("b"));
    let found = check(&request, &cluster(&context), &Settings::default());
    assert_eq!(found.findings().len(), 1);
}

#[test]
fn an_address_that_another_pod_has_now_is_refused_beside_a_change() {
    let target = |name: &str| json!({"kind": "Pod", "namespace": "shop", "name": name});
    let kept = json!({"addresses": ["10.1.0.1"], "targetRef": target("cart-0")});
    let gone = json!({"addresses": ["10.1.0.7"], "targetRef": target("cart-7")});
    let added = json!({"addresses": ["10.1.0.1"], "targetRef": target("cart-1")});
    let judged = |owner: &str, old: &Value, new: &Value| {
        let request = slice_update(&cart_slice("by-hand", old), &cart_slice("by-hand", new));
        let context = context(&node(None), owner);
        lines(&check(&request, &cluster(&context), &Settings::default()))
    };
    assert_eq!(
        judged("cart-1", &json!([kept]), &json!([kept, added])),
        [
            "deny target-missing endpoints[0].targetRef.name: there is no pod cart-0 in namespace shop, or it has finished"
        ]
    );
    assert_eq!(judged("cart-1", &json!([gone]), &json!([gone, added])), [""; 0]);
    assert_eq!(
        judged("cart-1", &json!([kept, gone]), &json!([kept])),
        [""; 0],
        "removing endpoints needs no other mend"
    );
}
