//! Fields that differ, whether this version knows them or not.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::model::fields::differing;
use crate::model::order::sort;

/// A field that differs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FieldDiff {
    /// The field, as a JSON Pointer into the slice or the endpoint.
    pub path: String,
    /// The value before; left out if the field did not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<RawValue>>,
    /// The value after; left out if the field no longer exists.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    sort(&mut items);
    Some(items)
}

/// The fields in which two objects differ, sorted by name.
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
