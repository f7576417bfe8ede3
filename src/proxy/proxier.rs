//! All a proxy knows: Services, slices and its node.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::category::{Categories, Place, categorize};
use super::conntrack::{Entry, Frontends};
use super::endpoint::{Endpoint, ServiceEndpoint, ServicePortName, UDP};
use super::pending::Seen;
use super::selection::{is_marked_headless, other_proxy};
use super::service::Service;
use super::service_port::ServicePortInfo;
use super::services::Services;
use super::slice::View;
use super::slices::Slices;
use crate::model::{
    AddressType, EndpointSlice, NamespacedName, Node, SortedMap, Text, Timestamp, keys,
};

/// How a proxy is run; it stays so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The node it runs on; empty for none, so that no endpoint is local.
    pub node_name: String,
    /// The node's zone until the Node itself is known; empty for none.
    pub zone: String,
    /// The address family it serves.
    pub address_type: AddressType,
    /// Only later trigger times are reported.
    pub started: Option<Timestamp>,
    /// Are hints for nodes looked at (feature gate `PreferSameTrafficDistribution`, on by default)?
    pub prefer_same_traffic_distribution: bool,
    /// Are objects skipped that kube-proxy asks the API server to leave out (`selection.rs`)?
    pub is_selective: bool,
}

impl Settings {
    /// The usual ones, on a node.
    pub fn on_node(node_name: impl Into<String>) -> Self {
        Self {
            node_name: node_name.into(),
            zone: String::new(),
            address_type: AddressType::IPv4,
            started: None,
            prefer_same_traffic_distribution: true,
            is_selective: true,
        }
    }
}

/// What kube-proxy knows, without what it does with it.
///
/// Objects come in as they are seen ([`Proxier::set_slice`] and the like), which costs what the object costs, or
/// next to nothing for slices that are shared ([`Proxier::set_shared_slice`]).
/// [`Proxier::sync`] applies what has come, at the cost of the slices that changed, and says what that is; what is asked
/// afterwards is as of that sync.
///
/// ```
/// use slicewise::model::EndpointSlice;
/// use slicewise::proxy::{Proxier, Settings};
///
/// let slice = r#"{"metadata": {"name": "cart-a", "namespace": "shop", "labels": {"kubernetes.io/service-name": "cart"}},
///     "addressType": "IPv4", "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
///     "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.10"]}]}"#;
/// let slice: EndpointSlice<'_> = serde_json::from_str(slice).unwrap();
/// let mut proxier = Proxier::new(Settings::on_node("node-1"));
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
    settings: Settings,
    services: Services,
    slices: Slices,
}

/// What a sync has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Update {
    /// Services of which a slice has come, changed or gone.
    pub services: BTreeSet<NamespacedName>,
    /// Services whose ports have come, changed or gone.
    pub service_ports: BTreeSet<NamespacedName>,
    /// When the changes of slices were triggered, by Service, in the order they came.
    pub trigger_times: SortedMap<NamespacedName, Vec<Timestamp>>,
    /// Is a UDP port among those whose endpoints may have changed, so that flows have to be looked at?
    pub conntrack_cleanup_required: bool,
    /// Endpoints of UDP ports that answered before and do so no more.
    pub deleted_udp_endpoints: Vec<ServiceEndpoint>,
    /// UDP ports none of whose endpoints answered before, and one does now.
    pub gained_udp_endpoints: Vec<ServicePortName>,
}

impl Proxier {
    /// A proxy that knows nothing yet.
    pub fn new(settings: Settings) -> Self {
        let view = View {
            node_name: settings.node_name.as_str().into(),
            with_node_hints: settings.prefer_same_traffic_distribution,
        };
        Self {
            services: Services::new(settings.address_type),
            slices: Slices::new(view, settings.address_type, settings.started),
            settings,
        }
    }

    /// How it is run; the zone is that of the Node, once that is known.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A Service has come or changed; is anything to be synced, whether by this or before? One that is assigned to
    /// another proxy counts as removed.
    pub fn set_service(&mut self, service: &Service<'_>) -> bool {
        if self.settings.is_selective && other_proxy(service).is_some() {
            return self.services.remove(&service.key());
        }
        self.services.set(service)
    }

    /// A Service has gone; is anything to be synced?
    pub fn remove_service(&mut self, service: &NamespacedName) -> bool {
        self.services.remove(service)
    }

    /// A slice has come or changed; is that news? Slices of the other address family, of names, and those that do not
    /// say which Service they belong to are not looked at, and one that says that its Service is headless counts
    /// as removed.
    ///
    /// A slice that has been given to another Service stays in the first one's list, too, as in the reference.
    pub fn set_slice(&mut self, slice: &EndpointSlice<'_>) -> bool {
        self.record(Seen::Borrowed(slice), false)
    }

    /// A slice has gone, which is given as it was last seen; is that news?
    pub fn remove_slice(&mut self, slice: &EndpointSlice<'_>) -> bool {
        self.record(Seen::Borrowed(slice), true)
    }

    /// As [`Proxier::set_slice`], for callers that share their slices. The slice is kept as it is until
    /// [`Proxier::sync`] reads it; if it changes again before that, it is not read at all.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use slicewise::model::EndpointSlice;
    /// use slicewise::proxy::{Proxier, Settings};
    ///
    /// let mut proxier = Proxier::new(Settings::on_node("node-1"));
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
        self.record(Seen::Shared(slice), false)
    }

    /// As [`Proxier::remove_slice`], for callers that share their slices.
    pub fn remove_shared_slice(&mut self, slice: Arc<EndpointSlice<'static>>) -> bool {
        self.record(Seen::Shared(slice), true)
    }

    fn record(&mut self, seen: Seen<'_>, is_removed: bool) -> bool {
        if self.settings.is_selective && is_marked_headless(seen.slice()) {
            self.slices.leave_out(seen)
        } else {
            self.slices.record(seen, is_removed)
        }
    }

    /// A Node has come or changed; is the proxy in another zone by that? Other nodes than its own are not looked at,
    /// and one that goes leaves its zone behind.
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

    /// Applies what has come since the last time.
    pub fn sync(&mut self) -> Update {
        let changed = self.slices.sync();
        Update {
            services: changed.services,
            service_ports: self.services.sync(),
            trigger_times: changed.trigger_times,
            conntrack_cleanup_required: changed.has_udp,
            deleted_udp_endpoints: changed.deleted,
            gained_udp_endpoints: changed.gained,
        }
    }

    /// The ports of the Services, in order.
    pub fn service_ports(&self) -> impl Iterator<Item = (ServicePortName, &ServicePortInfo)> {
        self.services.iter()
    }

    /// One of them.
    pub fn service_port(&self, name: &ServicePortName) -> Option<&ServicePortInfo> {
        self.services.get(name)
    }

    /// The ports that have endpoints, in order. A Service need not be known to have endpoints.
    pub fn endpoint_ports(&self) -> impl Iterator<Item = ServicePortName> {
        self.slices.names()
    }

    /// The endpoints of a port, in the order of their names, each once.
    pub fn endpoints(&self, name: &ServicePortName) -> Vec<Endpoint<'_>> {
        let mut endpoints = Vec::new();
        self.for_each_endpoint(name, |endpoint| endpoints.push(endpoint));
        endpoints
    }

    /// As [`Proxier::endpoints`], one by one.
    pub fn for_each_endpoint<'s>(
        &'s self,
        name: &ServicePortName,
        mut give: impl FnMut(Endpoint<'s>),
    ) {
        self.slices.for_each(name, |_, endpoint| give(endpoint));
    }

    /// As [`Proxier::endpoints`], each with the name of the slice whose word on it counts.
    pub(crate) fn endpoints_by_slice(&self, name: &ServicePortName) -> Vec<(&str, Endpoint<'_>)> {
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

    /// Where the proxy is.
    pub fn place(&self) -> Place<'_> {
        Place {
            node: &self.settings.node_name,
            zone: &self.settings.zone,
            with_node_hints: self.settings.prefer_same_traffic_distribution,
        }
    }

    /// Where UDP flows may lead, to tell which entries of the connection tracking table are stale.
    pub fn frontends(&self) -> Frontends {
        let mut frontends = Frontends::new(self.settings.address_type);
        for (name, port) in self.services.iter() {
            if port.protocol == UDP {
                frontends.add(port, self.endpoints(&name));
            }
        }
        frontends
    }

    /// The places in the list of those entries that are stale.
    pub fn stale_entries(&self, entries: &[Entry]) -> Vec<usize> {
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
