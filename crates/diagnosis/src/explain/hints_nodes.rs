//! Nodes that disable `Auto` hints for all Services, and the effect of fixing them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cluster::{ClusterNodes, NodeFault, OLD_ZONE_LABEL, with_zone};
use super::hints_off::Off;
use super::say::fix;
use super::words::list;
use crate::edited::labelled_node;
use slicewise::model::{Text, keys};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Fix};
use slicewise::topology::allocation::allocate;
use slicewise::topology::events::Disabled;
use slicewise::topology::nodes::ZoneShare;
use slicewise::words::counted;

impl ClusterNodes<'_> {
    /// Possible fixes for a node at fault.
    pub(super) fn mend(&self, fault: &NodeFault<'_>) -> Vec<Fix> {
        let name = &fault.node.metadata.name;
        let mut fixes = Vec::new();
        if fault.lacks_zone {
            let old = fault.node.metadata.labels.get(OLD_ZONE_LABEL);
            let zone = old.map_or("ZONE", Text::as_str);
            let change = old.map(|zone| labelled_node(fault.node, keys::ZONE_LABEL, zone));
            let which = if self.zones.is_empty() {
                String::new()
            } else {
                format!(" (the other nodes are in {})", list(&self.zones))
            };
            fixes.push(fix(
                format!("kubectl label node {name} {}={zone}", keys::ZONE_LABEL),
                format!("the node counts for its zone{which}; for new nodes, the cloud provider's controller or the kubelet's --node-labels should set it"),
            )
            .by(change));
        }
        fixes.push(
            fix(
                format!(
                    "if {name} should not count, label it {}=",
                    keys::CONTROL_PLANE_LABEL
                ),
                "it no longer counts; other software also uses that label",
            )
            .by([labelled_node(fault.node, keys::CONTROL_PLANE_LABEL, "")]),
        );
        fixes
    }
}

impl Off<'_> {
    /// A node has no zone or CPU.
    pub(super) fn nodes(&self) -> Explanation {
        let cluster = self.scene.case.cluster;
        let names: Vec<&str> = cluster
            .at_fault
            .iter()
            .map(|fault| &*fault.node.metadata.name)
            .collect();
        let message = format!(
            "`Auto` hints{} are off because of {}: {}. One such node is enough, wherever the Service's pods are: until it is fixed, the zones' CPU shares are unknown, and hints are off for every Service of the cluster. (The event only says \"Insufficient Node information\".)",
            self.scene.of_family(self.family),
            counted(names.len(), "node"),
            cluster.faults()
        );
        self.say(
            Code::HintsLackNodeInformation,
            format!("Nodes at fault: {}.", cluster.faults()),
            message,
        )
        .figure("nodes", names.as_slice())
        .fixes(self.mended_nodes())
    }

    /// The effect of fixing the nodes at fault, tried zone by zone.
    fn mended_nodes(&self) -> Vec<Fix> {
        let cluster = self.scene.case.cluster;
        let mut fixes = Vec::new();
        if let [fault] = cluster.at_fault.as_slice()
            && fault.lacks_zone
            && !fault.lacks_cpu
            && !cluster.zones.is_empty()
        {
            let in_zone = |zone: &&str| {
                let effect = cluster.shares_if(
                    |fault| Some(with_zone(fault.node, zone)),
                    |shares| self.outcome(shares),
                );
                format!("in {zone} {effect}")
            };
            let effects: Vec<String> = cluster
                .zones
                .iter()
                .take(super::words::MOST_NAMES)
                .map(in_zone)
                .collect();
            fixes.push(fix(
                format!(
                    "label node {} with its zone ({})",
                    fault.node.metadata.name,
                    keys::ZONE_LABEL
                ),
                effects.join("; "),
            ));
        } else {
            let what = format!("fix {}", cluster.faults());
            let effect = if cluster.at_fault.len() == 1 {
                "the CPU it then reports decides whether the number of endpoints fits"
            } else {
                "each of them alone keeps hints off, so fixing one is not enough; the resulting CPU of their zones decides whether the number of endpoints fits"
            };
            fixes.push(fix(what, effect));
        }
        let faults = cluster.at_fault.iter();
        let uncounted =
            faults.map(|fault| labelled_node(fault.node, keys::CONTROL_PLANE_LABEL, ""));
        let effect = cluster.shares_if(|_| None, |shares| self.outcome(shares));
        fixes.push(
            fix(
                format!(
                    "or remove {} from the cluster, or label {} {} if no traffic originates there",
                    if cluster.at_fault.len() == 1 {
                        "it"
                    } else {
                        "them"
                    },
                    if cluster.at_fault.len() == 1 {
                        "it"
                    } else {
                        "them"
                    },
                    keys::CONTROL_PLANE_LABEL
                ),
                effect,
            )
            .by(uncounted),
        );
        fixes
    }

    /// The allocation for other shares.
    fn outcome(&self, shares: Option<&[ZoneShare<'_>]>) -> String {
        match allocate(shares, self.ready()).1 {
            None => "hints are given".to_string(),
            Some(Disabled::InsufficientNodeInfo) => {
                "hints stay off, because fewer than two zones are left".to_string()
            }
            Some(reason) => format!("hints stay off: {}", reason.message()),
        }
    }
}
