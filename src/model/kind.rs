//! The kinds of objects that plans depend on, and one object of them: as it was read, or unreadable.

use alloc::string::String;
use alloc::vec::Vec;

use core::net::IpAddr;

use super::{EndpointSlice, Named, NamespacedName, Node, Pod, Service, StringMap, Text};
use crate::Error;

/// The kinds of objects that plans depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the API's")]
#[expect(
    clippy::exhaustive_enums,
    reason = "callers that do not watch one of them plan without it"
)]
pub enum Kind {
    Service,
    Pod,
    Node,
    EndpointSlice,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Service, Self::Pod, Self::Node, Self::EndpointSlice];

    /// The API's name of it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Service => "Service",
            Self::Pod => "Pod",
            Self::Node => "Node",
            Self::EndpointSlice => "EndpointSlice",
        }
    }
}

/// One object of a kind that plans depend on.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names are the API's")]
#[expect(clippy::exhaustive_enums, reason = "one for each kind")]
pub enum PlanObject<'a> {
    Service(Service<'a>),
    Pod(Pod<'a>),
    Node(Node<'a>),
    EndpointSlice(EndpointSlice<'a>),
}

/// An object with its `metadata.resourceVersion`, which identifies late events. Empty if it has none.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Versioned<'a> {
    /// The object.
    pub object: PlanObject<'a>,
    /// Its version.
    pub resource_version: Text<'a>,
}

impl<'a> Versioned<'a> {
    /// An object of this version.
    pub fn new(object: PlanObject<'a>, resource_version: impl Into<Text<'a>>) -> Self {
        Self {
            object,
            resource_version: resource_version.into(),
        }
    }
}

/// One object, borrowed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "one for each kind")]
pub enum ObjectRef<'e> {
    Service(&'e Service<'e>),
    Pod(&'e Pod<'e>),
    Node(&'e Node<'e>),
    EndpointSlice(&'e EndpointSlice<'e>),
}

impl<'e> ObjectRef<'e> {
    /// Its kind.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Service(_) => Kind::Service,
            Self::Pod(_) => Kind::Pod,
            Self::Node(_) => Kind::Node,
            Self::EndpointSlice(_) => Kind::EndpointSlice,
        }
    }

    /// Namespace and name; a Node's namespace is empty.
    pub fn full_name(self) -> (&'e str, &'e str) {
        match self {
            Self::Service(service) => service.full_name(),
            Self::Pod(pod) => pod.full_name(),
            Self::Node(node) => node.full_name(),
            Self::EndpointSlice(slice) => slice.full_name(),
        }
    }

    /// The namespace and name as a key.
    pub fn key(self) -> NamespacedName {
        let (namespace, name) = self.full_name();
        NamespacedName {
            namespace: namespace.into(),
            name: name.into(),
        }
    }
}

/// A borrowed [`Versioned`] object.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "an object and its version")]
pub struct VersionedRef<'e> {
    /// The object.
    pub object: ObjectRef<'e>,
    /// Its version.
    pub resource_version: &'e str,
}

impl<'e> VersionedRef<'e> {
    /// A slice, with its own version.
    pub fn slice(slice: &'e EndpointSlice<'e>) -> Self {
        Self {
            object: ObjectRef::EndpointSlice(slice),
            resource_version: &slice.metadata.resource_version,
        }
    }
}

impl<'a> Versioned<'a> {
    /// A slice, with its own version.
    pub fn slice(slice: EndpointSlice<'a>) -> Self {
        Self {
            resource_version: slice.metadata.resource_version.clone(),
            object: PlanObject::EndpointSlice(slice),
        }
    }
}

impl Versioned<'_> {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.as_seen().object.kind()
    }

    /// Namespace and name; a Node's namespace is empty.
    pub fn key(&self) -> NamespacedName {
        self.as_seen().object.key()
    }

    /// A borrowed form.
    #[doc(hidden)]
    pub fn as_seen(&self) -> VersionedRef<'_> {
        let object = match &self.object {
            PlanObject::Service(service) => ObjectRef::Service(service),
            PlanObject::Pod(pod) => ObjectRef::Pod(pod),
            PlanObject::Node(node) => ObjectRef::Node(node),
            PlanObject::EndpointSlice(slice) => ObjectRef::EndpointSlice(slice),
        };
        VersionedRef {
            object,
            resource_version: self.resource_version.as_str(),
        }
    }
}

/// An object that cannot be read, and what could still be told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreadable {
    /// Its kind.
    pub kind: Kind,
    /// Namespace and name; a Node's namespace is empty.
    pub key: NamespacedName,
    /// Its version; empty if it is unknown.
    pub resource_version: String,
    /// Its labels; `None` if they cannot be read.
    pub labels: Option<StringMap<'static>>,
    /// A pod's addresses; `None` if they cannot be read.
    pub addresses: Option<Vec<IpAddr>>,
    /// What is wrong with it.
    pub error: Error,
}

impl Unreadable {
    /// An object of which no more is known than its name.
    pub fn named(kind: Kind, key: NamespacedName, error: Error) -> Self {
        Self {
            kind,
            key,
            resource_version: String::new(),
            labels: None,
            addresses: None,
            error,
        }
    }
}
