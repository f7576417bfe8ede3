//! Converts EndpointSlices of `k8s_openapi` to the model and back.
//!
//! Both directions are lossless for everything `k8s_openapi` knows. Metadata that the model does not know (finalizers,
//! managed fields, …) is kept in its unknown fields. Fields that `k8s_openapi` does not know are lost.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1 as discovery;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;

use super::read::{list, map, optional, text, time_text};
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::unknown::Unknown;
use crate::model::{
    Endpoint, EndpointConditions, EndpointHints, EndpointPort, EndpointSlice, NameRef, ObjectMeta,
    ObjectReference, OwnerReference, StringMap, Text,
};
use crate::{Code, Error};

impl<'a> From<&'a discovery::EndpointSlice> for EndpointSlice<'a> {
    /// Borrows the whole slice. Metadata that the model does not know is copied.
    fn from(slice: &'a discovery::EndpointSlice) -> Self {
        let mut read = read(slice);
        read.metadata.unknown = unmodelled(&slice.metadata);
        read
    }
}

impl TryFrom<&EndpointSlice<'_>> for discovery::EndpointSlice {
    type Error = Error;

    /// The whole slice, except fields that `k8s_openapi` does not know.
    ///
    /// # Errors
    /// `InvalidValue` at `/metadata` if a timestamp is invalid, or if metadata that only `k8s_openapi` knows cannot
    /// be read.
    fn try_from(slice: &EndpointSlice<'_>) -> Result<Self, Error> {
        Ok(write(slice, &base(&slice.metadata)?))
    }
}

/// What trackers need: the slice without endpoints and ports, at no cost.
pub fn metadata_of(slice: &discovery::EndpointSlice) -> EndpointSlice<'_> {
    EndpointSlice {
        api_version: API_VERSION.into(),
        kind: KIND.into(),
        metadata: read_metadata(&slice.metadata),
        address_type: slice.address_type.as_str().into(),
        ..EndpointSlice::default()
    }
}

/// The slice without the metadata that the model does not know.
pub(super) fn read(slice: &discovery::EndpointSlice) -> EndpointSlice<'_> {
    EndpointSlice {
        endpoints: list(&slice.endpoints, read_endpoint),
        ports: list(&slice.ports, read_port),
        ..metadata_of(slice)
    }
}

fn read_metadata(metadata: &meta::ObjectMeta) -> ObjectMeta<'_> {
    ObjectMeta {
        name: text(&metadata.name),
        generate_name: text(&metadata.generate_name),
        namespace: text(&metadata.namespace),
        uid: text(&metadata.uid),
        resource_version: text(&metadata.resource_version),
        generation: metadata.generation,
        creation_timestamp: metadata.creation_timestamp.as_ref().map(time_text),
        deletion_timestamp: metadata.deletion_timestamp.as_ref().map(time_text),
        labels: map(&metadata.labels),
        annotations: map(&metadata.annotations),
        owner_references: list(&metadata.owner_references, |owner| OwnerReference {
            api_version: owner.api_version.as_str().into(),
            kind: owner.kind.as_str().into(),
            name: owner.name.as_str().into(),
            uid: owner.uid.as_str().into(),
            controller: owner.controller,
            block_owner_deletion: owner.block_owner_deletion,
            unknown: Unknown::default(),
        }),
        unknown: Unknown::default(),
    }
}

/// An endpoint; absent conditions are empty in the model.
pub(super) fn read_endpoint(endpoint: &discovery::Endpoint) -> Endpoint<'_> {
    Endpoint {
        addresses: endpoint
            .addresses
            .iter()
            .map(|it| it.as_str().into())
            .collect(),
        conditions: endpoint
            .conditions
            .as_ref()
            .map(read_conditions)
            .unwrap_or_default(),
        hostname: optional(&endpoint.hostname),
        target_ref: endpoint.target_ref.as_ref().map(|target| ObjectReference {
            kind: text(&target.kind),
            namespace: text(&target.namespace),
            name: text(&target.name),
            uid: text(&target.uid),
            api_version: text(&target.api_version),
            resource_version: text(&target.resource_version),
            field_path: text(&target.field_path),
            unknown: Unknown::default(),
        }),
        deprecated_topology: map(&endpoint.deprecated_topology),
        node_name: optional(&endpoint.node_name),
        zone: optional(&endpoint.zone),
        hints: endpoint.hints.as_ref().map(|hints| EndpointHints {
            for_zones: list(&hints.for_zones, |zone| name_ref(&zone.name)).into(),
            for_nodes: list(&hints.for_nodes, |node| name_ref(&node.name)).into(),
            unknown: Unknown::default(),
        }),
        unknown: Unknown::default(),
    }
}

fn read_conditions(conditions: &discovery::EndpointConditions) -> EndpointConditions<'_> {
    EndpointConditions {
        ready: conditions.ready,
        serving: conditions.serving,
        terminating: conditions.terminating,
        unknown: Unknown::default(),
    }
}

fn name_ref(name: &str) -> NameRef<'_> {
    NameRef {
        name: name.into(),
        unknown: Unknown::default(),
    }
}

/// A port.
pub(super) fn read_port(port: &discovery::EndpointPort) -> EndpointPort<'_> {
    EndpointPort {
        name: optional(&port.name),
        port: port.port,
        protocol: optional(&port.protocol),
        app_protocol: optional(&port.app_protocol),
        unknown: Unknown::default(),
    }
}

/// The metadata that `k8s_openapi` knows and the model does not, as the model's unknown fields.
fn unmodelled(metadata: &meta::ObjectMeta) -> Unknown<'static> {
    let only = only_unmodelled(metadata);
    if only == meta::ObjectMeta::default() {
        return Unknown::default();
    }
    // Both steps always succeed: these fields can be represented as JSON, and any JSON object is metadata.
    let json = serde_json::to_string(&only).unwrap_or_default();
    let read = serde_json::from_str::<ObjectMeta<'_>>(&json).unwrap_or_default();
    read.unknown.into_owned()
}

fn only_unmodelled(metadata: &meta::ObjectMeta) -> meta::ObjectMeta {
    meta::ObjectMeta {
        deletion_grace_period_seconds: metadata.deletion_grace_period_seconds,
        finalizers: metadata.finalizers.clone(),
        managed_fields: metadata.managed_fields.clone(),
        self_link: metadata.self_link.clone(),
        ..meta::ObjectMeta::default()
    }
}

/// The `k8s_openapi` form of metadata that the model holds as text: times and unknown fields.
pub(super) fn base(metadata: &ObjectMeta<'_>) -> Result<meta::ObjectMeta, Error> {
    let as_text = ObjectMeta {
        creation_timestamp: metadata.creation_timestamp.clone(),
        deletion_timestamp: metadata.deletion_timestamp.clone(),
        unknown: metadata.unknown.clone(),
        ..ObjectMeta::default()
    };
    if as_text == ObjectMeta::default() {
        return Ok(meta::ObjectMeta::default());
    }
    let wrong = |error: serde_json::Error| {
        Error::new(Code::InvalidValue, error.to_string()).at("/metadata")
    };
    let json = serde_json::to_string(&as_text).map_err(wrong)?;
    serde_json::from_str(&json).map_err(wrong)
}

/// The slice; `base` has the times and the metadata that the model does not know.
pub(super) fn write(
    slice: &EndpointSlice<'_>,
    base: &meta::ObjectMeta,
) -> discovery::EndpointSlice {
    discovery::EndpointSlice {
        address_type: owned(&slice.address_type),
        // A plain list or an `Option`, depending on the Kubernetes version.
        endpoints: slice
            .endpoints
            .iter()
            .map(write_endpoint)
            .collect::<Vec<_>>()
            .into(),
        metadata: write_metadata(&slice.metadata, base),
        ports: Some(slice.ports.iter().map(write_port).collect()),
    }
}

fn write_metadata(metadata: &ObjectMeta<'_>, base: &meta::ObjectMeta) -> meta::ObjectMeta {
    let owner_references: Vec<_> = metadata.owner_references.iter().map(write_owner).collect();
    meta::ObjectMeta {
        annotations: write_map(&metadata.annotations),
        creation_timestamp: base.creation_timestamp.clone(),
        deletion_timestamp: base.deletion_timestamp.clone(),
        generate_name: write_text(&metadata.generate_name),
        generation: metadata.generation,
        labels: write_map(&metadata.labels),
        name: write_text(&metadata.name),
        namespace: write_text(&metadata.namespace),
        owner_references: non_empty(owner_references),
        resource_version: write_text(&metadata.resource_version),
        uid: write_text(&metadata.uid),
        ..only_unmodelled(base)
    }
}

fn write_owner(owner: &OwnerReference<'_>) -> meta::OwnerReference {
    meta::OwnerReference {
        api_version: owned(&owner.api_version),
        block_owner_deletion: owner.block_owner_deletion,
        controller: owner.controller,
        kind: owned(&owner.kind),
        name: owned(&owner.name),
        uid: owned(&owner.uid),
    }
}

fn write_endpoint(endpoint: &Endpoint<'_>) -> discovery::Endpoint {
    discovery::Endpoint {
        addresses: endpoint.addresses.iter().map(owned).collect(),
        conditions: Some(discovery::EndpointConditions {
            ready: endpoint.conditions.ready,
            serving: endpoint.conditions.serving,
            terminating: endpoint.conditions.terminating,
        }),
        deprecated_topology: write_map(&endpoint.deprecated_topology),
        hints: endpoint.hints.as_ref().map(write_hints),
        hostname: endpoint.hostname.as_ref().map(owned),
        node_name: endpoint.node_name.as_ref().map(owned),
        target_ref: endpoint.target_ref.as_ref().map(write_target),
        zone: endpoint.zone.as_ref().map(owned),
    }
}

fn write_hints(hints: &EndpointHints<'_>) -> discovery::EndpointHints {
    let for_zones = hints.for_zones.iter().map(|zone| discovery::ForZone {
        name: owned(&zone.name),
    });
    let for_nodes = hints.for_nodes.iter().map(|node| discovery::ForNode {
        name: owned(&node.name),
    });
    discovery::EndpointHints {
        for_nodes: non_empty(for_nodes.collect()),
        for_zones: non_empty(for_zones.collect()),
    }
}

fn write_target(target: &ObjectReference<'_>) -> core::ObjectReference {
    core::ObjectReference {
        api_version: write_text(&target.api_version),
        field_path: write_text(&target.field_path),
        kind: write_text(&target.kind),
        name: write_text(&target.name),
        namespace: write_text(&target.namespace),
        resource_version: write_text(&target.resource_version),
        uid: write_text(&target.uid),
    }
}

fn write_port(port: &EndpointPort<'_>) -> discovery::EndpointPort {
    discovery::EndpointPort {
        app_protocol: port.app_protocol.as_ref().map(owned),
        name: port.name.as_ref().map(owned),
        port: port.port,
        protocol: port.protocol.as_ref().map(owned),
    }
}

fn owned(text: &Text<'_>) -> String {
    text.as_str().to_owned()
}

fn write_text(text: &Text<'_>) -> Option<String> {
    (!text.is_empty()).then(|| owned(text))
}

fn write_map(pairs: &StringMap<'_>) -> Option<BTreeMap<String, String>> {
    let pair = |(key, value): (&Text<'_>, &Text<'_>)| (owned(key), owned(value));
    (!pairs.is_empty()).then(|| pairs.iter().map(pair).collect())
}

fn non_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}
