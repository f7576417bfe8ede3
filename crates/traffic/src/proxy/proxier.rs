//! The state of a proxy: Services, slices and its node.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use slicewise::kubernetes::{Behavior, KubernetesVersion};
use slicewise::model::{
    AddressType, EndpointSlice, NamespacedName, Node, SortedMap, Text, Timestamp, keys,
};

use super::category::{Categories, ProxyLocation, categorize};
use super::conntrack::{ConntrackEntry, Frontends};
use super::endpoint::{PortEndpoint, ServiceEndpoint, ServicePortName, UDP};
use super::pending::ReceivedSlice;
use super::selection::{is_marked_headless, other_proxy};
use super::service::ProxiedService;
use super::service_port::ServicePortInfo;
use super::services::ProxiedServices;
use super::slice::SliceView;
use super::slices::ProxySlices;

/// The immutable settings of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProxierSettings {
    /// The node it runs on; if empty, no endpoint is local.
    pub node_name: String,
    /// The node's zone until the Node itself is known; empty if it has none.
    pub zone: String,
    /// The address family it serves.
    pub address_type: AddressType,
    /// Only later trigger times are reported.
    pub started: Option<Timestamp>,
    /// Are hints for nodes used (feature gate `PreferSameTrafficDistribution`, on by default)?
    pub prefer_same_traffic_distribution: bool,
    /// The version of Kubernetes that it is of.
    pub kubernetes: KubernetesVersion,
    /// Are objects skipped that kube-proxy excludes from its watches (`selection.rs`)?
    pub is_selective: bool,
}

impl ProxierSettings {
    /// The default settings, on a node.
    pub fn on_node(node_name: impl Into<String>) -> Self {
        Self {
            node_name: node_name.into(),
            zone: String::new(),
            address_type: AddressType::IPv4,
            started: None,
            prefer_same_traffic_distribution: true,
            kubernetes: KubernetesVersion::default(),
            is_selective: true,
        }
    }
}

/// The knowledge of a kube-proxy, without what it does with it.
///
/// Objects come in as they are seen ([`Proxier::set_slice`] and others), at a cost that depends on the object, or next
/// to nothing for shared slices ([`Proxier::set_shared_slice`]). [`Proxier::sync`] applies the changes, at a cost that
/// depends on the slices that changed, and returns what has changed; later queries refer to that sync.
///
/// ```
/// use slicewise::model::EndpointSlice;
/// use slicewise_traffic::proxy::{Proxier, ProxierSettings};
///
/// let slice = r#"{"metadata": {"name": "cart-a", "namespace": "shop", "labels": {"kubernetes.io/service-name": "cart"}},
///     "addressType": "IPv4", "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
///     "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.10"]}]}"#;
/// let slice: EndpointSlice<'_> = serde_json::from_str(slice).unwrap();
/// let mut proxier = Proxier::new(ProxierSettings::on_node("node-1"));
/// assert!(proxier.set_slice(&slice));
/// assert!(!proxier.set_slice(&slice), "it is known already");
///
/// let update = proxier.sync();
/// assert_eq!(update.services.first().unwrap().to_string(), "shop/cart");
/// let port = proxier.endpoint_ports().next().unwrap();
/// assert_eq!(port.to_string(), "shop/cart:http/TCP");
/// let endpoints: Vec<String> = proxier.endpoints(&port).iter().map(ToString::to_string).collect();
/// assert_eq!(endpoints, ["10.0.0.10:8080", "10.0.0.1:8080"]);
/// ```
#[derive(Clone, Debug)]
pub struct Proxier {
    settings: ProxierSettings,
    services: ProxiedServices,
    /// UDP ports that the last sync removed, if the version deletes the flows to them.
    deleted: Vec<ServicePortInfo>,
    slices: ProxySlices,
}

/// The changes of a sync.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Update {
    /// Services with a slice that was added, changed or removed.
    pub services: BTreeSet<NamespacedName>,
    /// Services with ports that were added, changed or removed.
    pub service_ports: BTreeSet<NamespacedName>,
    /// When the changes of slices were triggered, by Service, in the order they arrived.
    pub trigger_times: SortedMap<NamespacedName, Vec<Timestamp>>,
    /// Is a UDP port among those whose endpoints may have changed, or since Kubernetes 1.38 among those that were removed,
    /// so that flows must be checked?
    pub conntrack_cleanup_required: bool,
    /// Endpoints of UDP ports that no longer serve.
    pub deleted_udp_endpoints: Vec<ServiceEndpoint>,
    /// UDP ports that had no serving endpoint before and now have one.
    pub gained_udp_endpoints: Vec<ServicePortName>,
}

impl Proxier {
    /// A proxy that knows nothing yet.
    pub fn new(settings: ProxierSettings) -> Self {
        let view = SliceView {
            node_name: settings.node_name.as_str().into(),
            with_node_hints: settings.prefer_same_traffic_distribution,
        };
        Self {
            services: ProxiedServices::new(settings.address_type),
            deleted: Vec::new(),
            slices: ProxySlices::new(view, settings.address_type, settings.started),
            settings,
        }
    }

    /// The settings; the zone is that of the Node, once it is known.
    pub const fn settings(&self) -> &ProxierSettings {
        &self.settings
    }

    /// Adds or changes a Service; is anything to be synced, from this or an earlier change? A Service that is assigned
    /// to another proxy counts as removed.
    pub fn set_service(&mut self, service: &ProxiedService<'_>) -> bool {
        if self.settings.is_selective && other_proxy(service).is_some() {
            return self.services.remove(&service.key());
        }
        self.services.set(service)
    }

    /// Removes a Service; is anything to be synced?
    pub fn remove_service(&mut self, service: &NamespacedName) -> bool {
        self.services.remove(service)
    }

    /// Adds or changes a slice; is that a change? Slices of the other address family, of type FQDN, and those that do
    /// not name a Service are ignored, and one that is marked as headless counts as removed.
    ///
    /// A slice that moves to another Service also stays in the first one's list, as in the reference.
    pub fn set_slice(&mut self, slice: &EndpointSlice<'_>) -> bool {
        self.record(ReceivedSlice::Borrowed(slice), false)
    }

    /// Removes a slice, given as last seen; is that a change?
    pub fn remove_slice(&mut self, slice: &EndpointSlice<'_>) -> bool {
        self.record(ReceivedSlice::Borrowed(slice), true)
    }

    /// Like [`Proxier::set_slice`], for callers that share their slices. The slice is stored until [`Proxier::sync`]
    /// reads it; if it changes again before that, it is never read.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use slicewise::model::EndpointSlice;
    /// use slicewise_traffic::proxy::{Proxier, ProxierSettings};
    ///
    /// let mut proxier = Proxier::new(ProxierSettings::on_node("node-1"));
    /// for version in ["1", "2"] {
    ///     let slice = format!(
    ///         r#"{{"metadata": {{"name": "cart-a", "namespace": "shop", "resourceVersion": "{version}",
    ///                           "labels": {{"kubernetes.io/service-name": "cart"}}}},
    ///             "addressType": "IPv4", "endpoints": [], "ports": []}}"#
    ///     );
    ///     let slice: EndpointSlice<'_> = serde_json::from_str(&slice).unwrap();
    ///     assert!(proxier.set_shared_slice(Arc::new(slice.into_owned())));
    /// }
    /// assert_eq!(proxier.sync().services.len(), 1);
    /// ```
    pub fn set_shared_slice(&mut self, slice: Arc<EndpointSlice<'static>>) -> bool {
        self.record(ReceivedSlice::Shared(slice), false)
    }

    /// Like [`Proxier::remove_slice`], for callers that share their slices.
    pub fn remove_shared_slice(&mut self, slice: Arc<EndpointSlice<'static>>) -> bool {
        self.record(ReceivedSlice::Shared(slice), true)
    }

    fn record(&mut self, seen: ReceivedSlice<'_>, is_removed: bool) -> bool {
        if self.settings.is_selective && is_marked_headless(seen.slice()) {
            self.slices.leave_out(seen)
        } else {
            self.slices.record(seen, is_removed)
        }
    }

    /// Adds or changes a Node; does that move the proxy to another zone? Other nodes are ignored, and a deleted node
    /// leaves its zone behind.
    pub fn set_node(&mut self, node: &Node<'_>) -> bool {
        if node.metadata.name != *self.settings.node_name {
            return false;
        }
        let zone = node.metadata.labels.get(keys::ZONE_LABEL);
        let zone = zone.map_or("", Text::as_str);
        let is_news = self.settings.zone != zone;
        if is_news {
            self.settings.zone = zone.to_string();
        }
        is_news
    }

    /// Is there anything for [`Proxier::sync`] to apply?
    pub fn is_pending(&self) -> bool {
        self.services.is_changed() || self.slices.is_pending()
    }

    /// Applies the changes since the last call.
    pub fn sync(&mut self) -> Update {
        let changed = self.slices.sync();
        let (service_ports, deleted) = self.services.sync();
        let is_looked_at = self.settings.kubernetes.has(Behavior::DeletedPorts);
        self.deleted = deleted.into_iter().filter(|_| is_looked_at).collect();
        Update {
            services: changed.services,
            service_ports,
            trigger_times: changed.trigger_times,
            conntrack_cleanup_required: changed.has_udp || !self.deleted.is_empty(),
            deleted_udp_endpoints: changed.deleted,
            gained_udp_endpoints: changed.gained,
        }
    }

    /// The ports of the Services, sorted.
    pub fn service_ports(&self) -> impl Iterator<Item = (ServicePortName, &ServicePortInfo)> {
        self.services.iter()
    }

    /// A port of a Service.
    pub fn service_port(&self, name: &ServicePortName) -> Option<&ServicePortInfo> {
        self.services.get(name)
    }

    /// The ports that have endpoints, sorted. Their Services may be unknown.
    pub fn endpoint_ports(&self) -> impl Iterator<Item = ServicePortName> {
        self.slices.names()
    }

    /// The endpoints of a port, sorted by name and without duplicates.
    pub fn endpoints(&self, name: &ServicePortName) -> Vec<PortEndpoint<'_>> {
        let mut endpoints = Vec::new();
        self.for_each_endpoint(name, |endpoint| endpoints.push(endpoint));
        endpoints
    }

    /// Like [`Proxier::endpoints`], one by one.
    pub fn for_each_endpoint<'s>(
        &'s self,
        name: &ServicePortName,
        mut give: impl FnMut(PortEndpoint<'s>),
    ) {
        self.slices.for_each(name, |_, endpoint| give(endpoint));
    }

    /// Like [`Proxier::endpoints`], each with the name of the slice that is used for it.
    #[doc(hidden)]
    pub fn endpoints_by_slice(&self, name: &ServicePortName) -> Vec<(&str, PortEndpoint<'_>)> {
        let mut endpoints = Vec::new();
        self.slices
            .for_each(name, |slice, endpoint| endpoints.push((slice, endpoint)));
        endpoints
    }

    /// Which endpoints of a port this node uses, and why; `None` if no Service has the port.
    pub fn route(&self, name: &ServicePortName) -> Option<Categories<'_>> {
        let port = self.services.get(name)?;
        Some(categorize(&self.endpoints(name), port, self.place()))
    }

    /// The proxy's node and zone.
    pub fn place(&self) -> ProxyLocation<'_> {
        ProxyLocation {
            node: &self.settings.node_name,
            zone: &self.settings.zone,
            with_node_hints: self.settings.prefer_same_traffic_distribution,
        }
    }

    /// The valid targets of UDP flows, to tell which entries of the connection tracking table are stale. Ports that the
    /// last sync removed have none; a port that exists may have their addresses.
    pub fn frontends(&self) -> Frontends {
        let mut frontends = Frontends::new(self.settings.address_type);
        for port in &self.deleted {
            frontends.add(port, []);
        }
        for (name, port) in self.services.iter() {
            if port.protocol == UDP {
                frontends.add(port, self.endpoints(&name));
            }
        }
        frontends
    }

    /// The indices of the stale entries in the list.
    pub fn stale_entries(&self, entries: &[ConntrackEntry]) -> Vec<usize> {
        let frontends = self.frontends();
        let entries = entries.iter().enumerate();
        entries
            .filter(|(_, entry)| frontends.is_stale(entry))
            .map(|(place, _)| place)
            .collect()
    }

    /// Where load balancers ask for the number of ready endpoints on this node, by Service.
    pub fn health_check_node_ports(&self) -> BTreeMap<NamespacedName, u16> {
        let ports = self.services.iter();
        ports
            .filter(|(_, port)| port.health_check_node_port != 0)
            .map(|(name, port)| (name.service, port.health_check_node_port as u16))
            .collect()
    }

    /// How many ready endpoints there are on this node, by address, for each Service that has any.
    pub fn local_ready_endpoints(&self) -> BTreeMap<NamespacedName, usize> {
        let mut hosts: BTreeMap<NamespacedName, BTreeSet<_>> = BTreeMap::new();
        for name in self.slices.names() {
            let mut found = Vec::new();
            self.for_each_endpoint(&name, |endpoint| {
                if endpoint.is_ready() && endpoint.is_local() {
                    found.push(endpoint.host());
                }
            });
            if !found.is_empty() {
                hosts.entry(name.service).or_default().extend(found);
            }
        }
        let count = |(service, hosts): (_, BTreeSet<_>)| (service, hosts.len());
        hosts.into_iter().map(count).collect()
    }
}
