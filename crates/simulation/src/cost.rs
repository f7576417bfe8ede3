//! The cost of slices: their bytes, and those of the Endpoints objects they replace.

use alloc::collections::BTreeMap;
use core::hash::Hasher as _;

use rustc_hash::FxHasher;

use slicewise::json;
use slicewise::model::{Endpoint, EndpointSlice, NamespacedName, keys};

use super::sums::EndpointsObject;

/// The size of a slice as JSON, in bytes.
pub(super) fn bytes(slice: &EndpointSlice<'_>) -> u64 {
    // Our own values always serialize.
    json::write::to_vec(slice).map_or(0, |json| json.len() as u64)
}

/// The size of a watch event without its object, including the line end.
pub(super) const fn event_frame(event_type: &str) -> u64 {
    r#"{"type":"","object":}"#.len() as u64 + 1 + event_type.len() as u64
}

/// The part of an Endpoints object that comes from one slice, or all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct EndpointsPart {
    bytes: u64,
    /// An order-independent digest of the contents.
    digest: u64,
}

#[derive(Debug, Default)]
struct EndpointsCost {
    whole: EndpointsPart,
    written: EndpointsPart,
}

/// The Endpoints objects that would exist.
#[derive(Debug, Default)]
pub(super) struct EndpointsObjects {
    parts: BTreeMap<NamespacedName, (NamespacedName, EndpointsPart)>,
    services: BTreeMap<NamespacedName, EndpointsCost>,
}

impl EndpointsObjects {
    /// Updates a slice; `None` if it was deleted.
    pub(super) fn set_slice(&mut self, key: &NamespacedName, slice: Option<&EndpointSlice<'_>>) {
        if let Some((service, part)) = self.parts.remove(key)
            && let Some(object) = self.services.get_mut(&service)
        {
            object.whole.bytes = object.whole.bytes.saturating_sub(part.bytes);
            object.whole.digest = object.whole.digest.wrapping_sub(part.digest);
        }
        let name = slice.and_then(|slice| slice.metadata.labels.get(keys::SERVICE_NAME_LABEL));
        if let (Some(slice), Some(name)) = (slice, name) {
            let service = NamespacedName {
                namespace: key.namespace.clone(),
                name: name.as_str().into(),
            };
            let part = part(slice);
            let object = self.services.entry(service.clone()).or_default();
            object.whole.bytes += part.bytes;
            object.whole.digest = object.whole.digest.wrapping_add(part.digest);
            self.parts.insert(key.clone(), (service, part));
        }
    }

    /// A sync has ended: if it changed the Service's endpoints, its Endpoints object is written.
    pub(super) fn write(
        &mut self,
        service: &NamespacedName,
        watchers: u64,
        sums: &mut EndpointsObject,
    ) {
        let Some(object) = self
            .services
            .get_mut(service)
            .filter(|object| object.whole != object.written)
        else {
            return;
        };
        object.written = object.whole;
        let frame = r#"{"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"","namespace":"","uid":"00000000-0000-4000-8000-000000000000","resourceVersion":"1000000"},"subsets":[{"addresses":[],"ports":[{"name":"http","port":8080,"protocol":"TCP"}]}]}"#;
        let names = service.name.len() + service.namespace.len();
        let bytes = (frame.len() + names) as u64 + object.whole.bytes;
        sums.writes += 1;
        sums.bytes_written += bytes;
        sums.bytes_to_watchers += watchers * (bytes + event_frame("MODIFIED"));
    }

    pub(super) fn forget(&mut self, service: &NamespacedName) {
        self.services.remove(service);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.services.is_empty()
    }
}

/// An Endpoints object has the addresses of one family, and no terminating ones.
fn part(slice: &EndpointSlice<'_>) -> EndpointsPart {
    let mut sum = EndpointsPart::default();
    if slice.address_type != "IPv4" {
        return sum;
    }
    let counted = |endpoint: &&Endpoint<'_>| endpoint.conditions.terminating != Some(true);
    for endpoint in slice.endpoints.iter().filter(counted) {
        let frame = r#"{"ip":"","nodeName":"","targetRef":{"kind":"Pod","namespace":"","name":"","uid":""}},"#;
        let mut hasher = FxHasher::default();
        let mut length = frame.len();
        let mut add = |text: &str| {
            length += text.len();
            hasher.write(text.as_bytes());
        };
        endpoint.addresses.iter().for_each(|address| add(address));
        add(endpoint.node_name.as_deref().unwrap_or_default());
        if let Some(target) = &endpoint.target_ref {
            add(&target.namespace);
            add(&target.name);
            add(&target.uid);
        }
        hasher.write_u8(u8::from(endpoint.conditions.ready != Some(false)));
        sum.bytes += length as u64;
        sum.digest = sum.digest.wrapping_add(hasher.finish());
    }
    sum
}
