//! Macros that declare how objects are read.

/// Declares a value with a fixed set of names: its name in messages, and the error for any other text.
#[macro_export]
#[doc(hidden)]
macro_rules! one_of {
    ($type:ident, $what:literal, $unknown:literal, $choices:literal, { $($word:literal => $variant:ident),+ }) => {
        impl<'a> $crate::model::read::Scalar<'a> for $type {
            fn what(&self) -> &'static str {
                $what
            }

            fn set(
                &mut self,
                text: $crate::model::Text<'a>,
                _: bool,
            ) -> Result<(), alloc::string::String> {
                *self = match text.as_str() {
                    $($word => Self::$variant,)+
                    other => return Err(alloc::format!(
                        concat!("`{}` ", $unknown, "; write ", $choices),
                        $crate::model::text::shorten(other)
                    )),
                };
                Ok(())
            }
        }
    };
}
#[doc(hidden)]
pub use one_of;

/// Makes types that are written as strings usable as fields.
#[macro_export]
#[doc(hidden)]
macro_rules! scalar_fields {
    ($($Type:ty),*) => {
        $(impl<'a> $crate::model::read::Field<'a> for $Type {
            fn slot(&mut self) -> $crate::model::read::Slot<'_, 'a> {
                $crate::model::read::Slot::Scalar(self)
            }
        })*
    };
}
#[doc(hidden)]
pub use scalar_fields;

/// Declares how the named fields of a type are read: `"key" field` each, with `required` if the field is required.
///
/// Everything else is skipped (`pass`), an error (`refuse`), or kept in the field `unknown` (`keep`).
#[macro_export]
#[doc(hidden)]
macro_rules! read_object {
    ($Name:ident <$life:lifetime> ($what:literal) $others:ident { $($fields:tt)* }) => {
        $crate::model::read::read_object!(@object $life $Name<$life>, $what, $others, $($fields)*);

        impl<'de: $life, $life> serde::Deserialize<'de> for $Name<$life> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut object = Self::default();
                $crate::model::read::read_into(&mut object, deserializer)?;
                Ok(object)
            }
        }
    };
    ($Name:ident ($what:literal) $others:ident { $($fields:tt)* }) => {
        $crate::model::read::read_object!(@object 'a $Name, $what, $others, $($fields)*);

        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut object = Self::default();
                $crate::model::read::read_into(&mut object, deserializer)?;
                Ok(object)
            }
        }
    };
    (@object $life:lifetime $Type:ty, $what:literal, $others:ident, $( $key:literal $field:ident $(= $required:ident)? , )*) => {
        #[expect(non_camel_case_types, non_upper_case_globals, reason = "the fields are numbered by their own names")]
        const _: () = {
            enum Number { $($field,)* }
            /// As patterns. Constants of a type, because the compiler searches the whole crate for uses of each free one
            /// whose name is not in capitals.
            struct At;
            impl At { $( const $field: usize = Number::$field as usize; )* }
            const _: () = assert!([$($key),*].len() <= $crate::model::read::MOST_FIELDS, "an object has too many fields to be read");

            impl<$life> $crate::model::read::Shaped<$life> for $Type {
                const SHAPE: $crate::model::read::Shape = $crate::model::read::Shape::new(
                    $what,
                    &[$($key,)*],
                    0 $($( | $crate::model::read::read_object!(@$required Number::$field) )?)*,
                );
            }

            impl<$life> $crate::model::read::Object<$life> for $Type {
                fn shape(&self) -> &'static $crate::model::read::Shape {
                    const { &<Self as $crate::model::read::Shaped<$life>>::SHAPE }
                }

                fn slot(&mut self, field: usize) -> $crate::model::read::Slot<'_, $life> {
                    match field {
                        $( At::$field => $crate::model::read::Field::slot(&mut self.$field), )*
                        _ => $crate::model::read::Slot::Nowhere,
                    }
                }

                fn others(&mut self) -> $crate::model::read::Others<'_, $life> {
                    $crate::model::read::read_object!(@$others self)
                }
            }
        };
    };
    (@required $number:expr) => { 1 << $number as u32 };
    (@pass $object:expr) => { $crate::model::read::Others::Pass };
    (@refuse $object:expr) => { $crate::model::read::Others::Refuse };
    (@keep $object:ident) => { $crate::model::read::Others::Keep(&mut $object.unknown) };
}
#[doc(hidden)]
pub use read_object;
