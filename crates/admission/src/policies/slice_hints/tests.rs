//! Hints in a cluster with the zones `a` and `b`.

use serde_json::{Value, json};

use super::*;
use crate::Context;
use crate::testing::{
    cart_slice, cluster, context, lines, slice_create, slice_update, zoned,
};

fn endpoint(address: &str, zone: Option<&str>) -> Value {
    let hints = zone.map(|zone| json!({"forZones": [{"name": zone}]}));
    json!({"addresses": [address], "conditions": {"ready": true}, "hints": hints})
}

fn asks_same_zone() -> Context {
    zoned(&json!({"trafficDistribution": "PreferSameZone"}))
}

#[track_caller]
fn check_in(context: &Context, endpoints: &Value, expected: &[&str]) {
    let request = slice_create(&cart_slice("by-hand", endpoints));
    let found = check(&request, &cluster(context), &Settings::default());
    assert_eq!(lines(&found), expected);
}

#[test]
fn all_or_none() {
    let context = asks_same_zone();
    let (one, two) = (
        endpoint("10.1.0.1", Some("a")),
        endpoint("10.1.2.1", Some("b")),
    );
    check_in(&context, &json!([one, two]), &[]);
    check_in(&context, &json!([endpoint("10.1.0.1", None)]), &[]);
    check_in(
        &context,
        &json!([one, two, endpoint("10.1.0.2", None)]),
        &[
            "warn partial endpoints: 1 of 3 endpoints have no zone hint, so kube-proxy follows none of them; hint all that are ready, or none",
        ],
    );
    let mut unready = endpoint("10.1.0.2", None);
    unready["conditions"]["ready"] = false.into();
    check_in(&context, &json!([one, two, unready]), &[]);
}

#[test]
fn zones_and_nodes_that_are_not_there() {
    let mut to_node = endpoint("10.1.0.1", Some("a"));
    to_node["hints"]["forNodes"] = json!([{"name": "a9"}]);
    check_in(
        &asks_same_zone(),
        &json!([
            to_node,
            endpoint("10.1.2.1", Some("c")),
            endpoint("10.1.2.2", Some("c")),
            // Something has that name, but no zone.
            endpoint("10.1.2.3", Some("cart"))
        ]),
        &[
            "warn unknown-zone endpoints[1].hints.forZones: no node is in zone c, so the hint has no effect; name a zone that has nodes",
            "warn unknown-zone endpoints[3].hints.forZones: no node is in zone cart, so the hint has no effect; name a zone that has nodes",
            "warn unknown-node endpoints[0].hints.forNodes: node a9 does not exist, so the hint has no effect; name an existing node",
        ],
    );
}

#[test]
fn a_node_that_is_there_may_be_named() {
    let context = zoned(&json!({"trafficDistribution": "PreferSameNode"}));
    let mut to_node = endpoint("10.1.0.1", Some("a"));
    to_node["hints"]["forNodes"] = json!([{"name": "a1"}]);
    check_in(&context, &json!([to_node]), &[]);
}

#[test]
fn hints_that_nothing_asks_for() {
    check_in(
        &zoned(&json!({})),
        &json!([endpoint("10.1.0.1", Some("a"))]),
        &[
            "warn against-plan endpoints: Service cart does not request hints; set its trafficDistribution, or leave them out",
        ],
    );
    // One node without a zone.
    let mut context =
        zoned(&json!({"annotations": {"service.kubernetes.io/topology-mode": "Auto"}}));
    check_in(&context, &json!([endpoint("10.1.0.1", Some("a"))]), &[]);
    let node = crate::testing::node("bare", None);
    let node = serde_json::from_str(crate::testing::text(&node)).unwrap();
    context.apply(&slicewise_live::session::event::ClusterEvent::Set(Box::new(
        slicewise_live::session::event::Versioned::new(slicewise_live::session::event::PlanObject::Node(node), ""),
    )));
    check_in(
        &context,
        &json!([endpoint("10.1.0.1", Some("a"))]),
        &[
            "warn against-plan endpoints: Service cart currently gets no hints: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
        ],
    );
}

#[test]
fn a_sibling_without_hints() {
    // Its slice cart-abc has none.
    let context = context();
    let request = slice_create(&cart_slice(
        "by-hand",
        &json!([endpoint("10.1.0.3", Some("a"))]),
    ));
    let found = lines(&check(&request, &cluster(&context), &Settings::default()));
    assert!(
        found.contains(
            &"warn partial endpoints: EndpointSlice cart-abc of the same Service has no hints, so kube-proxy follows none; hint all slices of a family, or none".into()
        ),
        "{found:?}"
    );
}

#[test]
fn hints_that_are_not_touched_are_not_judged() {
    let slice = cart_slice("by-hand", &json!([endpoint("10.1.0.1", Some("nowhere"))]));
    let mut labelled = slice.clone();
    labelled["metadata"]["labels"]["team"] = "shop".into();
    let found = check(
        &slice_update(&slice, &labelled),
        &cluster(&context()),
        &Settings::default(),
    );
    assert!(found.is_silent());
}
