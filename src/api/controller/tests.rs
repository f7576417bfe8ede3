//! Streams: lines in, and what the controller does, in short: time, what, and how many slices a plan creates (`+`),
//! updates (`~`) and deletes (`-`).

use super::*;
use serde_json::{Value, json};

/// A stream with what came out of it so far.
struct Run {
    stream: ControllerStream,
    lines: Vec<Value>,
}

impl Run {
    fn new(config: Value) -> Self {
        let mut run = Self {
            stream: ControllerStream::default(),
            lines: Vec::new(),
        };
        run.feed(json!({"config": config}));
        run
    }

    fn feed(&mut self, line: Value) -> &mut Self {
        let mut output = Vec::new();
        let result = self
            .stream
            .feed(line.to_string().as_bytes(), Limits::default(), &mut output);
        if let Err(error) = result {
            output.extend(error.to_json());
        }
        let lines = output.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.is_empty());
        self.lines
            .extend(lines.map(|line| serde_json::from_slice::<Value>(line).unwrap()));
        self
    }

    fn event(&mut self, at: u64, event: &str, object: Value) -> &mut Self {
        self.feed(json!({"at": at, "event": {"type": event, "object": object}}))
    }

    fn until(&mut self, at: u64) -> &mut Self {
        self.feed(json!({"at": at}))
    }

    /// What came out since the last check.
    #[track_caller]
    fn check(&mut self, expected: &[&str]) -> &mut Self {
        let found: Vec<String> = core::mem::take(&mut self.lines).iter().map(brief).collect();
        assert_eq!(found, expected);
        self
    }

    /// Slices of the server in memory: name, generation, endpoints.
    #[track_caller]
    fn check_slices(&mut self, expected: &[&str]) -> &mut Self {
        let slices = self.stream.server.as_ref().unwrap().slices();
        let brief = |slice: &crate::model::EndpointSlice<'_>| {
            let (name, generation) = (slice.name(), slice.metadata.generation.unwrap());
            format!("{name} {generation} {}", slice.endpoints.len())
        };
        assert_eq!(slices.map(brief).collect::<Vec<_>>(), expected);
        self
    }
}

fn brief(line: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let count = |plan: &Value, list: &str| plan[list].as_array().unwrap().len();
    let at = &line["at"];
    if line["error"].is_object() {
        let (code, path) = (text(&line["error"]["code"]), text(&line["error"]["path"]));
        format!("{code} {path}")
    } else if line["sync"].is_string() {
        let mut brief = format!("{at} {}", text(&line["sync"]));
        if let Some(result) = line["result"].as_str() {
            brief += &format!(" {result}");
        }
        if let Some(plan) = line.get("plan") {
            let [new, changed, gone] = ["create", "update", "delete"].map(|list| count(plan, list));
            brief += &format!(" +{new} ~{changed} -{gone}");
        }
        brief
    } else if line["retry"].is_string() {
        let after = text(&line["after"]);
        format!("{at} retry {} {after}", line["retries"])
    } else if line["event"].is_object() {
        let (reason, message) = (
            text(&line["event"]["reason"]),
            text(&line["event"]["message"]),
        );
        format!("{at} {reason}: {message}")
    } else {
        let ignored = &line["ignored"];
        let (kind, reason) = (text(&ignored["kind"]), text(&ignored["reason"]));
        format!("{at} ignored {kind} {reason} {}", ignored["count"])
    }
}

fn service(name: &str) -> Value {
    json!({
        "kind": "Service", "metadata": {"namespace": "shop", "name": name, "uid": format!("uid-{name}")},
        "spec": {"selector": {"app": name}, "ipFamilies": ["IPv4"], "clusterIP": "10.96.0.1", "ports": [{"name": "http", "protocol": "TCP", "targetPort": 80}]},
    })
}

fn pod(number: u8) -> Value {
    json!({
        "kind": "Pod", "metadata": {"namespace": "shop", "name": format!("p{number}"), "uid": format!("p{number}"), "labels": {"app": "cart"}},
        "spec": {"nodeName": "n1"},
        "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}], "conditions": [{"type": "Ready", "status": "True"}]},
    })
}

fn node(name: &str) -> Value {
    json!({"kind": "Node", "metadata": {"name": name}})
}

fn versioned(mut object: Value, version: u64) -> Value {
    object["metadata"]["resourceVersion"] = version.to_string().into();
    object
}

/// A slice of the Service, ours unless the manager is another.
fn slice(name: &str, service: &str, generation: u64) -> Value {
    json!({
        "kind": "EndpointSlice", "metadata": {"namespace": "shop", "name": name, "uid": name, "generation": generation,
            "labels": {"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
        "addressType": "IPv4",
    })
}

/// A Service with a node and a pod, settled at time 0.
fn settled(config: Value) -> Run {
    let mut run = Run::new(config);
    run.event(0, "ADDED", node("n1"))
        .event(0, "ADDED", pod(1))
        .event(0, "ADDED", service("cart"));
    run.check(&["0 shop/cart success +1 ~0 -0"]);
    run
}

#[test]
fn what_is_written_does_not_wake_the_controller() {
    let mut run = settled(json!({}));
    run.until(60_000)
        .check(&[])
        .check_slices(&["cart-bbbbc 1 1"]);
}

#[test]
fn changes_of_pods_wait_for_the_batch_period() {
    let mut run = settled(json!({"endpointUpdatesBatchPeriod": "500ms"}));
    run.event(1000, "ADDED", pod(2))
        .event(1300, "ADDED", pod(3))
        .check(&[])
        .until(2000)
        .check(&["1500 shop/cart success +0 ~1 -0"])
        .event(2100, "DELETED", pod(2))
        .until(3000)
        .check(&["2600 shop/cart success +0 ~1 -0"]);
}

#[test]
fn changes_of_services_do_not_wait() {
    let mut run = settled(json!({"endpointUpdatesBatchPeriod": "500ms"}));
    let mut changed = service("cart");
    changed["metadata"]["labels"] = json!({"team": "a"});
    run.event(1000, "MODIFIED", changed)
        .check(&["1000 shop/cart success +0 ~1 -0"]);
}

#[test]
fn changes_of_slices_by_others_wait_a_second_or_the_batch_period() {
    for (period, expected) in [("0s", "2000"), ("300ms", "2000"), ("5s", "6000")] {
        let mut run = Run::new(json!({"endpointUpdatesBatchPeriod": period}));
        run.event(0, "ADDED", service("cart"))
            .check(&["0 shop/cart success +1 ~0 -0"])
            .event(1000, "ADDED", slice("other", "cart", 1))
            .until(10_000)
            .check(&[&format!("{expected} shop/cart success +0 ~1 -1")]);
    }
}

#[test]
fn a_slice_of_another_manager_is_not_ours_until_it_is() {
    let mut run = settled(json!({}));
    let mut foreign = slice("other", "cart", 1);
    let label = "endpointslice.kubernetes.io/managed-by";
    foreign["metadata"]["labels"][label] = "somebody".into();
    run.event(1000, "ADDED", foreign.clone())
        .until(5000)
        .check(&[])
        .event(5000, "MODIFIED", slice("other", "cart", 1))
        .until(6000)
        .check(&["6000 shop/cart success +0 ~0 -1"])
        .event(7000, "ADDED", foreign)
        .event(7000, "MODIFIED", slice("other", "cart", 1))
        .event(7500, "DELETED", slice("other", "cart", 1))
        .until(9000)
        .check(&["8000 shop/cart success +0 ~0 -0"]);
}

#[test]
fn a_slice_that_changes_its_service_queues_both() {
    let mut run = settled(json!({}));
    run.event(100, "ADDED", service("till"));
    run.check(&["100 shop/till success +1 ~0 -0"]);
    let mut moved = slice("cart-bbbbc", "till", 1);
    moved["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001".into();
    run.event(1000, "MODIFIED", moved).until(3000).check(&[
        "2000 shop/till success +0 ~1 -1",
        "2000 shop/cart success +1 ~0 -0",
    ]);
}

/// A finalizer that nobody ends does not keep the Service from being synced.
#[test]
fn a_slice_that_leaves_its_service_is_not_waited_for() {
    let label = "endpointslice.kubernetes.io/managed-by";
    let leaves: [(&str, Value); 2] = [
        ("/metadata/deletionTimestamp", "2026-01-02T03:04:05Z".into()),
        (
            "/metadata/labels",
            json!({"kubernetes.io/service-name": "cart", label: "somebody"}),
        ),
    ];
    for (place, value) in leaves {
        let mut run = settled(json!({}));
        let mut left = slice("cart-bbbbc", "cart", 2);
        left["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001".into();
        left["metadata"]["deletionTimestamp"] = Value::Null;
        *left.pointer_mut(place).unwrap() = value;
        run.event(1000, "MODIFIED", left.clone())
            .until(3000)
            .check(&["2000 shop/cart success +1 ~0 -0"])
            .event(4000, "DELETED", left)
            .until(6000)
            .check(&[]);
    }
}

#[test]
fn slices_that_wait_for_their_finalizers_are_left_alone() {
    let mut run = settled(json!({}));
    let mut doomed = slice("doomed", "cart", 1);
    doomed["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    doomed["metadata"]["finalizers"] = json!(["a/b"]);
    run.event(1000, "ADDED", doomed)
        .until(3000)
        .check(&["2000 shop/cart success +0 ~0 -0"])
        .check_slices(&["cart-bbbbc 1 1", "doomed 1 0"]);
}

#[test]
fn a_slice_deleted_by_another_is_made_again() {
    let mut run = settled(json!({}));
    run.event(1000, "DELETED", slice("cart-bbbbc", "cart", 1))
        .until(3000)
        .check(&["2000 shop/cart success +1 ~0 -0"])
        .check_slices(&["cart-bbbbd 1 1"]);
}

#[test]
fn a_cache_that_lags_is_stale() {
    let mut run = Run::new(json!({"watchLag": "2500ms"}));
    run.event(0, "ADDED", node("n1"))
        .event(0, "ADDED", service("cart"))
        .check(&["0 shop/cart success +1 ~0 -0"])
        .event(100, "ADDED", pod(1))
        .until(10_000)
        .check(&[
            "100 shop/cart stale",
            "100 retry 1 1s",
            "1100 shop/cart stale",
            "1100 retry 2 2s",
            "3100 shop/cart success +0 ~1 -0",
        ]);
}

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
    // A success makes the next failure the first.
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
fn services_without_selector_are_left_alone() {
    let mut run = settled(json!({}));
    let mut bare = service("cart");
    bare["spec"]["selector"] = Value::Null;
    let mut external = service("cart");
    external["spec"]["type"] = "ExternalName".into();
    run.event(1000, "MODIFIED", bare)
        .event(2000, "MODIFIED", external)
        .check(&["1000 shop/cart success", "2000 shop/cart success"])
        .check_slices(&["cart-bbbbc 1 1"]);
}

#[test]
fn a_service_that_goes_takes_all_with_it() {
    let mut run = settled(json!({"watchLag": "100ms"}));
    run.event(1000, "DELETED", service("cart"))
        .event(1000, "DELETED", pod(1))
        .event(1000, "DELETED", node("n1"))
        .until(5000)
        .check(&["1000 shop/cart success"])
        .check_slices(&[]);
    assert!(run.stream.controller.is_empty());
    assert!(run.stream.server.as_ref().unwrap().is_empty());
}

#[test]
fn nodes_that_change_queue_the_services_they_overload() {
    let zoned = |name: &str, zone: &str, cpu: &str| {
        json!({"kind": "Node", "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": "True"}]}})
    };
    let mut run = Run::new(json!({}));
    run.event(0, "ADDED", zoned("n1", "a", "4"))
        .event(0, "ADDED", zoned("n2", "b", "4"));
    for number in 1..=4 {
        let mut pod = pod(number);
        pod["spec"]["nodeName"] = format!("n{}", number % 2 + 1).into();
        run.event(0, "ADDED", pod);
    }
    let mut auto = service("cart");
    auto["metadata"]["annotations"] = json!({"service.kubernetes.io/topology-mode": "Auto"});
    run.event(0, "ADDED", auto).check(&[
        "0 shop/cart success +1 ~0 -0",
        "0 TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4",
    ]);
    // CPU alone is not looked at, as in the reference; a zone more, that has no hints, is.
    run.event(1000, "MODIFIED", zoned("n2", "b", "1"))
        .check(&[])
        .event(2000, "MODIFIED", zoned("n2", "b", "4"))
        .event(3000, "ADDED", zoned("n3", "c", "4"))
        .check(&[
            "3000 shop/cart success +0 ~1 -0",
            "3000 TopologyAwareHintsDisabled: Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (4 endpoints, 3 zones), addressType: IPv4",
        ])
        .event(4000, "DELETED", zoned("n3", "c", "4"))
        .check(&[]);
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
fn a_resync_syncs_every_service() {
    let mut run = settled(json!({}));
    run.event(0, "ADDED", service("till"));
    run.lines.clear();
    run.feed(json!({"at": 1000, "resync": true})).check(&[
        "1000 shop/cart success +0 ~0 -0",
        "1000 shop/till success +0 ~0 -0",
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
        // While it is written, the Service is not synced.
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
        // The slice that was written has not come back yet.
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
fn bad_lines_are_answered_with_their_error_and_change_nothing() {
    let mut run = settled(json!({}));
    let event = |object: Value| json!({"at": 5000, "event": {"type": "ADDED", "object": object}});
    let mut nameless = pod(2);
    nameless["metadata"]["name"] = "".into();
    let mut unreadable = pod(2);
    unreadable["status"]["podIPs"][0]["ip"] = "10.0.0".into();
    let batch = [pod(3), unreadable.clone()].map(|pod| json!({"type": "ADDED", "object": pod}));
    let lines = [
        (json!({"at": 1.5}), "InvalidType /at"),
        (json!({"at": -1}), "InvalidValue /at"),
        (json!({}), "MissingField /at"),
        (json!({"at": 5000, "evnt": {}}), "UnknownField /evnt"),
        (json!({"config": {}}), "InvalidValue /config"),
        (
            json!({"at": 5000, "resync": true, "event": {}}),
            "InvalidValue ",
        ),
        (
            json!({"at": 5000, "event": {"type": "ADDED"}}),
            "MissingField /event/object",
        ),
        (
            json!({"at": 5000, "event": {"type": "SEEN", "object": pod(2)}}),
            "InvalidValue /event/type",
        ),
        (
            event(json!({"metadata": {"name": "x"}})),
            "MissingField /event/object/kind",
        ),
        (
            event(nameless.clone()),
            "MissingField /event/object/metadata/name",
        ),
        (
            event(unreadable),
            "InvalidValue /event/object/status/podIPs/0/ip",
        ),
        (
            json!({"at": 5000, "event": batch}),
            "InvalidValue /event/1/object/status/podIPs/0/ip",
        ),
        (
            json!({"at": 5000, "event": {"type": "DELETED", "object": nameless}}),
            "MissingField /event/object/metadata/name",
        ),
        (
            event(
                json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1beta1", "metadata": {"name": "x"}}),
            ),
            "Unsupported /event/object/apiVersion",
        ),
        (
            event(json!({"kind": "EndpointSlice", "metadata": {"name": "x"}})),
            "MissingField /event/object/addressType",
        ),
        (
            json!({"at": 5000, "list": {"kind": "PodList", "items": [pod(2), pod(2)]}}),
            "DuplicateName /list/items/1/metadata/name",
        ),
        (
            json!({"at": 5000, "list": {"kind": "PodList", "items": [node("n")]}}),
            "InvalidValue /list/items/0/kind",
        ),
        (
            json!({"at": 5000, "list": pod(2)}),
            "InvalidValue /list/kind",
        ),
        (
            json!({"at": 5000, "refuse": {"error": "Full"}}),
            "InvalidValue /refuse/error",
        ),
    ];
    for (line, expected) in lines {
        run.feed(line.clone());
        let found: Vec<_> = core::mem::take(&mut run.lines).iter().map(brief).collect();
        assert_eq!(found, [expected], "{line}");
    }
    // Time has not passed, and nothing has come.
    run.until(1000).check(&[]).check_slices(&["cart-bbbbc 1 1"]);
    run.until(900).check(&["InvalidValue /at"]);
    run.feed(json!({"at": 1000, "result": {"service": "shop/cart"}}))
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
