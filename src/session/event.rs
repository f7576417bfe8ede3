//! What happens to a cluster: objects come, change and go, one by one or listed again.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::model::{EndpointSlice, Named, NamespacedName, Node, Pod, Service, Text};

/// The kinds of objects that plans depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the API's")]
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
pub enum Object<'a> {
    Service(Service<'a>),
    Pod(Pod<'a>),
    Node(Node<'a>),
    EndpointSlice(EndpointSlice<'a>),
}

/// An object with its `metadata.resourceVersion`, by which events that come late are known. Empty when it has none.
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

    /// Namespace, empty for a Node, and name.
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

/// A [`Versioned`] object, borrowed: what is seen need not be given away.
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
    /// A slice, with the version it has.
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

    /// Namespace, empty for a Node, and name.
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

/// What happens to a cluster, as a watch tells it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An object came or changed, `ADDED` or `MODIFIED`; which of both it is, is told by what is known.
    Set(Box<Versioned<'a>>),
    /// An object went, `DELETED`. Only its key is looked at, so that an object of which no more is known, or that was
    /// found missing, can be given as well.
    Removed {
        /// Its kind.
        kind: Kind,
        /// Namespace, empty for a Node, and name.
        key: NamespacedName,
        /// The version of its deletion; empty when it is not known.
        resource_version: Text<'a>,
    },
    /// All objects of a kind there are. Those that are known and not among them are gone. Ends the wait for the kind.
    Listed {
        /// The kind.
        kind: Kind,
        /// The objects; what is of another kind is taken as set.
        objects: Vec<Versioned<'a>>,
        /// The list's own `metadata.resourceVersion`; empty when it has none. A controller goes on waiting for slices
        /// whose writes are later than that.
        resource_version: Text<'a>,
    },
    /// What there is of a kind is going to be given, object by object, up to [`Event::Synced`]: those that are known
    /// and not given by then are gone. The same as [`Event::Listed`], without all objects in memory at once. The list
    /// must show a moment after this event: of slices, a controller waits no longer for what it was told to be written
    /// before it.
    Listing(Kind),
    /// What there is of a kind has been given, object by object. Ends the wait for the kind.
    Synced(Kind),
    /// An object is there, and cannot be read. What was known of it before stays, through a list that has begun as well.
    Unreadable {
        /// Its kind.
        kind: Kind,
        /// Namespace, empty for a Node, and name.
        key: NamespacedName,
    },
    /// All objects are delivered again, as the reference's informers do every 12 to 24 hours. For a controller: each Service is
    /// synced.
    Resync,
}

/// What became of an event. Whichever it is, the state is consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reception {
    /// It was taken.
    Taken,
    /// A later version of the object is known already, or its later deletion: the event came late, and changes nothing.
    Late,
    /// What should be gone was not there; nothing changes.
    Unknown,
}
