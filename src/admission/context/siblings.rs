//! The slices a Service has already, as the addresses they hold.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use crate::model::order::Grouped;
use crate::model::{EndpointPort, EndpointSlice, ip};

/// Slices of one Service.
#[derive(Debug)]
pub struct Siblings {
    slices: Vec<Sibling>,
    /// Slice numbers by address.
    addresses: Grouped<IpAddr, u32>,
}

/// One slice there is.
#[derive(Debug)]
pub struct Sibling {
    /// Its name.
    pub name: String,
    /// Name and protocol of its ports.
    pub ports: Vec<(String, String)>,
}

impl Siblings {
    /// Takes what matters of slices.
    pub fn new<'s>(slices: impl Iterator<Item = &'s EndpointSlice<'s>>) -> Self {
        let (mut known, mut addresses) = (Vec::new(), Vec::new());
        for (number, slice) in (0_u32..).zip(slices) {
            let all = slice
                .endpoints
                .iter()
                .flat_map(|endpoint| &endpoint.addresses)
                .filter_map(|address| ip::parse(address));
            addresses.extend(all.map(|address| (address, number)));
            let ports = slice
                .ports
                .iter()
                .map(port_name)
                .map(|(name, protocol)| (name.to_owned(), protocol.to_owned()));
            known.push(Sibling {
                name: slice.name().to_owned(),
                ports: ports.collect(),
            });
        }
        Self {
            slices: known,
            addresses: Grouped::new(addresses),
        }
    }

    /// The slices that hold an address.
    pub fn holding(&self, address: IpAddr) -> impl Iterator<Item = &Sibling> {
        let mut last = None;
        let numbers = self
            .addresses
            .of(&address)
            .iter()
            .map(|(_, number)| *number);
        // A slice that holds the address twice is one slice.
        let once = numbers.filter(move |number| last.replace(*number) != Some(*number));
        once.filter_map(|number| self.slices.get(number as usize))
    }
}

/// Name and protocol of a slice's port, as consumers read what is absent.
pub fn port_name<'p>(port: &'p EndpointPort<'_>) -> (&'p str, &'p str) {
    (
        port.name.as_deref().unwrap_or_default(),
        super::protocol(port.protocol.as_deref().unwrap_or_default()),
    )
}
