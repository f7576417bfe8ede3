//! What explanations read beyond what plans do, by the names of the objects.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::extras::{Event, Extra, Lease, NodeDetail, ServiceDetail, Taint};
use super::pod_detail::PodDetail;
use crate::model::order::sort_by;
use crate::model::{Endpoints, NamespacedName, SortedMap, Text};
use crate::proxy::Service;

/// What explanations read beyond what plans do.
#[derive(Debug, Default)]
pub struct Details<'a> {
    pods: SortedMap<NamespacedName, PodDetail<'a>>,
    services: SortedMap<NamespacedName, Service<'a>>,
    topology_keys: SortedMap<NamespacedName, Vec<Text<'a>>>,
    taints: SortedMap<String, Vec<Taint<'a>>>,
    extras: Vec<Extra<'a>>,
}

/// The same as it is read.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Read<'a> {
    /// Of pods.
    pub pods: Vec<PodDetail<'a>>,
    /// Of Services, what proxies look at.
    pub services: Vec<Service<'a>>,
    /// Fields of Services that only explanations use.
    pub service_details: Vec<ServiceDetail<'a>>,
    /// Of nodes.
    pub nodes: Vec<NodeDetail<'a>>,
    /// Other objects.
    pub extras: Vec<Extra<'a>>,
}

impl<'a> Details<'a> {
    /// Details by name; of equal names the first counts.
    pub fn new(read: Read<'a>) -> Self {
        let pods = read.pods.into_iter().map(|pod| (pod.metadata.key(), pod));
        let services = read
            .services
            .into_iter()
            .map(|service| (NamespacedName::of(&service), proxied(service)));
        let old = read.service_details.into_iter();
        let old = old.map(|service| (service.metadata.key(), service.spec.topology_keys));
        let taints = read.nodes.into_iter();
        let taints = taints.map(|node| (node.metadata.name.to_string(), node.spec.taints));
        Self {
            // Of objects that come again the last counts.
            pods: pods.collect(),
            services: services.collect(),
            topology_keys: old.collect(),
            taints: taints.collect(),
            extras: read.extras,
        }
    }

    /// What a proxy looks at of a Service.
    pub fn service(&self, key: &NamespacedName) -> Option<&Service<'a>> {
        self.services.get(key)
    }

    /// Those of a pod.
    pub fn pod(&self, key: &NamespacedName) -> Option<&PodDetail<'a>> {
        self.pods.get(key)
    }

    /// The `topologyKeys` of a Service.
    pub fn topology_keys(&self, key: &NamespacedName) -> &[Text<'a>] {
        self.topology_keys.get(key).map_or(&[], Vec::as_slice)
    }

    /// The taints of a node.
    pub fn taints(&self, node: &str) -> &[Taint<'a>] {
        self.taints.get(node).map_or(&[], Vec::as_slice)
    }

    /// The Events about an object, by their last time.
    pub fn events(&self, kind: &str, namespace: &str, name: &str) -> Vec<&Event<'a>> {
        let events = self.extras.iter().filter_map(|extra| match extra {
            Extra::Event(event) => Some(event),
            Extra::Endpoints(_) | Extra::Lease(_) => None,
        });
        let mut found: Vec<&Event<'_>> = events
            .filter(|event| {
                let about = event.about();
                about.kind == *kind && about.namespace == *namespace && about.name == *name
            })
            .collect();
        sort_by(&mut found, |one, other| {
            let key =
                |event: &Event<'_>| (event.time().to_string(), event.metadata.name.to_string());
            key(one).cmp(&key(other))
        });
        found
    }

    /// The Endpoints of a name.
    pub fn endpoints(&self, key: &NamespacedName) -> Option<&Endpoints<'a>> {
        self.extras.iter().find_map(|extra| match extra {
            Extra::Endpoints(endpoints)
                if endpoints.metadata.namespace == *key.namespace
                    && endpoints.metadata.name == *key.name =>
            {
                Some(endpoints)
            }
            _ => None,
        })
    }

    /// The lease of a controller in `kube-system`.
    pub fn lease(&self, name: &str) -> Option<&Lease<'a>> {
        self.extras.iter().find_map(|extra| match extra {
            Extra::Lease(lease) if lease.metadata.name == *name => Some(lease),
            _ => None,
        })
    }
}

/// What an API server would have filled in: a Service written by hand has no cluster IP yet, and gets one.
fn proxied(mut service: Service<'_>) -> Service<'_> {
    let spec = &mut service.spec;
    if spec.cluster_ip.is_empty() && spec.service_type != "ExternalName" {
        let is_v6 = spec
            .ip_families
            .first()
            .is_some_and(|family| *family == "IPv6");
        let address = if is_v6 { "fd00::1" } else { "10.96.0.1" };
        spec.cluster_ip = address.into();
        if spec.ip_families.len() > 1 {
            let other = if is_v6 { "10.96.0.1" } else { "fd00::1" };
            spec.cluster_ips = [address.into(), other.into()].into();
        }
    }
    if spec.cluster_ips.is_empty() && !spec.cluster_ip.is_empty() {
        spec.cluster_ips.push(spec.cluster_ip.clone());
    }
    service
}
