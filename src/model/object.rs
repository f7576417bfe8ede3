//! Objects that are written back: known fields are typed, unknown fields are kept unchanged.
//!
//! The API grows fields faster than its clients. A slice that is read, changed and written must not lose fields that
//! this version does not know, so every level keeps them as raw JSON ([`Unknown`](super::unknown::Unknown)).

use alloc::vec::Vec;

use super::text::Text;

/// Is a field left out when it holds this value? (Go's `omitempty`, and `null` for pointers.)
pub trait Omit {
    /// Is it left out?
    fn omit(&self) -> bool;
}

impl<T> Omit for Option<T> {
    fn omit(&self) -> bool {
        self.is_none()
    }
}

impl<T> Omit for Vec<T> {
    fn omit(&self) -> bool {
        self.is_empty()
    }
}

impl<T> Omit for super::few::Few<T> {
    fn omit(&self) -> bool {
        self.is_empty()
    }
}

impl Omit for Text<'_> {
    fn omit(&self) -> bool {
        self.is_empty()
    }
}

impl Omit for super::text::StringMap<'_> {
    fn omit(&self) -> bool {
        self.is_empty()
    }
}

/// Its items, if this crate has its feature `schema`: a `cfg` in a macro would ask for the feature of the macro's caller.
#[cfg(feature = "schema")]
#[macro_export]
#[doc(hidden)]
macro_rules! if_schema {
    ($($items:item)*) => { $($items)* };
}

#[cfg(not(feature = "schema"))]
#[macro_export]
#[doc(hidden)]
macro_rules! if_schema {
    ($($items:item)*) => {};
}

/// Declares a Kubernetes object that keeps unknown fields, and how it is read and written. Its JSON Schema describes
/// what is written; any object can be read.
///
/// `null` reads as absent; `always` marks fields that are written even if empty. Fields are written in the given order,
/// followed by the unknown ones.
#[macro_export]
#[doc(hidden)]
macro_rules! kube_object {
    ($(#[$($meta:tt)*])* pub struct $Name:ident ($what:literal) {
        $( $(#[$($field_meta:tt)*])* $key:literal $field:ident : $type:ty $(= $always:ident)? , )*
    }) => {
        $(#[$($meta)*])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $Name<'a> {
            $( $(#[$($field_meta)*])* pub $field: $type, )*
            /// Fields this version does not know; they are written back unchanged.
            pub unknown: $crate::model::unknown::Unknown<'a>,
        }

        $crate::model::read::read_object! {
            $Name<'a> ($what) keep { $( $key $field, )* }
        }

        $crate::model::object::own_object! { $Name { $( $field, )* unknown, } }

        impl serde::Serialize for $Name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $( if $crate::model::object::kube_object!(@written self.$field $(, $always)?) {
                    map.serialize_entry($crate::json::field_name!($key), &self.$field)?;
                } )*
                self.unknown.serialize_into(&mut map)?;
                map.end()
            }
        }

        $crate::model::object::if_schema! {
            $crate::model::describe::described!(@written [$([$($meta)*])*] $Name {
                $( [$([$($field_meta)*])*] $key: $type [$($always)?], )*
            });
        }
    };
    (@written $value:expr, always) => { true };
    (@written $value:expr) => { !$crate::model::object::Omit::omit(&$value) };
}

/// Implements ownership: how an object with these fields outlives its text.
#[macro_export]
#[doc(hidden)]
macro_rules! own_object {
    ($Name:ident { $( $field:ident, )* }) => {
        impl<'k> $crate::model::own::Own<'k> for $Name<'_> {
            type Owned = $Name<'k>;

            fn own(self, keeper: &dyn $crate::model::own::Keeper<'k>) -> $Name<'k> {
                $Name { $( $field: $crate::model::own::Own::own(self.$field, keeper), )* }
            }
        }

        impl $Name<'_> {
            /// This object without borrowing from its text.
            pub fn into_owned(self) -> $Name<'static> {
                $crate::model::own::Own::own(self, &$crate::model::own::Alone)
            }
        }
    };
}

/// Declares an object of which only the named fields are read, with its JSON Schema. All other fields are skipped
/// unread, or `refuse`d.
///
/// `null` reads as absent. `required` marks required fields. What the schema needs beyond the type is stated with the
/// field: `as` gives the type of its values, `where` their range, list or pattern.
///
/// Objects of the API have no schema here. They may outlive their text (`own`), or have a schema anyway (`published`);
/// the schema of an internal object is `opaque`. Objects that both refuse other fields and outlive their text are
/// `kept`.
#[macro_export]
#[doc(hidden)]
macro_rules! slim_object {
    (
        $(#[$($meta:tt)*])* $visibility:vis struct $Name:ident $(<$life:lifetime>)? ($what:literal) $($others:ident)? {
            $(
                $(#[$($field_meta:tt)*])* $key:literal $field_visibility:vis $field:ident : $type:ty
                $(as $Taken:ty)? $(= $required:ident)? $(where $limit:expr)? ;
            )*
        }
    ) => {
        $(#[$($meta)*])*
        #[non_exhaustive]
        $visibility struct $Name $(<$life>)? {
            $( $(#[$($field_meta)*])* $field_visibility $field: $type, )*
        }

        $crate::model::object::slim_object!(@read [$($others)?] $Name $(<$life>)? ($what) { $( $key $field $(= $required)?, )* });

        $crate::model::object::if_schema! {
            $crate::model::object::slim_object!(@schema [$($others)?] [$([$($meta)*])*] $Name [$($life)?] {
                $( [$([$($field_meta)*])*] $key $field: $type [$($Taken)?] [$($required)?] [$($limit)?], )*
            });
        }
    };
    (@read [] $($object:tt)*) => { $crate::model::object::slim_object!(@split pass $($object)*); };
    (@read [published] $($object:tt)*) => { $crate::model::object::slim_object!(@split pass $($object)*); };
    (@read [refuse] $($object:tt)*) => { $crate::model::object::slim_object!(@split refuse $($object)*); };
    (@read [opaque] $($object:tt)*) => { $crate::model::object::slim_object!(@split refuse $($object)*); };
    (@read [own] $($object:tt)*) => { $crate::model::object::slim_object!(@owned pass $($object)*); };
    (@read [kept] $($object:tt)*) => { $crate::model::object::slim_object!(@owned refuse $($object)*); };
    (@owned $others:ident $Name:ident <$life:lifetime> ($what:literal) { $($key:literal $field:ident $(= $required:ident)?, )* }) => {
        $crate::model::read::read_object! {
            $Name<$life> ($what) $others { $( $key $field $(= $required)?, )* }
        }

        $crate::model::object::own_object! { $Name { $( $field, )* } }
    };
    (@split $others:ident $Name:ident <$life:lifetime> ($what:literal) $fields:tt) => {
        $crate::model::read::read_object! { $Name<$life> ($what) $others $fields }
    };
    (@split $others:ident $Name:ident ($what:literal) $fields:tt) => {
        $crate::model::read::read_object! { $Name ($what) $others $fields }
    };
    (@schema [] $($object:tt)*) => {};
    (@schema [own] $($object:tt)*) => {};
    (@schema [kept] $($object:tt)*) => { $crate::model::describe::described!(@refuse $($object)*); };
    (@schema [$others:ident] $($object:tt)*) => { $crate::model::describe::described!(@$others $($object)*); };
}
#[doc(hidden)]
pub use {if_schema, kube_object, own_object, slim_object};
