//! Changes of an input, as data: what to do to which object, one after the other.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use crate::model::SortedMap;

/// A change of one object of the input: the object is patched, copied and then patched, or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[cfg_attr(feature = "schema", schemars(rename = "Change"))]
pub struct SuggestedChange {
    /// Its kind, such as `Pod`.
    pub kind: Cow<'static, str>,
    /// Its namespace; a Node has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name; for a copy, the name of the copy.
    pub name: String,
    /// The name of the object to copy, of the same kind and namespace in the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<String>,
    /// The changes to make in it, as a JSON Patch (RFC 6902).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patch: Vec<ChangeOperation>,
    /// Whether the object is removed from the input.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub delete: bool,
}

/// One operation of a JSON Patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ChangeOperation"))]
#[non_exhaustive]
pub struct ChangeOperation {
    /// `add`, `replace`, `remove` or `copy`.
    pub op: &'static str,
    /// The location of the value to copy, as a JSON Pointer; only for `copy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The location, as a JSON Pointer.
    pub path: String,
    /// The value; left out for `remove` and `copy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ChangeValue>,
}

/// A value to set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[cfg_attr(feature = "schema", schemars(rename = "ChangeValue"))]
#[non_exhaustive]
pub enum ChangeValue {
    /// A string.
    Text(String),
    /// A boolean.
    Flag(bool),
    /// A number, such as that of a port.
    Number(i32),
    /// Addresses of an endpoint.
    Texts(Vec<String>),
    /// Labels, annotations or a selector.
    Map(SortedMap<String, String>),
    /// A condition.
    Condition(ChangeCondition),
    /// Conditions.
    Conditions(Vec<ChangeCondition>),
    /// Addresses of a pod.
    Addresses(Vec<Address>),
}

/// A condition of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ChangeCondition"))]
#[expect(clippy::exhaustive_structs, reason = "a type and a status")]
pub struct ChangeCondition {
    /// Its type.
    #[serde(rename = "type")]
    pub condition_type: &'static str,
    /// `True` or `False`.
    pub status: &'static str,
}

/// An address of a pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ChangeAddress"))]
#[expect(clippy::exhaustive_structs, reason = "an address")]
pub struct Address {
    /// The address.
    pub ip: String,
}

impl SuggestedChange {
    /// A change of an object that is to be filled in.
    #[doc(hidden)]
    #[must_use]
    pub fn patch(kind: impl Into<Cow<'static, str>>, namespace: &str, name: &str) -> Self {
        Self {
            kind: kind.into(),
            namespace: namespace.to_string(),
            name: name.to_string(),
            copy_of: None,
            patch: Vec::new(),
            delete: false,
        }
    }

    /// Removes an object from the input.
    #[doc(hidden)]
    #[must_use]
    pub fn delete(kind: impl Into<Cow<'static, str>>, namespace: &str, name: &str) -> Self {
        let mut change = Self::patch(kind, namespace, name);
        change.delete = true;
        change
    }

    /// Does it leave the input as it is?
    pub(crate) fn is_nothing(&self) -> bool {
        self.patch.is_empty() && !self.delete && self.copy_of.is_none()
    }

    /// Sets a value that may or may not exist, or appends it to a list.
    #[doc(hidden)]
    pub fn add(&mut self, path: impl Into<String>, value: impl Into<ChangeValue>) {
        self.push("add", path.into(), Some(value.into()));
    }

    /// Replaces an existing value.
    #[doc(hidden)]
    pub fn replace(&mut self, path: impl Into<String>, value: impl Into<ChangeValue>) {
        self.push("replace", path.into(), Some(value.into()));
    }

    /// Removes an existing value.
    #[doc(hidden)]
    pub fn remove(&mut self, path: impl Into<String>) {
        self.push("remove", path.into(), None);
    }

    /// Sets a label or an annotation, creating the map if it is empty.
    #[doc(hidden)]
    pub fn set_in_map(&mut self, map: &str, is_empty: bool, key: &str, value: &str) {
        if is_empty {
            let one = [(key.to_string(), value.to_string())];
            self.add(map, ChangeValue::Map(one.into_iter().collect()));
        } else {
            self.add(below(map, key), value);
        }
    }

    /// Copies an existing value.
    #[doc(hidden)]
    pub fn copy(&mut self, from: impl Into<String>, path: impl Into<String>) {
        self.patch.push(ChangeOperation {
            op: "copy",
            from: Some(from.into()),
            path: path.into(),
            value: None,
        });
    }

    fn push(&mut self, op: &'static str, path: String, value: Option<ChangeValue>) {
        self.patch.push(ChangeOperation {
            op,
            from: None,
            path,
            value,
        });
    }
}

impl From<&str> for ChangeValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<bool> for ChangeValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i32> for ChangeValue {
    fn from(number: i32) -> Self {
        Self::Number(number)
    }
}

/// A JSON Pointer to a member of a map.
#[doc(hidden)]
#[must_use]
pub fn below(map: &str, key: &str) -> String {
    format!("{map}/{}", key.replace('~', "~0").replace('/', "~1"))
}
