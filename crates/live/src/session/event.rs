//! Events of a cluster: objects are added, changed and deleted, one by one or in lists.

use alloc::boxed::Box;
use alloc::vec::Vec;

pub use slicewise::model::kind::{Kind, PlanObject, Unreadable, Versioned};
pub(crate) use slicewise::model::kind::{ObjectRef, VersionedRef};
use slicewise::model::{NamespacedName, Text};

/// An event of a cluster, as reported by a watch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClusterEvent<'a> {
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
    /// All objects of a kind follow, one by one, until [`ClusterEvent::Synced`]; known ones that are not given by then are
    /// gone. The same as [`ClusterEvent::Listed`], without having all objects in memory at once. The list must be newer than
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
