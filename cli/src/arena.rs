//! Memory for the strings of all objects that are read; recently seen strings are stored only once.

use std::cell::RefCell;

use bumpalo::Bump;
use slicewise::api::SliceList;
use slicewise::model::Text;
use slicewise::model::order::hash;
use slicewise::model::own::{Keeper, Own as _};

/// Holds the strings of all objects; freed all at once.
#[derive(Default)]
pub(crate) struct Arena(Bump);

impl Arena {
    /// Copies the strings of slices into this arena.
    pub(crate) fn keep<'k>(&'k self, slices: SliceList<'_>) -> SliceList<'k> {
        let keeper = self.keeper();
        slices.kept(|slice| slice.own(&keeper))
    }

    /// A keeper that stores strings in this arena.
    pub(crate) fn keeper(&self) -> InArena<'_> {
        InArena {
            arena: &self.0,
            recent: RefCell::new([""; RECENT]),
        }
    }
}

/// How many recent strings to remember for reuse.
const RECENT: usize = 4096;
/// Longer strings rarely repeat.
const LONGEST: usize = 64;

/// Stores strings. Most strings of a cluster are names, labels and words that repeat.
pub(crate) struct InArena<'k> {
    arena: &'k Bump,
    /// The last string for each hash modulo the array's length.
    recent: RefCell<[&'k str; RECENT]>,
}

impl<'k> Keeper<'k> for InArena<'k> {
    fn keep(&self, text: Text<'_>) -> Text<'k> {
        if text.len() > LONGEST {
            return (&*self.arena.alloc_str(&text)).into();
        }
        let mut recent = self.recent.borrow_mut();
        let place = hash(&[text.as_bytes()]) % RECENT as u64;
        let Some(last) = recent.get_mut(place as usize) else {
            return (&*self.arena.alloc_str(&text)).into();
        };
        if **last != *text {
            *last = self.arena.alloc_str(&text);
        }
        (*last).into()
    }
}
