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
    /// The backends of a Service in one object.
    pub struct Endpoints("Endpoints") {
        /// `v1`; may be missing where the position says what the object is.
        "apiVersion" api_version: Text<'a>,
        /// `Endpoints`; may be missing likewise.
        "kind" kind: Text<'a>,
        /// Name, which is the Service's, labels, annotations.
        "metadata" metadata: ObjectMeta<'a> = always,
        /// Addresses by the ports they serve.
        "subsets" subsets: Vec<EndpointSubset<'a>>,
    }
}

named!(Endpoints);

kube_object! {
    /// Every address of a subset serves every port of it.
    pub struct EndpointSubset("EndpointSubset") {
        /// Addresses that take traffic.
        "addresses" addresses: Vec<EndpointAddress<'a>>,
        /// Addresses that should not.
        "notReadyAddresses" not_ready_addresses: Vec<EndpointAddress<'a>>,
        /// Ports; none for a headless Service without ports.
        "ports" ports: Vec<SubsetPort<'a>>,
    }
}

kube_object! {
    /// One address.
    pub struct EndpointAddress("EndpointAddress") {
        /// Of either family.
        "ip" ip: Text<'a> = always,
        /// Its name in DNS below the Service's.
        "hostname" hostname: Text<'a>,
        /// Node it is on.
        "nodeName" node_name: Option<Text<'a>>,
        /// What it stands for.
        "targetRef" target_ref: Option<ObjectReference<'a>>,
    }
}

kube_object! {
    /// A port of a subset.
    pub struct SubsetPort("EndpointPort") {
        /// The Service port's name; empty when it has one port only.
        "name" name: Text<'a>,
        /// Port number on the endpoint.
        "port" port: i32 = always,
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" protocol: Text<'a>,
        /// Application protocol, as the Service says.
        "appProtocol" app_protocol: Option<Text<'a>>,
    }
}

impl EndpointAddress<'_> {
    /// The uid of its target, empty without one.
    pub fn target_uid(&self) -> &str {
        self.target_ref.as_ref().map_or("", |target| &target.uid)
    }
}
