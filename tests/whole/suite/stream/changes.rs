//! Changes of Services, pods and nodes, and when they take effect.

use serde_json::{Value, json};

use super::*;

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

fn unready(mut pod: Value) -> Value {
    pod["status"]["conditions"][0]["status"] = "False".into();
    pod
}

#[test]
fn pods_without_versions_wake_their_service_when_they_change() {
    let mut run = settled(json!({}));
    run.event(1000, "MODIFIED", pod(1))
        .check(&[])
        .event(2000, "MODIFIED", unready(pod(1)))
        .check(&["2000 shop/cart success +0 ~1 -0"])
        .feed(json!({"at": 3000, "list": {"kind": "PodList", "items": [pod(1)]}}))
        .check(&["3000 shop/cart success +0 ~1 -0"]);
    // It leaves the Service, which only its labels show.
    let mut other = pod(1);
    other["metadata"]["labels"]["app"] = "till".into();
    run.event(4000, "MODIFIED", other)
        .check(&["4000 shop/cart success +0 ~1 -0"])
        // Only one of the two has a version, so this is not a resync.
        .event(5000, "MODIFIED", versioned(pod(1), 7))
        .check(&["5000 shop/cart success +0 ~1 -0"]);
}

#[test]
fn the_same_version_of_a_pod_wakes_nobody_and_its_content_counts_with_the_next_sync() {
    let mut run = settled(json!({}));
    run.event(1000, "MODIFIED", versioned(pod(1), 7))
        .event(2000, "MODIFIED", versioned(unready(pod(1)), 7))
        .until(9000)
        .check(&[])
        .feed(json!({"at": 10_000, "resync": true}))
        .check(&["10000 shop/cart success +0 ~1 -0"]);
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
    assert!(run.stream.controller().is_empty());
    assert!(run.stream.server().unwrap().is_empty());
}

fn zoned(name: &str, zone: &str, cpu: &str) -> Value {
    json!({"kind": "Node", "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}},
        "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": "True"}]}})
}

fn hinted_service() -> Value {
    let mut service = service("cart");
    service["metadata"]["annotations"] = json!({"service.kubernetes.io/topology-mode": "Auto"});
    service
}

/// A pod on each of two nodes in turn.
fn hinted_pod(number: u8) -> Value {
    let mut pod = pod(number);
    pod["spec"]["nodeName"] = format!("n{}", number % 2 + 1).into();
    pod
}

/// Four pods in two zones with equal CPU, and a Service that requests hints.
fn hinted() -> Run {
    let mut run = Run::new(json!({}));
    run.event(0, "ADDED", zoned("n1", "a", "4"))
        .event(0, "ADDED", zoned("n2", "b", "4"));
    for number in 1..=4 {
        run.event(0, "ADDED", hinted_pod(number));
    }
    run.event(0, "ADDED", hinted_service()).check(&[
        "0 shop/cart success +1 ~0 -0",
        "0 TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4",
    ]);
    run
}

#[test]
fn nodes_that_change_queue_the_services_they_overload() {
    let mut run = hinted();
    // As in the reference, a change of CPU alone has no effect; another zone, which has no hints, does.
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
fn shares_of_cpu_are_those_of_the_nodes_as_they_are() {
    let mut run = hinted();
    run.event(1000, "MODIFIED", zoned("n2", "b", "12"))
        .feed(json!({"at": 1000, "resync": true}));
    let zones = &run.lines[0]["plan"]["hints"][0]["zones"];
    let share = |zone: usize| zones[zone]["cpuRatio"].as_f64();
    assert_eq!((share(0), share(1)), (Some(0.25), Some(0.75)));
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
fn a_cluster_without_nodes_lacks_node_information() {
    let mut run = Run::new(json!({}));
    run.event(0, "ADDED", hinted_service()).check(&[
        "0 shop/cart success +1 ~0 -0",
        "0 TopologyAwareHintsDisabled: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4",
    ]);
}

#[test]
fn hints_of_a_service_that_is_gone_are_forgotten() {
    // A third zone takes its share: the Service, if it existed, would be overloaded.
    hinted()
        .event(5000, "DELETED", service("cart"))
        .until(9000)
        .check(&["5000 shop/cart success"])
        .event(10_000, "ADDED", zoned("n3", "c", "4"))
        .until(20_000)
        .check(&[])
        .event(20_000, "ADDED", service("cart"))
        .check(&["20000 shop/cart success +1 ~0 -0"]);
}

#[test]
fn a_controller_that_starts_leaves_hints_as_they_are() {
    let earlier = hinted();
    let slices = earlier.stream.server().unwrap().slices();
    let slices: Vec<Value> = slices.map(|slice| json!(slice)).collect();
    assert_eq!(
        slices[0]["endpoints"][0]["hints"]["forZones"][0]["name"],
        "b"
    );
    let pods = (1..=4).map(hinted_pod).collect();
    let nodes = [zoned("n1", "a", "4"), zoned("n2", "b", "4")];
    // The nodes are listed last.
    let mut run = Run::new(json!({"waitForSync": true}));
    run.feed(list(0, "Service", json!([hinted_service()])))
        .feed(list(0, "EndpointSlice", slices.into()))
        .feed(list(0, "Pod", pods))
        .until(5000)
        .check(&[])
        .feed(list(5000, "Node", json!(nodes)))
        .check(&[
            "5000 shop/cart success +0 ~0 -0",
            "5000 TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4",
        ]);
}
