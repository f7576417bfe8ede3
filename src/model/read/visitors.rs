//! Reads `serde` input into tables, for callers of the crate whose objects are not text, and as a check of the text
//! reader.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::Number;

use super::condition::Condition;
use super::{Grow, Integer, Object, Others, Scalar, Slot};
use crate::json::{Raw, UNKNOWN};
use crate::model::conditions::ReadyCondition;
use crate::model::order::SortedMap;
use crate::model::text::{StringMap, Text, repeated, shorten};

/// Reads an object in place.
///
/// # Errors
/// If it is not an object, lacks a required field, or a field cannot be read.
pub fn read_into<'de: 'a, 'a, D: Deserializer<'de>>(
    object: &mut dyn Object<'a>,
    deserializer: D,
) -> Result<(), D::Error> {
    deserializer.deserialize_map(ObjectVisitor(object))
}

struct ObjectVisitor<'s, 'a>(&'s mut dyn Object<'a>);

impl<'de: 'a, 'a> Visitor<'de> for ObjectVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object ({})", self.0.shape().what)
    }

    #[inline(never)]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let shape = self.0.shape();
        let (mut seen, mut present) = (0_u32, 0_u32);
        while let Some(key) = map.next_key::<Text<'de>>()? {
            let field = shape.field(&key);
            if field == UNKNOWN {
                match self.0.others() {
                    Others::Pass => drop(map.next_value::<IgnoredAny>()?),
                    Others::Refuse => return Err(Error::unknown_field(&key, shape.keys)),
                    Others::Keep(unknown) => unknown.push(key, map.next_value()?),
                }
                continue;
            }
            let bit = 1 << field;
            if seen & bit != 0 {
                return Err(Error::duplicate_field(shape.name(field)));
            }
            seen |= bit;
            if let Some(expected) = shape.expects(field) {
                let claimed: Option<Text<'de>> = map.next_value()?;
                if let Some(wrong) = wrong_claim(&claimed.unwrap_or_default(), expected) {
                    return Err(Error::custom(wrong));
                }
            } else if map.next_value_seed(SlotSeed(self.0.slot(field.into())))? {
                present |= bit;
            }
        }
        if let Others::Keep(unknown) = self.0.others()
            && let Some(key) = unknown.repeated()
        {
            return Err(repeated(key));
        }
        let missing = shape.required & !present;
        match shape.keys.get(missing.trailing_zeros() as usize) {
            Some(key) => Err(Error::missing_field(key)),
            None => Ok(()),
        }
    }
}

/// If an object states its kind or version, it must be the expected one; otherwise returns the error message.
pub fn wrong_claim(claimed: &str, expected: &str) -> Option<String> {
    let is_wrong = !claimed.is_empty() && claimed != expected;
    is_wrong.then(|| {
        format!(
            "this is a `{}`, but `{expected}` belongs here",
            shorten(claimed)
        )
    })
}

/// Reads a value into its place; returns whether there was one.
struct SlotSeed<'s, 'a>(Slot<'s, 'a>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for SlotSeed<'_, 'a> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for SlotSeed<'_, 'a> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value or null")
    }

    fn visit_none<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    #[inline(never)]
    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<bool, D::Error> {
        match self.0 {
            slot @ (Slot::Text(_) | Slot::OptionalText(_)) => {
                let text = Text::deserialize(value)?;
                match slot {
                    Slot::Text(place) => *place = text,
                    Slot::OptionalText(place) => *place = Some(text),
                    _ => {}
                }
            }
            slot @ (Slot::Texts(_) | Slot::FewTexts(_) | Slot::Strings(_)) => {
                let texts: Vec<Text<'de>> = value.deserialize_seq(TextsVisitor)?;
                match slot {
                    Slot::Texts(place) => *place = texts,
                    Slot::FewTexts(place) => *place = texts.into_iter().collect(),
                    Slot::Strings(place) => {
                        *place = texts.iter().map(ToString::to_string).collect();
                    }
                    _ => {}
                }
            }
            slot @ (Slot::Map(_) | Slot::OptionalMap(_)) => {
                let map = StringMap::deserialize(value)?;
                match slot {
                    Slot::Map(place) => *place = map,
                    Slot::OptionalMap(place) => *place = Some(map),
                    _ => {}
                }
            }
            slot @ (Slot::Bool(_) | Slot::OptionalBool(_)) => {
                let flag = bool::deserialize(value)?;
                match slot {
                    Slot::Bool(place) => *place = flag,
                    Slot::OptionalBool(place) => *place = Some(flag),
                    _ => {}
                }
            }
            Slot::Integer(place) => value.deserialize_i64(IntegerVisitor(place))?,
            Slot::Scalar(place) if place.takes_numbers() => {
                value.deserialize_any(ScalarVisitor(place))?
            }
            Slot::Scalar(place) => value.deserialize_str(ScalarVisitor(place))?,
            Slot::Object(place) => read_into(place, value)?,
            Slot::OptionalObject(place) | Slot::OfKind(place, _) => read_into(place.grow(), value)?,
            Slot::List(place) => value.deserialize_seq(ListVisitor(place))?,
            Slot::Conditions(place) => *place = value.deserialize_seq(ConditionsVisitor)?,
            Slot::Counts(place) => *place = Some(value.deserialize_map(CountsVisitor)?),
            Slot::Raw(place) => *place = Some(Raw::deserialize(value)?),
            Slot::Json(place) => *place = Raw::deserialize(value)?.get().into(),
            Slot::Nowhere => {
                IgnoredAny::deserialize(value)?;
            }
        }
        Ok(true)
    }
}

struct CountsVisitor;

impl<'de> Visitor<'de> for CountsVisitor {
    type Value = SortedMap<String, i64>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object whose values are integers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut counts = Vec::new();
        while let Some(entry) = map.next_entry()? {
            counts.push(entry);
        }
        SortedMap::of_distinct(counts).map_err(|key: String| repeated(&key))
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Vec<Text<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element()? {
            texts.push(text);
        }
        Ok(texts)
    }
}

struct ListVisitor<'s, 'a>(&'s mut dyn Grow<'a>);

impl<'de: 'a, 'a> Visitor<'de> for ListVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.begin();
        while list.next_element_seed(ElementSeed(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

struct ElementSeed<'s, 'a>(&'s mut dyn Grow<'a>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for ElementSeed<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        read_into(self.0.grow(), deserializer)
    }
}

impl<'de> Deserialize<'de> for Condition<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut condition = Self::default();
        read_into(&mut condition, deserializer)?;
        Ok(condition)
    }
}

/// Finds the `Ready` condition in a list; all others are skipped.
struct ConditionsVisitor;

impl<'de> Visitor<'de> for ConditionsVisitor {
    type Value = Option<ReadyCondition>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of conditions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut ready = None;
        while let Some(condition) = list.next_element::<Condition<'de>>()? {
            if ready.is_none() {
                ready = condition.ready().map_err(Error::custom)?;
            }
        }
        Ok(ready)
    }
}

struct IntegerVisitor<'s>(&'s mut dyn Integer);

impl Visitor<'_> for IntegerVisitor<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.what())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.0
            .set(number)
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        i64::try_from(number)
            .ok()
            .and_then(|number| self.0.set(number))
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }
}

struct ScalarVisitor<'s, 'a>(&'s mut dyn Scalar<'a>);

impl ScalarVisitor<'_, '_> {
    fn number<E: Error>(
        self,
        number: &dyn fmt::Display,
        unexpected: Unexpected<'_>,
    ) -> Result<(), E> {
        if !self.0.takes_numbers() {
            return Err(E::invalid_type(unexpected, &self));
        }
        self.0
            .set(number.to_string().into(), true)
            .map_err(E::custom)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for ScalarVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.what())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        self.0.set(text.into(), false).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.set(text.to_owned().into(), false).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.number(&number, Unexpected::Unsigned(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.number(&number, Unexpected::Signed(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        // Formatted by the library: float formatting in `core` takes twelve kilobytes of wasm.
        let spelt = Number::from_f64(number).ok_or_else(|| E::custom("not a finite number"))?;
        self.number(&spelt, Unexpected::Float(number))
    }
}
