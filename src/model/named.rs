//! What an object is called: its kind, its namespace and its name.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// An object as people call it.
pub trait Named {
    /// What it is.
    const KIND: &'static str;

    /// Its namespace, empty if it has none, and its name.
    fn full_name(&self) -> (&str, &str);

    /// Its `metadata.resourceVersion`; empty where that is not known.
    fn version(&self) -> &str {
        ""
    }
}

/// Names for objects that have a namespace.
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
pub struct NamespacedName {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl NamespacedName {
    /// Those of an object.
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
