//! The usual watch event in one pass.
//!
//! An API server says what an event is before it says more: `type` first, then the object, `kind` and `apiVersion`
//! first. Such an event is read as it comes. Any other, and whatever is wrong with one, is left to the general reader,
//! which looks at an event three times and can say where it goes wrong.

use alloc::boxed::Box;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::plan::check_slices;
use crate::controller::{Event, Object, Versioned};
use crate::model::endpoint_slice::API_VERSION;
use crate::model::read::read_rest;
use crate::model::{EndpointSlice, Node, Pod, Service, Text};

/// Reads an object that came or changed; `None` for anything out of the ordinary.
pub(super) fn read(text: &str) -> Option<Event<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = deserializer.deserialize_map(EventVisitor).ok()?;
    deserializer.end().ok()?;
    let resource_version = match &object {
        Object::Service(service) => &service.metadata.resource_version,
        Object::Pod(pod) => &pod.metadata.resource_version,
        Object::Node(node) => &node.metadata.resource_version,
        Object::EndpointSlice(slice) => &slice.metadata.resource_version,
    };
    let versioned = Versioned {
        resource_version: resource_version.clone(),
        object,
    };
    let has_name = !versioned.key().name.is_empty();
    let is_sound = match &versioned.object {
        Object::EndpointSlice(slice) => check_slices("", core::slice::from_ref(slice)).is_ok(),
        _ => true,
    };
    (has_name && is_sound).then(|| Event::Set(Box::new(versioned)))
}

/// That it is another event than the usual; nobody reads this.
fn unusual<E: Error>() -> E {
    E::custom("")
}

struct EventVisitor;

impl<'de> Visitor<'de> for EventVisitor {
    type Value = Object<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a watch event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let (Some("type"), "ADDED" | "MODIFIED") = (map.next_key()?, map.next_value()?) else {
            return Err(unusual());
        };
        let Some("object") = map.next_key()? else {
            return Err(unusual());
        };
        let object = map.next_value_seed(ObjectVisitor)?;
        match map.next_key::<Text<'de>>()? {
            None => Ok(object),
            Some(_) => Err(unusual()),
        }
    }
}

struct ObjectVisitor;

impl<'de> DeserializeSeed<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Object<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let (mut kind, mut version) = ("", "");
        let next = loop {
            match map.next_key::<Text<'de>>()? {
                Some(key) if key == "kind" && kind.is_empty() => kind = map.next_value()?,
                Some(key) if key == "apiVersion" && version.is_empty() => {
                    version = map.next_value()?;
                }
                Some(key) if key == "kind" || key == "apiVersion" => return Err(unusual()),
                next => break next,
            }
        };
        Ok(match (kind, version) {
            ("Pod", "v1") => {
                let mut pod = Pod::default();
                read_rest(&mut pod, map, next, &["kind", "apiVersion"])?;
                Object::Pod(pod)
            }
            ("EndpointSlice", API_VERSION) => {
                let mut slice = EndpointSlice {
                    api_version: API_VERSION.into(),
                    kind: kind.into(),
                    ..EndpointSlice::default()
                };
                read_rest(&mut slice, map, next, &["kind", "apiVersion"])?;
                Object::EndpointSlice(slice)
            }
            ("Service", "v1") => {
                let mut service = Service::default();
                read_rest(&mut service, map, next, &["kind", "apiVersion"])?;
                Object::Service(service)
            }
            ("Node", "v1") => {
                let mut node = Node::default();
                read_rest(&mut node, map, next, &["kind", "apiVersion"])?;
                Object::Node(node)
            }
            _ => return Err(unusual()),
        })
    }
}
