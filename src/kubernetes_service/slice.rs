//! The slice that mirrors the Endpoints (reference: `EndpointsAdapter`).

use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use super::{NAMESPACE, Object, ObjectKind, Reason, Verb, Write, because};
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::endpoints::{EndpointAddress, EndpointSubset, SubsetPort};
use crate::model::{
    AddressType, Endpoint, EndpointConditions, EndpointPort, EndpointSlice, Endpoints, Few,
    ObjectMeta, StringMap, Text, ip, keys,
};

/// The write that makes the slice mirror the Endpoints; nothing if it already does.
pub(super) fn writes<'a>(
    endpoints: &Endpoints<'a>,
    current: Option<&EndpointSlice<'a>>,
) -> Vec<Write<'a>> {
    let wanted = slice(endpoints);
    let Some(current) = current else {
        return vec![write(Verb::Create, None, wanted, Reason::NotFound)];
    };
    if current.address_type != wanted.address_type {
        let mut delete = write(
            Verb::Delete,
            Some(current),
            wanted.clone(),
            Reason::AddressTypeChanged,
        );
        delete.object = None;
        let create = write(Verb::Create, None, wanted, Reason::AddressTypeChanged);
        return vec![delete, create];
    }
    if is_same(current, &wanted) {
        return Vec::new();
    }
    // Metadata from the API server and other writers stays.
    let metadata = ObjectMeta {
        labels: wanted.metadata.labels.clone(),
        annotations: StringMap::default(),
        owner_references: Vec::new(),
        ..current.metadata.clone()
    };
    let updated = EndpointSlice {
        metadata,
        unknown: current.unknown.clone(),
        ..wanted
    };
    vec![write(
        Verb::Update,
        Some(current),
        updated,
        Reason::OutOfStep,
    )]
}

fn write<'a>(
    operation: Verb,
    current: Option<&EndpointSlice<'a>>,
    slice: EndpointSlice<'a>,
    reason: Reason,
) -> Write<'a> {
    let metadata = current.map(|current| &current.metadata);
    Write {
        operation,
        kind: ObjectKind::EndpointSlice,
        name: slice.metadata.name.clone(),
        uid: metadata
            .map(|metadata| metadata.uid.clone())
            .unwrap_or_default(),
        resource_version: metadata
            .map(|metadata| metadata.resource_version.clone())
            .unwrap_or_default(),
        object: Some(Object::EndpointSlice(slice)),
        reasons: because(reason),
    }
}

/// The slice for the first subset only. It is IPv6 if all addresses are, otherwise IPv4, without the IPv6 addresses.
fn slice<'a>(endpoints: &Endpoints<'a>) -> EndpointSlice<'a> {
    let name = &endpoints.metadata.name;
    let label = (keys::SERVICE_NAME_LABEL.into(), name.clone());
    let subset = endpoints.subsets.first();
    let family = subset.map_or(AddressType::IPv4, family);
    let ports = subset.into_iter().flat_map(|subset| &subset.ports);
    EndpointSlice {
        api_version: API_VERSION.into(),
        kind: KIND.into(),
        metadata: ObjectMeta {
            name: name.clone(),
            namespace: NAMESPACE.into(),
            labels: iter::once(label).collect(),
            ..ObjectMeta::default()
        },
        address_type: family.as_str().into(),
        endpoints: subset
            .map(|subset| slice_endpoints(subset, family))
            .unwrap_or_default(),
        ports: ports.map(slice_port).collect(),
        ..EndpointSlice::default()
    }
}

fn family(subset: &EndpointSubset<'_>) -> AddressType {
    let mut addresses = subset.addresses.iter().chain(&subset.not_ready_addresses);
    let is_empty = subset.addresses.is_empty() && subset.not_ready_addresses.is_empty();
    if !is_empty && addresses.all(|address| is_ipv6(&address.ip)) {
        AddressType::IPv6
    } else {
        AddressType::IPv4
    }
}

/// Text that is not an address counts as IPv4.
fn is_ipv6(text: &str) -> bool {
    ip::parse(text).is_some_and(|address| ip::address_type(&address) == AddressType::IPv6)
}

fn slice_endpoints<'a>(subset: &EndpointSubset<'a>, family: AddressType) -> Vec<Endpoint<'a>> {
    let of = |addresses: &[EndpointAddress<'a>], ready: bool| -> Vec<Endpoint<'a>> {
        let own = addresses
            .iter()
            .filter(|address| is_ipv6(&address.ip) == (family == AddressType::IPv6));
        own.map(|address| endpoint(address, ready)).collect()
    };
    let mut endpoints = of(&subset.addresses, true);
    endpoints.extend(of(&subset.not_ready_addresses, false));
    endpoints
}

/// The address is copied as written; the hostname is not copied.
fn endpoint<'a>(address: &EndpointAddress<'a>, ready: bool) -> Endpoint<'a> {
    Endpoint {
        addresses: Few::One(address.ip.clone()),
        conditions: EndpointConditions {
            ready: Some(ready),
            ..EndpointConditions::default()
        },
        target_ref: address.target_ref.clone(),
        node_name: address.node_name.clone(),
        ..Endpoint::default()
    }
}

/// The application protocol is not copied.
fn slice_port<'a>(port: &SubsetPort<'a>) -> EndpointPort<'a> {
    EndpointPort {
        name: Some(port.name.clone()),
        port: Some(port.port),
        protocol: Some(port.protocol.clone()),
        ..EndpointPort::default()
    }
}

/// Endpoints, ports and labels are compared, annotations and owners are not. Neither are fields that this version does
/// not know: if an API server fills some in, the slice would be written forever.
fn is_same(current: &EndpointSlice<'_>, wanted: &EndpointSlice<'_>) -> bool {
    current.metadata.labels == wanted.metadata.labels
        && current
            .endpoints
            .iter()
            .map(known)
            .eq(wanted.endpoints.iter().map(known))
        && current
            .ports
            .iter()
            .map(known_port)
            .eq(wanted.ports.iter().map(known_port))
}

/// An endpoint without fields that this version does not know.
fn known<'a>(endpoint: &Endpoint<'a>) -> Endpoint<'a> {
    let mut endpoint = endpoint.clone();
    endpoint.unknown = Default::default();
    endpoint.conditions.unknown = Default::default();
    if let Some(target) = &mut endpoint.target_ref {
        target.unknown = Default::default();
    }
    endpoint
}

fn known_port<'p>(
    port: &'p EndpointPort<'_>,
) -> (Option<&'p str>, Option<i32>, [Option<&'p str>; 2]) {
    let text = |text: &'p Option<Text<'_>>| text.as_deref();
    let protocols = [text(&port.protocol), text(&port.app_protocol)];
    (text(&port.name), port.port, protocols)
}
