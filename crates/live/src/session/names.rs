//! Texts that many objects share, each stored once as long as it is used.

use alloc::boxed::Box;

use slicewise::model::order::hash;
use slicewise::model::text::same;

use super::id_sets::IdSet;
use super::ids::{Id as _, LabelSetId, Name};
use super::slab::{IdsByHash, Slab};

/// The texts, with the number of uses of each.
#[derive(Clone, Debug, Default)]
pub(super) struct NameTable {
    texts: Slab<Name, KeptName>,
    by_hash: IdsByHash<Name>,
    /// The label sets indexed by the empty text.
    filed_under_empty: IdSet<LabelSetId>,
}

#[derive(Clone, Debug)]
struct KeptName {
    text: Box<str>,
    uses: u32,
    /// The label sets indexed by the text, in space that would otherwise be padding.
    filed: IdSet<LabelSetId>,
}

impl Name {
    /// The empty text, which is not stored.
    pub(super) const EMPTY: Self = Self::NONE;

    pub(super) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

impl NameTable {
    /// The name of a text, adding a use.
    pub(super) fn take(&mut self, text: &str) -> Name {
        if text.is_empty() {
            return Name::EMPTY;
        }
        let hash = hash(&[text.as_bytes()]);
        if let Some(id) = self.id(hash, text) {
            self.again(id);
            return id;
        }
        let id = self.texts.insert(KeptName {
            text: text.into(),
            uses: 1,
            filed: IdSet::EMPTY,
        });
        self.by_hash.insert(hash, id);
        id
    }

    /// Like [`NameTable::take`], for a text that is usually that of a name at hand, which then need not be looked up.
    pub(super) fn take_again(&mut self, text: &str, likely: Name) -> Name {
        if !same(self.text(likely), text) {
            return self.take(text);
        }
        self.again(likely);
        likely
    }

    /// Adds a use of a name.
    pub(super) fn again(&mut self, name: Name) {
        if let Some(kept) = self.texts.get_mut(name) {
            kept.uses += 1;
        }
    }

    /// The name of a text, if it is used.
    pub(super) fn find(&self, text: &str) -> Option<Name> {
        if text.is_empty() {
            return Some(Name::EMPTY);
        }
        self.id(hash(&[text.as_bytes()]), text)
    }

    fn id(&self, hash: u64, text: &str) -> Option<Name> {
        let is_it = |id| {
            let kept = self.texts.get(id);
            kept.is_some_and(|kept| same(&kept.text, text))
        };
        self.by_hash.find(hash, is_it)
    }

    /// Drops a use of a name.
    pub(super) fn release(&mut self, name: Name) {
        let Some(kept) = self.texts.get_mut(name) else {
            return;
        };
        kept.uses -= 1;
        if kept.uses == 0
            && let Some(kept) = self.texts.remove(name)
        {
            self.by_hash.remove(hash(&[kept.text.as_bytes()]), name);
        }
    }

    /// The text.
    pub(super) fn text(&self, name: Name) -> &str {
        self.texts.get(name).map_or("", |kept| &kept.text)
    }

    /// The label sets indexed by the text.
    pub(super) fn filed(&self, name: Name) -> IdSet<LabelSetId> {
        let kept = self.texts.get(name);
        kept.map_or(self.filed_under_empty, |kept| kept.filed)
    }

    /// The label sets indexed by the text, to change them.
    pub(super) fn filed_mut(&mut self, name: Name) -> &mut IdSet<LabelSetId> {
        let kept = self.texts.get_mut(name);
        kept.map_or(&mut self.filed_under_empty, |kept| &mut kept.filed)
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}
