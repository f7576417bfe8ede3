//! Endpoints that are not pods: a caller's own backends, published along with the selected pods or without a selector.

use alloc::format;
use alloc::vec::Vec;
use core::net::IpAddr;

use k8s_openapi::api::discovery::v1 as discovery;

use super::read::address;
use super::slice::{read_endpoint, read_port};
use crate::model::{Endpoint, EndpointConditions, EndpointPort};
use crate::reconcile::desired::StaticEndpoint;
use crate::{Code, Error};

/// An endpoint that is not a pod. Its hints and deprecated topology are ignored.
///
/// Without conditions it is ready and serving; without a zone it has the zone of its node.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ExtraEndpoint<'a> {
    /// The endpoint. Each of its addresses goes to the slices of its family.
    pub endpoint: &'a discovery::Endpoint,
    /// Its ports; `None` for the Service's ports with a numeric target.
    pub ports: Option<&'a [discovery::EndpointPort]>,
}

impl<'a> ExtraEndpoint<'a> {
    /// An endpoint with the Service's ports.
    pub const fn new(endpoint: &'a discovery::Endpoint) -> Self {
        Self {
            endpoint,
            ports: None,
        }
    }
}

/// An extra endpoint that has been read and checked.
#[derive(Debug)]
pub(super) struct CheckedExtraEndpoint<'a> {
    addresses: Vec<IpAddr>,
    endpoint: Endpoint<'a>,
    ports: Option<Vec<EndpointPort<'a>>>,
}

impl<'a> CheckedExtraEndpoint<'a> {
    /// Reads the endpoint at an index of the list.
    pub(super) fn read(index: usize, extra: ExtraEndpoint<'a>) -> Result<Self, Error> {
        let path = format!("/endpoints/{index}/addresses");
        if extra.endpoint.addresses.is_empty() {
            let message = "an endpoint needs at least one address";
            return Err(Error::new(Code::InvalidValue, message).at(path));
        }
        let addresses = extra.endpoint.addresses.iter().enumerate();
        let addresses = addresses.map(|(index, text)| address(text, || format!("{path}/{index}")));
        let mut endpoint = read_endpoint(extra.endpoint);
        if extra.endpoint.conditions.is_none() {
            endpoint.conditions = EndpointConditions {
                ready: Some(true),
                serving: Some(true),
                terminating: Some(false),
                ..EndpointConditions::default()
            };
        }
        Ok(Self {
            addresses: addresses.collect::<Result<_, Error>>()?,
            endpoint,
            ports: extra
                .ports
                .map(|ports| ports.iter().map(read_port).collect()),
        })
    }

    /// The endpoint in the form that the reconciler takes.
    pub(super) fn as_static(&self) -> StaticEndpoint<'_> {
        StaticEndpoint {
            addresses: self.addresses.clone(),
            conditions: self.endpoint.conditions.clone(),
            node_name: self.endpoint.node_name.as_deref(),
            zone: self.endpoint.zone.as_deref(),
            hostname: self.endpoint.hostname.as_deref(),
            target_ref: self.endpoint.target_ref.as_ref(),
            ports: self.ports.as_deref(),
        }
    }
}
