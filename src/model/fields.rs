//! Compares objects as JSON, so that unknown fields are compared as well.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use crate::model::order::sorted_unique;
use serde_json::value::RawValue;

/// The fields of an object.
pub(crate) type ObjectFields<'t> = BTreeMap<Cow<'t, str>, &'t RawValue>;

/// Receives a field that differs: its pointer and its values.
pub(crate) type OnDifference<'f, 't> =
    &'f mut dyn FnMut(&str, Option<&'t RawValue>, Option<&'t RawValue>);

/// Objects nested deeper than this count as one value: nobody reads a pointer that long, and each level is read again.
const MOST_LEVELS: usize = 32;

/// Reports every field in which two values differ: its pointer, and both values. A list counts as one value.
pub(crate) fn differing<'t>(
    path: &str,
    before: &'t RawValue,
    after: &'t RawValue,
    found: OnDifference<'_, 't>,
) {
    differing_in(MOST_LEVELS, path, before, after, found);
}

fn differing_in<'t>(
    levels: usize,
    path: &str,
    before: &'t RawValue,
    after: &'t RawValue,
    found: OnDifference<'_, 't>,
) {
    if before.get() == after.get() {
        return;
    }
    let split = |value| fields(value).filter(|_| levels > 0);
    let (Some(old), Some(new)) = (split(before), split(after)) else {
        found(path, Some(before), Some(after));
        return;
    };
    for key in sorted_unique(old.keys().chain(new.keys())) {
        let path = format!("{path}/{}", escape(key));
        match (old.get(key).copied(), new.get(key).copied()) {
            (Some(old), Some(new)) => differing_in(levels - 1, &path, old, new, found),
            (old, new) => found(&path, old, new),
        }
    }
}

/// The fields of an object; `None` for anything else.
pub(crate) fn fields(value: &RawValue) -> Option<ObjectFields<'_>> {
    let is_object = value.get().starts_with('{');
    is_object.then(|| serde_json::from_str(value.get()).ok())?
}

/// Escapes one segment of a pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
