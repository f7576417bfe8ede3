//! What people write rather than programs: options, questions and settings.

use super::input::{self, Limits};
use super::place;
use crate::Error;
use crate::model::read::Object;

/// Options, a question or settings: JSON, or a value that its owner reads.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Given<'a> {
    /// JSON as UTF-8; blank if nothing was given.
    Json(&'a [u8]),
    /// A value of the caller's language.
    #[cfg(feature = "wasm-std")]
    Value(&'a dyn ReadValue),
}

/// A value that is no text: an object of JavaScript.
#[cfg(feature = "wasm-std")]
pub trait ReadValue {
    /// Reads it into a table; false if that does not take it.
    fn read_into(&self, object: &mut dyn Object<'_>) -> bool;

    /// Its JSON, from which the reason is told.
    fn json(&self) -> &str;
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Given<'a> {
    fn from(json: &'a T) -> Self {
        Self::Json(json.as_ref())
    }
}

impl<'a> Given<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read<T: Object<'a> + Default>(self, limits: Limits) -> Result<T, Error> {
        let mut read = T::default();
        match self {
            Self::Json(json) => input::decode_into(&mut read, input::text(json, limits)?)?,
            #[cfg(feature = "wasm-std")]
            Self::Value(value) => {
                if !value.read_into(&mut read) {
                    read = T::default();
                    input::decode_into(&mut read, value.json()).map_err(Error::nowhere)?;
                }
            }
        }
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
        match self {
            Self::Json(json) => {
                let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
                json.trim_ascii().is_empty()
            }
            #[cfg(feature = "wasm-std")]
            Self::Value(_) => false,
        }
    }

    /// The error about what is at its path, with the line of a text.
    #[must_use]
    pub fn locate(self, error: Error) -> Error {
        match self {
            Self::Json(json) => match input::text(json, Limits::new(usize::MAX)) {
                Ok(text) => place::locate(error, text),
                Err(_) => error,
            },
            #[cfg(feature = "wasm-std")]
            Self::Value(_) => error,
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
