//! Names of objects that arrive one by one, each of which may occur only once.

use alloc::format;
use alloc::string::String;

use crate::model::Named;
use crate::model::index::GrowingIndex;
use crate::model::order::hash;
use crate::{Code, Error};

/// The names of the objects of one kind so far.
#[derive(Debug, Default)]
pub(super) struct NamesOfKind(GrowingIndex);

impl NamesOfKind {
    /// Adds the name of another object.
    ///
    /// # Errors
    /// When it has no name, or another object has the same one. The error is about its `metadata.name`.
    pub(super) fn add<T: Named>(
        &mut self,
        known: &[T],
        object: &impl Named,
    ) -> Result<(), (Code, String)> {
        let name = object.full_name();
        let is_it = |other: u32| {
            let other = known.get(other as usize);
            other.is_some_and(|other| other.full_name() == name)
        };
        self.add_to(T::KIND, known.len(), name, &is_it)
    }

    /// The index of the known object with this name.
    pub(super) fn find<T: Named>(&self, known: &[T], name: (&str, &str)) -> Option<usize> {
        let is_it = |other: u32| {
            let other = known.get(other as usize);
            other.is_some_and(|other| other.full_name() == name)
        };
        let found = self.0.find(hash_of(name), is_it)?;
        Some(found as usize)
    }

    fn add_to(
        &mut self,
        kind: &str,
        number: usize,
        (namespace, name): (&str, &str),
        is_it: &dyn Fn(u32) -> bool,
    ) -> Result<(), (Code, String)> {
        if name.is_empty() {
            let message =
                format!("{kind} number {number} has no name; every object needs `metadata.name`");
            return Err((Code::MissingField, message));
        }
        let hash = hash_of((namespace, name));
        if let Some(first) = self.0.find(hash, is_it) {
            let slash = if namespace.is_empty() { "" } else { "/" };
            let message = format!(
                "{kind} `{namespace}{slash}{name}` appears twice, first as number {first}; remove one"
            );
            return Err((Code::DuplicateName, message));
        }
        self.0.push(hash);
        Ok(())
    }

    /// Keeps only the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }
}

fn hash_of((namespace, name): (&str, &str)) -> u64 {
    hash(&[namespace.as_bytes(), name.as_bytes()])
}

/// Checks that objects of one kind have names, and that these are unique.
#[doc(hidden)]
pub fn check_names<T: Named>(path: &str, objects: &[T]) -> Result<(), Error> {
    let mut names = NamesOfKind::default();
    for (index, object) in objects.iter().enumerate() {
        let earlier = objects.get(..index).unwrap_or_default();
        names.add(earlier, object).map_err(|(code, message)| {
            Error::new(code, message).at(format!("{path}/{index}/metadata/name"))
        })?;
    }
    Ok(())
}
