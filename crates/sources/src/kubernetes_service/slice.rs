//! The slice that mirrors the Endpoints (reference: `EndpointsAdapter`).

use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use slicewise::model::endpoint_slice::{API_VERSION, KIND};
use slicewise::model::endpoints::{EndpointAddress, EndpointSubset, SubsetPort};
use slicewise::model::{
    AddressType, Endpoint, EndpointPort, EndpointSlice, Endpoints, Few, ObjectMeta, StringMap,
    Text, ip, keys,
};

use super::{
    KubernetesServiceObject, KubernetesServiceWrite, KubernetesServiceWriteReason, NAMESPACE,
    ObjectKind, Verb, because,
};

/// The write that makes the slice mirror the Endpoints; nothing if it already does.
pub(super) fn writes<'a>(
    endpoints: &Endpoints<'a>,
    current: Option<&EndpointSlice<'a>>,
) -> Vec<KubernetesServiceWrite<'a>> {
    let mut wanted = slice(endpoints);
    let Some(current) = current else {
        return vec![write(
            Verb::Create,
            None,
            wanted,
            KubernetesServiceWriteReason::NotFound,
        )];
    };
    if current.address_type != wanted.address_type {
        let mut delete = write(
            Verb::Delete,
            Some(current),
            wanted.clone(),
            KubernetesServiceWriteReason::AddressTypeChanged,
        );
        delete.object = None;
        let create = write(
            Verb::Create,
            None,
            wanted,
            KubernetesServiceWriteReason::AddressTypeChanged,
        );
        return vec![delete, create];
    }
    if is_same(current, &wanted) {
        return Vec::new();
    }
    // Metadata from the API server and other writers stays.
    let mut metadata = current.metadata.clone();
    metadata.labels = wanted.metadata.labels;
    metadata.annotations = StringMap::default();
    metadata.owner_references = Vec::new();
    wanted.metadata = metadata;
    wanted.unknown = current.unknown.clone();
    vec![write(
        Verb::Update,
        Some(current),
        wanted,
        KubernetesServiceWriteReason::OutOfStep,
    )]
}

fn write<'a>(
    operation: Verb,
    current: Option<&EndpointSlice<'a>>,
    slice: EndpointSlice<'a>,
    reason: KubernetesServiceWriteReason,
) -> KubernetesServiceWrite<'a> {
    let metadata = current.map(|current| &current.metadata);
    KubernetesServiceWrite {
        operation,
        kind: ObjectKind::EndpointSlice,
        name: slice.metadata.name.clone(),
        uid: metadata
            .map(|metadata| metadata.uid.clone())
            .unwrap_or_default(),
        resource_version: metadata
            .map(|metadata| metadata.resource_version.clone())
            .unwrap_or_default(),
        object: Some(KubernetesServiceObject::EndpointSlice(slice)),
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
    let mut metadata = ObjectMeta::default();
    metadata.name = name.clone();
    metadata.namespace = NAMESPACE.into();
    metadata.labels = iter::once(label).collect();
    let mut slice = EndpointSlice::default();
    slice.api_version = API_VERSION.into();
    slice.kind = KIND.into();
    slice.metadata = metadata;
    slice.address_type = family.as_str().into();
    slice.endpoints = subset
        .map(|subset| slice_endpoints(subset, family))
        .unwrap_or_default();
    slice.ports = ports.map(slice_port).collect();
    slice
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
    let mut endpoint = Endpoint::default();
    endpoint.addresses = Few::One(address.ip.clone());
    endpoint.conditions.ready = Some(ready);
    endpoint.target_ref = address.target_ref.clone();
    endpoint.node_name = address.node_name.clone();
    endpoint
}

/// The application protocol is not copied.
fn slice_port<'a>(port: &SubsetPort<'a>) -> EndpointPort<'a> {
    let mut of_slice = EndpointPort::default();
    of_slice.name = Some(port.name.clone());
    of_slice.port = Some(port.port);
    of_slice.protocol = Some(port.protocol.clone());
    of_slice
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
