//! Changes of an input, as data: what to do to which object, one after the other.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::model::SortedMap;

/// A change of one object of the input: the object is patched, copied and then patched, or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[schemars(rename = "Change")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ChangeOperation")]
#[non_exhaustive]
pub struct ChangeOperation {
    /// `add`, `replace` or `remove`.
    pub op: &'static str,
    /// The location, as a JSON Pointer.
    pub path: String,
    /// The value; left out for `remove`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ChangeValue>,
}

/// A value to set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "ChangeValue")]
#[non_exhaustive]
pub enum ChangeValue {
    /// A string.
    Text(String),
    /// A boolean.
    Flag(bool),
    /// Labels or annotations.
    Map(SortedMap<String, String>),
    /// A condition.
    Condition(ChangeCondition),
    /// Conditions.
    Conditions(Vec<ChangeCondition>),
    /// Addresses of a pod.
    Addresses(Vec<Address>),
}

/// A condition of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ChangeCondition")]
#[non_exhaustive]
pub struct ChangeCondition {
    /// Its type.
    #[serde(rename = "type")]
    pub condition_type: &'static str,
    /// `True` or `False`.
    pub status: &'static str,
}

/// An address of a pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ChangeAddress")]
#[non_exhaustive]
pub struct Address {
    /// The address.
    pub ip: String,
}

impl SuggestedChange {
    /// A patch of an object.
    pub(super) fn patch(kind: impl Into<Cow<'static, str>>, namespace: &str, name: &str) -> Self {
        Self {
            kind: kind.into(),
            namespace: namespace.to_string(),
            name: name.to_string(),
            copy_of: None,
            patch: Vec::new(),
            delete: false,
        }
    }

    /// Sets a value that may or may not exist.
    pub(super) fn set(&mut self, path: &str, value: &str) {
        self.add(path, ChangeValue::Text(value.into()));
    }

    /// Sets a value that may or may not exist, or appends it to a list.
    pub(super) fn add(&mut self, path: &str, value: ChangeValue) {
        self.push("add", path.into(), Some(value));
    }

    /// Replaces an existing value.
    pub(super) fn replace(&mut self, path: &str, value: ChangeValue) {
        self.push("replace", path.into(), Some(value));
    }

    /// Removes an existing value.
    pub(super) fn remove(&mut self, path: String) {
        self.push("remove", path, None);
    }

    /// Sets a label or an annotation, creating the map if it is empty.
    pub(super) fn set_in_map(&mut self, map: &str, is_empty: bool, key: &str, value: &str) {
        if is_empty {
            let one = [(key.to_string(), value.to_string())];
            self.add(map, ChangeValue::Map(one.into_iter().collect()));
        } else {
            self.set(&below(map, key), value);
        }
    }

    fn push(&mut self, op: &'static str, path: String, value: Option<ChangeValue>) {
        self.patch.push(ChangeOperation { op, path, value });
    }
}

/// A JSON pointer to a member of a map.
pub(super) fn below(map: &str, key: &str) -> String {
    format!("{map}/{}", key.replace('~', "~0").replace('/', "~1"))
}
