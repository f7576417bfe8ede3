//! EndpointSlice (`discovery.k8s.io/v1`): read, compared, changed and written back in full.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::few::Few;
use super::keys;
use super::meta::{ObjectMeta, ObjectReference};
use super::named::{NamespacedName, named};
use super::object::kube_object;
use super::text::{StringMap, Text};

/// `apiVersion` of every slice we write.
pub const API_VERSION: &str = "discovery.k8s.io/v1";
/// `kind` of every slice we write.
pub const KIND: &str = "EndpointSlice";

/// The API accepts no more ports in a slice (reference: `maxPorts` of `pkg/apis/discovery/validation`, since v1.21).
pub const MAX_PORTS: usize = 20_000;
/// The API accepts no more addresses in an endpoint (reference: `maxAddresses` there).
pub const MAX_ADDRESSES: usize = 100;

/// The address family of a Service's slices, in the order in which plans list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_enums, reason = "IP has two families")]
pub enum AddressType {
    /// IPv4 addresses in dotted notation.
    IPv4,
    /// IPv6 addresses in the notation of RFC 5952.
    IPv6,
}

impl AddressType {
    /// Both.
    pub const ALL: [Self; 2] = [Self::IPv4, Self::IPv6];

    /// The family with this name; `None` for other names.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.as_str() == name)
    }

    /// The API's name of the family.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IPv4 => "IPv4",
            Self::IPv6 => "IPv6",
        }
    }
}

kube_object! {
    /// One EndpointSlice.
    pub struct EndpointSlice("EndpointSlice") {
        /// `discovery.k8s.io/v1`; optional where the position implies it.
        "apiVersion" api_version: Text<'a>,
        /// `EndpointSlice`; optional where the position implies it.
        "kind" kind: Text<'a>,
        /// Standard object metadata.
        "metadata" metadata: ObjectMeta<'a> = always,
        /// `IPv4`, `IPv6` or `FQDN`; immutable.
        "addressType" address_type: Text<'a> = always,
        /// The endpoints; the API's validation allows at most 1000.
        "endpoints" endpoints: Vec<Endpoint<'a>> = always,
        /// The ports of all endpoints of the slice.
        "ports" ports: Vec<EndpointPort<'a>> = always,
    }
}

named!(EndpointSlice);

kube_object! {
    /// One backend: addresses that all lead to the same target.
    pub struct Endpoint("Endpoint") {
        /// The addresses, of the slice's address type.
        "addresses" addresses: Few<Text<'a>> = always,
        /// The conditions: ready, serving, terminating.
        "conditions" conditions: EndpointConditions<'a> = always,
        /// Set for pods with a subdomain that names the Service.
        "hostname" hostname: Option<Text<'a>>,
        /// The object behind the endpoint, usually a Pod.
        "targetRef" target_ref: Option<ObjectReference<'a>>,
        /// Left over from `v1beta1`; the API server preserves it but no longer accepts it.
        "deprecatedTopology" deprecated_topology: StringMap<'a>,
        /// The name of the Node that the endpoint runs on.
        "nodeName" node_name: Option<Text<'a>>,
        /// The zone of that Node.
        "zone" zone: Option<Text<'a>>,
        /// The zones and nodes whose clients should use this endpoint.
        "hints" hints: Option<EndpointHints<'a>>,
    }
}

kube_object! {
    /// The conditions of an endpoint; consumers treat a missing `ready` as true.
    pub struct EndpointConditions("EndpointConditions") {
        /// Whether the endpoint should get new traffic.
        "ready" ready: Option<bool>,
        /// Whether the endpoint serves traffic, regardless of `terminating`.
        "serving" serving: Option<bool>,
        /// Whether the endpoint is being deleted.
        "terminating" terminating: Option<bool>,
    }
}

kube_object! {
    /// Topology hints of an endpoint.
    pub struct EndpointHints("EndpointHints") {
        /// The zones whose clients should use the endpoint.
        "forZones" for_zones: Few<NameRef<'a>>,
        /// The nodes whose clients should use the endpoint (KEP-3015).
        "forNodes" for_nodes: Few<NameRef<'a>>,
    }
}

kube_object! {
    /// A zone or node that a hint names.
    pub struct NameRef("ForZone or ForNode") {
        /// The name of the zone or node.
        "name" name: Text<'a> = always,
    }
}

kube_object! {
    /// A port that all endpoints of the slice listen on.
    pub struct EndpointPort("EndpointPort") {
        /// The name of the Service port.
        "name" name: Option<Text<'a>>,
        /// The port number on the endpoint.
        "port" port: Option<i32>,
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" protocol: Option<Text<'a>>,
        /// The application protocol, as set in the Service.
        "appProtocol" app_protocol: Option<Text<'a>>,
    }
}

/// The state that follows from the conditions of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum EndpointState {
    /// It gets new traffic and is serving.
    Ready,
    /// It is published as ready, but is not serving or is being deleted: `publishNotReadyAddresses`.
    Published,
    /// It gets no new traffic.
    NotReady,
    /// It is being deleted and still serving.
    Draining,
    /// It is being deleted and no longer serving.
    Stopped,
}

impl EndpointState {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Ready,
        Self::Published,
        Self::NotReady,
        Self::Draining,
        Self::Stopped,
    ];

    /// The state in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Published => "published as ready",
            Self::NotReady => "not ready",
            Self::Draining => "terminating, still serving",
            Self::Stopped => "terminating, no longer serving",
        }
    }
}

/// A state, and the words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StateWords {
    /// The state.
    pub state: EndpointState,
    /// The state in words.
    pub words: &'static str,
}

impl StateWords {
    /// All states with their words.
    pub fn all() -> Vec<Self> {
        let of = |state: EndpointState| Self {
            state,
            words: state.words(),
        };
        EndpointState::ALL.map(of).into()
    }
}

impl EndpointConditions<'_> {
    /// Ready, serving and terminating as consumers read them: absent conditions have the API's defaults.
    pub fn meant(&self) -> (bool, bool, bool) {
        let ready = self.ready.unwrap_or(true);
        (ready, self.serving.unwrap_or(ready), self.is_terminating())
    }

    /// Is it being deleted?
    pub fn is_terminating(&self) -> bool {
        self.terminating.unwrap_or(false)
    }

    /// The state that consumers derive from the conditions.
    pub fn state(&self) -> EndpointState {
        match self.meant() {
            (true, true, false) => EndpointState::Ready,
            (true, ..) => EndpointState::Published,
            (false, _, false) => EndpointState::NotReady,
            (false, true, true) => EndpointState::Draining,
            (false, false, true) => EndpointState::Stopped,
        }
    }
}

impl Endpoint<'_> {
    /// Is `ready` true? Absent counts as false: the writer's view (reference: `EndpointReady`).
    pub fn is_ready(&self) -> bool {
        self.conditions.ready == Some(true)
    }

    /// The hostname, empty if there is none.
    pub fn hostname(&self) -> &str {
        self.hostname.as_deref().unwrap_or_default()
    }
}

impl<'a> EndpointSlice<'a> {
    /// The slice's name.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// Is the slice labelled with this Service?
    pub fn names(&self, service: &NamespacedName) -> bool {
        let name = self.metadata.labels.get(keys::SERVICE_NAME_LABEL);
        self.metadata.namespace == service.namespace.as_str()
            && name.is_some_and(|name| *name == service.name.as_str())
    }

    /// Orders references to slices by name.
    pub fn by_name(one: &&Self, other: &&Self) -> Ordering {
        one.name().cmp(other.name())
    }
}

impl EndpointSlice<'_> {
    /// An owned copy of the slice, which copies each text once, whether it is borrowed or owned.
    pub fn to_static(&self) -> EndpointSlice<'static> {
        self.clone().into_owned()
    }

    /// This slice without its endpoints; texts are borrowed.
    pub fn borrowed(&self) -> EndpointSlice<'_> {
        let metadata = &self.metadata;
        EndpointSlice {
            api_version: borrowed(&self.api_version),
            kind: borrowed(&self.kind),
            metadata: ObjectMeta {
                name: borrowed(&metadata.name),
                generate_name: borrowed(&metadata.generate_name),
                namespace: borrowed(&metadata.namespace),
                uid: borrowed(&metadata.uid),
                resource_version: borrowed(&metadata.resource_version),
                generation: metadata.generation,
                creation_timestamp: metadata.creation_timestamp.as_ref().map(borrowed),
                deletion_timestamp: metadata.deletion_timestamp.as_ref().map(borrowed),
                labels: borrowed_map(&metadata.labels),
                annotations: borrowed_map(&metadata.annotations),
                owner_references: metadata.owner_references.clone(),
                unknown: metadata.unknown.clone(),
            },
            address_type: borrowed(&self.address_type),
            endpoints: Vec::new(),
            ports: self.ports.clone(),
            unknown: self.unknown.clone(),
        }
    }
}

fn borrowed<'t>(text: &'t Text<'_>) -> Text<'t> {
    text.as_str().into()
}

fn borrowed_map<'t>(pairs: &'t StringMap<'_>) -> StringMap<'t> {
    let pairs = pairs.iter();
    pairs
        .map(|(key, value)| (borrowed(key), borrowed(value)))
        .collect()
}
