//! An object in an input that has not been read yet.

use super::Halt;
use super::walk::{Again, ObjectWalk};
use crate::model::read::Object;
use crate::{Code, Error};

impl<'r, 'a> ObjectWalk<'r, 'a> {
    /// The next object.
    pub fn standing(&mut self) -> PendingObject<'_, 'r, 'a> {
        self.reader.peek_token();
        self.anchor = self.reader.at();
        PendingObject { walk: self }
    }
}

/// An object that has not been read yet.
pub struct PendingObject<'w, 'r, 'a> {
    pub(super) walk: &'w mut ObjectWalk<'r, 'a>,
}

impl<'a> PendingObject<'_, '_, 'a> {
    /// What applies if an object of its name was read before.
    pub(super) const fn if_again(&self) -> Again {
        self.walk.again
    }

    /// The offset at which it begins.
    pub const fn start(&self) -> usize {
        self.walk.anchor
    }

    /// The namespace of objects that name none.
    pub const fn namespace(&self) -> &str {
        self.walk.namespace
    }

    /// Reads it; tables with the same number share a memory of the layout.
    #[inline]
    pub fn read<T: Object<'a> + Default>(&mut self, number: u8) -> Result<T, Halt> {
        let mut object = T::default();
        self.read_into(&mut object, number)?;
        Ok(object)
    }

    fn read_into(&mut self, object: &mut dyn Object<'a>, number: u8) -> Result<(), Halt> {
        let reader = &mut *self.walk.reader;
        let node = reader.memory.root(number);
        reader.object(object, Some(node))?;
        Ok(())
    }

    /// Rewinds to its beginning, to read it into another table as well.
    pub fn again(&mut self) {
        let (_, depth) = self.walk.place();
        self.walk.reader.rewind(self.walk.anchor, depth);
    }

    /// An error about one of its fields.
    pub fn wrong(&self, code: Code, field: &str, message: &str) -> Halt {
        self.walk.wrong(code, field, message)
    }

    /// The same for an error with a path within the object.
    pub(in crate::api) fn wrong_with(&self, error: &Error) -> Halt {
        self.wrong(
            error.code(),
            error.path().unwrap_or_default(),
            error.message(),
        )
    }
}
