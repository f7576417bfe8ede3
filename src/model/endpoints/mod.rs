//! Endpoints (`v1`): the API that EndpointSlices replace, read and written back in full.

mod dump;
mod repack;

use alloc::vec::Vec;

pub use repack::repack_subsets;

use super::meta::{ObjectMeta, ObjectReference};
use super::named::named;
use super::object::kube_object;
use super::text::Text;

/// `apiVersion` of Endpoints.
pub const API_VERSION: &str = "v1";
/// `kind` of Endpoints.
pub const KIND: &str = "Endpoints";

kube_object! {
    /// The backends of a Service in a single object.
    pub struct Endpoints("Endpoints") {
        /// `v1`; optional where the position implies it.
        "apiVersion" api_version: Text<'a>,
        /// `Endpoints`; optional where the position implies it.
        "kind" kind: Text<'a>,
        /// Standard object metadata; the name is that of the Service.
        "metadata" metadata: ObjectMeta<'a> = always,
        /// The addresses, grouped by the ports they serve.
        "subsets" subsets: Vec<EndpointSubset<'a>>,
    }
}

named!(Endpoints);

kube_object! {
    /// A group of addresses; each of them serves all ports of the subset.
    pub struct EndpointSubset("EndpointSubset") {
        /// Addresses that get traffic.
        "addresses" addresses: Vec<EndpointAddress<'a>>,
        /// Addresses that should not get traffic.
        "notReadyAddresses" not_ready_addresses: Vec<EndpointAddress<'a>>,
        /// The ports; empty for a headless Service without ports.
        "ports" ports: Vec<SubsetPort<'a>>,
    }
}

kube_object! {
    /// One address.
    pub struct EndpointAddress("EndpointAddress") {
        /// The IPv4 or IPv6 address.
        "ip" ip: Text<'a> = always,
        /// The hostname, as a DNS name below that of the Service.
        "hostname" hostname: Text<'a>,
        /// The name of the Node that the address is on.
        "nodeName" node_name: Option<Text<'a>>,
        /// The object behind the address, usually a Pod.
        "targetRef" target_ref: Option<ObjectReference<'a>>,
    }
}

kube_object! {
    /// A port of a subset.
    pub struct SubsetPort("EndpointPort") {
        /// The name of the Service port; empty if it is the only one.
        "name" name: Text<'a>,
        /// The port number on the endpoint.
        "port" port: i32 = always,
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" protocol: Text<'a>,
        /// The application protocol, as set in the Service.
        "appProtocol" app_protocol: Option<Text<'a>>,
    }
}

impl EndpointAddress<'_> {
    /// The uid of its target, empty without one.
    pub fn target_uid(&self) -> &str {
        self.target_ref.as_ref().map_or("", |target| &target.uid)
    }
}
