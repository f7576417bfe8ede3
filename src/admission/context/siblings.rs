//! The slices a Service has already, as the addresses they hold.

use std::net::IpAddr;

use crate::model::order::sorted_unique;
use crate::model::{EndpointPort, EndpointSlice, ip};

/// Slices of one Service.
#[derive(Debug, Default)]
pub struct Siblings {
    slices: Vec<Sibling>,
    /// Address and slice number, in order once [`Siblings::sort`] has run.
    addresses: Vec<(IpAddr, u32)>,
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
    /// Adds a slice.
    pub fn insert(&mut self, slice: &EndpointSlice<'_>) {
        let Ok(number) = u32::try_from(self.slices.len()) else {
            return;
        };
        let addresses = slice
            .endpoints
            .iter()
            .flat_map(|endpoint| &endpoint.addresses)
            .filter_map(|address| ip::parse(address));
        self.addresses
            .extend(addresses.map(|address| (address, number)));
        let ports = slice
            .ports
            .iter()
            .map(port_name)
            .map(|(name, protocol)| (name.to_owned(), protocol.to_owned()))
            .collect();
        self.slices.push(Sibling {
            name: slice.name().to_owned(),
            ports,
        });
    }

    /// Puts the addresses in order, which [`Siblings::holding`] relies on.
    pub fn sort(&mut self) {
        self.addresses = sorted_unique(std::mem::take(&mut self.addresses));
    }

    /// The slices that hold an address.
    pub fn holding(&self, address: IpAddr) -> impl Iterator<Item = &Sibling> {
        let start = self
            .addresses
            .partition_point(|(other, _)| *other < address);
        let same = self
            .addresses
            .iter()
            .skip(start)
            .take_while(move |(other, _)| *other == address);
        same.filter_map(|(_, number)| self.slices.get(*number as usize))
    }
}

/// Name and protocol of a slice's port, as consumers read what is absent.
pub fn port_name<'p>(port: &'p EndpointPort<'_>) -> (&'p str, &'p str) {
    (
        port.name.as_deref().unwrap_or_default(),
        super::protocol(port.protocol.as_deref().unwrap_or_default()),
    )
}
