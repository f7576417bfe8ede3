//! The results of plans: failures, retries, and results reported by the caller.

use serde_json::{Value, json};

use super::*;

#[test]
fn failures_are_told_and_tried_again() {
    let mut run = settled(json!({}));
    run.feed(json!({"at": 1000, "refuse": {"error": "Conflict", "times": 2}}))
        .event(1000, "ADDED", pod(2))
        .until(10_000);
    let conflict = "FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service shop/cart: failed to update cart-bbbbc EndpointSlice for Service shop/cart: Operation cannot be fulfilled on endpointslices.discovery.k8s.io \"cart-bbbbc\": the object has been modified; please apply your changes to the latest version and try again";
    run.check(&[
        "1000 shop/cart error +0 ~1 -0",
        &format!("1000 {conflict}"),
        "1000 retry 1 1s",
        "2000 shop/cart error +0 ~1 -0",
        &format!("2000 {conflict}"),
        "2000 retry 2 2s",
        "4000 shop/cart success +0 ~1 -0",
    ]);
    // After a success, the next failure counts as the first.
    run.feed(json!({"at": 20_000, "refuse": {"error": "ServerError"}}))
        .event(20_000, "ADDED", pod(3));
    let last = run.lines.pop().unwrap();
    assert_eq!(brief(&last), "20000 retry 1 1s");
}

#[test]
fn a_terminating_namespace_is_no_failure() {
    let mut run = Run::new(json!({}));
    run.feed(json!({"at": 0, "refuse": {"error": "NamespaceTerminating"}}))
        .event(0, "ADDED", service("cart"))
        .until(60_000)
        .check(&["0 shop/cart success +1 ~0 -0"])
        .check_slices(&[]);
}

#[test]
fn after_fifteen_retries_a_service_is_dropped_until_something_changes() {
    let mut run = settled(json!({}));
    run.feed(json!({"at": 1000, "refuse": {"error": "ServerError", "times": 17}}))
        .event(1000, "ADDED", pod(2))
        .until(100_000_000);
    let waits: Vec<_> = run
        .lines
        .iter()
        .filter_map(|line| line["after"].as_str())
        .collect();
    assert_eq!(
        waits,
        [
            "1s", "2s", "4s", "8s", "16s", "32s", "1m4s", "2m8s", "4m16s", "8m32s", "16m40s",
            "16m40s", "16m40s", "16m40s", "16m40s"
        ]
    );
    let last = run.lines.iter().rfind(|line| line["sync"].is_string());
    assert_eq!(brief(last.unwrap()), "6024000 shop/cart dropped +0 ~1 -0");
    run.lines.clear();
    run.event(100_000_000, "ADDED", pod(3)).until(100_001_000);
    let briefs: Vec<_> = run.lines.iter().map(brief).collect();
    assert_eq!(briefs[2], "100000000 retry 1 1s");
    assert_eq!(briefs[3], "100001000 shop/cart success +0 ~1 -0");
}

#[test]
fn a_pod_on_an_unknown_node_makes_the_service_try_again() {
    let mut run = Run::new(json!({}));
    run.event(0, "ADDED", pod(1))
        .event(0, "ADDED", service("cart"))
        .event(500, "ADDED", node("n1"))
        .until(5000)
        .check(&[
            "0 shop/cart error +1 ~0 -0",
            "0 FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service shop/cart: skipping Pod p1 for Service shop/cart: Node n1 Not Found",
            "0 retry 1 1s",
            "1000 shop/cart success +0 ~1 -0",
        ]);
}

#[test]
fn results_can_be_told_by_hand() {
    let mut run = Run::new(json!({"apply": "manual"}));
    let result = |at: u64, result: Value| {
        let mut result = result;
        result["service"] = "shop/cart".into();
        json!({"at": at, "result": result})
    };
    run.event(0, "ADDED", node("n1"))
        .event(0, "ADDED", service("cart"))
        .check(&["0 shop/cart +1 ~0 -0"])
        // While its plan is written, the Service is not synced.
        .event(100, "ADDED", pod(1))
        .check(&[])
        .feed(result(200, json!({"error": "AlreadyExists"})))
        .check(&[
            "200 shop/cart error",
            "200 FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service shop/cart: failed to create EndpointSlice for Service shop/cart: endpointslices.discovery.k8s.io \"cart-\" already exists",
            "200 retry 1 1s",
            "200 shop/cart +1 ~0 -0",
        ])
        .feed(result(300, json!({"error": null, "applied": {"created": [slice("cart-x", "cart", 1)]}})))
        .check(&["300 shop/cart success"])
        // The event for the written slice has not arrived yet.
        .until(1200)
        .check(&["1200 shop/cart stale", "1200 retry 1 1s"])
        .event(1300, "ADDED", slice("cart-x", "cart", 1))
        .until(2200)
        .check(&["2200 shop/cart +1 ~0 -1"]);
}

#[test]
fn at_most_so_many_services_are_synced_at_one_time() {
    let mut run = Run::new(json!({"apply": "manual", "concurrentServiceEndpointSyncs": 2}));
    for name in ["a", "b", "c"] {
        run.event(0, "ADDED", service(name));
    }
    run.check(&["0 shop/a +1 ~0 -0", "0 shop/b +1 ~0 -0"])
        .feed(json!({"at": 5, "result": {"service": "shop/b"}}))
        .check(&["5 shop/b success", "5 shop/c +1 ~0 -0"]);
}

#[test]
fn what_was_not_planned_cannot_have_been_written() {
    let mut other_namespace = slice("cart-x", "cart", 1);
    other_namespace["metadata"]["namespace"] = "park".into();
    let mut other_family = slice("cart-x", "cart", 1);
    other_family["addressType"] = "IPv6".into();
    let created = slice("cart-x", "cart", 1);
    for (applied, expected) in [
        (
            json!({"created": [other_namespace]}),
            "created/0/metadata/namespace",
        ),
        (
            json!({"created": [slice("cart-x", "till", 1)]}),
            "created/0/metadata/labels",
        ),
        (json!({"created": [other_family]}), "created/0/addressType"),
        (
            json!({"created": [created, slice("cart-y", "cart", 1)]}),
            "created/1/addressType",
        ),
        (json!({"updated": [created]}), "updated/0/metadata/name"),
        (json!({"deleted": ["cart-x"]}), "deleted/0"),
    ] {
        let mut run = Run::new(json!({"apply": "manual"}));
        run.event(0, "ADDED", service("cart"))
            .check(&["0 shop/cart +1 ~0 -0"]);
        let result = json!({"service": "shop/cart", "applied": applied});
        run.feed(json!({"at": 5, "result": result}))
            .check(&[&format!("InvalidValue /result/applied/{expected}")]);
        // The plan is still pending.
        let result = json!({"service": "shop/cart", "applied": {"created": [created]}});
        run.feed(json!({"at": 6, "result": result}))
            .check(&["6 shop/cart success"]);
    }
}

#[test]
fn a_list_of_an_earlier_moment_does_not_end_the_wait_for_a_write() {
    let created = versioned(slice("cart-x", "cart", 1), 50);
    let written = || {
        let mut run = Run::new(json!({"apply": "manual"}));
        let result = json!({"service": "shop/cart", "applied": {"created": [created]}});
        run.event(0, "ADDED", service("cart"))
            .feed(json!({"at": 10, "result": result}));
        run.lines.clear();
        run
    };
    let list = |version: &str| json!({"at": 20, "list": {"kind": "EndpointSliceList", "metadata": {"resourceVersion": version}, "items": []}});
    for version in ["49", "", "many"] {
        written()
            .feed(list(version))
            .until(2000)
            .check(&[])
            .feed(json!({"at": 2000, "resync": true}))
            .check(&["2000 shop/cart stale", "2000 retry 1 1s"])
            .event(2500, "ADDED", created.clone())
            .until(4000)
            .check(&["3000 shop/cart +0 ~0 -0"]);
    }
    // It shows that the slice has been deleted again.
    written()
        .feed(list("50"))
        .until(4000)
        .check(&["1020 shop/cart +1 ~0 -0"]);
}

#[test]
fn a_list_without_a_version_is_of_the_moment_of_its_latest_slice() {
    let mut run = Run::new(json!({"apply": "manual"}));
    let created = versioned(slice("cart-x", "cart", 1), 50);
    let result = json!({"service": "shop/cart", "applied": {"created": [created]}});
    run.event(0, "ADDED", service("cart"))
        .feed(json!({"at": 10, "result": result}));
    run.lines.clear();
    let other = versioned(slice("till-x", "till", 1), 51);
    run.feed(json!({"at": 20, "list": {"kind": "EndpointSliceList", "items": [other]}}))
        .until(2000)
        .check(&["1020 shop/till success", "1020 shop/cart +1 ~0 -0"]);
}
