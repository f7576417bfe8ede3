//! What people write rather than programs: options, questions and settings.

use super::input::{self, Limits};
use super::place;
use crate::Error;
use crate::model::read::Object;

/// Options, a question or settings: JSON as UTF-8; blank if nothing was given.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a>(&'a [u8]);

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Given<'a> {
    fn from(json: &'a T) -> Self {
        Self(json.as_ref())
    }
}

impl<'a> Given<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read<T: Object<'a> + Default>(self, limits: Limits) -> Result<T, Error> {
        let mut read = T::default();
        input::decode_into(&mut read, input::text(self.0, limits)?)?;
        Ok(read)
    }

    /// Reads it; a blank text gives the defaults.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_or_default<T: Object<'a> + Default>(self, limits: Limits) -> Result<T, Error> {
        match self.is_blank() {
            true => Ok(T::default()),
            false => self.read(limits),
        }
    }

    /// Whether nothing was given.
    pub fn is_blank(self) -> bool {
        let json = self.0.strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.0);
        json.trim_ascii().is_empty()
    }

    /// The error about what is at its path, with the line of the text.
    #[must_use]
    pub fn locate(self, error: Error) -> Error {
        match input::text(self.0, Limits::new(usize::MAX)) {
            Ok(text) => place::locate(error, text),
            Err(_) => error,
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
