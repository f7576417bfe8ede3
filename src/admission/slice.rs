//! An EndpointSlice as far as its shape goes: what it belongs to, its family, addresses and ports.
//!
//! Reviews are read in full on every write of a slice, so that what no policy looks at is passed over unread.

use alloc::vec::Vec;

use crate::model::object::slim_object;
use crate::model::{EndpointPort, StringMap, Text, keys};

slim_object! {
    /// The slice of a review.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedSlice<'r>("EndpointSlice") {
        /// `EndpointSlice`, or nothing where the position says so.
        "kind" pub kind: Text<'r>;
        /// Name and labels.
        "metadata" pub metadata: ReviewedMeta<'r> = required;
        /// `IPv4`, `IPv6` or `FQDN`.
        "addressType" pub address_type: Text<'r>;
        /// The endpoints, for their addresses.
        "endpoints" pub endpoints: Vec<ReviewedEndpoint<'r>>;
        /// The ports.
        "ports" pub ports: Vec<EndpointPort<'r>>;
    }
}

slim_object! {
    /// Metadata of a slice.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedMeta<'r>("ObjectMeta") {
        /// Name.
        "name" pub name: Text<'r>;
        /// Namespace.
        "namespace" pub namespace: Text<'r>;
        /// Labels, for the Service's name.
        "labels" pub labels: StringMap<'r>;
    }
}

slim_object! {
    /// An endpoint of a slice.
    #[derive(Default, Clone, Debug, PartialEq, Eq)]
    pub struct ReviewedEndpoint<'r>("Endpoint") {
        /// Its addresses.
        "addresses" pub addresses: Vec<Text<'r>>;
    }
}

impl ReviewedSlice<'_> {
    /// The Service it says it belongs to.
    pub fn service_name(&self) -> Option<&str> {
        let name = self.metadata.labels.get(keys::SERVICE_NAME_LABEL)?;
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    /// Do both belong to the same Service, with the same family, addresses and ports?
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.service_name() == other.service_name()
            && self.address_type == other.address_type
            && self.ports == other.ports
            && self.endpoints == other.endpoints
    }
}
