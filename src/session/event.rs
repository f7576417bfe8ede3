//! Events of a cluster: objects are added, changed and deleted, one by one or in lists.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use core::net::IpAddr;

use crate::Error;
use crate::model::{EndpointSlice, Named, NamespacedName, Node, Pod, Service, StringMap, Text};

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
pub enum Object<'a> {
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
    pub object: Object<'a>,
    /// Its version.
    pub resource_version: Text<'a>,
}

impl<'a> Versioned<'a> {
    /// An object of this version.
    pub fn new(object: Object<'a>, resource_version: impl Into<Text<'a>>) -> Self {
        Self {
            object,
            resource_version: resource_version.into(),
        }
    }
}

/// One object, borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectRef<'e> {
    Service(&'e Service<'e>),
    Pod(&'e Pod<'e>),
    Node(&'e Node<'e>),
    EndpointSlice(&'e EndpointSlice<'e>),
}

impl<'e> ObjectRef<'e> {
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Self::Service(_) => Kind::Service,
            Self::Pod(_) => Kind::Pod,
            Self::Node(_) => Kind::Node,
            Self::EndpointSlice(_) => Kind::EndpointSlice,
        }
    }

    /// Namespace and name; a Node's namespace is empty.
    pub(crate) fn full_name(self) -> (&'e str, &'e str) {
        match self {
            Self::Service(service) => service.full_name(),
            Self::Pod(pod) => pod.full_name(),
            Self::Node(node) => node.full_name(),
            Self::EndpointSlice(slice) => slice.full_name(),
        }
    }

    pub(crate) fn key(self) -> NamespacedName {
        let (namespace, name) = self.full_name();
        NamespacedName {
            namespace: namespace.into(),
            name: name.into(),
        }
    }
}

/// A borrowed [`Versioned`] object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'e> {
    pub(crate) object: ObjectRef<'e>,
    pub(crate) resource_version: &'e str,
}

impl<'e> Seen<'e> {
    pub(crate) fn slice(slice: &'e EndpointSlice<'e>) -> Self {
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
            object: Object::EndpointSlice(slice),
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

    pub(crate) fn as_seen(&self) -> Seen<'_> {
        let object = match &self.object {
            Object::Service(service) => ObjectRef::Service(service),
            Object::Pod(pod) => ObjectRef::Pod(pod),
            Object::Node(node) => ObjectRef::Node(node),
            Object::EndpointSlice(slice) => ObjectRef::EndpointSlice(slice),
        };
        Seen {
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

/// An event of a cluster, as reported by a watch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An object was added or changed, `ADDED` or `MODIFIED`; the known objects show which of the two.
    Set(Box<Versioned<'a>>),
    /// An object was deleted, `DELETED`. Only its key is used, so an object of which no more is known, or that was
    /// found missing, can be given as well.
    Removed {
        /// Its kind.
        kind: Kind,
        /// Namespace and name; a Node's namespace is empty.
        key: NamespacedName,
        /// The version of its deletion; empty if it is unknown.
        resource_version: Text<'a>,
    },
    /// All objects of a kind. Known ones that are not among them are gone. The kind counts as listed from now on.
    Listed {
        /// The kind.
        kind: Kind,
        /// The objects; those of another kind are taken as set.
        objects: Vec<Versioned<'a>>,
        /// The list's own `metadata.resourceVersion`; empty if it has none. A controller keeps waiting for slices that
        /// were written later.
        resource_version: Text<'a>,
    },
    /// All objects of a kind follow, one by one, until [`Event::Synced`]; known ones that are not given by then are
    /// gone. The same as [`Event::Listed`], without having all objects in memory at once. The list must be newer than
    /// this event: a controller stops waiting for slices that were written before it.
    Listing(Kind),
    /// All objects of a kind have been given. The kind counts as listed from now on.
    Synced(Kind),
    /// An object exists but cannot be read, so nothing is known of it, even if a list is in progress: a version that
    /// was known goes. A controller, which writes, keeps that version: endpoints should not go because of one bad field.
    Unreadable(Box<Unreadable>),
    /// All objects are delivered again, as the reference's informers do every 12 to 24 hours. A controller then syncs
    /// every Service.
    Resync,
}

/// The effect of an event. The state is consistent in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reception {
    /// It was taken.
    Taken,
    /// A later version of the object, or its later deletion, is known already: the event was late, and changes nothing.
    Late,
    /// The deleted object was not known; nothing changes.
    Unknown,
}
