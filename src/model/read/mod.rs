//! Reads JSON objects field by field into existing values.
//!
//! A derived reader is compiled for each type, which made up a third of the WebAssembly module. Here a type only
//! declares its fields ([`Object`]) and where they are stored ([`Slot`]); one reader serves all types. `null` counts as
//! absent, and arrays are never accepted as objects.

mod condition;
mod fields;
mod object_macro;
mod reader;
mod repeatable;
mod template;
mod text;
pub mod tree;
mod values;
mod visitors;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::conditions::ReadyCondition;
use super::few::Few;
use super::order::SortedMap;
use super::text::{StringMap, Text, same};
use super::unknown::Unknown;
use crate::json::{Raw, UNKNOWN};

#[doc(hidden)]
pub use object_macro::{one_of, read_object, scalar_fields};
pub use reader::ObjectReader;
pub use repeatable::Repeatable;
pub use text::read_text;
pub use visitors::{read_into, wrong_claim};

/// The maximum number of fields: the reader tracks seen fields in a mask of 32 bits, of which two are reserved for
/// `kind` and `apiVersion`.
pub const MOST_FIELDS: usize = 30;
const KIND: u8 = 30;
const API_VERSION: u8 = 31;

/// The properties that all objects of a type share.
#[non_exhaustive]
pub struct Shape {
    /// The name of the type in messages.
    pub what: &'static str,
    /// Its fields, at most `MOST_FIELDS` including those of the second table.
    pub keys: &'static [&'static str],
    /// The fields of a second table: see [`Both`].
    pub more: &'static [&'static str],
    /// Required fields, as bits.
    pub required: u32,
}

impl Shape {
    /// That of a type with these fields, of which some are `required`, as bits.
    pub const fn new(what: &'static str, keys: &'static [&'static str], required: u32) -> Self {
        Self {
            what,
            keys,
            more: &[],
            required,
        }
    }

    /// The number of the field with this key; [`UNKNOWN`] if there is none.
    ///
    /// An API object may state its kind and version even if its type does not store them.
    pub(crate) fn field(&self, key: &str) -> u8 {
        if let Some(field) = self.all_keys().position(|known| same(known, key)) {
            return field as u8;
        }
        match key {
            "kind" if self.is_of_api() => KIND,
            "apiVersion" if self.is_of_api() => API_VERSION,
            _ => UNKNOWN,
        }
    }

    fn all_keys(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().chain(self.more).copied()
    }

    fn is_of_api(&self) -> bool {
        matches!(self.what, "Node" | "Pod" | "Service")
    }

    /// The value that an object must have in this field.
    fn expects(&self, field: u8) -> Option<&'static str> {
        match field {
            KIND => Some(self.what),
            API_VERSION => Some("v1"),
            _ => None,
        }
    }

    /// The name of a field.
    fn name(&self, field: u8) -> &'static str {
        match field {
            KIND => "kind",
            API_VERSION => "apiVersion",
            _ => self.all_keys().nth(field.into()).unwrap_or_default(),
        }
    }
}

/// How to treat fields that a type does not declare.
#[non_exhaustive]
pub enum Others<'s, 'a> {
    /// Skip them unread.
    Pass,
    /// Report an error.
    Refuse,
    /// Keep them unchanged.
    Keep(&'s mut Unknown<'a>),
}

/// An object that is read field by field.
pub trait Object<'a> {
    /// The fields.
    fn shape(&self) -> &'static Shape;
    /// Where the field with this number is stored.
    fn slot(&mut self, field: usize) -> Slot<'_, 'a>;
    /// How to treat all other fields.
    fn others(&mut self) -> Others<'_, 'a>;
}

/// An object whose fields are known statically.
pub trait Shaped<'a>: Object<'a> {
    /// The fields.
    const SHAPE: Shape;
}

/// One object read by two tables at once, which have no keys in common. The first one determines the required fields.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "two of something")]
pub struct Both<A, B>(pub A, pub B);

impl<'a, A: Shaped<'a>, B: Shaped<'a>> Shaped<'a> for Both<A, B> {
    const SHAPE: Shape = {
        assert!(A::SHAPE.keys.len() + B::SHAPE.keys.len() <= MOST_FIELDS);
        Shape {
            more: B::SHAPE.keys,
            ..A::SHAPE
        }
    };
}

impl<'a, A: Shaped<'a>, B: Shaped<'a>> Object<'a> for Both<A, B> {
    fn shape(&self) -> &'static Shape {
        const { &Self::SHAPE }
    }

    fn slot(&mut self, field: usize) -> Slot<'_, 'a> {
        match field.checked_sub(A::SHAPE.keys.len()) {
            None => self.0.slot(field),
            Some(field) => self.1.slot(field),
        }
    }

    fn others(&mut self) -> Others<'_, 'a> {
        self.0.others()
    }
}

/// A type that fields can have.
pub trait Field<'a> {
    /// Where it is stored, and thereby which JSON it accepts.
    fn slot(&mut self) -> Slot<'_, 'a>;
}

/// The place for a value, by the kind of JSON it accepts. `null` leaves it unchanged.
#[expect(missing_docs, reason = "the names are those of the types")]
#[non_exhaustive]
pub enum Slot<'s, 'a> {
    Text(&'s mut Text<'a>),
    OptionalText(&'s mut Option<Text<'a>>),
    Texts(&'s mut Vec<Text<'a>>),
    FewTexts(&'s mut Few<Text<'a>>),
    Strings(&'s mut Vec<String>),
    Map(&'s mut StringMap<'a>),
    OptionalMap(&'s mut Option<StringMap<'a>>),
    Bool(&'s mut bool),
    OptionalBool(&'s mut Option<bool>),
    Integer(&'s mut dyn Integer),
    Scalar(&'s mut dyn Scalar<'a>),
    Object(&'s mut dyn Object<'a>),
    OptionalObject(&'s mut dyn Grow<'a>),
    /// An object with the layout of its kind, wherever it is: the number selects the memory of that layout.
    OfKind(&'s mut dyn Grow<'a>, u8),
    List(&'s mut dyn Grow<'a>),
    Conditions(&'s mut Option<ReadyCondition>),
    Counts(&'s mut Option<SortedMap<String, i64>>),
    Raw(&'s mut Option<Raw<'a>>),
    /// Any value, as its JSON text.
    Json(&'s mut String),
    /// No place; the value is skipped.
    Nowhere,
}

/// An integer of some width.
pub trait Integer {
    /// Its name in messages.
    fn what(&self) -> &'static str;
    /// Sets the number; `None` if it is out of range.
    fn set(&mut self, number: i64) -> Option<()>;
}

/// A value that is written as a string, or possibly as a number.
pub trait Scalar<'a> {
    /// Its name in messages.
    fn what(&self) -> &'static str;
    /// May it be a number?
    fn takes_numbers(&self) -> bool {
        false
    }
    /// Sets the text, or the number as it would be written.
    ///
    /// # Errors
    /// A message that says how to fix it.
    fn set(&mut self, text: Text<'a>, is_number: bool) -> Result<(), String>;
}

/// A type that optional fields can have.
pub trait Optional<'a>: Sized {
    /// Where it is stored, and thereby which JSON it accepts.
    fn slot_of(place: &mut Option<Self>) -> Slot<'_, 'a>;
}

/// A value that an optional field reads from a string, or possibly from a number. See [`Scalar`].
pub trait OptionalScalar<'a>: Sized {
    /// Its name in messages.
    const WHAT: &'static str;
    /// May it be a number?
    const TAKES_NUMBERS: bool = false;

    /// Reads the text, or the number as it would be written.
    ///
    /// # Errors
    /// A message that says how to fix it.
    fn read(text: Text<'a>, is_number: bool) -> Result<Self, String>;
}

/// A place for several objects, or for an optional one.
pub trait Grow<'a> {
    /// A list starts: drops the default value.
    fn begin(&mut self);
    /// Adds an object.
    fn grow(&mut self) -> &mut dyn Object<'a>;
    /// The text of an existing object that may be the next one.
    fn known(&self) -> Option<&'a str> {
        None
    }
    /// The next object is the known one.
    fn repeat(&mut self) {}
    /// Records the text of the object that was added last.
    fn note(&mut self, _: &'a str) {}
}

/// Adds an object to a list.
fn grown<'v, 'a, T: Object<'a> + Default>(list: &'v mut Vec<T>) -> &'v mut dyn Object<'a> {
    list.push(T::default());
    pushed(list.last_mut())
}

/// The object that has been put into a list.
fn pushed<'v, 'a, T: Object<'a>>(last: Option<&'v mut T>) -> &'v mut dyn Object<'a> {
    match last {
        Some(last) => last,
        // Unreachable; and a value without a size allocates nothing.
        None => Box::leak(Box::new(Nothing)),
    }
}

/// Ignores everything it reads.
struct Nothing;

impl<'a> Object<'a> for Nothing {
    fn shape(&self) -> &'static Shape {
        const { &Shape::new("object", &[], 0) }
    }

    fn slot(&mut self, _: usize) -> Slot<'_, 'a> {
        Slot::Nowhere
    }

    fn others(&mut self) -> Others<'_, 'a> {
        Others::Pass
    }
}

impl<'a, T: Object<'a> + Default> Grow<'a> for Vec<T> {
    fn begin(&mut self) {
        self.clear();
    }

    fn grow(&mut self) -> &mut dyn Object<'a> {
        grown(self)
    }
}

impl<'a, T: Object<'a> + Default> Grow<'a> for Few<T> {
    fn begin(&mut self) {
        *self = Self::new();
    }

    fn grow(&mut self) -> &mut dyn Object<'a> {
        self.push(T::default());
        pushed(self.last_mut())
    }
}

impl<'a, T: Object<'a> + Default> Grow<'a> for Option<Vec<T>> {
    fn begin(&mut self) {
        *self = Some(Vec::new());
    }

    fn grow(&mut self) -> &mut dyn Object<'a> {
        grown(self.get_or_insert_default())
    }
}

impl<'a, T: Object<'a> + Default> Grow<'a> for Option<T> {
    fn begin(&mut self) {}

    fn grow(&mut self) -> &mut dyn Object<'a> {
        self.insert(T::default())
    }
}
