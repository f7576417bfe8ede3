//! What is known of the cluster, kept so that a review costs what it concerns: its Service, its namespace's index.
//!
//! Everything lies under its namespace, and a policy is handed one namespace only. Objects are kept as far as the
//! planner reads them; slices are kept as the addresses they hold.

mod pods;
pub mod siblings;

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub use pods::PodIndex;
pub use siblings::{Sibling, Siblings};

use crate::model::order::{Grouped, sorted_unique};
use crate::model::{AddressType, EndpointSlice, Node, Pod, Service, SortedMap, keys};
use crate::reconcile::address_types;

/// The cluster, or nothing at all.
#[derive(Debug, Default)]
pub struct Context {
    namespaces: SortedMap<String, Namespace>,
    /// Names, in order.
    nodes: Vec<String>,
    has_snapshot: bool,
    has_services: bool,
    has_pods: bool,
}

/// One namespace.
#[derive(Debug, Default)]
pub struct Namespace {
    /// Its pods.
    pub pods: PodIndex,
    /// Its Services by name.
    pub services: SortedMap<String, ServiceShape>,
    /// Its slices by the Service they belong to.
    pub siblings: SortedMap<String, Siblings>,
}

/// What slices of a Service have to fit.
#[derive(Debug)]
pub struct ServiceShape {
    /// Families it wants.
    pub families: Vec<AddressType>,
    /// Name and protocol of its ports.
    pub ports: Vec<(String, String)>,
}

impl ServiceShape {
    /// The shape of a Service.
    pub fn new(service: &Service<'_>) -> Self {
        let ports = service
            .spec
            .ports
            .iter()
            .map(|port| (port.name.to_string(), protocol(&port.protocol).to_owned()));
        Self {
            families: address_types(service),
            ports: ports.collect(),
        }
    }
}

/// A protocol, `TCP` where none is written.
pub fn protocol(written: &str) -> &str {
    if written.is_empty() { "TCP" } else { written }
}

impl Context {
    /// Nothing is known: policies answer as their `whenStale` says.
    pub fn missing() -> Self {
        Self::default()
    }

    /// Takes what policies need of the objects of a snapshot.
    pub fn new(
        services: &[Service<'_>],
        pods: &[Pod<'_>],
        nodes: &[Node<'_>],
        slices: &[EndpointSlice<'_>],
    ) -> Self {
        let (has_services, has_pods) = (!services.is_empty(), !pods.is_empty());
        let services = services
            .iter()
            .map(|service| (&*service.metadata.namespace, service));
        let services = Grouped::new(services);
        let slices = slices
            .iter()
            .map(|slice| (&*slice.metadata.namespace, slice));
        let slices = Grouped::new(slices);
        let pods = Grouped::new(pods.iter().map(|pod| (&*pod.metadata.namespace, pod)));
        let names = services.keys().chain(pods.keys()).chain(slices.keys());
        let namespaces = sorted_unique(names.copied()).into_iter().map(|name| {
            let namespace = Namespace {
                pods: PodIndex::new(pods.of(name).iter().map(|(_, pod)| *pod)),
                services: services
                    .of(name)
                    .iter()
                    .map(|(_, service)| {
                        let name = service.metadata.name.to_string();
                        (name, ServiceShape::new(service))
                    })
                    .collect(),
                siblings: siblings(slices.of(name).iter().map(|(_, slice)| *slice)),
            };
            (name.to_owned(), namespace)
        });
        Self {
            namespaces: namespaces.collect(),
            nodes: sorted_unique(nodes.iter().map(|node| node.metadata.name.to_string())),
            has_snapshot: true,
            has_services,
            has_pods,
        }
    }

    /// A namespace; `None` when nothing is known to be in it.
    pub fn namespace(&self, name: &str) -> Option<&Namespace> {
        self.namespaces.get(name)
    }

    /// Is there a node of that name?
    pub fn has_node(&self, name: &str) -> bool {
        self.nodes
            .binary_search_by(|node| node.as_str().cmp(name))
            .is_ok()
    }

    /// Can slices be held against their Service and their siblings?
    ///
    /// # Errors
    /// Says why not.
    pub const fn knows_services(&self) -> Result<(), &'static str> {
        if !self.has_snapshot {
            return Err("no snapshot of the cluster is loaded");
        }
        if !self.has_services {
            return Err("the snapshot of the cluster holds no Services");
        }
        Ok(())
    }

    /// Can a Service be planned?
    ///
    /// # Errors
    /// Says why not.
    pub fn can_plan(&self) -> Result<(), &'static str> {
        self.knows_services()?;
        if !self.has_pods {
            return Err("the snapshot of the cluster holds no pods");
        }
        if self.nodes.is_empty() {
            return Err(
                "the snapshot of the cluster holds no nodes, without which no pod is an endpoint",
            );
        }
        Ok(())
    }
}

/// Slices by the Service whose label they carry.
fn siblings<'s>(
    slices: impl Iterator<Item = &'s EndpointSlice<'s>>,
) -> SortedMap<String, Siblings> {
    let of_service = |slice: &'s EndpointSlice<'s>| {
        let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL)?;
        Some((service.as_str(), slice))
    };
    Grouped::new(slices.filter_map(of_service))
        .groups()
        .filter_map(|group| {
            let (service, _) = group.first()?;
            let slices = group.iter().map(|(_, slice)| *slice);
            Some(((*service).to_owned(), Siblings::new(slices)))
        })
        .collect()
}
