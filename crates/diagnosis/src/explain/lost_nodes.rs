//! Pods that count as ready although their nodes are not.

use alloc::format;
use alloc::vec::Vec;

use super::words::list;
use super::{Scene, say};
use slicewise::model::order::sort_by;
use slicewise::model::{Node, Pod};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::words::counted;

/// Explains each such node, sorted by name.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let nodes = scene.case.cluster.nodes.iter();
    let mut lost: Vec<&Node<'_>> = nodes.filter(|node| is_lost(node)).collect();
    sort_by(&mut lost, |a, b| a.metadata.name.cmp(&b.metadata.name));
    answers.extend(lost.into_iter().filter_map(|node| of_node(scene, node)));
}

/// Is the node known not to be ready?
pub(super) fn is_lost(node: &Node<'_>) -> bool {
    node.status.ready.is_some_and(|ready| !ready.status)
}

fn of_node(scene: &Scene<'_>, node: &Node<'_>) -> Option<Explanation> {
    let name = &node.metadata.name;
    let counts = |pod: &&&Pod<'_>| {
        pod.spec.node_name == *name
            && pod.may_be_endpoint()
            && !pod.is_terminating()
            && pod.status.ready.is_some_and(|ready| ready.status)
    };
    let pods = scene.case.selected.iter().filter(counts);
    let names: Vec<&str> = pods.map(|pod| &*pod.metadata.name).collect();
    let first = names.first()?;
    let who = match names.len() {
        1 => format!("pod {first} on it counts"),
        number => format!("{} on it count", counted(number, "pod")),
    };
    Some(
        say::service(
            Code::PodNodeNotReady,
            scene.case.service,
            format!("Node {name} is not ready, and {who} as ready."),
        )
        .because(format!(
            "Slices follow the pod's own Ready condition, which is still True: {}.",
            list(&names)
        ))
        .details("The kubelet sets the condition. When a node stops reporting, kube-controller-manager sets the Ready condition of its pods to False after a grace period (40 to 50 seconds by default) and evicts them some minutes later. Until then they get their share of the traffic, and connections to them time out if the node is down.")
        .figure("node", &**name)
        .figure("pods", names.as_slice())
        .look(
            format!("kubectl describe node {name}"),
            "its conditions say why it is not ready; once its pods are not ready, they get no traffic",
        ),
    )
}
