//! Parts of a slice as several checks of its shape look at them.

use core::net::IpAddr;

use crate::admission::reach::protocol;
use crate::model::EndpointPort;
use crate::model::order::Grouped;

/// Addresses with the endpoint and the place in it that hold them, in order.
pub(super) type Addresses = Grouped<IpAddr, (usize, usize)>;

/// Name and protocol of a slice's port, as consumers read what is absent.
pub(super) fn port_name<'p>(port: &'p EndpointPort<'_>) -> (&'p str, &'p str) {
    (
        port.name.as_deref().unwrap_or_default(),
        protocol(port.protocol.as_deref().unwrap_or_default()),
    )
}
