//! The objects that exist but cannot be read, so that whatever may depend on them is known to be incomplete.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::model::{NamespacedName, StringMap};

use super::Session;
use super::apply::number;
use super::event::{Kind, Unreadable};

/// By kind, then by name: a namespace is one range.
#[derive(Clone, Debug, Default)]
pub(super) struct UnreadableObjects(BTreeMap<Kind, BTreeMap<NamespacedName, UnreadableMark>>);

/// What could still be told about an object.
#[derive(Clone, Debug)]
pub struct UnreadableMark {
    version: Option<u64>,
    /// `None` if they cannot be read.
    pub labels: Option<StringMap<'static>>,
    /// `None` if they cannot be read.
    pub addresses: Option<Vec<IpAddr>>,
    /// Has it been given since the current list began?
    is_given: bool,
}

impl UnreadableObjects {
    pub(super) fn mark(&mut self, object: &Unreadable) {
        let mark = UnreadableMark {
            version: number(&object.resource_version),
            labels: object.labels.clone(),
            addresses: object.addresses.clone(),
            is_given: true,
        };
        let marks = self.0.entry(object.kind).or_default();
        marks.insert(object.key.clone(), mark);
    }

    /// Clears the mark of an object that was read, or has gone. Was there one?
    pub(super) fn clear(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        let marks = self.0.get_mut(&kind);
        marks.is_some_and(|marks| marks.remove(key).is_some())
    }

    /// A list of all objects of a kind begins.
    pub(super) fn begin_list(&mut self, kind: Kind) {
        let marks = self.0.get_mut(&kind).into_iter().flatten();
        marks.for_each(|(_, mark)| mark.is_given = false);
    }

    /// The list has ended: an object that was not in it has gone.
    pub(super) fn end_list(&mut self, kind: Kind) {
        if let Some(marks) = self.0.get_mut(&kind) {
            marks.retain(|_, mark| mark.is_given);
        }
    }

    /// The numeric version of an object, if it is marked and has one.
    pub(super) fn version(&self, kind: Kind, key: &NamespacedName) -> Option<u64> {
        self.0.get(&kind)?.get(key)?.version
    }

    pub(super) fn count(&self, kind: Kind) -> usize {
        self.0.get(&kind).map_or(0, BTreeMap::len)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.values().all(BTreeMap::is_empty)
    }

    /// The names of a kind in a namespace, in order.
    pub(super) fn within<'s>(
        &'s self,
        kind: Kind,
        namespace: &'s str,
    ) -> impl Iterator<Item = (&'s str, &'s UnreadableMark)> {
        let first = NamespacedName {
            namespace: namespace.into(),
            name: Default::default(),
        };
        let marks = self.0.get(&kind).map(|marks| marks.range(first..));
        let marks = marks.into_iter().flatten();
        let marks = marks.take_while(move |(key, _)| key.namespace == namespace);
        marks.map(|(key, mark)| (key.name.as_str(), mark))
    }
}

impl Session {
    /// Records that an object cannot be read.
    pub(crate) fn mark_unreadable(&mut self, object: &Unreadable) {
        self.unreadable.mark(object);
    }

    /// Records that an object was read, or has gone. Could it not be read before?
    pub(crate) fn clear_unreadable(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        self.unreadable.clear(kind, key)
    }

    /// All objects of a kind are listed: those that cannot be read are marked again.
    pub(crate) fn clear_all_unreadable(&mut self, kind: Kind) {
        self.unreadable.begin_list(kind);
        self.unreadable.end_list(kind);
    }

    /// The number of objects of a kind that exist but cannot be read.
    pub fn count_unreadable(&self, kind: Kind) -> usize {
        self.unreadable.count(kind)
    }

    /// The objects of a kind in a namespace that cannot be read, by name.
    #[doc(hidden)]
    pub fn unreadable_in<'s>(
        &'s self,
        kind: Kind,
        namespace: &'s str,
    ) -> impl Iterator<Item = (&'s str, &'s UnreadableMark)> {
        self.unreadable.within(kind, namespace)
    }
}
