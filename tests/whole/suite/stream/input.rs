//! The input: events, lists, and lines that cannot be read.

use serde_json::{Value, json};

use super::*;

/// A line after another is answered with its error, without time passing or anything being taken.
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
fn numbers_out_of_range_are_told_their_bounds() {
    let refused = |line: &str| {
        let mut stream = ControllerStream::default();
        let error = stream.feed(line.as_bytes(), Limits::default(), &mut Vec::new());
        error.unwrap_err().message().to_owned()
    };
    assert_eq!(
        refused(r#"{"config": {"maxRetries": 1000000000000}}"#),
        "invalid value for `maxRetries`: number `1000000000000`, expected a whole number between 0 and 4294967295"
    );
    assert_eq!(
        refused(r#"{"at": 18446744073709551615}"#),
        "invalid value for `at`: number `18446744073709551615`, expected a whole number of at most 9223372036854775807"
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
    // Nothing of a batch is taken if a part of it cannot even be named.
    check(
        json!([added(pod(3)), added(json!({"kind": "Pod"}))]),
        "MissingField /event/1/object/metadata",
    );
}

#[test]
fn an_object_that_cannot_be_read_is_named_and_keeps_its_last_version() {
    let added = |object: Value| json!({"type": "ADDED", "object": object});
    let mut unreadable = pod(2);
    unreadable["metadata"]["name"] = "bad".into();
    unreadable["status"]["podIPs"][0]["ip"] = "10.0.0".into();
    let slice = json!({"kind": "EndpointSlice", "metadata": {"name": "x"}});
    let mut older = slice.clone();
    older["apiVersion"] = "discovery.k8s.io/v1beta1".into();
    for (object, line) in [
        (unreadable.clone(), "5000 ignored Pod unreadable 1"),
        (slice, "5000 ignored EndpointSlice unreadable 1"),
        (older, "5000 ignored EndpointSlice unreadable 1"),
    ] {
        let mut run = settled(json!({}));
        run.feed(json!({"at": 5000, "event": added(object)}))
            .check(&[line]);
    }
    let mut run = settled(json!({}));
    let mut known = pod(2);
    known["status"]["podIPs"][0]["ip"] = "ten".into();
    run.feed(json!({"at": 5000, "event": [added(known)]}))
        .check(&["5000 ignored Pod unreadable 1"]);
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
        // The pod arrived before its Service was known, but still counts as a change of it.
        .until(7000)
        .check(&["6500 shop/cart success +0 ~0 -0"]);
}

#[test]
fn what_a_new_list_lacks_is_gone() {
    let mut run = settled(json!({}));
    run.event(0, "ADDED", pod(2))
        .event(0, "ADDED", service("till"));
    run.lines.clear();
    run.feed(list(1000, "EndpointSlice", json!([])));
    run.check(&[]);
    let mixed = json!({"kind": "List", "items": [node("n1"), service("cart"), pod(2), {"kind": "ConfigMap"}]});
    run.feed(json!({"at": 1000, "list": mixed})).check(&[
        "1000 ignored ConfigMap kind 1",
        "1000 shop/cart success +1 ~0 -0",
        "1000 shop/till success",
    ]);
    // Their slices were deleted as well.
    run.until(5000)
        .check(&["2000 shop/cart success +0 ~0 -0", "2000 shop/till success"])
        .check_slices(&["cart-bbbbf 1 1"]);
}

#[test]
fn a_list_without_a_kind_that_is_known_is_refused() {
    let mut run = settled(json!({"waitForSync": false}));
    let pods = json!({"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": ""}, "items": [pod(1), pod(2)]});
    run.feed(json!({"at": 1000, "list": pods}))
        .check(&["InvalidValue /list/items"])
        .until(9000)
        .check(&[])
        .check_slices(&["cart-bbbbc 1 1"]);
    let error = run.stream.feed(
        json!({"at": 9000, "list": pods}).to_string().as_bytes(),
        Limits::default(),
        &mut Vec::new(),
    );
    let error = error.unwrap_err();
    assert!(error.message().contains("`ServiceList`"), "{error:?}");
    assert!(error.line().is_some());
    // Once the lists of the other kinds have been empty, it is complete.
    for kind in ["Service", "Node", "EndpointSlice"] {
        run.feed(list(10_000, kind, json!([])));
    }
    run.feed(json!({"at": 10_000, "list": pods}));
    run.check(&["10000 shop/cart success"]);
}

#[test]
fn lists_that_are_not_of_our_kinds_or_not_whole_change_nothing() {
    let list = |kind: &str, version: &str, items: Value| json!({"at": 5000, "list": {"kind": kind, "apiVersion": version, "items": items}});
    let metadata = json!({"namespace": "shop", "name": "x"});
    let own =
        json!({"kind": "Service", "apiVersion": "serving.knative.dev/v1", "metadata": metadata});
    let bare = json!({"metadata": metadata});
    let mut run = settled(json!({}));
    run.feed(list(
        "ServiceList",
        "serving.knative.dev/v1",
        json!([own, bare]),
    ))
    .feed(list("NodeList", "foo/v1", json!([])))
    .feed(list("ConfigMapList", "v1", json!([bare])))
    .until(9000);
    let kinds: Vec<_> = run
        .lines
        .iter()
        .map(|line| &line["ignored"]["kind"])
        .collect();
    assert_eq!(
        kinds,
        [
            "Service.serving.knative.dev",
            "Service.serving.knative.dev",
            "ConfigMap"
        ]
    );
    run.check_slices(&["cart-bbbbc 1 1"]);
    let none = json!([]);
    check_bad(
        &list(
            "EndpointSliceList",
            "discovery.k8s.io/v1beta1",
            none.clone(),
        ),
        "Unsupported /list/apiVersion",
    );
    check_bad(
        &list("List", "foo/v1", none.clone()),
        "InvalidValue /list/apiVersion",
    );
    check_bad(
        &list("ServiceList", "foo/v1", json!([pod(1)])),
        "InvalidValue /list/items/0/kind",
    );
    let mut page = list("PodList", "v1", none);
    page["list"]["metadata"] = json!({"continue": "x", "resourceVersion": "9"});
    check_bad(&page, "InvalidValue /list/metadata/continue");
}

#[test]
fn what_went_does_not_come_back_by_events_that_are_late() {
    let mut run = settled(json!({}));
    run.event(1000, "MODIFIED", versioned(pod(1), 5))
        .event(1000, "DELETED", versioned(pod(1), 9))
        .event(1000, "DELETED", versioned(pod(2), 9))
        .event(1000, "DELETED", versioned(service("cart"), 9))
        .event(1000, "MODIFIED", versioned(service("cart"), 8));
    run.lines.clear();
    run.event(2000, "MODIFIED", versioned(pod(1), 8))
        .event(2000, "ADDED", versioned(pod(2), 7))
        .event(2000, "MODIFIED", versioned(service("cart"), 8))
        .check(&[
            "2000 ignored Pod late 2",
            "2000 ignored Pod late 3",
            "2000 ignored Service late 4",
        ]);
    // A recreated object has a later version, and a list takes precedence.
    run.event(3000, "ADDED", versioned(pod(1), 10))
        .event(3000, "ADDED", versioned(service("cart"), 11))
        .feed(list(3000, "Pod", json!([versioned(pod(2), 7)])))
        .check(&[
            "3000 shop/cart success +1 ~0 -0",
            "3000 shop/cart success +0 ~1 -0",
        ]);
}

#[test]
fn after_a_refused_configuration_nothing_happens_until_a_good_one_came() {
    for bad in [
        &br#"{"config": {"apply": "later"}}"#[..],
        br#"{"config": {"aply": "manual"}}"#,
        br#" { "config": {"apply": "manual"#,
    ] {
        let mut stream = ControllerStream::default();
        let mut output = Vec::new();
        let mut feed = |line: &[u8]| stream.feed(line, Limits::default(), &mut output);
        assert!(feed(bad).is_err());
        let added = json!({"at": 0, "event": {"type": "ADDED", "object": service("cart")}});
        let refused = feed(added.to_string().as_bytes()).unwrap_err();
        assert!(
            refused
                .message()
                .starts_with("the configuration was rejected")
        );
        feed(br#"{"config": {"apply": "manual"}}"#).unwrap();
        feed(added.to_string().as_bytes()).unwrap();
        assert!(stream.server().is_none());
        assert!(!output.is_empty());
    }
    // Any other unreadable line is not a configuration.
    let mut stream = ControllerStream::default();
    let mut feed = |line: &[u8]| stream.feed(line, Limits::default(), &mut Vec::new());
    assert!(feed(br#"{"at": 0, "evnt": {}}"#).is_err());
    assert!(feed(br#"{"at": 0}"#).is_ok());
}
