//! `internalTrafficPolicy: Local`: which nodes find no endpoint of their own, as kube-proxy decides it.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use super::hints::of_family;
use super::words::{count, list};
use super::{Scene, say};
use crate::model::{AddressType, Text, keys};
use crate::plan::explanation::{Explanation, ExplanationCode as Code};
use crate::proxy::Service;
use crate::routing::{Client, PortTraffic, Reader, Situation, matrix};

const LOCAL: &str = "Local";

/// Explains whose traffic is dropped because it must stay on its node.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let Some(service) = scene.case.details.service(&scene.case.service.key()) else {
        return;
    };
    if service.spec.internal_traffic_policy != LOCAL {
        return;
    }
    let everywhere = Service {
        spec: crate::proxy::service::ServiceSpec {
            internal_traffic_policy: Text::default(),
            ..service.spec.clone()
        },
        ..service.clone()
    };
    for family in [AddressType::IPv4, AddressType::IPv6] {
        let kept = traffic(scene, service, family);
        let spread = traffic(scene, &everywhere, family);
        let dropped = kept.iter().zip(&spread).filter_map(|(kept, spread)| {
            // Where no node is served the policy is not why.
            let lost = unserved(kept);
            let lost_anyway = unserved(spread);
            let nodes = scene.case.cluster.nodes.iter().enumerate();
            let dropped =
                nodes.filter(|(place, _)| lost.contains(place) && !lost_anyway.contains(place));
            let names: Vec<&str> = dropped.map(|(_, node)| &*node.metadata.name).collect();
            (!names.is_empty()).then_some(names)
        });
        // All ports of a Service are served by the same pods, as a rule.
        if let Some(names) = dropped.max_by_key(Vec::len) {
            answers.push(unserved_nodes(scene, family, &names));
        }
    }
}

/// The places of the nodes that find no endpoint.
fn unserved(port: &PortTraffic) -> BTreeSet<usize> {
    let groups = port.groups.iter().filter(|group| group.uses.is_empty());
    groups
        .flat_map(|group| group.nodes.iter().copied())
        .collect()
}

fn traffic(scene: &Scene<'_>, service: &Service<'_>, family: AddressType) -> Vec<PortTraffic> {
    let nodes = scene.case.cluster.nodes.iter();
    let clients: Vec<_> = nodes
        .map(|node| Client {
            node: &node.metadata.name,
            zone: node
                .metadata
                .labels
                .get(keys::ZONE_LABEL)
                .map_or("", Text::as_str),
            weight: 1.0,
        })
        .collect();
    let slices: Vec<_> = scene.after.iter().collect();
    let situation = Situation {
        service,
        slices: &slices,
        address_type: family,
        reader: Reader::KubeProxy,
        with_node_hints: true,
    };
    matrix(&situation, &clients)
}

fn unserved_nodes(scene: &Scene<'_>, family: AddressType, names: &[&str]) -> Explanation {
    let service = scene.case.service;
    let name = &service.metadata.name;
    let (nodes, ready) = (scene.case.cluster.nodes.len(), scene.ready(family).len());
    let message = format!(
        "internalTrafficPolicy of Service {name} is Local, so that traffic to its cluster IP{} stays on the node it comes from. {} of {} {} ({}): what clients there send is dropped, although there are {} elsewhere.",
        of_family(scene, family),
        names.len(),
        count(nodes, "node"),
        if names.len() == 1 {
            "has no endpoint of its own"
        } else {
            "have no endpoint of their own"
        },
        list(names),
        count(ready, "ready endpoint"),
    );
    say::service(Code::LocalTrafficUnserved, service, format!("Traffic from {} of {} is dropped.", names.len(), count(nodes, "node"))).because(format!("internalTrafficPolicy is Local, and there is no endpoint on {}.", list(names))).details(message)
        .family(family)
        .figure("nodes", nodes)
        .figure("unservedNodes", names)
        .fix(
            "set spec.internalTrafficPolicy: Cluster and spec.trafficDistribution: PreferSameNode",
            "traffic stays on its node where that has an endpoint, and goes to another elsewhere",
        )
        .fix(
            "or run a pod on every node that has clients (a DaemonSet)",
            "every node has an endpoint of its own, but for the time of a rollout",
        )
}
