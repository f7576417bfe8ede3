//! Detects whether a slice equals the known one, of which the proxy keeps only a part.
//!
//! The reference compares whole objects, so an update that only changes a label is an update. Whatever affects a
//! decision is kept and compared directly; the fingerprint stands for the rest, so a collision could at most hide an
//! update without effect.

use core::hash::{BuildHasher, Hasher};

use rustc_hash::FxBuildHasher;

use slicewise::model::order::hash;
use slicewise::model::{
    Endpoint, EndpointHints, EndpointPort, EndpointSlice, ObjectMeta, ObjectReference, StringMap,
};

/// A number that differs between slices that differ for the API. Fields that the API does not know in the reference's
/// version are ignored, and an empty list equals an absent one.
pub(super) fn fingerprint(slice: &EndpointSlice<'_>) -> u64 {
    let mut print = Print(FxBuildHasher.build_hasher());
    print.metadata(&slice.metadata);
    print.text(&slice.address_type);
    print.number(slice.endpoints.len() as u64);
    for endpoint in &slice.endpoints {
        print.endpoint(endpoint);
    }
    print.number(slice.ports.len() as u64);
    for port in &slice.ports {
        print.port(port);
    }
    print.0.finish()
}

/// A number that only differs between slices that differ, computed without reading them.
pub(super) fn version(resource_version: &str) -> u64 {
    hash(&[resource_version.as_bytes()])
}

/// Fields of metadata that are not read although the API knows them.
const UNREAD: [&str; 4] = [
    "deletionGracePeriodSeconds",
    "finalizers",
    "managedFields",
    "selfLink",
];

struct Print<H>(H);

impl<H: Hasher> Print<H> {
    fn number(&mut self, number: u64) {
        self.0.write_u64(number);
    }

    fn text(&mut self, text: &str) {
        // This hasher includes the length.
        self.0.write(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.number(u64::MAX),
        }
    }

    fn flag(&mut self, flag: Option<bool>) {
        self.number(flag.map_or(2, u64::from));
    }

    fn map(&mut self, map: &StringMap<'_>) {
        self.number(map.len() as u64);
        for (key, value) in map.iter() {
            self.text(key);
            self.text(value);
        }
    }

    fn metadata(&mut self, metadata: &ObjectMeta<'_>) {
        for text in [
            &metadata.name,
            &metadata.generate_name,
            &metadata.namespace,
            &metadata.uid,
            &metadata.resource_version,
        ] {
            self.text(text);
        }
        self.number(metadata.generation.unwrap_or_default().cast_unsigned());
        self.optional(metadata.creation_timestamp.as_deref());
        self.optional(metadata.deletion_timestamp.as_deref());
        self.map(&metadata.labels);
        self.map(&metadata.annotations);
        self.number(metadata.owner_references.len() as u64);
        for owner in &metadata.owner_references {
            for text in [&owner.api_version, &owner.kind, &owner.name, &owner.uid] {
                self.text(text);
            }
            self.flag(owner.controller);
            self.flag(owner.block_owner_deletion);
        }
        for (key, value) in metadata.unknown.iter() {
            if UNREAD.contains(&key) && !["[]", "null", "\"\""].contains(&value) {
                self.text(key);
                self.text(value);
            }
        }
    }

    fn endpoint(&mut self, endpoint: &Endpoint<'_>) {
        let conditions = &endpoint.conditions;
        let flags = [
            conditions.ready,
            conditions.serving,
            conditions.terminating,
            Some(endpoint.target_ref.is_some()),
            Some(endpoint.hints.is_some()),
        ];
        let said = endpoint.addresses.len() as u64;
        self.number(flags.into_iter().fold(said, |said, is_set| {
            said.wrapping_mul(3) + is_set.map_or(2, u64::from)
        }));
        for address in &endpoint.addresses {
            self.text(address);
        }
        self.optional(endpoint.hostname.as_deref());
        if let Some(target) = &endpoint.target_ref {
            self.target(target);
        }
        self.map(&endpoint.deprecated_topology);
        self.optional(endpoint.node_name.as_deref());
        self.optional(endpoint.zone.as_deref());
        if let Some(hints) = &endpoint.hints {
            self.hints(hints);
        }
    }

    fn target(&mut self, target: &ObjectReference<'_>) {
        for text in [
            &target.kind,
            &target.namespace,
            &target.name,
            &target.uid,
            &target.api_version,
            &target.resource_version,
            &target.field_path,
        ] {
            self.text(text);
        }
    }

    fn hints(&mut self, hints: &EndpointHints<'_>) {
        for names in [&hints.for_zones, &hints.for_nodes] {
            self.number(names.len() as u64);
            for name in names {
                self.text(&name.name);
            }
        }
    }

    fn port(&mut self, port: &EndpointPort<'_>) {
        self.optional(port.name.as_deref());
        self.flag(port.port.map(|_| true));
        self.number(i64::from(port.port.unwrap_or_default()).cast_unsigned());
        // In the API, every port has a protocol.
        self.text(port.protocol.as_deref().unwrap_or("TCP"));
        self.optional(port.app_protocol.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn slices_that_differ_for_the_api_have_different_fingerprints() {
        let slice = json!({
            "metadata": {"name": "a", "namespace": "shop", "labels": {"a": "b"}},
            "addressType": "IPv4",
            "endpoints": [{"addresses": ["10.0.0.1"], "hints": {"forZones": [{"name": "a"}]}}],
            "ports": [{"name": "http", "port": 80}],
        });
        let of = |slice: &Value| fingerprint(&serde_json::from_str(&slice.to_string()).unwrap());
        let changes = [
            ("/metadata", "resourceVersion", json!("1")),
            ("/metadata", "generation", json!(1)),
            ("/metadata", "labels", json!({"a": "c"})),
            ("/metadata", "annotations", json!({"a": "b"})),
            ("/metadata", "ownerReferences", json!([{"name": "a"}])),
            ("/metadata", "finalizers", json!(["a"])),
            ("/endpoints/0", "conditions", json!({"ready": true})),
            ("/endpoints/0", "hostname", json!("h")),
            ("/endpoints/0", "nodeName", json!("n")),
            ("/endpoints/0", "zone", json!("a")),
            ("/endpoints/0", "targetRef", json!({"name": "p"})),
            ("/endpoints/0", "hints", json!({})),
            (
                "/endpoints/0",
                "hints",
                json!({"forZones": [{"name": "b"}]}),
            ),
            (
                "/endpoints/0",
                "hints",
                json!({"forNodes": [{"name": "a"}]}),
            ),
            ("/ports/0", "name", json!("web")),
            ("/ports/0", "port", json!(81)),
            ("/ports/0", "port", Value::Null),
            ("/ports/0", "protocol", json!("UDP")),
            ("/ports/0", "appProtocol", json!("h2c")),
        ];
        let mut prints = BTreeSet::from([of(&slice)]);
        for (parent, field, value) in changes {
            let mut changed = slice.clone();
            changed.pointer_mut(parent).unwrap()[field] = value;
            assert!(prints.insert(of(&changed)), "{changed}");
        }
        // For the API they are the same.
        let mut same = slice.clone();
        same["ports"][0]["protocol"] = "TCP".into();
        same["metadata"]["finalizers"] = json!([]);
        assert_eq!(of(&same), of(&slice));
    }
}
