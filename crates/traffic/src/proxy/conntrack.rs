//! Which flows the kernel should forget: flows to a UDP service port whose endpoint no longer serves.
//!
//! Nothing is listed or deleted here. The input is entries of the connection tracking table, the output the stale ones
//! among them. Reference: `conntrack.CleanStaleEntries`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::model::{AddressType, ip};

use super::endpoint::{PortEndpoint, UDP};
use super::host::Host;
use super::service_port::ServicePortInfo;

/// One direction of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuple {
    /// Where it comes from.
    pub source: (IpAddr, u16),
    /// Where it goes.
    pub destination: (IpAddr, u16),
}

/// An entry of the connection tracking table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConntrackEntry {
    /// Is it UDP? Other protocols are never stale.
    pub is_udp: bool,
    /// As the client sent it.
    pub origin: Tuple,
    /// As the reply is expected: from the endpoint.
    pub reply: Tuple,
}

type FlowTargets = BTreeSet<(Host, i32)>;

/// The valid targets of UDP flows.
#[derive(Debug)]
pub struct Frontends {
    /// The kernel lists the entries of one family only.
    family: AddressType,
    /// For each service port its serving endpoints, whether ready or not, on any node.
    serving: Vec<FlowTargets>,
    /// By address and port.
    by_address: BTreeMap<(Host, i32), usize>,
    by_node_port: BTreeMap<i32, usize>,
}

impl Frontends {
    /// An empty set for a family.
    pub const fn new(family: AddressType) -> Self {
        Self {
            family,
            serving: Vec::new(),
            by_address: BTreeMap::new(),
            by_node_port: BTreeMap::new(),
        }
    }

    /// Adds a service port; if two have the same address or node port, the later one counts.
    pub fn add<'p>(
        &mut self,
        port: &ServicePortInfo,
        endpoints: impl IntoIterator<Item = PortEndpoint<'p>>,
    ) {
        if port.protocol != UDP {
            return;
        }
        let serving = endpoints.into_iter().filter(PortEndpoint::is_serving);
        let serving: FlowTargets = serving
            .map(|endpoint| (endpoint.host, endpoint.port))
            .collect();
        let number = self.serving.len();
        let addresses = port.load_balancer_vips.iter().chain(&port.external_ips);
        for address in port.cluster_ip.iter().chain(addresses) {
            self.by_address
                .insert((Host::from(*address), port.port), number);
        }
        // A flow to a node port is recognized by the port alone. Without endpoints, every flow to that port, to any
        // address, would be stale.
        if port.node_port != 0 && !serving.is_empty() {
            self.by_node_port.insert(port.node_port, number);
        }
        self.serving.push(serving);
    }

    /// Does a flow of the family to a service port lead to something that is not, or no longer, a serving endpoint of
    /// it?
    pub fn is_stale(&self, entry: &ConntrackEntry) -> bool {
        let (address, port) = entry.origin.destination;
        if !entry.is_udp || ip::address_type(&address.to_canonical()) != self.family {
            return false;
        }
        let (replying, from) = entry.reply.source;
        let is_elsewhere = |number: Option<&usize>| {
            let endpoints = number.and_then(|number| self.serving.get(*number));
            let endpoint = (Host::from(replying), i32::from(from));
            endpoints.is_some_and(|endpoints| !endpoints.contains(&endpoint))
        };
        is_elsewhere(self.by_address.get(&(Host::from(address), i32::from(port))))
            || is_elsewhere(self.by_node_port.get(&i32::from(port)))
    }
}
