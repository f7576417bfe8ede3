//! The last objects that went, so that news of them from before that, which come late, do not bring them back.

use alloc::collections::BTreeMap;

use super::event::Kind;
use crate::model::NamespacedName;

/// How many are remembered of a kind. Events come late by seconds; a list, which ends all doubts, forgets them.
const MOST: usize = 1000;

/// The versions of deletions, where they are numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Deletions(BTreeMap<Kind, OfKind>);

#[derive(Clone, Debug, Default)]
struct OfKind {
    /// The version, and the turn at which its news came.
    versions: BTreeMap<NamespacedName, (u64, u64)>,
    /// By turns, the oldest first; each name once.
    order: BTreeMap<u64, NamespacedName>,
    turn: u64,
}

impl Deletions {
    /// An object went in that version.
    pub(super) fn note(&mut self, kind: Kind, key: &NamespacedName, version: u64) {
        let of_kind = self.0.entry(kind).or_default();
        let turn = of_kind.turn;
        of_kind.turn += 1;
        let (last, noted) = of_kind
            .versions
            .entry(key.clone())
            .or_insert((version, turn));
        of_kind.order.remove(noted);
        (*last, *noted) = (version.max(*last), turn);
        of_kind.order.insert(turn, key.clone());
        if of_kind.order.len() > MOST
            && let Some((_, oldest)) = of_kind.order.pop_first()
        {
            of_kind.versions.remove(&oldest);
        }
    }

    /// The version in which the object went.
    pub(super) fn version(&self, kind: Kind, key: &NamespacedName) -> Option<u64> {
        let (version, _) = self.0.get(&kind)?.versions.get(key)?;
        Some(*version)
    }

    /// The kind is listed again: what is in the list is there.
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
