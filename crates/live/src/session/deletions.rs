//! The latest deletions, so that late events from before them do not bring the objects back.

use alloc::collections::{BTreeMap, VecDeque};

use slicewise::model::NamespacedName;

use super::event::Kind;

/// The number remembered for each kind. Events are late by seconds; a list, which settles the state, clears them.
const MOST: usize = 1000;

/// The versions of deletions, if they are numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Deletions(BTreeMap<Kind, OfKind>);

#[derive(Clone, Debug, Default)]
struct OfKind {
    versions: BTreeMap<NamespacedName, u64>,
    /// Sorted by their latest deletion, without duplicates.
    order: VecDeque<NamespacedName>,
}

impl Deletions {
    /// Records that an object was deleted in that version.
    pub(super) fn note(&mut self, kind: Kind, key: &NamespacedName, version: u64) {
        let OfKind { versions, order } = self.0.entry(kind).or_default();
        match versions.get_mut(key) {
            Some(known) => {
                *known = version.max(*known);
                // Few names are deleted again while they are remembered.
                order.retain(|noted| noted != key);
            }
            None => {
                versions.insert(key.clone(), version);
            }
        }
        order.push_back(key.clone());
        if order.len() > MOST
            && let Some(oldest) = order.pop_front()
        {
            versions.remove(&oldest);
        }
    }

    /// The version in which the object was deleted.
    pub(super) fn version(&self, kind: Kind, key: &NamespacedName) -> Option<u64> {
        self.0.get(&kind)?.versions.get(key).copied()
    }

    /// Clears a kind because it is listed again.
    pub(super) fn forget(&mut self, kind: Kind) {
        self.0.remove(&kind);
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn key(number: usize) -> NamespacedName {
        NamespacedName {
            namespace: "shop".into(),
            name: format!("p{number}"),
        }
    }

    #[test]
    fn the_last_thousand_of_a_kind_are_remembered() {
        let mut deletions = Deletions::default();
        for number in 0..3 * MOST {
            deletions.note(Kind::Pod, &key(number), 7);
            deletions.note(Kind::Pod, &key(number), 5);
            deletions.note(Kind::Node, &key(0), 1);
        }
        let version = |number| deletions.version(Kind::Pod, &key(number));
        assert_eq!(version(2 * MOST - 1), None);
        assert_eq!(version(2 * MOST), Some(7));
        let known = &deletions.0[&Kind::Pod];
        assert_eq!((known.versions.len(), known.order.len()), (MOST, MOST));
        deletions.note(Kind::Pod, &key(2 * MOST), 9);
        deletions.note(Kind::Pod, &key(3 * MOST), 7);
        let version = |number| deletions.version(Kind::Pod, &key(number));
        assert_eq!(version(2 * MOST), Some(9), "it has gone again since");
        assert_eq!(version(2 * MOST + 1), None, "which is now the oldest");
        deletions.forget(Kind::Pod);
        assert_eq!(deletions.version(Kind::Pod, &key(2 * MOST)), None);
        assert_eq!(deletions.version(Kind::Node, &key(0)), Some(1));
    }
}
