//! The rules that have decided, by name, and as sentences that say what to look at.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::proxy::{Categories, Endpoint, HintRule, Place, PolicyRule, ServicePortInfo, Topology};

/// A rule of kube-proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Rule {
    /// No slice has an endpoint for the port.
    NoEndpoints,
    /// Under the policy `Cluster`, the endpoints hinted to the node are used.
    SameNode,
    /// Under the policy `Cluster`, the endpoints hinted to the node's zone are used.
    SameZone,
    /// Under the policy `Cluster`, all ready endpoints are used.
    AllReady,
    /// No ready endpoint is hinted to a zone or a node.
    NoHints,
    /// Hints for nodes are not looked at.
    NodeHintsOff,
    /// A ready endpoint has no hint for nodes, so that none counts.
    NodeHintMissing,
    /// No ready endpoint is hinted to the node, so that hints for nodes do not count here.
    NoHintForNode,
    /// A ready endpoint has no hint for zones, so that none counts.
    ZoneHintMissing,
    /// The node has no zone, so that hints for zones do not count here.
    NodeWithoutZone,
    /// No ready endpoint is hinted to the node's zone, so that hints for zones do not count here.
    NoHintForZone,
    /// Under the policy `Cluster`, no endpoint is ready; those that terminate and still answer are used.
    ServingTerminating,
    /// Under the policy `Cluster`, no endpoint can be used.
    NoUsableEndpoint,
    /// No traffic comes under the policy `Cluster`.
    ClusterPolicyUnused,
    /// Under the policy `Local`, the ready endpoints of the node are used.
    LocalReady,
    /// Under the policy `Local`, no endpoint of the node is ready; those that terminate and still answer are used.
    LocalServingTerminating,
    /// Under the policy `Local`, the node has no endpoint; its traffic is dropped though there are some elsewhere.
    DroppedWithoutLocal,
    /// Under the policy `Local`, neither the node nor any other has an endpoint; traffic is refused.
    RefusedWithoutAny,
}

/// A rule that has decided something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppliedRule {
    /// Its name.
    pub rule: Rule,
    /// What it says of this case.
    pub message: String,
}

/// The rules that have decided, in the order they did.
pub(super) fn rules(
    categories: &Categories<'_>,
    endpoints: &[Endpoint<'_>],
    port: &ServicePortInfo,
    place: Place<'_>,
) -> Vec<AppliedRule> {
    let mut rules = Rules {
        categories,
        endpoints,
        place,
        found: Vec::new(),
    };
    if endpoints.is_empty() {
        let message = "no slice of this Service has an endpoint for this port, in this address family; look at the names of the ports";
        rules.add(Rule::NoEndpoints, message);
        return rules.found;
    }
    if port.uses_cluster_endpoints() {
        rules.hints();
    }
    rules.cluster();
    rules.local();
    rules.found
}

struct Rules<'r> {
    categories: &'r Categories<'r>,
    endpoints: &'r [Endpoint<'r>],
    place: Place<'r>,
    found: Vec<AppliedRule>,
}

impl Rules<'_> {
    fn add(&mut self, rule: Rule, message: impl Into<String>) {
        self.found.push(AppliedRule {
            rule,
            message: message.into(),
        });
    }

    /// Of a kind of hints that nobody has given nothing is said.
    fn hints(&mut self) {
        let ready = || self.endpoints.iter().filter(|endpoint| endpoint.is_ready());
        let has_any = ready().next().is_some();
        let for_nodes = ready().any(|endpoint| !endpoint.node_hints().is_empty());
        let for_zones = ready().any(|endpoint| !endpoint.zone_hints().is_empty());
        let is_off = !self.place.with_node_hints;
        if for_nodes || (is_off && has_any) {
            self.hints_for_nodes();
        }
        if for_zones {
            self.hints_for_zones();
        }
        if has_any && !for_nodes && !for_zones {
            let message =
                "no ready endpoint is hinted to a zone or a node, so that none is preferred";
            self.add(Rule::NoHints, message);
        }
    }

    fn hints_for_nodes(&mut self) {
        let node = self.place.node;
        match &self.categories.why.node_hints {
            None | Some(HintRule::Followed) => {}
            Some(HintRule::Skipped) => {
                let message =
                    "hints for nodes are not looked at: preferSameTrafficDistribution is off";
                self.add(Rule::NodeHintsOff, message);
            }
            Some(HintRule::Missing(endpoint)) => {
                let message = format!(
                    "endpoint {endpoint} is ready and has no hint for a node, so that hints for nodes are ignored"
                );
                self.add(Rule::NodeHintMissing, message);
            }
            Some(HintRule::NoneForUs) => {
                let message = format!(
                    "no ready endpoint is hinted to node {node}, so that hints for nodes are ignored here"
                );
                self.add(Rule::NoHintForNode, message);
            }
        }
    }

    fn hints_for_zones(&mut self) {
        let zone = self.place.zone;
        match &self.categories.why.zone_hints {
            None | Some(HintRule::Followed | HintRule::Skipped) => {}
            Some(HintRule::Missing(endpoint)) => {
                let message = format!(
                    "endpoint {endpoint} is ready and has no hint for a zone, so that hints for zones are ignored"
                );
                self.add(Rule::ZoneHintMissing, message);
            }
            Some(HintRule::NoneForUs) if zone.is_empty() => {
                let message = format!(
                    "node {} has no label topology.kubernetes.io/zone, so that hints for zones are ignored here",
                    self.place.node
                );
                self.add(Rule::NodeWithoutZone, message);
            }
            Some(HintRule::NoneForUs) => {
                let message = format!(
                    "no ready endpoint is hinted to zone {zone}, so that hints for zones are ignored here"
                );
                self.add(Rule::NoHintForZone, message);
            }
        }
    }

    fn cluster(&mut self) {
        let count = counted(self.categories.cluster.len());
        let (rule, message) = match (self.categories.why.cluster, self.categories.topology) {
            (PolicyRule::Unused, _) => (
                Rule::ClusterPolicyUnused,
                "internalTrafficPolicy is Local and nothing comes from outside, so that no other node's endpoints are used".into(),
            ),
            (PolicyRule::Ready, Topology::None) => {
                (Rule::AllReady, format!("{count}, all that are ready"))
            }
            (PolicyRule::Ready, Topology::PreferSameZone) => (
                Rule::SameZone,
                format!("{count}, those hinted to zone {}", self.place.zone),
            ),
            (PolicyRule::Ready, Topology::PreferSameNode) => (
                Rule::SameNode,
                format!("{count}, those hinted to node {}", self.place.node),
            ),
            (PolicyRule::ServingTerminating, _) => (
                Rule::ServingTerminating,
                format!("no endpoint is ready: {count}, those that terminate and still answer"),
            ),
            (PolicyRule::NoEndpoint, _) => (
                Rule::NoUsableEndpoint,
                "no endpoint is ready, and none that terminates still answers: traffic is refused".into(),
            ),
        };
        self.add(rule, message);
    }

    fn local(&mut self) {
        let node = self.place.node;
        let count = counted(self.categories.local.len());
        let (rule, message) = match self.categories.why.local {
            PolicyRule::Unused => return,
            PolicyRule::Ready => (
                Rule::LocalReady,
                format!("policy Local: {count}, the ready ones on node {node}"),
            ),
            PolicyRule::ServingTerminating => (
                Rule::LocalServingTerminating,
                format!(
                    "policy Local: no endpoint on node {node} is ready: {count}, those that terminate and still answer"
                ),
            ),
            PolicyRule::NoEndpoint if self.categories.has_any => (
                Rule::DroppedWithoutLocal,
                format!(
                    "policy Local: node {node} has no endpoint that could be used, and traffic is dropped; other nodes have some"
                ),
            ),
            PolicyRule::NoEndpoint => (
                Rule::RefusedWithoutAny,
                "policy Local: no node has an endpoint that could be used, and traffic is refused"
                    .into(),
            ),
        };
        self.add(rule, message);
    }
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 endpoint is used".into(),
        count => format!("{count} endpoints are used"),
    }
}
