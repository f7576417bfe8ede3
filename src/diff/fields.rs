//! Objects compared as JSON, so that what is not understood of them is compared all the same.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// The fields of an object.
pub(crate) type Fields<'t> = BTreeMap<Cow<'t, str>, &'t RawValue>;

/// A field that differs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldDiff {
    /// Which: a JSON Pointer into the slice, or into the endpoint.
    pub path: String,
    /// Its value before; none if there was no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Value>"))]
    pub before: Option<Box<RawValue>>,
    /// Its value after; none if there is no such field any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Value>"))]
    pub after: Option<Box<RawValue>>,
}

impl PartialEq for FieldDiff {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, self.before(), self.after()) == (&other.path, other.before(), other.after())
    }
}

impl FieldDiff {
    /// The value before, as JSON.
    pub fn before(&self) -> Option<&str> {
        self.before.as_deref().map(RawValue::get)
    }

    /// The value after, as JSON.
    pub fn after(&self) -> Option<&str> {
        self.after.as_deref().map(RawValue::get)
    }

    /// Are both values lists of the same items?
    pub(super) fn is_reordered(&self) -> bool {
        let before = self.before().and_then(sorted_items);
        before.is_some() && before == self.after().and_then(sorted_items)
    }
}

fn sorted_items(list: &str) -> Option<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(list).ok()?;
    let mut items: Vec<_> = items.into_iter().map(RawValue::get).collect();
    items.sort_unstable();
    Some(items)
}

/// The fields in which two objects differ, in the order of their names.
pub(super) fn field_diffs(before: &impl Serialize, after: &impl Serialize) -> Vec<FieldDiff> {
    let mut diffs = Vec::new();
    if let (Ok(before), Ok(after)) = (to_raw_value(before), to_raw_value(after)) {
        differing("", &before, &after, &mut |path, before, after| {
            diffs.push(FieldDiff {
                path: path.into(),
                before: before.map(ToOwned::to_owned),
                after: after.map(ToOwned::to_owned),
            });
        });
    }
    diffs
}

/// Takes a field that differs: its pointer, and its values.
pub(crate) type Found<'f, 't> = &'f mut dyn FnMut(&str, Option<&'t RawValue>, Option<&'t RawValue>);

/// Gives every field in which two values differ: its pointer, and both values. A list is one value.
pub(crate) fn differing<'t>(
    path: &str,
    before: &'t RawValue,
    after: &'t RawValue,
    found: Found<'_, 't>,
) {
    if before.get() == after.get() {
        return;
    }
    let (Some(old), Some(new)) = (fields(before), fields(after)) else {
        found(path, Some(before), Some(after));
        return;
    };
    for key in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let path = format!("{path}/{}", escape(key));
        match (old.get(key).copied(), new.get(key).copied()) {
            (Some(old), Some(new)) => differing(&path, old, new, found),
            (old, new) => found(&path, old, new),
        }
    }
}

/// The fields of an object; `None` of anything else.
pub(crate) fn fields(value: &RawValue) -> Option<Fields<'_>> {
    let is_object = value.get().starts_with('{');
    is_object.then(|| serde_json::from_str(value.get()).ok())?
}

/// One segment of a pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
