//! EndpointSlices free of the text they were read from: what a server answered, to be kept.

use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;

use super::{
    Endpoint, EndpointHints, EndpointPort, EndpointSlice, NameRef, ObjectMeta, ObjectReference,
    OwnerReference, StringMap, Text, endpoint_slice::EndpointConditions,
};

impl EndpointSlice<'_> {
    /// The same slice, free of the input.
    pub fn into_owned(self) -> EndpointSlice<'static> {
        EndpointSlice {
            api_version: self.api_version.into_owned(),
            kind: self.kind.into_owned(),
            metadata: metadata(self.metadata),
            address_type: self.address_type.into_owned(),
            endpoints: self.endpoints.into_iter().map(endpoint).collect(),
            ports: self.ports.into_iter().map(port).collect(),
            unknown: self.unknown.into_owned(),
        }
    }
}

impl EndpointSlice<'_> {
    /// A copy of the slice, free of the input: each text is copied once, wherever it is now.
    pub fn to_static(&self) -> EndpointSlice<'static> {
        EndpointSlice {
            endpoints: self.endpoints.iter().map(stored).collect(),
            ..self.borrowed().into_owned()
        }
    }

    /// The same slice but for its endpoints, of which the copy has none; texts are borrowed.
    pub fn borrowed(&self) -> EndpointSlice<'_> {
        let metadata = &self.metadata;
        EndpointSlice {
            api_version: borrowed(&self.api_version),
            kind: borrowed(&self.kind),
            metadata: ObjectMeta {
                name: borrowed(&metadata.name),
                generate_name: borrowed(&metadata.generate_name),
                namespace: borrowed(&metadata.namespace),
                uid: borrowed(&metadata.uid),
                resource_version: borrowed(&metadata.resource_version),
                generation: metadata.generation,
                creation_timestamp: metadata.creation_timestamp.as_ref().map(borrowed),
                deletion_timestamp: metadata.deletion_timestamp.as_ref().map(borrowed),
                labels: borrowed_map(&metadata.labels),
                annotations: borrowed_map(&metadata.annotations),
                owner_references: metadata.owner_references.clone(),
                unknown: metadata.unknown.clone(),
            },
            address_type: borrowed(&self.address_type),
            endpoints: Vec::new(),
            ports: self.ports.clone(),
            unknown: self.unknown.clone(),
        }
    }
}

fn borrowed<'t>(text: &'t Text<'_>) -> Text<'t> {
    text.as_str().into()
}

fn borrowed_map<'t>(pairs: &'t StringMap<'_>) -> StringMap<'t> {
    let pairs = pairs.iter();
    pairs
        .map(|(key, value)| (borrowed(key), borrowed(value)))
        .collect()
}

impl Endpoint<'_> {
    /// The same endpoint, free of the input.
    pub fn into_owned(self) -> Endpoint<'static> {
        endpoint(self)
    }
}

impl EndpointPort<'_> {
    /// The same port, free of the input.
    pub fn into_owned(self) -> EndpointPort<'static> {
        port(self)
    }
}

fn metadata(metadata: ObjectMeta<'_>) -> ObjectMeta<'static> {
    ObjectMeta {
        name: metadata.name.into_owned(),
        generate_name: metadata.generate_name.into_owned(),
        namespace: metadata.namespace.into_owned(),
        uid: metadata.uid.into_owned(),
        resource_version: metadata.resource_version.into_owned(),
        generation: metadata.generation,
        creation_timestamp: optional(metadata.creation_timestamp),
        deletion_timestamp: optional(metadata.deletion_timestamp),
        labels: map(&metadata.labels),
        annotations: map(&metadata.annotations),
        owner_references: metadata.owner_references.into_iter().map(owner).collect(),
        unknown: metadata.unknown.into_owned(),
    }
}

fn owner(owner: OwnerReference<'_>) -> OwnerReference<'static> {
    OwnerReference {
        api_version: owner.api_version.into_owned(),
        kind: owner.kind.into_owned(),
        name: owner.name.into_owned(),
        uid: owner.uid.into_owned(),
        controller: owner.controller,
        block_owner_deletion: owner.block_owner_deletion,
        unknown: owner.unknown.into_owned(),
    }
}

fn endpoint(endpoint: Endpoint<'_>) -> Endpoint<'static> {
    let addresses = endpoint.addresses.into_iter();
    Endpoint {
        addresses: addresses.map(Text::into_owned).collect(),
        conditions: EndpointConditions {
            ready: endpoint.conditions.ready,
            serving: endpoint.conditions.serving,
            terminating: endpoint.conditions.terminating,
            unknown: endpoint.conditions.unknown.into_owned(),
        },
        hostname: optional(endpoint.hostname),
        target_ref: endpoint.target_ref.map(target),
        deprecated_topology: map(&endpoint.deprecated_topology),
        node_name: optional(endpoint.node_name),
        zone: optional(endpoint.zone),
        hints: endpoint.hints.map(hints),
        unknown: endpoint.unknown.into_owned(),
    }
}

fn stored(endpoint: &Endpoint<'_>) -> Endpoint<'static> {
    let conditions = &endpoint.conditions;
    let stored_target = |target: &ObjectReference<'_>| ObjectReference {
        kind: own(&target.kind),
        namespace: own(&target.namespace),
        name: own(&target.name),
        uid: own(&target.uid),
        api_version: own(&target.api_version),
        resource_version: own(&target.resource_version),
        field_path: own(&target.field_path),
        unknown: target.unknown.clone().into_owned(),
    };
    let names = |names: &[NameRef<'_>]| -> Vec<NameRef<'static>> {
        let names = names.iter().map(|name| NameRef {
            name: own(&name.name),
            unknown: name.unknown.clone().into_owned(),
        });
        names.collect()
    };
    Endpoint {
        addresses: endpoint.addresses.iter().map(own).collect(),
        conditions: EndpointConditions {
            ready: conditions.ready,
            serving: conditions.serving,
            terminating: conditions.terminating,
            unknown: conditions.unknown.clone().into_owned(),
        },
        hostname: endpoint.hostname.as_ref().map(own),
        target_ref: endpoint.target_ref.as_ref().map(stored_target),
        deprecated_topology: map(&endpoint.deprecated_topology),
        node_name: endpoint.node_name.as_ref().map(own),
        zone: endpoint.zone.as_ref().map(own),
        hints: endpoint.hints.as_ref().map(|hints| EndpointHints {
            for_zones: names(&hints.for_zones),
            for_nodes: names(&hints.for_nodes),
            unknown: hints.unknown.clone().into_owned(),
        }),
        unknown: endpoint.unknown.clone().into_owned(),
    }
}

fn own(text: &Text<'_>) -> Text<'static> {
    text.as_str().to_owned().into()
}

fn target(target: ObjectReference<'_>) -> ObjectReference<'static> {
    ObjectReference {
        kind: target.kind.into_owned(),
        namespace: target.namespace.into_owned(),
        name: target.name.into_owned(),
        uid: target.uid.into_owned(),
        api_version: target.api_version.into_owned(),
        resource_version: target.resource_version.into_owned(),
        field_path: target.field_path.into_owned(),
        unknown: target.unknown.into_owned(),
    }
}

fn hints(hints: EndpointHints<'_>) -> EndpointHints<'static> {
    EndpointHints {
        for_zones: hints.for_zones.into_iter().map(name).collect(),
        for_nodes: hints.for_nodes.into_iter().map(name).collect(),
        unknown: hints.unknown.into_owned(),
    }
}

fn name(name: NameRef<'_>) -> NameRef<'static> {
    NameRef {
        name: name.name.into_owned(),
        unknown: name.unknown.into_owned(),
    }
}

fn port(port: EndpointPort<'_>) -> EndpointPort<'static> {
    EndpointPort {
        name: optional(port.name),
        port: port.port,
        protocol: optional(port.protocol),
        app_protocol: optional(port.app_protocol),
        unknown: port.unknown.into_owned(),
    }
}

pub(super) fn optional(text: Option<Text<'_>>) -> Option<Text<'static>> {
    text.map(Text::into_owned)
}

pub(super) fn map(pairs: &StringMap<'_>) -> StringMap<'static> {
    let pairs = pairs.iter();
    pairs.map(|(key, value)| (own(key), own(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let text = r#"{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"cart-a","generateName":"cart-","namespace":"shop","uid":"1","resourceVersion":"2","generation":3,"creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T03:04:06Z","labels":{"a":"b"},"annotations":{"c":"d"},"ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"cart","uid":"4","controller":true,"blockOwnerDeletion":true,"new":1}],"finalizers":["f"]},"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true,"serving":true,"terminating":false,"new":2},"hostname":"h","targetRef":{"kind":"Pod","namespace":"shop","name":"cart-1","uid":"5","apiVersion":"v1","resourceVersion":"6","fieldPath":"p","new":3},"deprecatedTopology":{"e":"f"},"nodeName":"n","zone":"z","hints":{"forZones":[{"name":"z","new":4}],"forNodes":[{"name":"n","new":5}],"new":6},"new":7}],"ports":[{"name":"http","port":80,"protocol":"TCP","appProtocol":"h2","new":8}],"new":9}"#;
        let owned = {
            let gone = text.to_owned();
            let slice: EndpointSlice<'_> = serde_json::from_str(&gone).unwrap();
            slice.into_owned()
        };
        assert_eq!(serde_json::to_string(&owned).unwrap(), text);
        assert_eq!(serde_json::to_string(&owned.to_static()).unwrap(), text);
    }
}
