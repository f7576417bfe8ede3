//! What traffic to a Service can reach: its ready endpoints, by the planner's own rules.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::context::ClusterView;
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, Service, SortedMap};
use slicewise::reconcile::address_types;
use slicewise::reconcile::desired::{PortGroup, desired};
use slicewise_live::session::imagined::{PodToBe, PodsToBe};

/// Planning a Service with more ports would cost more than a review may: every pod may have each of them.
pub(crate) const MAX_PORTS: usize = 1_000;

/// The ready endpoints of a Service, as its controller would publish them.
#[derive(Debug, Default)]
#[non_exhaustive]
pub(crate) struct Reach {
    /// Address and pod of each ready endpoint that traffic can reach through some port, sorted and without duplicates.
    pub endpoints: Vec<(IpAddr, String)>,
    /// Ready endpoints by name and protocol of the port.
    pub ports: SortedMap<(String, String), usize>,
    /// Pods that the selector matches.
    pub selected: usize,
    /// Ready endpoints, including those without any port.
    pub ready: usize,
}

impl Reach {
    /// Plans the Service over the existing pods and nodes.
    pub(crate) fn of(service: &Service<'_>, cluster: &ClusterView<'_>) -> Self {
        Self::over(service, cluster, &|_| PodToBe::Same)
    }

    /// Plans the Service over the pods that would be.
    pub(crate) fn over(
        service: &Service<'_>,
        cluster: &ClusterView<'_>,
        to_be: &PodsToBe<'_>,
    ) -> Self {
        if !service.is_reconciled() {
            return Self::default();
        }
        cluster.with_nodes(|nodes| {
            cluster.imagine(service, nodes, to_be, |input| {
                let mut reach = Self {
                    selected: input.pods.len(),
                    ..Self::default()
                };
                for group in desired(input, &address_types(service)).groups.values() {
                    reach.add(group, service.spec.ports.is_empty());
                }
                reach.endpoints = sorted_unique(core::mem::take(&mut reach.endpoints));
                reach
            })
        })
    }

    fn add(&mut self, group: &PortGroup<'_>, needs_no_port: bool) {
        let families = AddressType::ALL;
        let endpoints = families
            .iter()
            .flat_map(|family| group.endpoints(*family))
            .filter(|endpoint| endpoint.ready == Some(true));
        let mut count = 0;
        for endpoint in endpoints {
            count += 1;
            if let Some(address) = endpoint.addresses.iter().next()
                && (needs_no_port || !group.ports.is_empty())
            {
                self.endpoints
                    .push((address, endpoint.target.key().1.to_owned()));
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

    /// How many of these endpoints `other` lacks.
    pub(crate) fn lost_in(&self, other: &Self) -> usize {
        let is_lost = |endpoint: &&_| other.endpoints.binary_search(endpoint).is_err();
        self.endpoints.iter().filter(is_lost).count()
    }

    /// Ready endpoints behind a port.
    pub(crate) fn behind(&self, name: &str, protocol: &str) -> usize {
        self.ports
            .get(&(name.to_owned(), protocol.to_owned()))
            .copied()
            .unwrap_or_default()
    }
}

/// A protocol, `TCP` by default.
pub(crate) fn protocol(written: &str) -> &str {
    if written.is_empty() { "TCP" } else { written }
}
