//! What traffic a Service can reach: its ready endpoints, by the planner's own rules.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::context::{Context, Namespace, protocol};
use crate::model::node::NodeMeta;
use crate::model::order::sorted_unique;
use crate::model::{AddressType, Node, Pod, Service, SortedMap, keys};
use crate::reconcile::desired::{PortGroup, desired};
use crate::reconcile::existing::Candidate;
use crate::reconcile::packing::Packing;
use crate::reconcile::{Input, Settings, address_types};
use crate::topology::nodes::NodeIndex;

/// The ready endpoints of a Service, as its controller would publish them.
#[derive(Debug, Default)]
pub struct Reach {
    /// Address and pod of each ready endpoint that traffic can reach through some port, in order, each once.
    pub endpoints: Vec<(IpAddr, String)>,
    /// Ready endpoints by name and protocol of the port.
    pub ports: SortedMap<(String, String), usize>,
    /// Pods the selector picks out.
    pub selected: usize,
    /// Ready endpoints, those without any port included.
    pub ready: usize,
}

impl Reach {
    /// Plans the Service on the pods and nodes of the snapshot.
    pub fn of(service: &Service<'_>, namespace: &Namespace, context: &Context) -> Self {
        let selector = service
            .spec
            .selector
            .as_ref()
            .filter(|_| service.is_reconciled());
        let Some(selector) = selector else {
            return Self::default();
        };
        let pods: Vec<&Pod<'_>> = namespace.pods.select(selector).into_iter().collect();
        let nodes = nodes_of(&pods, context);
        let nodes = NodeIndex::new(&nodes);
        let selected = pods.len();
        let input = Input {
            service,
            pods: pods.into_iter().map(Candidate::Read).collect(),
            endpoints: &[],
            nodes: &nodes,
            slices: Vec::new(),
            settled: None,
            settings: SETTINGS,
        };
        let mut reach = Self {
            selected,
            ..Self::default()
        };
        for group in desired(&input, &address_types(service)).groups.values() {
            reach.add(group, service.spec.ports.is_empty());
        }
        reach.endpoints = sorted_unique(core::mem::take(&mut reach.endpoints));
        reach
    }

    fn add(&mut self, group: &PortGroup<'_>, needs_no_port: bool) {
        let families = [AddressType::IPv4, AddressType::IPv6];
        let endpoints = families
            .iter()
            .flat_map(|family| group.endpoints(*family))
            .filter(|endpoint| endpoint.ready == Some(true));
        let mut count = 0;
        for endpoint in endpoints {
            count += 1;
            if let Some(address) = endpoint.addresses.as_slice().first()
                && (needs_no_port || !group.ports.is_empty())
            {
                self.endpoints
                    .push((*address, endpoint.target.key().1.to_owned()));
            }
        }
        self.ready += count;
        for port in &group.ports {
            let protocol = protocol(port.protocol.as_deref().unwrap_or_default());
            let key = (
                port.name.as_deref().unwrap_or_default().to_owned(),
                protocol.to_owned(),
            );
            *self.ports.or_default(key) += count;
        }
    }

    /// How many of these endpoints another reach lacks.
    pub fn lost_in(&self, other: &Self) -> usize {
        let is_lost = |endpoint: &&_| other.endpoints.binary_search(endpoint).is_err();
        self.endpoints.iter().filter(is_lost).count()
    }

    /// Ready endpoints behind a port.
    pub fn behind(&self, name: &str, protocol: &str) -> usize {
        self.ports
            .get(&(name.to_owned(), protocol.to_owned()))
            .copied()
            .unwrap_or_default()
    }
}

/// Which endpoints are ready does not depend on any setting of the planner.
const SETTINGS: Settings<'static> = Settings {
    managed_by: keys::DEFAULT_MANAGED_BY,
    max_endpoints_per_slice: 100,
    topology_hints: false,
    prefer_same_traffic_distribution: false,
    packing: Packing::Upstream,
};

/// The nodes the pods are on, as far as they are known. Only that they exist matters here.
fn nodes_of<'p>(pods: &[&'p Pod<'p>], context: &Context) -> Vec<Node<'p>> {
    let names = sorted_unique(pods.iter().map(|pod| pod.spec.node_name.as_str()));
    let known = names.into_iter().filter(|name| context.has_node(name));
    known
        .map(|name| Node {
            metadata: NodeMeta {
                name: name.into(),
                ..NodeMeta::default()
            },
            ..Node::default()
        })
        .collect()
}
