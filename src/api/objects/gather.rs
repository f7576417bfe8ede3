//! Collects objects by kind, each name once, either borrowing from their text or owned.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::walk::Again;
use super::{Halt, PendingObject, Taker, WantedObjects};
use crate::api::names::NamesOfKind;
use crate::model::Named;
use crate::model::named::by_version;
use crate::model::own::{Keep, OnText};
use crate::model::read::Object;
use crate::{Error, IS_SMALL};

/// Collects the objects of an input and stores them with a [`Keep`].
pub trait Gather<'a, K>: WantedObjects {
    /// Takes an object of a wanted kind.
    fn gather(
        &mut self,
        object: &mut PendingObject<'_, '_, 'a>,
        kind: &str,
        keep: &K,
    ) -> Result<(), Halt>;
}

impl<'a, T: Gather<'a, OnText>> Taker<'a> for T {
    fn take(&mut self, object: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        self.gather(object, kind, &OnText)
    }
}

/// Objects that may be unusable although they can be read.
pub trait CheckedObject<'a>: Object<'a> + Named + Default {
    /// Fills in what `kubectl` and the API server would: manifests leave it out, and it changes nothing in what was
    /// stored. `namespace` is that of objects that name none.
    fn complete(&mut self, _namespace: &str) {}

    /// Checks what the table does not.
    ///
    /// # Errors
    /// What is wrong, with a path within the object.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// Reads an object and checks it.
#[inline]
pub(super) fn read_checked<'a, T: CheckedObject<'a>>(
    standing: &mut PendingObject<'_, '_, 'a>,
    number: u8,
) -> Result<T, Halt> {
    let object: T = standing.read(number)?;
    object
        .check()
        .map_err(|error| standing.wrong_with(&error))?;
    Ok(object)
}

/// Objects of one kind, each name once.
#[derive(Debug)]
pub struct Unique<T> {
    pub items: Vec<T>,
    names: NamesOfKind,
    /// The index of the object that was taken last.
    latest: usize,
    /// The indexes of objects that were deleted.
    gone: BTreeSet<usize>,
    /// The indexes of objects of which several versions were given.
    several: BTreeSet<usize>,
}

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            names: NamesOfKind::default(),
            latest: 0,
            gone: BTreeSet::new(),
            several: BTreeSet::new(),
        }
    }
}

impl<T: Named + PartialEq> Unique<T> {
    /// Reads an object and adds it.
    pub fn read<'a, O: CheckedObject<'a>, K: Keep<O, Kept = T>>(
        &mut self,
        standing: &mut PendingObject<'_, '_, 'a>,
        number: u8,
        keep: &K,
    ) -> Result<(), Halt> {
        let mut object: O = read_checked(standing, number)?;
        object.complete(standing.namespace());
        let place = self.place(standing, &object);
        self.put(keep.keep(object), place)
    }

    /// Adds what was read of an object.
    pub fn push(&mut self, standing: &PendingObject<'_, '_, '_>, item: T) -> Result<(), Halt> {
        let place = self.place(standing, &item);
        self.put(item, place)
    }

    fn put(&mut self, item: T, place: Result<usize, Halt>) -> Result<(), Halt> {
        let (place, twice) = match place {
            Ok(place) => (place, None),
            Err(halt) => match self.names.find(&self.items, item.full_name()) {
                Some(place) if !IS_SMALL => (place, Some(halt)),
                _ => return Err(halt),
            },
        };
        self.latest = place;
        if self.has_gone() {
            self.gone.remove(&place);
        }
        let Some(earlier) = self.items.get_mut(place) else {
            self.items.push(item);
            return Ok(());
        };
        if let Some(halt) = twice {
            if *earlier == item {
                return Ok(());
            }
            let order = by_version(earlier.version(), item.version()).ok_or(halt)?;
            self.several.insert(place);
            if order.is_gt() {
                return Ok(());
            }
        }
        *earlier = item;
        Ok(())
    }

    /// Where to store an object: at the end, or in place of an earlier one.
    fn place(
        &mut self,
        standing: &PendingObject<'_, '_, '_>,
        object: &impl Named,
    ) -> Result<usize, Halt> {
        let again = standing.if_again();
        // Most objects are in lists, and nothing was deleted: their names are looked up once.
        if (again != Again::Twice || self.has_gone())
            && let Some(place) = self.names.find(&self.items, object.full_name())
            && self.is_replaced(place, again, object)
        {
            return Ok(place);
        }
        let named = self.names.add(&self.items, object);
        named.map_err(|(code, message)| standing.wrong(code, "/metadata/name", &message))?;
        Ok(self.items.len())
    }

    fn is_replaced(&self, place: usize, again: Again, by: &impl Named) -> bool {
        let is_later = |earlier: &T| {
            let has_versions = !earlier.version().is_empty() && !by.version().is_empty();
            has_versions
                && (IS_SMALL
                    || by_version(earlier.version(), by.version()) != Some(Ordering::Greater))
        };
        match again {
            _ if self.gone.contains(&place) => true,
            Again::Twice => false,
            Again::Version => self.items.get(place).is_some_and(is_later),
            Again::Later => true,
        }
    }

    /// Removes the object of that name, if it is known.
    pub fn remove(&mut self, name: (&str, &str)) {
        // The others keep their indexes, and the index of names is not built again for each deletion.
        if !IS_SMALL {
            self.gone.extend(self.names.find(&self.items, name));
        }
    }

    /// Was an object deleted that was read before?
    fn has_gone(&self) -> bool {
        !IS_SMALL && !self.gone.is_empty()
    }

    /// Drops what was removed, once all objects have been read. Returns the objects of which only the newest version was
    /// kept.
    pub fn settle(&mut self) -> Vec<String> {
        if IS_SMALL {
            return Vec::new();
        }
        let several = core::mem::take(&mut self.several).into_iter();
        let several = several.filter(|place| !self.gone.contains(place));
        let several = several
            .filter_map(|place| self.items.get(place))
            .map(name_of);
        let several = several.collect();
        if !self.has_gone() {
            return several;
        }
        let gone = core::mem::take(&mut self.gone);
        let mut index = 0..;
        self.items
            .retain(|_| index.next().is_none_or(|index| !gone.contains(&index)));
        self.names = NamesOfKind::default();
        several
    }
}

/// Kind, namespace and name.
fn name_of<T: Named>(object: &T) -> String {
    let kind = T::KIND;
    match object.full_name() {
        ("", name) => format!("{kind} `{name}`"),
        (namespace, name) => format!("{kind} `{namespace}/{name}`"),
    }
}

impl<T> Unique<T> {
    /// The number of objects.
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// The object that was taken last.
    pub fn latest(&self) -> Option<&T> {
        self.items.get(self.latest)
    }

    /// Keeps only the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.items.truncate(count);
        self.names.truncate(count);
    }
}
