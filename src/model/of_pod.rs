//! The endpoint of a pod, as plans write it, from its parts.

use super::few::Few;
use super::text::{StringMap, Text};
use super::unknown::Unknown;
use super::{Endpoint, EndpointConditions, EndpointHints, NameRef, ObjectReference};

/// The parts of an endpoint with one address, which targets a pod.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers fill in all of it")]
pub struct OfPod<'a> {
    /// The address.
    pub address: Text<'a>,
    /// The condition `ready`.
    pub ready: Option<bool>,
    /// The condition `serving`.
    pub serving: Option<bool>,
    /// The condition `terminating`.
    pub terminating: Option<bool>,
    /// The first label of its DNS name.
    pub hostname: Option<&'a str>,
    /// Namespace, name and uid of the pod.
    pub target: Option<(&'a str, &'a str, &'a str)>,
    /// Its node.
    pub node_name: Option<&'a str>,
    /// Its zone.
    pub zone: Option<&'a str>,
    /// Its hints.
    pub hints: Option<EndpointHints<'a>>,
}

impl<'a> Endpoint<'a> {
    // Sets every field once: this runs for each endpoint of a slice that is written, and what is built before is copied
    // by way of the stack.
    #[doc(hidden)]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline)]
    pub fn of_pod(parts: OfPod<'a>) -> Self {
        Self {
            addresses: Few::One(parts.address),
            conditions: EndpointConditions {
                ready: parts.ready,
                serving: parts.serving,
                terminating: parts.terminating,
                unknown: Unknown::default(),
            },
            hostname: parts.hostname.map(Text::from),
            target_ref: parts.target.map(|(namespace, name, uid)| ObjectReference {
                kind: "Pod".into(),
                namespace: namespace.into(),
                name: name.into(),
                uid: uid.into(),
                api_version: Text::default(),
                resource_version: Text::default(),
                field_path: Text::default(),
                unknown: Unknown::default(),
            }),
            deprecated_topology: StringMap::default(),
            node_name: parts.node_name.map(Text::from),
            zone: parts.zone.map(Text::from),
            hints: parts.hints,
            unknown: Unknown::default(),
        }
    }
}

impl<'a> NameRef<'a> {
    #[doc(hidden)]
    #[must_use]
    pub fn new(name: Text<'a>) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }
}
