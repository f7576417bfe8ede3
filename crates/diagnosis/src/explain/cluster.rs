//! What nodes do to hints: which of them disable hints, and which do not count.
//!
//! Each node is added to a cluster of two healthy ones; what [`NodeIndex`] makes of the three shows its effect.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::details::ExplanationDetails;
use super::extras::Taint;
use super::say::{self, fix};
use super::words::{either, list, sentence};
use crate::edited::labelled_node;
use slicewise::model::order::sorted_unique;
use slicewise::model::{Node, Service, Text, keys};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::topology::nodes::{NodeFacts, NodeIndex, ZoneShare};
use slicewise::words::counted;
use slicewise_traffic::routing::{Client, node_clients};

/// The nodes of a cluster, and what is wrong with them.
pub struct ClusterNodes<'a> {
    /// All nodes.
    pub nodes: &'a [Node<'a>],
    /// The same, indexed for plans.
    pub index: &'a NodeIndex<'a>,
    /// Nodes that disable hints, by name.
    pub(super) at_fault: Vec<NodeFault<'a>>,
    /// Nodes that do not count, by name.
    pub(super) left_out: Vec<&'a Node<'a>>,
    /// The zones of the others, sorted.
    pub(super) zones: Vec<&'a str>,
    /// All nodes, as places that requests come from.
    pub(super) clients: Vec<Client<'a>>,
    /// One for each zone that sends requests, with the weight of its nodes; those without a zone count as one.
    pub(super) zone_clients: Vec<Client<'a>>,
    /// Nodes that are not ready.
    pub(super) failed: super::lost_nodes::FailedNodes<'a>,
}

/// A node that disables hints.
pub(super) struct NodeFault<'a> {
    pub(super) node: &'a Node<'a>,
    pub(super) lacks_zone: bool,
    pub(super) lacks_cpu: bool,
}

/// One client per zone, with the weights of all clients there, sorted by zone.
pub(super) fn by_zone<'t>(clients: &[Client<'t>]) -> Vec<Client<'t>> {
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for client in clients {
        *weights.entry(client.zone).or_default() += client.weight;
    }
    let of_zone = |(zone, weight)| {
        let mut client = Client::new("", zone);
        client.weight = weight;
        client
    };
    weights.into_iter().map(of_zone).collect()
}

/// The zone label of nodes before Kubernetes 1.17.
pub(super) const OLD_ZONE_LABEL: &str = "failure-domain.beta.kubernetes.io/zone";
/// How the keys of taints begin that Kubernetes and autoscalers set and remove.
const PASSING: [&str; 4] = [
    "node.kubernetes.io/",
    "node.cloudprovider.kubernetes.io/",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
];
const WELL: &str = r#"{"metadata": {"name": "", "labels": {"topology.kubernetes.io/zone": "\u0001"}},
    "status": {"allocatable": {"cpu": "1"}, "conditions": [{"type": "Ready", "status": "True"}]}}"#;

impl<'a> ClusterNodes<'a> {
    /// Checks each node.
    pub fn new(nodes: &'a [Node<'a>], index: &'a NodeIndex<'a>) -> Self {
        let probe = Probe::new();
        let mut cluster = Self {
            nodes,
            index,
            at_fault: Vec::new(),
            left_out: Vec::new(),
            zones: Vec::new(),
            clients: node_clients(
                nodes
                    .iter()
                    .map(|node| (node.metadata.name.as_str(), NodeFacts::of(node))),
            ),
            zone_clients: Vec::new(),
            failed: super::lost_nodes::FailedNodes::new(nodes),
        };
        let mut sorted: Vec<&Node<'_>> = nodes.iter().collect();
        slicewise::model::order::sort_by(&mut sorted, |a, b| a.metadata.name.cmp(&b.metadata.name));
        let mut zones = Vec::new();
        for node in sorted {
            if !probe.counts(node) {
                cluster.left_out.push(node);
            } else if let Some(fault) = probe.fault(node) {
                cluster.at_fault.push(fault);
            } else {
                zones.extend(node.zone().map(Text::as_str));
            }
        }
        cluster.zones = sorted_unique(zones);
        cluster.zone_clients = by_zone(&cluster.clients);
        cluster.zone_clients.retain(|client| client.weight > 0.0);
        if cluster.zone_clients.is_empty() {
            cluster.zone_clients.push(Client::new("", ""));
        }
        cluster
    }

    /// Do nodes without zone or CPU disable hints? Otherwise, if hints are off, there are too few zones.
    pub(super) const fn is_at_fault(&self) -> bool {
        !self.at_fault.is_empty()
    }

    /// Names of the nodes that disable hints, each with what it lacks.
    pub(super) fn faults(&self) -> String {
        let names: Vec<String> = self.at_fault.iter().map(NodeFault::in_words).collect();
        list(&names)
    }

    /// Passes the zone shares that the nodes would have if `change` were applied to those at fault.
    pub(super) fn shares_if<T>(
        &self,
        change: impl Fn(&NodeFault<'a>) -> Option<Node<'a>>,
        ask: impl FnOnce(Option<&[ZoneShare<'_>]>) -> T,
    ) -> T {
        let faults = &self.at_fault;
        let mended = self.nodes.iter().filter_map(|node| {
            match faults.iter().find(|fault| core::ptr::eq(fault.node, node)) {
                Some(fault) => change(fault),
                None => Some(node.clone()),
            }
        });
        let nodes: Vec<Node<'_>> = mended.collect();
        ask(NodeIndex::new(&nodes).zone_shares())
    }

    /// Explains the nodes that hints depend on. `services` are all Services.
    pub fn explain(
        &self,
        services: &[&Service<'_>],
        details: &ExplanationDetails<'_>,
    ) -> Vec<Explanation> {
        let auto = services
            .iter()
            .filter(|service| service.is_reconciled() && service.wants_topology_hints());
        let auto: Vec<String> = auto.map(|service| service.key().to_string()).collect();
        let mut answers: Vec<_> = self
            .at_fault
            .iter()
            .map(|fault| self.explain_fault(fault, &auto))
            .collect();
        if !auto.is_empty() {
            answers.extend(self.left_out.iter().map(|node| explain_left_out(node)));
            answers.extend(
                self.nodes
                    .iter()
                    .filter_map(|node| self.tainted(node, details)),
            );
        }
        super::worst_first(&mut answers);
        answers
    }

    /// A taint on a node that counts, which people may think excludes it.
    fn tainted(&self, node: &Node<'_>, details: &ExplanationDetails<'_>) -> Option<Explanation> {
        let taints = details.taints(&node.metadata.name).iter();
        // Others come and go with the state of the node, whose requests go on.
        let is_kept =
            |taint: &&Taint<'_>| !PASSING.iter().any(|start| taint.key.starts_with(start));
        let taints: Vec<&Taint<'_>> = taints.filter(is_kept).collect();
        let is_left_out = || {
            let mut left_out = self.left_out.iter();
            left_out.any(|other| other.metadata.name == node.metadata.name)
        };
        if taints.is_empty() || is_left_out() {
            return None;
        }
        let words: Vec<String> = taints
            .iter()
            .map(|taint| format!("{}:{}", taint.key, taint.effect))
            .collect();
        let name = &node.metadata.name;
        let what = format!("Node {name} counts for `Auto` hints despite its taints.");
        Some(
            say::node(Code::NodeTainted, node, what)
                .because(format!("It has {}; hints ignore taints.", list(&words)))
                .details("Its CPU counts for its zone although the pods of most Services cannot run there, so the zone may be owed endpoints that it cannot have. Pods on it are endpoints like any others. Only control plane nodes and nodes that are not ready are left out of the calculation.")
                .fixes([fix(
                    format!("if no traffic originates on {name}, label it {}=", keys::CONTROL_PLANE_LABEL),
                    "its CPU no longer counts for any zone; other software also uses that label",
                )
                .by([labelled_node(node, keys::CONTROL_PLANE_LABEL, "")])]),
        )
    }

    fn explain_fault(&self, fault: &NodeFault<'a>, auto: &[String]) -> Explanation {
        let node = fault.node;
        let code = if fault.lacks_zone {
            Code::NodeWithoutZone
        } else {
            Code::NodeWithoutCpu
        };
        let effect = if auto.is_empty() {
            "No Service requests `Auto` hints, so this has no effect.".to_string()
        } else {
            format!(
                "It turns hints off for {} with topology mode `Auto`: {}.",
                counted(auto.len(), "Service"),
                list(auto)
            )
        };
        let others = self.at_fault.len() - 1;
        let company = if others == 0 {
            String::new()
        } else {
            format!(" ({} more at fault.)", counted(others, "node"))
        };
        let message = format!(
            "Node {} {}. A single such node among the ready worker nodes is enough to leave the controller without any CPU shares. {effect}{company}",
            node.metadata.name,
            fault.what()
        );
        let severity = if auto.is_empty() {
            Severity::Note
        } else {
            code.severity()
        };
        let hurt = if auto.is_empty() {
            "no Service requests them".to_string()
        } else {
            format!("{} request them", list(auto))
        };
        let explanation = say::node(
            code,
            node,
            format!("Node {} turns `Auto` hints off.", node.metadata.name),
        )
        .because(format!("It {}; {hurt}.", fault.what()))
        .details(message)
        .severity(severity)
        .figure("services", auto.len())
        .figure("nodesAtFault", self.at_fault.len())
        .fixes(self.mend(fault));
        if fault.lacks_cpu {
            let at = format!("the log of the kubelet of {}", node.metadata.name);
            return explanation.look(
                at,
                "why it reports no status.allocatable.cpu; the node counts for its zone once it does",
            );
        }
        explanation
    }
}

fn explain_left_out(node: &Node<'_>) -> Explanation {
    let why = if node.is_control_plane() {
        let labels = [keys::CONTROL_PLANE_LABEL, keys::MASTER_LABEL];
        let has: Vec<&str> = labels
            .into_iter()
            .filter(|label| node.metadata.labels.contains_key(*label))
            .collect();
        format!("it has the label {} (whatever its value)", either(&has))
    } else {
        "it is not ready".to_string()
    };
    let message = format!(
        "Node {} does not count for `Auto` hints because {why}: its CPU does not count for any zone. Pods on it are still endpoints in its zone.",
        node.metadata.name
    );
    say::node(
        Code::NodeLeftOut,
        node,
        format!(
            "Node {} does not count for `Auto` hints.",
            node.metadata.name
        ),
    )
    .because(format!("{}.", sentence(&why)))
    .details(message)
}

impl NodeFault<'_> {
    fn what(&self) -> String {
        let old = self.node.metadata.labels.get(OLD_ZONE_LABEL);
        let zone = match old {
            _ if self.node.metadata.labels.contains_key(keys::ZONE_LABEL) => {
                format!("has an empty label {}", keys::ZONE_LABEL)
            }
            Some(_) => format!(
                "has no label {} (the older {OLD_ZONE_LABEL}, which it has, is ignored)",
                keys::ZONE_LABEL
            ),
            None => format!("has no label {}", keys::ZONE_LABEL),
        };
        match (self.lacks_zone, self.lacks_cpu) {
            (true, false) => zone,
            (false, _) => "reports no allocatable CPU".to_string(),
            (true, true) => format!("{zone}, and reports no allocatable CPU"),
        }
    }

    fn in_words(&self) -> String {
        let lacks = match (self.lacks_zone, self.lacks_cpu) {
            (true, false) => "no zone label",
            (false, _) => "no allocatable CPU",
            (true, true) => "neither zone label nor allocatable CPU",
        };
        format!("{} ({lacks})", self.node.metadata.name)
    }
}

/// Two healthy nodes, each in its own zone.
struct Probe {
    one: Node<'static>,
    other: Node<'static>,
}

impl Probe {
    fn new() -> Self {
        let one: Node<'static> = serde_json::from_str(WELL).unwrap_or_default();
        let mut other = one.clone();
        other
            .metadata
            .labels
            .insert(keys::ZONE_LABEL.into(), "\u{2}".into());
        Self { one, other }
    }

    /// The number of zones with the node added; `None` if it disables hints.
    fn zones_with(&self, node: Node<'_>) -> Option<usize> {
        let nodes = [self.one.clone(), self.other.clone(), node];
        let index = NodeIndex::new(&nodes);
        index.zone_shares().map(<[ZoneShare<'_>]>::len)
    }

    /// Would it count if it had a zone and CPU?
    fn counts(&self, node: &Node<'_>) -> bool {
        self.zones_with(self.with_cpu(with_zone(node, "\u{3}"))) == Some(3)
    }

    fn fault<'a>(&self, node: &'a Node<'a>) -> Option<NodeFault<'a>> {
        if self.zones_with(node.clone()).is_some() {
            return None;
        }
        let lacks_zone = self.zones_with(self.with_cpu(node.clone())).is_none();
        let lacks_cpu = self.zones_with(with_zone(node, "\u{3}")).is_none();
        Some(NodeFault {
            node,
            lacks_zone,
            lacks_cpu,
        })
    }

    fn with_cpu<'n>(&self, mut node: Node<'n>) -> Node<'n> {
        node.status.allocatable = self.one.status.allocatable;
        node
    }
}

/// The node, moved to that zone.
pub(super) fn with_zone<'n>(node: &Node<'n>, zone: &'n str) -> Node<'n> {
    let mut node = node.clone();
    node.metadata
        .labels
        .insert(keys::ZONE_LABEL.into(), zone.into());
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn node(name: &str, labels: &Value, cpu: &str, ready: &str) -> Value {
        json!({
            "metadata": {"name": name, "labels": labels},
            "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": ready}]},
        })
    }

    /// Nodes at fault, nodes left out, and the zones of the others.
    #[track_caller]
    fn check(nodes: &[Value], at_fault: &str, left_out: &[&str], zones: &[&str]) {
        let text = Value::from(nodes).to_string();
        let nodes: Vec<Node<'_>> = serde_json::from_str(&text).unwrap();
        let index = NodeIndex::new(&nodes);
        let cluster = ClusterNodes::new(&nodes, &index);
        let names: Vec<&str> = cluster
            .left_out
            .iter()
            .map(|node| &*node.metadata.name)
            .collect();
        assert_eq!(
            (
                cluster.faults().as_str(),
                names.as_slice(),
                cluster.zones.as_slice()
            ),
            (at_fault, left_out, zones)
        );
    }

    #[test]
    fn each_node_is_told_what_it_does() {
        let zone = json!({"topology.kubernetes.io/zone": "a"});
        let other = json!({"topology.kubernetes.io/zone": "b"});
        let control = json!({"node-role.kubernetes.io/control-plane": ""});
        let nodes = [
            node("z", &other, "4", "True"),
            node("y", &zone, "4", "True"),
            node("x", &json!({}), "4", "True"),
            node("w", &zone, "0", "True"),
            node("v", &json!({}), "0", "True"),
            node("u", &zone, "0", "False"),
            node("t", &control, "0", "True"),
        ];
        check(
            &nodes,
            "v (neither zone label nor allocatable CPU), w (no allocatable CPU) and x (no zone label)",
            &["t", "u"],
            &["a", "b"],
        );
        check(&nodes[..2], "none", &[], &["a", "b"]);
    }
}
