//! Faults of nodes and zones, names that pods ask for in vain, and policies of load balancers that pass no node.

use serde_json::{Value, json};

use super::super::world::{ANY, NAMESPACE, Needs, PROXIED, World, not_ready};
use super::{Fault, Link, fault};

const ZONES: Needs = Needs {
    zones: 2,
    hints: Some(""),
    ..ANY
};
const BALANCED: Needs = Needs {
    hints: Some(""),
    kind: Some("LoadBalancer"),
    ..PROXIED
};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        Link::Chosen,
        "a zone has failed",
        ZONES,
        &["ZoneFailed"],
        "degraded",
        |world| {
            another_node(world);
            lose(world, |node| {
                node["metadata"]["labels"]["topology.kubernetes.io/zone"] == "a"
            });
        },
    ),
    fault(
        Link::Chosen,
        "nearly a whole zone has failed",
        ZONES,
        &["ZoneFailed"],
        "degraded",
        |world| {
            let is_used =
                |node: &Value| node["metadata"]["labels"]["topology.kubernetes.io/zone"] == "a";
            for _ in 0..4 {
                another_node(world);
            }
            let names = world.items.iter().filter(|item| is_used(item));
            let kept = names
                .map(|node| node["metadata"]["name"].clone())
                .next_back();
            lose(world, |node| {
                is_used(node) && Some(&node["metadata"]["name"]) != kept.as_ref()
            });
        },
    ),
    fault(
        Link::Chosen,
        "the only zone has failed",
        Needs {
            hints: Some(""),
            ..ANY
        },
        &["ZoneFailed"],
        "broken",
        |world| {
            for item in &mut world.items {
                if item["kind"] == "Node" {
                    item["metadata"]["labels"]["topology.kubernetes.io/zone"] = "a".into();
                }
            }
            another_node(world);
            world.settle();
            lose(world, |_| true);
        },
    ),
    fault(
        Link::Chosen,
        "a node has failed",
        ZONES,
        &["NodeFailed"],
        "degraded",
        |world| {
            let name = world.a_pod()["spec"]["nodeName"].clone();
            lose(world, |node| node["metadata"]["name"] == name);
        },
    ),
    fault(
        Link::Chosen,
        "a pod with the subdomain is not selected",
        Needs {
            headless: Some(true),
            ..ANY
        },
        &["SubdomainUnresolved"],
        "degraded",
        |world| {
            let name = world.name;
            world.pod(NAMESPACE, "peer", &json!({"app": "peer"}), 0);
            let pod = world.items.last_mut().unwrap();
            pod["spec"]["subdomain"] = name.into();
            pod["spec"]["hostname"] = "peer-0".into();
        },
    ),
    fault(
        Link::ChosenAmong,
        "Local behind targets that are pods",
        BALANCED,
        &["ScopeOfSetting"],
        "note",
        |world| {
            let key = world.dice.of(&[
                (
                    "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type",
                    "ip",
                ),
                (
                    "service.beta.kubernetes.io/aws-load-balancer-type",
                    "nlb-ip",
                ),
            ]);
            let service = world.object("Service");
            service["metadata"]["annotations"][key.0] = key.1.into();
            service["spec"]["externalTrafficPolicy"] = "Local".into();
            service["spec"]["healthCheckNodePort"] = 32_000.into();
        },
    ),
];

/// Another node of the first zone, without pods.
fn another_node(world: &mut World) {
    let nodes = world.items.iter().filter(|item| item["kind"] == "Node");
    let mut node = nodes
        .min_by_key(|node| node["metadata"]["name"].as_str().map(ToOwned::to_owned))
        .unwrap()
        .clone();
    let number = world
        .items
        .iter()
        .filter(|item| item["kind"] == "Node")
        .count();
    node["metadata"]["name"] = format!("n0-{number}").into();
    node["metadata"]["uid"] = node["metadata"]["name"].clone();
    world.items.push(node);
}

/// The nodes no longer report, and their pods have been marked as not ready since.
fn lose(world: &mut World, is_lost: impl Fn(&Value) -> bool) {
    let mut names = Vec::new();
    for node in world.items.iter_mut().filter(|item| item["kind"] == "Node") {
        if is_lost(node) {
            node["status"]["conditions"] =
                json!([{"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown"}]);
            names.push(node["metadata"]["name"].clone());
        }
    }
    let pods = world.items.iter_mut().filter(|item| item["kind"] == "Pod");
    pods.filter(|pod| names.contains(&pod["spec"]["nodeName"]))
        .for_each(not_ready);
    world.settle();
}
