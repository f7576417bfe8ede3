//! Nodes that are not ready, and the Service's pods on them: one finding for a zone that has failed, otherwise one for
//! each node. What follows from it is not said of each pod again.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::say;
use super::scene::{Case, Scene};
use super::words::list;
use slicewise::model::order::sort_by;
use slicewise::model::{Node, Pod, keys};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;

/// In a zone that has failed, at most one node in so many is still ready.
const NEARLY_ALL: usize = 4;

/// The nodes of a cluster that are not ready.
#[derive(Default)]
pub(super) struct FailedNodes<'a> {
    /// Sorted by name.
    lost: Vec<&'a Node<'a>>,
    /// Zones of which nearly all nodes are not ready, sorted; only one, without a name, if no node at all is ready.
    zones: Vec<FailedZone<'a>>,
}

struct FailedZone<'a> {
    name: &'a str,
    /// The names of its nodes that are not ready.
    lost: Vec<&'a str>,
    nodes: usize,
}

/// Those of them that have pods of a Service.
#[derive(Default)]
pub(super) struct LostNodes<'a> {
    /// Sorted by name, as lookups need them.
    nodes: Vec<LostNode<'a>>,
    zones: &'a [FailedZone<'a>],
    /// The number of pods that are endpoints, or would be.
    endpoints: usize,
}

/// A node that is not ready, with those of the Service's pods that have an address and have not finished.
struct LostNode<'a> {
    name: &'a str,
    zone: &'a str,
    pods: Vec<&'a Pod<'a>>,
}

/// Is it an explanation of such a node or zone?
pub(super) const fn is_about(code: Code) -> bool {
    matches!(
        code,
        Code::ZoneFailed | Code::NodeFailed | Code::PodNodeNotReady
    )
}

/// Is the node known not to be ready?
pub(super) fn is_lost(node: &Node<'_>) -> bool {
    node.status.ready.is_some_and(|ready| !ready.status)
}

fn is_ready(pod: &Pod<'_>) -> bool {
    !pod.is_terminating() && pod.status.ready.is_some_and(|ready| ready.status)
}

impl<'a> FailedNodes<'a> {
    pub(super) fn new(nodes: &'a [Node<'a>]) -> Self {
        let mut lost: Vec<&Node<'_>> = nodes.iter().filter(|node| is_lost(node)).collect();
        sort_by(&mut lost, |one, other| {
            one.metadata.name.cmp(&other.metadata.name)
        });
        let mut by_zone: BTreeMap<&str, FailedZone<'_>> = BTreeMap::new();
        for node in nodes.iter().filter(|_| !lost.is_empty()) {
            let zone = match lost.len() == nodes.len() {
                true => "",
                false => zone_of(node),
            };
            let failed = by_zone.entry(zone).or_insert_with(|| FailedZone {
                name: zone,
                lost: Vec::new(),
                nodes: 0,
            });
            failed.nodes += 1;
            failed
                .lost
                .extend(is_lost(node).then_some(node.metadata.name.as_str()));
        }
        let has_failed = |zone: &FailedZone<'_>| {
            let ready = zone.nodes - zone.lost.len();
            let is_named = !zone.name.is_empty() || lost.len() == nodes.len();
            is_named && zone.lost.len() > 1 && ready * NEARLY_ALL <= zone.nodes
        };
        let mut zones: Vec<FailedZone<'_>> = by_zone.into_values().filter(has_failed).collect();
        zones.iter_mut().for_each(|zone| zone.lost.sort_unstable());
        // The only zone is no better name for all nodes.
        let mut names = nodes.iter().map(zone_of);
        let first = names.next().unwrap_or_default();
        if names.all(|name| name == first) {
            zones.iter_mut().for_each(|zone| zone.name = first);
        }
        Self { lost, zones }
    }
}

impl<'a> LostNodes<'a> {
    pub(super) fn new(case: &Case<'a>) -> Self {
        let FailedNodes { lost, zones } = &case.cluster.failed;
        let mut by_node: BTreeMap<&str, LostNode<'_>> = BTreeMap::new();
        let mut endpoints = 0;
        for pod in case
            .selected
            .iter()
            .copied()
            .filter(|pod| pod.may_be_endpoint())
        {
            endpoints += usize::from(!pod.is_terminating());
            let found = lost.binary_search_by(|node| node.metadata.name.cmp(&pod.spec.node_name));
            let Some(node) = found.ok().and_then(|place| lost.get(place)) else {
                continue;
            };
            let lost = by_node
                .entry(&node.metadata.name)
                .or_insert_with(|| LostNode {
                    name: &node.metadata.name,
                    zone: zone_of(node),
                    pods: Vec::new(),
                });
            lost.pods.push(pod);
        }
        Self {
            nodes: by_node.into_values().collect(),
            zones,
            endpoints,
        }
    }

    /// Does the explanation of its node or zone say why the pod is not ready?
    pub(super) fn covers(&self, pod: &Pod<'_>) -> bool {
        let by_name = |node: &LostNode<'_>| node.name.cmp(pod.spec.node_name.as_str());
        !is_ready(pod) && self.nodes.binary_search_by(by_name).is_ok()
    }

    /// Do pods there still count as ready? Whether they serve is unknown.
    pub(super) fn is_any_used(&self) -> bool {
        let mut pods = self.nodes.iter().flat_map(|node| &node.pods);
        pods.any(|pod| is_ready(pod))
    }

    /// Its nodes in a failed zone.
    fn in_zone(&self, failed: &FailedZone<'_>) -> impl Iterator<Item = &LostNode<'a>> {
        self.nodes.iter().filter(|node| failed.has(node.zone))
    }

    /// Is one zone or node the reason why none of the pods is a ready endpoint?
    pub(super) fn is_only_cause(&self, selected: &[&Pod<'_>]) -> bool {
        let mut endpoints = selected.iter().filter(|pod| !pod.is_terminal());
        let mut zones = self.zones.iter();
        let is_one = self.nodes.len() == 1
            || zones.any(|failed| self.nodes.iter().all(|node| failed.has(node.zone)));
        is_one && !self.nodes.is_empty() && endpoints.all(|pod| self.covers(pod))
    }
}

impl FailedZone<'_> {
    fn has(&self, zone: &str) -> bool {
        self.name.is_empty() || self.name == zone
    }
}

fn zone_of<'a>(node: &'a Node<'_>) -> &'a str {
    node.zone().map_or("", |zone| zone.as_str())
}

/// Explains each failed zone, then each other node.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let lost = &scene.lost;
    let with_pods = lost.zones.iter();
    let with_pods = with_pods.filter(|failed| lost.in_zone(failed).next().is_some());
    answers.extend(with_pods.map(|failed| {
        let pods = LostPods::of(lost.in_zone(failed));
        of_zone(scene, failed, &pods)
    }));
    let is_told = |node: &&LostNode<'_>| lost.zones.iter().any(|failed| failed.has(node.zone));
    let others = lost.nodes.iter().filter(|node| !is_told(node));
    answers.extend(others.map(|node| of_node(scene, node)));
}

/// The pods of lost nodes: those that are not ready, those that count as ready, and those that are being deleted.
struct LostPods<'p, 'a> {
    not_ready: Vec<&'p Pod<'a>>,
    ready: Vec<&'p Pod<'a>>,
    terminating: Vec<&'p Pod<'a>>,
}

impl<'p, 'a> LostPods<'p, 'a> {
    fn of(nodes: impl Iterator<Item = &'p LostNode<'a>>) -> Self {
        let pods = nodes.flat_map(|node| node.pods.iter().copied());
        let (terminating, kept) = pods.partition::<Vec<_>, _>(|pod| pod.is_terminating());
        let (ready, not_ready) = kept.into_iter().partition(|pod| is_ready(pod));
        Self {
            not_ready,
            ready,
            terminating,
        }
    }

    fn number(&self) -> usize {
        self.not_ready.len() + self.ready.len()
    }

    /// `9 of 27 endpoints are lost`.
    fn share(&self, scene: &Scene<'_>) -> String {
        if self.number() == 0 {
            let number = self.terminating.len();
            let hang = if number == 1 { "hangs" } else { "hang" };
            return format!("{} there {hang} in Terminating", counted(number, "pod"));
        }
        let is_used =
            self.not_ready.is_empty() || scene.case.service.spec.publish_not_ready_addresses;
        format!(
            "{} of {} {} {}",
            self.number(),
            counted(scene.lost.endpoints, "endpoint"),
            are(self.number()),
            if is_used { "there" } else { "lost" }
        )
    }

    /// Which requests they get, and how they end.
    fn state(&self, scene: &Scene<'_>) -> String {
        let mut states = Vec::new();
        let number = self.not_ready.len();
        if number > 0 {
            states.push(match scene.case.service.spec.publish_not_ready_addresses {
                true => format!(
                    "{number} {} not ready but published by publishNotReadyAddresses",
                    are(number)
                ),
                false => format!(
                    "{number} {} not ready and {} no traffic",
                    are(number),
                    if number == 1 { "gets" } else { "get" }
                ),
            });
        }
        let number = self.ready.len();
        if number > 0 {
            states.push(format!(
                "{number} still {} as ready and {} traffic, which times out if the node is down",
                if number == 1 { "counts" } else { "count" },
                if number == 1 { "gets" } else { "get" },
            ));
        }
        let number = self.terminating.len();
        if number > 0 {
            states.push(format!(
                "{number} {} being deleted, which ends when the node is back or is deleted",
                are(number)
            ));
        }
        format!("Of the pods there, {}", states.join("; "))
    }

    fn names(&self) -> Vec<&str> {
        let pods = [&self.not_ready, &self.ready, &self.terminating];
        let pods = pods.into_iter().flatten();
        pods.map(|pod| &*pod.metadata.name).collect()
    }

    /// What is being deleted is no loss, unless it is all there was, nor is what is published all the same.
    fn settled(&self, scene: &Scene<'_>, explanation: Explanation) -> Explanation {
        if self.number() == 0 && !scene.lost.is_only_cause(scene.case.selected) {
            return explanation.severity(Severity::Note);
        }
        match scene.case.service.spec.publish_not_ready_addresses {
            true => explanation.severity(Severity::Risk),
            false => explanation,
        }
    }
}

const fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

const DETAILS: &str = "The kubelet reports whether its node is ready. When the reports stop, kube-controller-manager sets the Ready condition of the node's pods to False after a grace period (40 to 50 seconds by default) and evicts them some minutes later (5 by default); their owners then create others on nodes that are ready. Until its condition changes, a pod gets its share of the traffic, and connections to it time out if the node is down. Evicted pods stay in Terminating until the kubelet reports again or their node is deleted.";

fn of_zone(scene: &Scene<'_>, failed: &FailedZone<'_>, pods: &LostPods<'_, '_>) -> Explanation {
    let zone = failed.name;
    let share = pods.share(scene);
    let (what, at) = match zone {
        "" => (
            format!(
                "None of the {} is ready, and {share}.",
                counted(failed.nodes, "node")
            ),
            "kubectl get nodes".into(),
        ),
        zone => (
            format!(
                "Zone {zone} has failed: {} of {} are not ready, and {share}.",
                failed.lost.len(),
                counted(failed.nodes, "node"),
            ),
            format!("kubectl get nodes -l {}={zone}", keys::ZONE_LABEL),
        ),
    };
    let shows = match failed.lost.len() == scene.case.cluster.nodes.len() {
        true => {
            "whether any reports; if none does although pods run, the way from the kubelets to the API servers is cut: pods are ready again once it is not"
        }
        false => {
            "whether the zone is back; its pods are ready again when their nodes are, and are replaced in other zones once they are evicted, if there is room"
        }
    };
    let explanation = say::service(Code::ZoneFailed, scene.case.service, what)
        .because(format!("{}.", pods.state(scene)))
        .details(format!("Not ready: {}. {DETAILS}", list(&failed.lost)))
        .figure("zone", zone)
        .figure("nodes", failed.lost.as_slice())
        .figure("nodesOfZone", failed.nodes)
        .figure("pods", pods.names().as_slice())
        .figure("endpoints", scene.lost.endpoints)
        .look(at, shows);
    pods.settled(scene, explanation)
}

fn of_node(scene: &Scene<'_>, node: &LostNode<'_>) -> Explanation {
    let pods = LostPods::of(core::iter::once(node));
    let name = node.name;
    let names = list(&pods.names());
    let all_ready = pods.not_ready.is_empty() && !pods.ready.is_empty();
    let (code, what, because) = if all_ready {
        let who = match pods.ready.as_slice() {
            [one] => format!("pod {} on it counts", one.metadata.name),
            more => format!("{} on it count", counted(more.len(), "pod")),
        };
        (
            Code::PodNodeNotReady,
            format!("Node {name} is not ready, and {who} as ready."),
            format!("Slices follow the pod's own Ready condition, which is still True: {names}."),
        )
    } else {
        let what = format!("Node {name} is not ready, and {}.", pods.share(scene));
        (
            Code::NodeFailed,
            what,
            format!("{} ({names}).", pods.state(scene)),
        )
    };
    let explanation = say::service(code, scene.case.service, what)
        .because(because)
        .details(DETAILS)
        .figure("node", name)
        .figure("pods", pods.names().as_slice())
        .figure("endpoints", scene.lost.endpoints)
        .look(
            format!("kubectl describe node {name}"),
            "its conditions say why it is not ready; its pods are ready again when it is, and are replaced once they are evicted",
        );
    pods.settled(scene, explanation)
}
