//! What an observer's session shows of slices, whoever manages them, to callers that follow traffic.

use core::net::IpAddr;

use alloc::vec::Vec;

use slicewise::model::{Endpoint, EndpointSlice, NamespacedName, ip};

use super::Session;
use super::known_endpoints::{KnownEndpoint, whole};

impl Session {
    /// A slice as read.
    pub(crate) fn observed_slice(&self, key: &NamespacedName) -> Option<EndpointSlice<'_>> {
        let id = self.slices.find(&key.namespace, &key.name)?;
        Some(self.whole_slice(id))
    }

    /// The endpoints with this first address in the slices of a Service, sorted by the name of the slice.
    pub(crate) fn endpoints_at(
        &self,
        service: &NamespacedName,
        address: IpAddr,
    ) -> Vec<(&EndpointSlice<'static>, Endpoint<'_>)> {
        let is_it = |endpoint: &&KnownEndpoint| match endpoint {
            KnownEndpoint::Usual(usual) => usual.address() == address,
            KnownEndpoint::Other(endpoint, _) => {
                let first = endpoint.addresses.first();
                first.and_then(|first| ip::parse(first)) == Some(address)
            }
        };
        let slices = self.slices_holding(service, [&address].into_iter());
        let found = slices.into_iter().flat_map(|slice| {
            let endpoints = slice.known.endpoints.iter().filter(is_it);
            endpoints.map(move |endpoint| {
                let endpoint = whole(&self.names, &self.pods, endpoint);
                (slice.head, endpoint)
            })
        });
        found.collect()
    }

    /// Each endpoint in the slices of a Service, with its slice except the endpoints, sorted by the name of the slice.
    pub(crate) fn for_each_endpoint(
        &self,
        service: &NamespacedName,
        mut give: impl FnMut(&EndpointSlice<'static>, &Endpoint<'_>),
    ) {
        for slice in self.slices_labelled(service) {
            for endpoint in &slice.known.endpoints {
                give(slice.head, &whole(&self.names, &self.pods, endpoint));
            }
        }
    }
}
