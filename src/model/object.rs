//! Objects we write back: known fields typed, unknown fields kept as they stand.
//!
//! The API grows fields faster than its clients. A slice that is read, changed and written must not lose
//! what this version does not know, so every level of it keeps the rest as raw JSON ([`Unknown`]).

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::text::Text;

/// The fields of an object this version does not know, in input order, with their JSON text.
#[derive(Clone, Default, Debug)]
pub struct Unknown<'a>(pub(super) Vec<(Text<'a>, Cow<'a, RawValue>)>);

impl Unknown<'_> {
    /// The same fields, free of the input.
    pub fn into_owned(self) -> Unknown<'static> {
        let own = |(key, raw): (Text<'_>, Cow<'_, RawValue>)| {
            (key.into_owned(), Cow::Owned(raw.into_owned()))
        };
        Unknown(self.0.into_iter().map(own).collect())
    }

    /// Field names with their JSON text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, raw)| (key.as_str(), raw.get()))
    }

    /// Does the object hold nothing unknown?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn serialize_into<M: serde::ser::SerializeMap>(
        &self,
        map: &mut M,
    ) -> Result<(), M::Error> {
        for (key, raw) in &self.0 {
            map.serialize_entry(key, &Compact(raw))?;
        }
        Ok(())
    }
}

impl PartialEq for Unknown<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Writes raw JSON without the white space between its tokens, so that a plan is one line whatever the input's layout.
struct Compact<'a>(&'a RawValue);

impl Serialize for Compact<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match compact(self.0.get()) {
            Some(text) => RawValue::from_string(text)
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
            None => self.0.serialize(serializer),
        }
    }
}

/// Valid JSON without insignificant white space; `None` when there is none to drop.
fn compact(json: &str) -> Option<String> {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    if !json.bytes().any(is_space) {
        return None;
    }
    let mut text = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in json.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character.is_ascii() && is_space(character as u8) {
            continue;
        } else {
            in_string = character == '"';
        }
        text.push(character);
    }
    Some(text)
}

/// Is a field left out when it holds this value? (Go's `omitempty`, and `null` for pointers.)
pub(super) trait Omit {
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

/// An object read field by field. Arrays are refused, which serde's derived readers take for objects.
pub(super) trait FromMap<'de>: Sized {
    /// What a message calls it.
    const WHAT: &'static str;

    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// Reads an object through [`FromMap`].
pub(super) struct ObjectVisitor<T>(pub(super) PhantomData<T>);

impl<'de, T: FromMap<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object ({})", T::WHAT)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(map)
    }
}

/// A value that is read from an object only; serde's derived readers would also take an array of the fields' values.
pub struct OnlyObject<T>(
    /// The value.
    pub T,
);

impl<'de, T: serde::Deserialize<'de>> serde::Deserialize<'de> for OnlyObject<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OnlyObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: serde::Deserialize<'de>> Visitor<'de> for OnlyObjectVisitor<T> {
            type Value = OnlyObject<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OnlyObject<T>, A::Error> {
                T::deserialize(serde::de::value::MapAccessDeserializer::new(map)).map(OnlyObject)
            }
        }

        deserializer.deserialize_map(OnlyObjectVisitor(PhantomData))
    }
}

/// Declares a Kubernetes object that keeps unknown fields, with how it is read and written.
///
/// `null` reads as absent; `always` marks fields that are written even when empty. Fields are written in the
/// order given, the unknown ones after them.
macro_rules! kube_object {
    ($(#[$meta:meta])* pub struct $Name:ident ($what:literal) {
        $( $(#[$field_meta:meta])* $key:literal $field:ident : $type:ty $(= $always:ident)? , )*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $Name<'a> {
            $( $(#[$field_meta])* pub $field: $type, )*
            /// Fields this version does not know; they are written back as they stand.
            pub unknown: $crate::model::object::Unknown<'a>,
        }

        impl<'de: 'a, 'a> $crate::model::object::FromMap<'de> for $Name<'a> {
            const WHAT: &'static str = $what;

            fn from_map<A: serde::de::MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                let mut object = Self::default();
                $( let mut $field = false; )*
                while let Some(key) = map.next_key::<$crate::model::text::Text<'de>>()? {
                    match key.as_str() {
                        $( $key => {
                            if std::mem::replace(&mut $field, true) {
                                return Err(serde::de::Error::duplicate_field($key));
                            }
                            if let Some(value) = map.next_value()? {
                                object.$field = value;
                            }
                        } )*
                        _ => {
                            let raw: &'de serde_json::value::RawValue = map.next_value()?;
                            object.unknown.0.push((key, std::borrow::Cow::Borrowed(raw)));
                        }
                    }
                }
                Ok(object)
            }
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $Name<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map($crate::model::object::ObjectVisitor(std::marker::PhantomData))
            }
        }

        impl serde::Serialize for $Name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $( if kube_object!(@written self.$field $(, $always)?) {
                    map.serialize_entry($key, &self.$field)?;
                } )*
                self.unknown.serialize_into(&mut map)?;
                map.end()
            }
        }
    };
    (@written $value:expr, always) => { true };
    (@written $value:expr) => { !$crate::model::object::Omit::omit(&$value) };
}

/// Declares a slim Kubernetes object: the fields named are read, all others are passed over unread.
///
/// `null` reads as absent. `required` marks fields that must be there; `via T` reads a `T` and takes its content.
macro_rules! slim_object {
    ($(#[$meta:meta])* $visibility:vis struct $Name:ident $(<$life:lifetime>)? ($what:literal) {
        $( $(#[$field_meta:meta])* $key:literal $field:ident : $type:ty $(= $required:ident)? $(, via $via:ty)? ; )*
    }) => {
        $(#[$meta])*
        $visibility struct $Name $(<$life>)? {
            $( $(#[$field_meta])* pub $field: $type, )*
        }

        impl<'de $(: $life, $life)?> $crate::model::object::FromMap<'de> for $Name $(<$life>)? {
            const WHAT: &'static str = $what;

            fn from_map<A: serde::de::MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                $( let mut $field: Option<Option<slim_object!(@read $type $(, $via)?)>> = None; )*
                while let Some(key) = map.next_key::<$crate::model::text::Text<'de>>()? {
                    match key.as_str() {
                        $( $key => {
                            if $field.is_some() {
                                return Err(serde::de::Error::duplicate_field($key));
                            }
                            $field = Some(map.next_value()?);
                        } )*
                        _ => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Self { $( $field: slim_object!(@take $field.flatten(), $key $(, $required)? $(; $via)?), )* })
            }
        }

        impl<'de $(: $life, $life)?> serde::Deserialize<'de> for $Name $(<$life>)? {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map($crate::model::object::ObjectVisitor(std::marker::PhantomData))
            }
        }
    };
    (@read $type:ty) => { $type };
    (@read $type:ty, $via:ty) => { $via };
    (@take $value:expr, $key:literal) => { $value.unwrap_or_default() };
    (@take $value:expr, $key:literal, required) => { $value.ok_or_else(|| serde::de::Error::missing_field($key))? };
    (@take $value:expr, $key:literal; $via:ty) => { $value.map(|read: $via| read.0).unwrap_or_default() };
    (@take $value:expr, $key:literal, required; $via:ty) => {
        $value.map(|read: $via| read.0).ok_or_else(|| serde::de::Error::missing_field($key))?
    };
}
pub(super) use {kube_object, slim_object};

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn compact_keeps_strings_and_drops_layout() {
        assert_eq!(
            compact("{ \"a b\" : \"c\\\" d\" ,\n\t\"é\": [ 1 , 2 ] }").as_deref(),
            Some(r#"{"a b":"c\" d","é":[1,2]}"#)
        );
        assert_eq!(compact(r#"{"a":1}"#), None);
    }
}
