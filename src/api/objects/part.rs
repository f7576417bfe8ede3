//! A part of an input that is read separately.

use alloc::format;
use alloc::string::String;

use super::gather::read_checked;
use super::walk::ObjectWalk;
use super::{Base, CheckedObject, Halt, PendingObject};
use crate::api::place;
use crate::json::LayoutMemory;
use crate::model::read::ObjectReader;
use crate::{Code, Error};

/// A part of an input: its text and its position.
#[derive(Clone, Copy)]
pub struct InputPart<'a, 'p> {
    /// The whole input, for positions.
    pub whole: &'a str,
    /// The part.
    pub text: &'a str,
    /// Its pointer.
    pub path: &'p str,
}

impl<'a> InputPart<'a, '_> {
    /// The whole input as a part.
    pub const fn all(text: &'a str) -> Self {
        Self {
            whole: text,
            text,
            path: "",
        }
    }

    /// Reads all of it, reusing the layout of earlier objects.
    pub fn read<T>(
        self,
        memory: &mut LayoutMemory,
        read: impl FnOnce(&mut ObjectWalk<'_, 'a>) -> Result<T, Halt>,
    ) -> Result<T, Error> {
        self.begin(memory, |walk| {
            let value = read(walk)?;
            walk.reader().end()?;
            Ok(value)
        })
    }

    /// Reads the beginning of this part.
    pub fn begin<T>(
        self,
        memory: &mut LayoutMemory,
        read: impl FnOnce(&mut ObjectWalk<'_, 'a>) -> Result<T, Halt>,
    ) -> Result<T, Error> {
        let mut reader = ObjectReader::with_memory(self.text, core::mem::take(memory));
        let mut walk = ObjectWalk::of_objects(&mut reader, Base::START);
        let value = read(&mut walk).map_err(|halt| walk.error(halt));
        *memory = reader.into_memory();
        value.map_err(|error| match self.path {
            "" => error,
            path => place::within(&error, path, self.whole, self.text),
        })
    }
}

/// The kind of an object, judging by its first keys.
pub fn leading_kind(text: &str) -> Option<String> {
    let mut reader = ObjectReader::new(text);
    let mut walk = ObjectWalk::of_objects(&mut reader, Base::START);
    if walk.peek() != Some(b'{') {
        return None;
    }
    let kind = walk.leading().ok()?.kind;
    kind.map(Into::into)
}

/// Reads an object that must have a name.
pub fn read_named<'a, T: CheckedObject<'a>>(
    standing: &mut PendingObject<'_, '_, 'a>,
    number: u8,
) -> Result<T, Halt> {
    let object: T = read_checked(standing, number)?;
    let (_, name) = object.full_name();
    if name.is_empty() {
        let kind = T::KIND;
        let message = format!("{kind} number 0 has no name; every object needs `metadata.name`");
        return Err(standing.wrong(Code::MissingField, "/metadata/name", &message));
    }
    Ok(object)
}
