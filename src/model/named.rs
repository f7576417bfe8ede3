//! The identity of an object: its kind, namespace and name.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::cmp::Ordering;

/// An object with a kind, namespace and name.
pub trait Named {
    /// Its kind.
    const KIND: &'static str;

    /// Its namespace, empty if it has none, and its name.
    fn full_name(&self) -> (&str, &str);

    /// Its `metadata.resourceVersion`; empty if it is unknown.
    fn version(&self) -> &str {
        ""
    }
}

/// Compares versions of an object, if both are known and can be compared: numbers that grow with each write.
#[doc(hidden)]
pub fn by_version(one: &str, other: &str) -> Option<Ordering> {
    let is_number = |version: &str| {
        !version.is_empty()
            && !version.starts_with('0')
            && version.bytes().all(|byte| byte.is_ascii_digit())
    };
    let order = (one.len(), one).cmp(&(other.len(), other));
    (is_number(one) && is_number(other) && order.is_ne()).then_some(order)
}

/// Implements `Named` for namespaced objects.
macro_rules! named {
    ($kind:ident) => {
        impl $crate::model::named::Named for $kind<'_> {
            const KIND: &'static str = stringify!($kind);

            fn full_name(&self) -> (&str, &str) {
                (&self.metadata.namespace, &self.metadata.name)
            }

            fn version(&self) -> &str {
                &self.metadata.resource_version
            }
        }
    };
}
pub(super) use named;

/// Namespace and name of an object; the key of a Service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a namespace and a name")]
pub struct NamespacedName {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl NamespacedName {
    /// The key of an object.
    pub fn of(object: &impl Named) -> Self {
        let (namespace, name) = object.full_name();
        Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }
}

impl core::fmt::Display for NamespacedName {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}
