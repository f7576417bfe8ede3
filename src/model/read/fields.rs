//! The types that fields can have.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Field, Integer, Object, Optional, OptionalScalar, Scalar, Slot};
use crate::json::Raw;
use crate::model::conditions::ReadyCondition;
use crate::model::few::Few;
use crate::model::order::SortedMap;
use crate::model::text::{StringMap, Text};
use crate::model::time::Timestamp;

macro_rules! fields {
    ($($Type:ty => $Kind:ident;)*) => {
        $(impl<'a> Field<'a> for $Type {
            fn slot(&mut self) -> Slot<'_, 'a> {
                Slot::$Kind(self)
            }
        })*
    };
}

fields! {
    Text<'a> => Text;
    Option<Text<'a>> => OptionalText;
    Vec<Text<'a>> => Texts;
    Few<Text<'a>> => FewTexts;
    Vec<String> => Strings;
    StringMap<'a> => Map;
    Option<StringMap<'a>> => OptionalMap;
    bool => Bool;
    Option<bool> => OptionalBool;
    i32 => Integer;
    u32 => Integer;
    Option<i32> => Integer;
    Option<u32> => Integer;
    Option<i64> => Integer;
    Option<ReadyCondition> => Conditions;
    Option<SortedMap<String, i64>> => Counts;
    Option<Raw<'a>> => Raw;
    Option<Timestamp> => Scalar;
    String => Scalar;
}

impl<'a, T: Object<'a>> Field<'a> for T {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::Object(self)
    }
}

impl<'a, T: Object<'a> + Default> Optional<'a> for T {
    fn slot_of(place: &mut Option<Self>) -> Slot<'_, 'a> {
        Slot::OptionalObject(place)
    }
}

impl<'a, T: Optional<'a>> Field<'a> for Option<T> {
    fn slot(&mut self) -> Slot<'_, 'a> {
        T::slot_of(self)
    }
}

impl<'a, T: OptionalScalar<'a>> Scalar<'a> for Option<T> {
    fn what(&self) -> &'static str {
        T::WHAT
    }

    fn takes_numbers(&self) -> bool {
        T::TAKES_NUMBERS
    }

    fn set(&mut self, text: Text<'a>, is_number: bool) -> Result<(), String> {
        *self = Some(T::read(text, is_number)?);
        Ok(())
    }
}

impl<'a, T: Object<'a> + Default> Field<'a> for Vec<T> {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::List(self)
    }
}

impl<'a, T: Object<'a> + Default> Field<'a> for Few<T> {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::List(self)
    }
}

impl<'a, T: Object<'a> + Default> Field<'a> for Option<Vec<T>> {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::List(self)
    }
}

macro_rules! integers {
    ($($Type:ident $what:literal)*) => {
        $(impl Integer for $Type {
            fn what(&self) -> &'static str {
                $what
            }

            fn set(&mut self, number: i64) -> Option<()> {
                *self = number.try_into().ok()?;
                Some(())
            }
        })*
    };
}

integers! {
    i32 "a whole number between -2147483648 and 2147483647"
    u32 "a whole number between 0 and 4294967295"
    i64 "a whole number of at most 9223372036854775807"
}

impl<T: Integer + Default> Integer for Option<T> {
    fn what(&self) -> &'static str {
        T::default().what()
    }

    fn set(&mut self, number: i64) -> Option<()> {
        self.insert(T::default()).set(number)
    }
}

impl<'a> Scalar<'a> for Option<Timestamp> {
    fn what(&self) -> &'static str {
        "an RFC 3339 time such as \"2026-01-02T03:04:05Z\""
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        *self = Some(Timestamp::read(&text)?);
        Ok(())
    }
}

impl<'a> Scalar<'a> for String {
    fn what(&self) -> &'static str {
        "a string"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        text.as_str().clone_into(self);
        Ok(())
    }
}
