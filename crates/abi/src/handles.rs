//! What lives longer than a call, by number.

use std::collections::BTreeMap;

use slicewise::{Code, Error};

/// Open handles. Numbers start at 1 and are not used again.
pub(crate) struct Handles<T> {
    open: BTreeMap<u32, T>,
    last: u32,
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            last: 0,
        }
    }
}

impl<T> Handles<T> {
    /// Keeps a value, and answers with its number: `{"handle": 1}`.
    pub(crate) fn open(&mut self, value: T) -> Result<Vec<u8>, Error> {
        let next = self.last.checked_add(1).ok_or_else(|| {
            let message = "this instance has no numbers for handles left; start another one";
            Error::new(Code::TooLarge, message)
        })?;
        self.last = next;
        self.open.insert(next, value);
        Ok(format!(r#"{{"handle":{next}}}"#).into_bytes())
    }

    /// The value of a handle.
    pub(crate) fn get(&mut self, handle: u32) -> Result<&mut T, Error> {
        self.open.get_mut(&handle).ok_or_else(|| closed(handle))
    }

    /// Closes a handle. The answer is `null`.
    pub(crate) fn close(&mut self, handle: u32) -> Result<Vec<u8>, Error> {
        match self.open.remove(&handle) {
            Some(_) => Ok(b"null".to_vec()),
            None => Err(closed(handle)),
        }
    }
}

fn closed(handle: u32) -> Error {
    let message = format!("there is no open handle {handle} of this kind in this instance");
    Error::new(Code::InvalidValue, message).at("/handle")
}
