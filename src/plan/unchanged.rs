//! Slices that a plan leaves as they are.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::json::Raw;
use crate::model::Text;
use crate::model::order::sort;
use crate::model::slice_names::NamesWithout;

/// The names of slices that do not change, sorted.
///
/// A session knows most of them already: they are not copied for each plan.
#[derive(Clone, Debug, Default)]
pub struct UnchangedNames<'a> {
    /// Sorted.
    apart: Vec<Text<'a>>,
    known: Vec<NamesWithout<'a>>,
    /// All of them, if they are about to be written by our own writer.
    json: Option<String>,
}

impl<'a> UnchangedNames<'a> {
    /// The number of names.
    pub fn len(&self) -> usize {
        let known = self.known.iter().map(NamesWithout::len);
        self.apart.len() + known.sum::<usize>()
    }

    /// Does every slice change?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names in their order.
    // Inlined twice it would add three kilobytes of wasm.
    #[inline(never)]
    pub fn to_vec(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.apart.iter().map(Text::as_str).collect();
        for names in &self.known {
            all.extend(names.iter());
        }
        sort(&mut all);
        all
    }

    /// Is this the name of one of them?
    pub fn contains(&self, name: &str) -> bool {
        self.apart.iter().any(|other| **other == *name)
            || self.known.iter().any(|names| names.contains(name))
    }

    /// The names in their order, owned.
    pub(crate) fn into_texts(self) -> Vec<Text<'static>> {
        let names = self.to_vec().into_iter();
        names.map(|name| Text::from(name).into_owned()).collect()
    }

    /// These names, owned.
    pub fn into_owned(self) -> UnchangedNames<'static> {
        UnchangedNames {
            apart: self.into_texts(),
            ..UnchangedNames::default()
        }
    }

    #[doc(hidden)]
    pub fn add(&mut self, names: impl Iterator<Item = Text<'a>>) {
        self.apart.extend(names);
        sort(&mut self.apart);
    }

    pub(crate) fn add_known(&mut self, names: impl Iterator<Item = NamesWithout<'a>>) {
        self.known.extend(names);
    }

    /// Has the known names written in one piece if possible. Only for our own writer and that of `serde_json`: others do not
    /// know text that is written unchanged.
    pub fn write_at_once(&mut self) {
        if let [known] = self.known.as_slice() {
            self.json = known.json_with(self.apart.iter().map(Text::as_str));
        }
    }
}

impl Serialize for UnchangedNames<'_> {
    // For small modules, as above.
    #[inline(never)]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.json {
            Some(json) => Raw::new(json).serialize(serializer),
            None => self.to_vec().serialize(serializer),
        }
    }
}
