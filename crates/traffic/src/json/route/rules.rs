//! The rules that decided, by name, and as sentences that say what to look at.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, EndpointPort, keys};

use super::slices::RouteSlices;
use crate::proxy::{
    Categories, HintRule, PolicyRule, PortEndpoint, ProxiedService, ProxyLocation, ServicePortInfo,
    ServicePortName, Topology, is_marked_headless,
};

/// A rule of kube-proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum Rule {
    /// The Service's slices have the port, but no endpoints.
    NoEndpoints,
    /// No slice belongs to the Service.
    NoSlices,
    /// No slice belongs to the Service, but its namespace has slices that name no Service.
    SlicesWithoutService,
    /// All slices of the Service have a different address type.
    SlicesOfOtherType,
    /// All slices of the Service with this address type are marked as headless, so they are not read.
    SlicesHeadless,
    /// The slices of the Service have only other ports.
    NoMatchingPort,
    /// Under the policy `Cluster`, the endpoints hinted to the node are used.
    SameNode,
    /// Under the policy `Cluster`, the endpoints hinted to the node's zone are used.
    SameZone,
    /// Under the policy `Cluster`, all ready endpoints are used.
    AllReady,
    /// No ready endpoint is hinted to a zone or a node.
    NoHints,
    /// Hints for nodes are disabled.
    NodeHintsOff,
    /// A ready endpoint has no hint for nodes, so hints for nodes are ignored.
    NodeHintMissing,
    /// No ready endpoint is hinted to the node, so hints for nodes are ignored here.
    NoHintForNode,
    /// A ready endpoint has no hint for zones, so hints for zones are ignored.
    ZoneHintMissing,
    /// The node has no zone, so hints for zones are ignored here.
    NodeWithoutZone,
    /// No ready endpoint is hinted to the node's zone, so hints for zones are ignored here.
    NoHintForZone,
    /// Under the policy `Cluster`, no endpoint is ready; those that are terminating and still serving are used.
    ServingTerminating,
    /// Under the policy `Cluster`, there is no usable endpoint.
    NoUsableEndpoint,
    /// There is no traffic under the policy `Cluster`.
    ClusterPolicyUnused,
    /// Under the policy `Local`, the ready endpoints on the node are used.
    LocalReady,
    /// Under the policy `Local`, no endpoint on the node is ready; those that are terminating and still serving are
    /// used.
    LocalServingTerminating,
    /// Under the policy `Local`, the node has no usable endpoint but other nodes have; traffic is dropped.
    DroppedWithoutLocal,
    /// Under the policy `Local`, no node has a usable endpoint; traffic is refused.
    RefusedWithoutAny,
}

/// A rule that applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct AppliedRule {
    /// The rule.
    pub rule: Rule,
    /// What the rule means in this case.
    pub message: String,
}

/// Why a port has no endpoints at all.
pub(super) fn no_endpoints(
    port: &ServicePortName,
    service: &ProxiedService<'_>,
    family: AddressType,
    slices: &RouteSlices<'_>,
) -> AppliedRule {
    let of_service = slices.of(service);
    let of_family = of_service
        .iter()
        .filter(|slice| slice.address_type == family.as_str());
    let read = of_family.clone().filter(|slice| !is_marked_headless(slice));
    let ports: Vec<&EndpointPort<'_>> = read.clone().flat_map(|slice| &slice.ports).collect();
    let (rule, message) = if of_service.is_empty() {
        without_slices(service, slices)
    } else if of_family.count() == 0 {
        let types = of_service.iter().map(|slice| shorten(&slice.address_type));
        let message = format!(
            "no slice of this Service is for {}, its slices are for {}",
            family.as_str(),
            listed(&types.collect())
        );
        (Rule::SlicesOfOtherType, message)
    } else if read.count() == 0 {
        let message = format!(
            "all slices of this Service have the label {}, which marks slices of headless Services, and those are not read; remove the label",
            keys::HEADLESS_LABEL
        );
        (Rule::SlicesHeadless, message)
    } else if ports.iter().any(|other| is_port(other, port)) {
        let message = "no slice of this Service has an endpoint; are there pods that match its selector, and are they on nodes?";
        (Rule::NoEndpoints, message.into())
    } else {
        let ports = ports.into_iter().map(port_name);
        let message = format!(
            "no slice of this Service has the port {}, they have {}; a port must have the same name in the Service and in its slices",
            shown(&port.port, &port.protocol),
            listed(&ports.collect())
        );
        (Rule::NoMatchingPort, message)
    };
    AppliedRule { rule, message }
}

fn without_slices(service: &ProxiedService<'_>, slices: &RouteSlices<'_>) -> (Rule, String) {
    let (label, name) = (keys::SERVICE_NAME_LABEL, &service.metadata.name);
    match slices.without_service(&service.metadata.namespace) {
        [] => {
            let message = format!(
                "no slice has the label {label}: {name}; there is nothing to send traffic to"
            );
            (Rule::NoSlices, message)
        }
        others @ [first, ..] => {
            let message = format!(
                "no slice has the label {label}: {name}; {} of the namespace, such as {}, do not name any Service",
                others.len(),
                shorten(&first.metadata.name)
            );
            (Rule::SlicesWithoutService, message)
        }
    }
}

/// Does a slice's port belong to the Service's port?
fn is_port(port: &EndpointPort<'_>, of: &ServicePortName) -> bool {
    let protocol = port.protocol.as_deref().unwrap_or("TCP");
    let has_number = port.port.is_some_and(|number| number != 0);
    has_number && port.name.as_deref() == Some(&*of.port) && protocol == of.protocol
}

fn port_name(port: &EndpointPort<'_>) -> String {
    let name = port.name.as_deref().unwrap_or_default();
    let shown = shown(name, port.protocol.as_deref().unwrap_or("TCP"));
    if port.port.is_none_or(|number| number == 0) {
        return format!("{shown} without a number");
    }
    shown
}

fn shown(name: &str, protocol: &str) -> String {
    let name = if name.is_empty() { "(no name)" } else { name };
    format!("{}/{}", shorten(name), shorten(protocol))
}

/// The first few of them.
fn listed(names: &BTreeSet<String>) -> String {
    const FEW: usize = 4;
    let few: Vec<&str> = names.iter().take(FEW).map(String::as_str).collect();
    match (few.is_empty(), names.len() > FEW) {
        (true, _) => "none".into(),
        (_, true) => format!("{} and others", few.join(", ")),
        _ => few.join(", "),
    }
}

/// The rules that decided about a port with endpoints, in the order in which they apply.
pub(super) fn rules(
    categories: &Categories<'_>,
    endpoints: &[PortEndpoint<'_>],
    port: &ServicePortInfo,
    place: ProxyLocation<'_>,
) -> Vec<AppliedRule> {
    let mut rules = Rules {
        categories,
        endpoints,
        place,
        found: Vec::new(),
    };
    if port.uses_cluster_endpoints() {
        rules.hints();
    }
    rules.cluster();
    rules.local();
    rules.found
}

struct Rules<'r> {
    categories: &'r Categories<'r>,
    endpoints: &'r [PortEndpoint<'r>],
    place: ProxyLocation<'r>,
    found: Vec<AppliedRule>,
}

impl Rules<'_> {
    fn add(&mut self, rule: Rule, message: impl Into<String>) {
        self.found.push(AppliedRule {
            rule,
            message: message.into(),
        });
    }

    /// Kinds of hints that no endpoint has are not mentioned.
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
            let message = "no ready endpoint is hinted to a zone or a node, so none is preferred";
            self.add(Rule::NoHints, message);
        }
    }

    fn hints_for_nodes(&mut self) {
        let node = self.place.node;
        match &self.categories.why.node_hints {
            None | Some(HintRule::Followed) => {}
            Some(HintRule::Skipped) => {
                let message = "hints for nodes are ignored: preferSameTrafficDistribution is off";
                self.add(Rule::NodeHintsOff, message);
            }
            Some(HintRule::Missing(endpoint)) => {
                let message = format!(
                    "endpoint {endpoint} is ready and has no hint for a node, so hints for nodes are ignored"
                );
                self.add(Rule::NodeHintMissing, message);
            }
            Some(HintRule::NoneForUs) => {
                let message = format!(
                    "no ready endpoint is hinted to node {node}, so hints for nodes are ignored here"
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
                    "endpoint {endpoint} is ready and has no hint for a zone, so hints for zones are ignored"
                );
                self.add(Rule::ZoneHintMissing, message);
            }
            Some(HintRule::NoneForUs) if zone.is_empty() => {
                let message = format!(
                    "node {} has no label topology.kubernetes.io/zone, so hints for zones are ignored here",
                    self.place.node
                );
                self.add(Rule::NodeWithoutZone, message);
            }
            Some(HintRule::NoneForUs) => {
                let message = format!(
                    "no ready endpoint is hinted to zone {zone}, so hints for zones are ignored here"
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
                "internalTrafficPolicy is Local and there is no external traffic, so other nodes' endpoints are not used".into(),
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
                format!("no endpoint is ready: {count}, those that are terminating and still serving"),
            ),
            (PolicyRule::NoEndpoint, _) => (
                Rule::NoUsableEndpoint,
                "no endpoint is ready, and no terminating endpoint still serves: traffic is refused".into(),
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
                    "policy Local: no endpoint on node {node} is ready: {count}, those that are terminating and still serving"
                ),
            ),
            PolicyRule::NoEndpoint if self.categories.has_any => (
                Rule::DroppedWithoutLocal,
                format!(
                    "policy Local: node {node} has no usable endpoint, and traffic is dropped; other nodes have some"
                ),
            ),
            PolicyRule::NoEndpoint => (
                Rule::RefusedWithoutAny,
                "policy Local: no node has a usable endpoint, and traffic is refused".into(),
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
