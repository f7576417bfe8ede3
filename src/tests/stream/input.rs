//! What comes in: events, lists, and what cannot be read.

use serde_json::{Value, json};

use super::*;

/// A line after another is answered with its error, and neither time has passed nor anything come.
#[track_caller]
fn check_bad(line: &Value, expected: &str) {
    let mut run = settled(json!({}));
    run.feed(line.clone()).check(&[expected]);
    run.until(1000).check(&[]).check_slices(&["cart-bbbbc 1 1"]);
}

#[test]
fn bad_lines_are_answered_with_their_error_and_change_nothing() {
    check_bad(&json!({"at": 1.5}), "InvalidType /at");
    check_bad(&json!({"at": -1}), "InvalidValue /at");
    check_bad(&json!({}), "MissingField /at");
    check_bad(&json!({"at": 5000, "evnt": {}}), "UnknownField /evnt");
    check_bad(&json!({"config": {}}), "InvalidValue /config");
    let two = json!({"at": 5000, "resync": true, "event": {}});
    check_bad(&two, "InvalidValue ");
    let refuse = json!({"at": 5000, "refuse": {"error": "Full"}});
    check_bad(&refuse, "InvalidValue /refuse/error");
    let list = |list: Value| json!({"at": 5000, "list": list});
    check_bad(&list(pod(2)), "InvalidValue /list/kind");
    check_bad(
        &list(json!({"kind": "PodList", "items": [pod(2), pod(2)]})),
        "DuplicateName /list/items/1/metadata/name",
    );
    check_bad(
        &list(json!({"kind": "PodList", "items": [node("n")]})),
        "InvalidValue /list/items/0/kind",
    );
}

#[test]
fn bad_events_are_answered_with_their_error_and_change_nothing() {
    let check = |event: Value, expected: &str| {
        check_bad(&json!({"at": 5000, "event": event}), expected);
    };
    let added = |object: Value| json!({"type": "ADDED", "object": object});
    check(json!({"type": "ADDED"}), "MissingField /event/object");
    check(
        json!({"type": "SEEN", "object": pod(2)}),
        "InvalidValue /event/type",
    );
    check(
        added(json!({"metadata": {"name": "x"}})),
        "MissingField /event/object/kind",
    );
    let mut nameless = pod(2);
    nameless["metadata"]["name"] = "".into();
    let name = "MissingField /event/object/metadata/name";
    check(added(nameless.clone()), name);
    check(json!({"type": "DELETED", "object": nameless}), name);
    let mut unreadable = pod(2);
    unreadable["status"]["podIPs"][0]["ip"] = "10.0.0".into();
    // Nothing of a batch is taken if a part of it cannot be.
    check(
        json!([added(pod(3)), added(unreadable)]),
        "InvalidValue /event/1/object/status/podIPs/0/ip",
    );
    let slice = json!({"kind": "EndpointSlice", "metadata": {"name": "x"}});
    let mut older = slice.clone();
    older["apiVersion"] = "discovery.k8s.io/v1beta1".into();
    check(added(slice), "MissingField /event/object/addressType");
    check(added(older), "Unsupported /event/object/apiVersion");
}

#[test]
fn what_cannot_be_is_an_error_when_its_time_has_come() {
    let mut run = settled(json!({}));
    run.until(1000)
        .until(900)
        .check(&["InvalidValue /at"])
        .feed(json!({"at": 1000, "result": {"service": "shop/cart"}}))
        .check(&["InvalidValue /result/service"]);
}

#[test]
fn bad_configurations_are_named() {
    for (config, expected) in [
        (json!({"watchLag": "soon"}), "InvalidValue /config/watchLag"),
        (json!({"apply": "later"}), "InvalidValue /config/apply"),
        (
            json!({"maxEndpointsPerSlice": 0}),
            "InvalidValue /config/maxEndpointsPerSlice",
        ),
        (
            json!({"concurrentServiceEndpointSyncs": 51}),
            "InvalidValue /config/concurrentServiceEndpointSyncs",
        ),
        (json!({"retryBurst": 0}), "InvalidValue /config/retryBurst"),
        (
            json!({"syncBackoff": "1s"}),
            "UnknownField /config/syncBackoff",
        ),
    ] {
        Run::new(config).check(&[expected]);
    }
}

#[test]
fn late_and_unknown_events_change_nothing() {
    let mut run = Run::new(json!({}));
    let mut unready = versioned(pod(1), 5);
    unready["status"]["conditions"][0]["status"] = "False".into();
    run.event(0, "ADDED", node("n1"))
        .event(0, "ADDED", versioned(pod(1), 7))
        .event(0, "ADDED", service("cart"))
        .check(&["0 shop/cart success +1 ~0 -0"])
        .event(1000, "MODIFIED", unready)
        .event(1000, "DELETED", versioned(pod(1), 6))
        .event(1000, "DELETED", pod(9))
        .event(1000, "MODIFIED", versioned(pod(1), 7))
        .event(
            1000,
            "ADDED",
            json!({"kind": "Gateway", "apiVersion": "a/v1", "metadata": {"name": "g"}}),
        )
        .event(1000, "ERROR", json!({"kind": "Status", "code": 410}))
        .event(
            1000,
            "BOOKMARK",
            json!({"kind": "Pod", "metadata": {"resourceVersion": "8"}}),
        )
        .until(5000)
        .check(&[
            "1000 ignored Pod late 1",
            "1000 ignored Pod late 2",
            "1000 ignored Pod unknown 1",
            "1000 ignored Gateway kind 1",
            "1000 ignored Status kind 2",
        ]);
}

#[test]
fn a_deletion_needs_no_more_than_a_name() {
    let mut run = settled(json!({}));
    run.event(
        1000,
        "DELETED",
        json!({"kind": "Pod", "metadata": {"namespace": "shop", "name": "p1"}}),
    )
    .check(&["1000 shop/cart success +0 ~1 -0"]);
}

#[test]
fn nothing_is_done_before_all_kinds_are_there() {
    let mut run = Run::new(json!({"waitForSync": true, "endpointUpdatesBatchPeriod": "500ms"}));
    let list = |kind: &str, items: Value| json!({"kind": format!("{kind}List"), "items": items});
    run.feed(json!({"at": 0, "list": list("Pod", json!([pod(1)]))}))
        .event(0, "ADDED", service("cart"))
        .feed(json!({"at": 100, "list": list("Node", json!([node("n1")]))}))
        .event(100, "BOOKMARK", json!({"kind": "Service", "metadata": {"resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}}))
        .until(5000)
        .check(&[])
        .feed(json!({"at": 6000, "list": list("EndpointSlice", json!([]))}))
        .check(&["6000 shop/cart success +1 ~0 -0"])
        // The pod came before its Service was known; it still counts as a change of it.
        .until(7000)
        .check(&["6500 shop/cart success +0 ~0 -0"]);
}

#[test]
fn what_a_new_list_lacks_is_gone() {
    let mut run = settled(json!({}));
    run.event(0, "ADDED", pod(2))
        .event(0, "ADDED", service("till"));
    run.lines.clear();
    let list = json!({"kind": "List", "items": [node("n1"), service("cart"), pod(2), {"kind": "ConfigMap"}]});
    run.feed(json!({"at": 1000, "list": list})).check(&[
        "1000 ignored ConfigMap kind 1",
        "1000 shop/cart success +1 ~0 -0",
        "1000 shop/till success",
    ]);
    // Their slices went as well, which nobody had asked for.
    run.until(5000)
        .check(&["2000 shop/cart success +0 ~0 -0", "2000 shop/till success"])
        .check_slices(&["cart-bbbbf 1 1"]);
}
