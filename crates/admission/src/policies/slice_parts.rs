//! Parts of a slice that several checks of its shape share.

use core::net::IpAddr;

use crate::reach::protocol;
use slicewise::model::EndpointPort;
use slicewise::model::order::Grouped;

/// Addresses, each with the index of its endpoint and its index there, sorted.
pub(super) type IndexedAddresses = Grouped<IpAddr, (usize, usize)>;

/// Name and protocol of a slice's port, with the defaults that consumers apply.
pub(super) fn port_name<'p>(port: &'p EndpointPort<'_>) -> (&'p str, &'p str) {
    (
        port.name.as_deref().unwrap_or_default(),
        protocol(port.protocol.as_deref().unwrap_or_default()),
    )
}
