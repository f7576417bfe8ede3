//! Rules for where endpoints say that their pods run, and for addresses that have another owner now.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::addresses::{AddressRules, Addressed, is_pod};
use crate::verdict::{Awaited, CauseType, Finding};
use slicewise::model::Text;
use slicewise::model::kind::Kind;
use slicewise::model::text::shorten;
use slicewise_live::session::observer::ObservedPod;

impl AddressRules<'_> {
    /// Endpoints that were there before, beside a change: an address that another pod has now takes that pod's traffic.
    /// One that nobody has any more may stay, so that other endpoints can be changed.
    pub(super) fn check_kept(&self, endpoints: &[Addressed<'_>], findings: &mut Vec<Finding>) {
        let named = endpoints.iter().filter(|endpoint| is_pod(endpoint.target));
        for endpoint in named {
            if self.cluster.knows(&[Kind::Pod]).is_err() {
                return;
            }
            for (number, address) in endpoint.addresses.iter() {
                let pods = self.cluster.pods_at(*address);
                let is_its = |pod: &ObservedPod<'_>| Some(pod.name()) == endpoint.pod_name();
                if !pods.is_empty() && !pods.iter().any(is_its) {
                    let found = self.check_pod(endpoint, *number, *address);
                    findings.extend(found.or_else(|| self.check_target(endpoint)));
                }
            }
        }
    }

    /// The node and the zone of an endpoint are those of its pod: the one it names, or else one with its address.
    pub(super) fn check_place(&self, endpoint: &Addressed<'_>, findings: &mut Vec<Finding>) {
        if !endpoint.has_place() {
            return;
        }
        let pods = match endpoint.pod_name() {
            Some(name) => Vec::from_iter(self.cluster.pod(name)),
            None => {
                let addresses = endpoint.addresses.iter();
                let pods = addresses.map(|(_, address)| self.cluster.pods_at(*address));
                pods.into_iter().flatten().collect()
            }
        };
        let runs_there = |pod: &&ObservedPod<'_>| {
            let node = endpoint.node_name.map(Text::as_str);
            node.is_none_or(|node| node == pod.node_name())
        };
        let Some(first) = pods.iter().find(|pod| !pod.is_terminal()) else {
            return;
        };
        let deny = |rule, field, message: String| {
            let field = endpoint.place.field(field);
            let finding = Finding::deny(rule, CauseType::FieldValueInvalid, field, message);
            finding.awaiting(Awaited::pod(self.cluster.namespace(), first.name()))
        };
        let Some(pod) = pods
            .iter()
            .filter(|pod| !pod.is_terminal())
            .find(runs_there)
        else {
            let runs_on = match first.node_name() {
                "" => "no node yet",
                node => node,
            };
            let given = endpoint.node_name.map_or("", Text::as_str);
            let message = format!(
                "pod {} runs on {runs_on}, not on {}",
                first.name(),
                shorten(given)
            );
            findings.push(deny("target-node", "nodeName", message));
            return;
        };
        let Some(given) = endpoint.zone else {
            return;
        };
        let node = pod.node_name();
        if self.cluster.knows(&[Kind::Node]).is_err() {
            return;
        }
        let Some(zone) = self.cluster.zone_of_node(node) else {
            return;
        };
        if zone != Some(given.as_str()) {
            let is_in =
                zone.map_or_else(|| "has no zone".into(), |zone| format!("is in zone {zone}"));
            let message = format!(
                "pod {} runs on {node}, which {is_in}, not in {}",
                pod.name(),
                shorten(given)
            );
            findings.push(deny("target-zone", "zone", message));
        }
    }
}
