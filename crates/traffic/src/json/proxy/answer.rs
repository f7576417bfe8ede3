//! The output lines.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use slicewise::json;
use slicewise::model::NamespacedName;
use slicewise::model::kind::Kind;

use super::record::Sync;
use crate::proxy::{Categories, PortEndpoint, Proxier, ServicePortName, Topology, Update};

/// The changes since the last sync, and the current endpoints.
// Endpoints and routes are read from the proxy as they are written.
#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(rename = "Update", rename_all = "camelCase")]
pub struct ProxyUpdate<'p> {
    /// Services of which a slice was added, changed or removed.
    updated_services: NameList<'p, NamespacedName>,
    /// Services whose ports were added, changed or removed.
    updated_service_ports: NameList<'p, NamespacedName>,
    /// When the changes were triggered, by Service.
    trigger_times: TriggerTimes<'p>,
    /// The endpoints, by `namespace/name:port/PROTOCOL`.
    endpoints: AllEndpoints<'p>,
    /// The endpoints that this node uses, by `namespace/name:port/PROTOCOL`.
    #[serde(skip_serializing_if = "Option::is_none")]
    routes: Option<AllRoutes<'p>>,
    /// UDP ports whose connections may be stale.
    stale_udp: StaleUdp<'p>,
    /// Whether the endpoints of a Service with a UDP port have changed.
    conntrack_cleanup_required: bool,
    /// The indexes of the stale flows in the list of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    stale_conntrack: Option<Vec<usize>>,
    /// The ports on which load balancers check for ready endpoints, by Service.
    #[serde(skip_serializing_if = "Option::is_none")]
    health_check_node_ports: Option<NumbersByService<u16>>,
    /// The number of ready endpoints on this node, by Service.
    #[serde(skip_serializing_if = "Option::is_none")]
    local_ready_endpoints: Option<NumbersByService<usize>>,
    /// Objects received since the last question that the proxy ignores; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<UnreadObject>,
}

/// An object that a proxy ignores because of its label.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct UnreadObject {
    /// `Service` or `EndpointSlice`.
    kind: &'static str,
    /// `namespace/name`.
    name: String,
    label: &'static str,
}

impl<'p> ProxyUpdate<'p> {
    pub(super) fn new(
        proxier: &'p Proxier,
        update: &'p Update,
        sync: &Sync,
        unread: BTreeMap<(Kind, NamespacedName), &'static str>,
    ) -> Self {
        let entries = sync.entries.as_deref();
        Self {
            updated_services: NameList(update.services.iter().collect()),
            updated_service_ports: NameList(update.service_ports.iter().collect()),
            trigger_times: TriggerTimes(update),
            endpoints: AllEndpoints(proxier),
            routes: sync.with_routes.then_some(AllRoutes(proxier)),
            stale_udp: StaleUdp {
                deleted_endpoints: update
                    .deleted_udp_endpoints
                    .iter()
                    .map(DeletedEndpoint::of)
                    .collect(),
                gained_endpoints: NameList(update.gained_udp_endpoints.iter().collect()),
            },
            conntrack_cleanup_required: update.conntrack_cleanup_required,
            stale_conntrack: entries.map(|entries| proxier.stale_entries(entries)),
            health_check_node_ports: sync
                .with_routes
                .then(|| NumbersByService(proxier.health_check_node_ports())),
            local_ready_endpoints: sync
                .with_routes
                .then(|| NumbersByService(proxier.local_ready_endpoints())),
            unread: unread
                .into_iter()
                .map(|((kind, name), label)| UnreadObject {
                    kind: kind.as_str(),
                    name: name.to_string(),
                    label,
                })
                .collect(),
        }
    }

    /// Writes the answer as a line.
    pub(super) fn write(&self, output: &mut Vec<u8>) {
        // Our own values always serialize, and writing to memory does not fail.
        if json::write::append(self, output).is_ok() {
            output.push(b'\n');
        }
    }
}

/// A list whose items are written as their names.
pub(super) struct NameList<'p, T>(Vec<&'p T>);

impl<T: ToString> Serialize for NameList<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|name| name.to_string()))
    }
}

/// Numbers by Service.
pub(super) struct NumbersByService<T>(BTreeMap<NamespacedName, T>);

impl<T: Serialize> Serialize for NumbersByService<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = self.0.iter();
        serializer.collect_map(counts.map(|(service, count)| (service.to_string(), count)))
    }
}

pub(super) struct TriggerTimes<'p>(&'p Update);

impl Serialize for TriggerTimes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let times = self.0.trigger_times.iter();
        serializer.collect_map(times.map(|(service, times)| (service.to_string(), times)))
    }
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StaleUdp<'p> {
    /// Endpoints that were serving before and no longer are.
    deleted_endpoints: Vec<DeletedEndpoint>,
    /// Ports that had no serving endpoint before and have one now.
    gained_endpoints: NameList<'p, ServicePortName>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DeletedEndpoint {
    endpoint: String,
    service_port: String,
}

impl DeletedEndpoint {
    fn of(deleted: &crate::proxy::ServiceEndpoint) -> Self {
        Self {
            endpoint: deleted.endpoint(),
            service_port: deleted.service_port.to_string(),
        }
    }
}

pub(super) struct AllEndpoints<'p>(&'p Proxier);

impl Serialize for AllEndpoints<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for name in self.0.endpoint_ports() {
            map.serialize_entry(&name.to_string(), &OfPort(self.0, &name))?;
        }
        map.end()
    }
}

struct OfPort<'p>(&'p Proxier, &'p ServicePortName);

impl Serialize for OfPort<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut result = Ok(());
        self.0.for_each_endpoint(self.1, |endpoint| {
            if result.is_ok() {
                result = list.serialize_element(&ProxyEndpoint::of(&endpoint));
            }
        });
        result?;
        list.end()
    }
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProxyEndpoint<'p> {
    /// The address and port.
    endpoint: String,
    ready: bool,
    serving: bool,
    terminating: bool,
    /// Whether it is on the proxy's node.
    local: bool,
    zone_hints: &'p [Box<str>],
    node_hints: &'p [Box<str>],
}

impl<'p> ProxyEndpoint<'p> {
    fn of(endpoint: &PortEndpoint<'p>) -> Self {
        Self {
            endpoint: endpoint.to_string(),
            ready: endpoint.is_ready(),
            serving: endpoint.is_serving(),
            terminating: endpoint.is_terminating(),
            local: endpoint.is_local(),
            zone_hints: endpoint.zone_hints(),
            node_hints: endpoint.node_hints(),
        }
    }
}

pub(super) struct AllRoutes<'p>(&'p Proxier);

impl Serialize for AllRoutes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, _) in self.0.service_ports() {
            if let Some(categories) = self.0.route(&name) {
                map.serialize_entry(&name.to_string(), &Route::of(&categories))?;
            }
        }
        map.end()
    }
}

/// The endpoints that a node uses for a service port.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Route {
    /// The endpoints for traffic under the policy `Cluster`.
    pub cluster: Vec<String>,
    /// The endpoints for traffic under the policy `Local`.
    pub local: Vec<String>,
    /// The endpoints of both lists.
    pub reachable: Vec<String>,
    /// Whether any node has a usable endpoint.
    pub has_any: bool,
    /// How hints keep traffic close under the policy `Cluster`.
    pub topology: Topology,
}

impl Route {
    /// The names of a port's endpoints.
    pub fn of(categories: &Categories<'_>) -> Self {
        let names = |endpoints: &[PortEndpoint<'_>]| -> Vec<String> {
            endpoints.iter().map(ToString::to_string).collect()
        };
        Self {
            cluster: names(&categories.cluster),
            local: names(&categories.local),
            reachable: names(&categories.reachable),
            has_any: categories.has_any,
            topology: categories.topology,
        }
    }
}
