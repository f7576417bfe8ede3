//! Derives the desired endpoints, by port group and family, from pods, nodes and a Service.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::net::IpAddr;

use super::candidate::Candidate;
use super::{Input, ports};
use crate::model::endpoint_set::{DesiredEndpoint, EndpointAddresses, EndpointTarget};
use crate::model::order::sort_by;
use crate::model::prefetch::prefetch_after;
use crate::model::{
    AddressType, ByFamily, EndpointConditions, EndpointPort, ObjectReference, PodFacts, PortMapKey,
    Service, SortedMap, ip,
};

/// An endpoint that is not a pod, as the caller describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StaticEndpoint<'a> {
    /// Addresses, of any family.
    pub addresses: Vec<IpAddr>,
    /// Conditions as given.
    pub conditions: EndpointConditions<'a>,
    /// Node, if known.
    pub node_name: Option<&'a str>,
    /// Zone; by default that of the node.
    pub zone: Option<&'a str>,
    /// Hostname.
    pub hostname: Option<&'a str>,
    /// Its target.
    pub target_ref: Option<&'a ObjectReference<'a>>,
    /// Its ports; by default the Service's numeric target ports.
    pub ports: Option<&'a [EndpointPort<'a>]>,
}

/// All endpoints with the same ports.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PortGroup<'a> {
    /// The ports, in the Service's order.
    pub ports: Vec<EndpointPort<'a>>,
    /// The endpoints, in input order.
    pub endpoints: ByFamily<Vec<DesiredEndpoint<'a>>>,
}

impl<'a> PortGroup<'a> {
    /// The endpoints of one family.
    pub fn endpoints(&self, address_type: AddressType) -> &[DesiredEndpoint<'a>] {
        self.endpoints.of(address_type)
    }

    fn push(&mut self, address_type: AddressType, endpoint: DesiredEndpoint<'a>) {
        self.endpoints.of_mut(address_type).push(endpoint);
    }
}

/// The endpoints a Service should have.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Desired<'a> {
    /// By ports. A group exists as soon as one pod has its ports, even if it results in no endpoint.
    pub groups: SortedMap<PortMapKey<'a>, PortGroup<'a>>,
    /// Pods left out because their node is unknown, sorted by name; the Service must be retried.
    pub missing_nodes: Vec<PodFacts<'a>>,
}

/// Builds the desired endpoints of the given families (reference: `podToEndpoint` and the loop around it).
pub fn desired<'a>(input: &Input<'a>, families: &[AddressType]) -> Desired<'a> {
    let mut builder = Builder {
        input,
        families,
        missing_nodes: Vec::new(),
        groups: Vec::new(),
        resolved: Vec::new(),
    };
    let common = ports::resolve_numbers(input.service);
    let depend_on_pod = ports::depend_on_pod(input.service);
    let mut only_group = None;
    for (place, candidate) in input.pods.iter().enumerate() {
        prefetch_after(&input.pods, place);
        let facts = candidate.facts();
        if !facts.may_be_endpoint {
            continue;
        }
        let group = match (candidate, only_group) {
            (Candidate::Read(pod), _) if depend_on_pod => {
                builder.group(&ports::resolve(input.service, pod))
            }
            (Candidate::Kept(kept), _) if depend_on_pod => builder.group(&kept.ports),
            (_, Some(group)) => group,
            (_, None) => {
                let group = builder.group(&common);
                builder.reserve(group, input.pods.len());
                only_group = Some(group);
                group
            }
        };
        builder.add_pod(*candidate, &facts, group);
    }
    for resolved in input.settled.into_iter().flat_map(|settled| &settled.ports) {
        builder.group(resolved);
    }
    // Groups with the same ports are merged in order, and if an endpoint is given twice the last one counts: endpoints
    // without ports only share a group as long as they are consecutive.
    let mut shared = None;
    for endpoint in input.endpoints {
        let group = match (endpoint.ports, shared) {
            (None, Some(group)) => group,
            (None, None) => builder.new_group(ports::endpoint_ports(input.service, &common)),
            (Some(ports), _) => builder.new_group(ports.to_vec()),
        };
        shared = endpoint.ports.is_none().then_some(group);
        builder.add_static(endpoint, group);
    }
    builder.finish()
}

struct Builder<'i, 'a> {
    input: &'i Input<'a>,
    families: &'i [AddressType],
    missing_nodes: Vec<PodFacts<'a>>,
    groups: Vec<PortGroup<'a>>,
    /// How the pods of each group resolve the Service's ports, with the index of the group.
    resolved: Vec<(ports::ResolvedPorts, usize)>,
}

impl<'a> Builder<'_, 'a> {
    /// The group of pods with this resolution. Most pods match one of the last few groups; if a group is created twice,
    /// it is merged in the end.
    fn group(&mut self, resolved: &[Option<i32>]) -> usize {
        const LAST: usize = 16;
        let mut last = self.resolved.iter().rev().take(LAST);
        if let Some((_, group)) = last.find(|(ports, _)| ports == resolved) {
            return *group;
        }
        let group = self.new_group(ports::endpoint_ports(self.input.service, resolved));
        self.resolved.push((resolved.to_vec(), group));
        group
    }

    fn new_group(&mut self, ports: Vec<EndpointPort<'a>>) -> usize {
        self.groups.push(PortGroup {
            ports,
            ..PortGroup::default()
        });
        self.groups.len() - 1
    }

    fn reserve(&mut self, group: usize, count: usize) {
        if let Some(group) = self.groups.get_mut(group) {
            for family in self.families {
                group.endpoints.of_mut(*family).reserve(count);
            }
        }
    }

    fn add_pod(&mut self, candidate: Candidate<'a>, pod: &PodFacts<'a>, group: usize) {
        let service = self.input.service;
        let node = self.input.nodes.find(pod.node_name);
        if node.is_none() && !service.spec.publish_not_ready_addresses {
            self.missing_nodes.push(*pod);
            return;
        }
        let node = node.unwrap_or((pod.node_name, None));
        let open = |family: &&AddressType| !candidate.is_settled(**family);
        for &family in self.families.iter().filter(open) {
            let addresses = match pod.addresses {
                [only] if ip::address_type(&only.ip) == family => only.ip.into(),
                [] | [_] => continue,
                several => {
                    let several = several.iter().map(|entry| entry.ip);
                    let own = several.filter(|address| ip::address_type(address) == family);
                    let own: Vec<IpAddr> = own.collect();
                    if own.is_empty() {
                        continue;
                    }
                    EndpointAddresses::new(own)
                }
            };
            let endpoint = pod_endpoint(service, pod, addresses, node);
            if let Some(group) = self.groups.get_mut(group) {
                group.push(family, endpoint);
            }
        }
    }

    fn add_static(&mut self, endpoint: &'a StaticEndpoint<'a>, group: usize) {
        let node_zone = || self.input.nodes.zone(endpoint.node_name?)?;
        let zone = endpoint.zone.or_else(node_zone);
        for &family in self.families {
            let addresses: Vec<IpAddr> = endpoint
                .addresses
                .iter()
                .copied()
                .filter(|address| ip::address_type(address) == family)
                .collect();
            if addresses.is_empty() {
                continue;
            }
            let desired = DesiredEndpoint {
                addresses: EndpointAddresses::new(addresses),
                ready: if self.input.service.spec.publish_not_ready_addresses {
                    Some(true)
                } else {
                    endpoint.conditions.ready
                },
                serving: endpoint.conditions.serving,
                terminating: endpoint.conditions.terminating,
                hostname: endpoint.hostname,
                target: EndpointTarget::Reference(endpoint.target_ref),
                node_name: endpoint.node_name,
                zone,
            };
            if let Some(group) = self.groups.get_mut(group) {
                group.push(family, desired);
            }
        }
    }

    /// Merges groups with the same ports: two resolutions may be equal (a Service can list a port twice).
    fn finish(mut self) -> Desired<'a> {
        let may_repeat = !self.input.endpoints.is_empty();
        let key = |group: PortGroup<'a>| (PortMapKey::new(&group.ports), group);
        let merge = |same: &mut PortGroup<'a>, group: &mut PortGroup<'a>| {
            if ports_order(&group.ports) < ports_order(&same.ports) {
                same.ports = core::mem::take(&mut group.ports);
            }
            for family in AddressType::ALL {
                let more = group.endpoints.of_mut(family);
                same.endpoints.of_mut(family).append(more);
            }
        };
        let mut groups = SortedMap::merged(self.groups.into_iter().map(key), merge);
        if may_repeat {
            for group in groups.values_mut() {
                for family in AddressType::ALL {
                    keep_last(group.endpoints.of_mut(family));
                }
            }
        }
        sort_by(&mut self.missing_nodes, |a, b| a.name.cmp(b.name));
        Desired {
            groups,
            missing_nodes: self.missing_nodes,
        }
    }
}

/// If several endpoints have one identity, the last one counts, as in the reference's `EndpointSet`. Those of pods are
/// distinct; a caller may add the same one twice.
fn keep_last(endpoints: &mut Vec<DesiredEndpoint<'_>>) {
    sort_by(endpoints, DesiredEndpoint::placement_order);
    endpoints.dedup_by(|later, kept| {
        let is_same = later.placement_order(kept) == Ordering::Equal;
        if is_same {
            core::mem::swap(later, kept);
        }
        is_same
    });
}

fn ports_order<'p>(ports: &'p [EndpointPort<'_>]) -> Vec<(Option<&'p str>, Option<i32>)> {
    ports
        .iter()
        .map(|port| (port.name.as_deref(), port.port))
        .collect()
}

fn pod_endpoint<'a>(
    service: &'a Service<'_>,
    pod: &PodFacts<'a>,
    addresses: EndpointAddresses,
    (node_name, zone): (&'a str, Option<&'a str>),
) -> DesiredEndpoint<'a> {
    let (serving, terminating) = (pod.is_ready, pod.is_terminating);
    let is_named_by_service = !pod.hostname.is_empty() && service.metadata.name == *pod.subdomain;
    DesiredEndpoint {
        addresses,
        // Terminating pods are never ready, unless unready addresses are published.
        ready: Some(service.spec.publish_not_ready_addresses || (serving && !terminating)),
        serving: Some(serving),
        terminating: Some(terminating),
        hostname: is_named_by_service.then_some(pod.hostname),
        target: EndpointTarget::Pod {
            // Also the pod's, because a selector only selects pods of its namespace.
            namespace: &service.metadata.namespace,
            name: pod.name,
            uid: pod.uid,
        },
        node_name: Some(node_name).filter(|name| !name.is_empty()),
        zone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Pod;
    use crate::reconcile::testing::{input, kept, nodes, read};
    use serde_json::json;

    /// A pod on node `a` whose ports `x` and `y` have these numbers.
    fn pod(name: &str, [x, y]: [i32; 2]) -> Candidate<'static> {
        let port = |name: &str, number: i32| json!({"name": name, "containerPort": number});
        let pod: Pod<'_> = read(&json!({
            "metadata": {"namespace": "shop", "name": name},
            "spec": {"nodeName": "a", "containers": [{"ports": [port("x", x), port("y", y)]}]},
            "status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}]},
        }));
        Candidate::Read(kept(pod))
    }

    #[test]
    fn ports_come_in_one_order_whichever_pod_comes_first() {
        let port = |target: &str| json!({"name": "", "port": 80, "targetPort": target});
        let service = json!({"spec": {"ports": [port("x"), port("y")]}});
        let pods = [pod("p", [8001, 8002]), pod("q", [8002, 8001])];
        for pods in [vec![pods[0], pods[1]], vec![pods[1], pods[0]]] {
            let mut input = input(&service, nodes(&[("a", "2")]));
            input.pods = pods;
            let desired = desired(&input, &[AddressType::IPv4]);
            let groups: Vec<_> = desired.groups.iter().map(|(_, group)| group).collect();
            assert_eq!((groups.len(), groups[0].endpoints.ipv4.len()), (1, 2));
            let numbers: Vec<_> = groups[0].ports.iter().map(|port| port.port).collect();
            assert_eq!(numbers, [Some(8001), Some(8002)]);
        }
    }
}
