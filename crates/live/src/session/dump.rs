//! A session as data, and back: to inspect it, send it, or continue elsewhere.
//!
//! Objects are plain Kubernetes JSON, limited to what plans depend on, so that any Service can also be planned
//! separately. What a session has learnt about slices is left out: the first sync learns it again, and no plan depends
//! on it.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Value, json};
use slicewise::model::conditions::ReadyCondition;
use slicewise::model::object::slim_object;
use slicewise::model::pod::PodIp;
use slicewise::model::{
    EndpointSlice, NamespacedName, Node, Pod, Service, ServicePort, SortedMap, TargetPort, Text,
    Timestamp, ip, keys,
};
use slicewise::plan::request::Options;
use slicewise::reconcile::ports::NamedPort;
use slicewise::topology::cache::ServiceHints;

use super::Session;
use super::event::Kind;
use super::services::{ServiceState, Trigger};

/// The version of the format, which changes when older releases would misread it.
pub const VERSION: u32 = 1;

slim_object! {
    /// A session as data.
    #[derive(Default, Debug)]
    pub struct Dump<'a>("dump of a session") refuse {
        /// The version of the format: [`VERSION`].
        "version" pub version: u32 = required;
        /// How plans are made.
        "options" pub options: Options<'a>;
        /// The Services.
        "services" pub services: Vec<Service<'a>>;
        /// The pods.
        "pods" pub pods: Vec<Pod<'a>>;
        /// The nodes.
        "nodes" pub nodes: Vec<Node<'a>>;
        /// The EndpointSlices; those of other managers without their endpoints.
        "slices" pub slices: Vec<EndpointSlice<'a>>;
        /// The state of each Service's last sync.
        "states" pub states: Vec<SyncedState<'a>>;
    }
}

slim_object! {
    /// The state of a Service's last sync.
    #[derive(Default, Debug)]
    pub struct SyncedState<'a>("state of a Service") refuse {
        /// The Service's namespace.
        "namespace" pub namespace: Text<'a>;
        /// The Service's name.
        "name" pub name: Text<'a> = required;
        /// The hints.
        "hints" pub hints: ServiceHints;
        /// Whether the Service has been synced; its trigger times are only tracked after the first sync.
        "synced" pub synced: bool;
        /// The creation time of the Service at the last sync.
        "created" pub created: Option<Timestamp>;
        /// Pods that have changed since the last sync, with their trigger times at that sync.
        "changed" pub changed: Vec<ChangedPod<'a>>;
    }
}

slim_object! {
    /// A pod that has changed since the last sync of a Service.
    #[derive(Default, Debug)]
    pub struct ChangedPod<'a>("changed pod") refuse {
        /// The pod's name.
        "name" pub name: Text<'a> = required;
        /// Its trigger time at the last sync.
        "before" pub before: Option<Timestamp>;
    }
}

/// Items that are generated while they are written.
struct DumpedItems<F>(F);

impl<T: Serialize, I: Iterator<Item = T>, F: Fn() -> I> Serialize for DumpedItems<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl Serialize for Session {
    /// Writes a [`Dump`] with objects sorted by name, so that equal clusters have equal dumps.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = [Kind::Service, Kind::Pod, Kind::Node, Kind::EndpointSlice];
        let [services, pods, nodes, slices] = keys.map(|kind| self.keys(kind));
        let mut map = serializer.serialize_map(Some(7))?;
        map.serialize_entry("version", &VERSION)?;
        map.serialize_entry("options", &self.dumped_options())?;
        let service = |key| Some(dumped_service(self.state_of(key)?));
        let items = DumpedItems(|| services.iter().filter_map(service));
        map.serialize_entry("services", &items)?;
        let items = DumpedItems(|| pods.iter().filter_map(|key| self.dumped_pod(key)));
        map.serialize_entry("pods", &items)?;
        let items = DumpedItems(|| nodes.iter().filter_map(|key| self.dumped_node(&key.name)));
        map.serialize_entry("nodes", &items)?;
        let slice = |key: &NamespacedName| {
            let id = self.slices.find(&key.namespace, &key.name)?;
            Some(self.whole_slice(id))
        };
        let items = DumpedItems(|| slices.iter().filter_map(slice));
        map.serialize_entry("slices", &items)?;
        let state = |key| Some(dumped_state(key, self.state_of(key)?));
        let items = DumpedItems(|| services.iter().filter_map(state));
        map.serialize_entry("states", &items)?;
        map.end()
    }
}

impl Session {
    /// The session of a dump. Objects must have unique names; states must belong to existing Services.
    pub fn restored(dump: Dump<'_>) -> Self {
        let mut session = Self::new(dump.options.into_owned());
        for node in &dump.nodes {
            session.set_node(node);
        }
        for service in &dump.services {
            session.set_service(service);
        }
        for pod in &dump.pods {
            session.set_pod(pod, &pod.metadata.resource_version);
        }
        for slice in &dump.slices {
            session.set_slice(slice);
        }
        for state in dump.states {
            let id = session.services.find(&state.namespace, &state.name);
            let known = id.and_then(|id| session.services.state_mut(id));
            if let Some(known) = known {
                known.hints = state.hints;
                let pods = state.changed.into_iter();
                let pods = pods.map(|pod| (Box::from(pod.name.as_str()), pod.before));
                known.trigger = Trigger {
                    is_known: state.synced,
                    service: state.created,
                    pods: pods.collect(),
                };
            }
        }
        session
    }

    fn state_of(&self, key: &NamespacedName) -> Option<&ServiceState> {
        let id = self.services.find(&key.namespace, &key.name)?;
        self.services.state(id)
    }

    fn dumped_options(&self) -> Value {
        let settings = self.options.settings();
        json!({
            "managedBy": settings.managed_by,
            "maxEndpointsPerSlice": settings.max_endpoints_per_slice.get(),
            "topologyHints": settings.topology_hints,
            "kubernetes": settings.kubernetes.name(),
            "preferSameTrafficDistribution": settings.prefer_same_traffic_distribution,
            "packing": settings.packing.name(),
        })
    }

    /// A pod as an API server would return it. Only the presence of a deletion time and of `podIP` matters, and whether
    /// the phase is terminal, so their values are made up.
    pub(super) fn dumped_pod(&self, key: &NamespacedName) -> Option<Value> {
        let id = self.pods.find(&self.names, &key.namespace, &key.name)?;
        let pod = self.pods.pod(&self.names, id)?;
        let known = self.pods.get(id)?;
        let facts = known.facts.as_ref()?;
        let ports = self.pods.container_ports(&self.names, facts);
        let port = |port: NamedPort<'_>| json!({"name": port.name, "containerPort": port.number, "protocol": port.protocol});
        let ports: Vec<Value> = ports.map(port).collect();
        let containers = (!ports.is_empty()).then(|| json!({"ports": ports}));
        let ip = |entry: &PodIp| json!({"ip": ip::to_text(&entry.ip)});
        let first = pod.addresses.first();
        let pod_ip = match first.filter(|_| facts.has_pod_ip) {
            Some(entry) => ip::to_text(&entry.ip),
            None if facts.has_pod_ip => "0.0.0.0".to_string(),
            None => String::new(),
        };
        let deleted = pod.is_terminating.then_some("1970-01-01T00:00:00Z");
        Some(json!({
            "metadata": {
                "name": pod.name, "namespace": pod.namespace, "uid": pod.uid,
                "resourceVersion": known.resource_version(), "labels": self.labels.map(&self.names, facts.labels),
                "deletionTimestamp": deleted,
            },
            "spec": {
                "nodeName": pod.node_name, "hostname": pod.hostname, "subdomain": pod.subdomain,
                "containers": containers.into_iter().collect::<Vec<_>>(),
            },
            "status": {
                "phase": if facts.is_terminal { "Succeeded" } else { "" }, "podIP": pod_ip,
                "podIPs": pod.addresses.iter().map(ip).collect::<Vec<_>>(),
                "conditions": conditions(facts.ready()),
            },
        }))
    }

    pub(super) fn dumped_node(&self, name: &str) -> Option<Value> {
        let (node, version) = self.nodes.get(&self.names, name)?;
        let mut labels = SortedMap::default();
        if let Some(zone) = node.zone() {
            labels.insert(keys::ZONE_LABEL, self.names.text(zone));
        }
        if node.is_control_plane() {
            labels.insert(keys::CONTROL_PLANE_LABEL, "");
        }
        let version = version.map(|version| version.to_string());
        let ready = node.is_ready().then_some(ReadyCondition {
            status: true,
            last_transition_time: None,
        });
        Some(json!({
            "metadata": {"name": name, "resourceVersion": version.unwrap_or_default(), "labels": labels},
            "status": {"allocatable": {"cpu": node.cpu().to_string()}, "conditions": conditions(ready)},
        }))
    }
}

fn conditions(ready: Option<ReadyCondition>) -> Vec<Value> {
    let condition = ready.map(|ready| {
        json!({
            "type": "Ready", "status": if ready.status { "True" } else { "False" },
            "lastTransitionTime": ready.last_transition_time,
        })
    });
    condition.into_iter().collect()
}

fn dumped_service(state: &ServiceState) -> Value {
    let Service { metadata, spec, .. } = &state.service;
    let port = |port: &ServicePort<'_>| {
        let target = match &port.target_port {
            TargetPort::Number(number) => json!(number),
            TargetPort::Name(name) => json!(name),
        };
        json!({"name": port.name, "protocol": port.protocol, "targetPort": target, "appProtocol": port.app_protocol})
    };
    let version = state.version.map(|version| version.to_string());
    json!({
        "metadata": {
            "name": metadata.name, "namespace": metadata.namespace, "uid": metadata.uid,
            "resourceVersion": version.unwrap_or_default(), "labels": metadata.labels,
            "annotations": metadata.annotations, "creationTimestamp": metadata.creation_timestamp,
            "deletionTimestamp": metadata.deletion_timestamp,
        },
        "spec": {
            "selector": spec.selector, "ports": spec.ports.iter().map(port).collect::<Vec<_>>(),
            "clusterIP": spec.cluster_ip, "ipFamilies": spec.ip_families, "type": spec.service_type,
            "publishNotReadyAddresses": spec.publish_not_ready_addresses,
            "trafficDistribution": spec.traffic_distribution,
        },
    })
}

fn dumped_state(key: &NamespacedName, state: &ServiceState) -> Value {
    let changed = state.trigger.pods.iter();
    let changed = changed.map(|(name, before)| json!({"name": name, "before": before}));
    json!({
        "namespace": key.namespace, "name": key.name, "hints": state.hints,
        "synced": state.trigger.is_known, "created": state.trigger.service,
        "changed": changed.collect::<Vec<_>>(),
    })
}
