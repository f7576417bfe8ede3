//! The usual watch event in one pass.
//!
//! An API server says what an event is before it says more: `type` first, then the object, `kind` and `apiVersion`
//! first. Such an event is read as it comes. Any other, and whatever is wrong with one, is left to the general reader,
//! which looks at an event three times and can say where it goes wrong.

use alloc::boxed::Box;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::input;
use super::plan::check_slices;
use crate::controller::{Event, Kind, Object, Versioned};
use crate::model::endpoint_slice::API_VERSION;
use crate::model::read::read_rest;
use crate::model::{EndpointSlice, Named as _, Node, Pod, Service, Text};

/// Reads an object that came or changed; `None` for anything out of the ordinary.
pub(super) fn read(text: &str) -> Option<Event<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = deserializer.deserialize_map(EventVisitor).ok()?;
    deserializer.end().ok()?;
    Some(Event::Set(Box::new(sound(object)?)))
}

/// Reads an object of that kind; `None` for anything out of the ordinary.
pub(super) fn item(text: &str, kind: Kind) -> Option<Versioned<'_>> {
    let object = match kind {
        Kind::Service => Object::Service(input::decode(text).ok()?),
        Kind::Pod => Object::Pod(input::decode(text).ok()?),
        Kind::Node => Object::Node(input::decode(text).ok()?),
        Kind::EndpointSlice => {
            let slice: EndpointSlice<'_> = input::decode(text).ok()?;
            let is_one = slice.kind.is_empty() || slice.kind == kind.as_str();
            let is_current = slice.api_version.is_empty() || slice.api_version == API_VERSION;
            Object::EndpointSlice(Some(slice).filter(|_| is_one && is_current)?)
        }
    };
    sound(object)
}

/// An object with its version, if it has a name and nothing is wrong with it.
fn sound(object: Object<'_>) -> Option<Versioned<'_>> {
    let (resource_version, (_, name)) = match &object {
        Object::Service(service) => (&service.metadata.resource_version, service.full_name()),
        Object::Pod(pod) => (&pod.metadata.resource_version, pod.full_name()),
        Object::Node(node) => (&node.metadata.resource_version, node.full_name()),
        Object::EndpointSlice(slice) => (&slice.metadata.resource_version, slice.full_name()),
    };
    let is_sound = match &object {
        Object::EndpointSlice(slice) => check_slices("", core::slice::from_ref(slice)).is_ok(),
        _ => true,
    };
    let resource_version = resource_version.clone();
    (is_sound && !name.is_empty()).then_some(Versioned {
        object,
        resource_version,
    })
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
