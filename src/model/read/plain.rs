//! Reads what people write from values that are no text: objects of a few fields with words, numbers and lists of words.
//!
//! Everything else is refused here, and then read from its JSON: readers for all that a table can hold would take a tenth
//! of the WebAssembly module.

use alloc::borrow::ToOwned as _;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{Object, Others, Slot};
use crate::json::UNKNOWN;
use crate::model::text::Text;

/// Reads an object in place; false if it, or a part of it, is anything else than what people write.
pub(crate) fn read_plain<'de, D: Deserializer<'de>>(object: &mut dyn Object<'_>, value: D) -> bool {
    matches!(Place(Slot::Object(object)).deserialize(value), Ok(true))
}

/// Where a value goes; returns whether there was one.
struct Place<'s, 'a>(Slot<'s, 'a>);

impl<'de> DeserializeSeed<'de> for Place<'_, '_> {
    type Value = bool;

    // Asked for what is expected, readers of such values take what only looks like it.
    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<bool, D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_, '_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("what people write")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<bool, E> {
        match self.0 {
            Slot::Bool(place) => *place = flag,
            Slot::OptionalBool(place) => *place = Some(flag),
            _ => return Err(refused()),
        }
        Ok(true)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<bool, E> {
        match self.0 {
            Slot::Integer(place) => place.set(number).ok_or_else(refused)?,
            _ => return Err(refused()),
        }
        Ok(true)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<bool, E> {
        let text = Text::from(text.to_owned());
        match self.0 {
            Slot::Text(place) => *place = text,
            Slot::OptionalText(place) => *place = Some(text),
            Slot::Scalar(place) => place.set(text, false).map_err(|_| refused())?,
            _ => return Err(refused()),
        }
        Ok(true)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<bool, A::Error> {
        let Slot::Texts(place) = self.0 else {
            return Err(refused());
        };
        place.clear();
        let mut text = Text::default();
        while let Some(is_there) = list.next_element_seed(Place(Slot::Text(&mut text)))? {
            if !is_there {
                return Err(refused());
            }
            place.push(core::mem::take(&mut text));
        }
        Ok(true)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let object = match self.0 {
            Slot::Object(place) => place,
            Slot::OptionalObject(place) => place.grow(),
            _ => return Err(refused()),
        };
        if matches!(object.others(), Others::Keep(_)) {
            return Err(refused());
        }
        let shape = object.shape();
        let mut present = 0_u32;
        let mut key = Text::default();
        while map.next_key_seed(Place(Slot::Text(&mut key)))?.is_some() {
            let field = shape.field(&key);
            if field == UNKNOWN || shape.expects(field).is_some() {
                return Err(refused());
            }
            if map.next_value_seed(Place(object.slot(field.into())))? {
                present |= 1 << field;
            }
        }
        match shape.required & !present {
            0 => Ok(true),
            _ => Err(refused()),
        }
    }
}

/// Nobody reads why.
fn refused<E: Error>() -> E {
    E::custom("")
}
