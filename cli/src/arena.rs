//! Memory for the texts of all objects that are read, each kept once where it comes again soon.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use bumpalo::Bump;
use slicewise::api::Slices;
use slicewise::model::Text;
use slicewise::model::own::{Keeper, Own as _};

/// Where the texts of all objects are kept; given back at once.
#[derive(Default)]
pub(crate) struct Arena(Bump);

impl Arena {
    /// Keeps slices that stand on a text.
    pub(crate) fn keep<'k>(&'k self, slices: Slices<'_>) -> Slices<'k> {
        let keeper = self.keeper();
        slices.kept(|slice| slice.own(&keeper))
    }

    /// What keeps texts there.
    pub(crate) fn keeper(&self) -> InArena<'_> {
        InArena {
            arena: &self.0,
            recent: RefCell::new([""; RECENT]),
        }
    }
}

/// How many texts are looked at again before one is kept once more.
const RECENT: usize = 4096;
/// Longer ones hardly come twice.
const LONGEST: usize = 64;

/// Keeps texts. Most of a cluster's are names, labels and words that come again and again.
pub(crate) struct InArena<'k> {
    arena: &'k Bump,
    /// The last text for each hash modulo their number.
    recent: RefCell<[&'k str; RECENT]>,
}

impl<'k> Keeper<'k> for InArena<'k> {
    fn keep(&self, text: Text<'_>) -> Text<'k> {
        if text.len() > LONGEST {
            return (&*self.arena.alloc_str(&text)).into();
        }
        let mut recent = self.recent.borrow_mut();
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let place = hasher.finish() % RECENT as u64;
        let Some(last) = recent.get_mut(place as usize) else {
            return (&*self.arena.alloc_str(&text)).into();
        };
        if **last != *text {
            *last = self.arena.alloc_str(&text);
        }
        (*last).into()
    }
}
