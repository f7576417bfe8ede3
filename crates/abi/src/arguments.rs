//! The inputs of functions that take more than one value: objects with a field for each.
//!
//! Fields are cut out as they are and go to the readers of the functions. Their errors then get the path of the field,
//! and lose their line, which would be counted from where the field starts.

use slicewise::Error;
use slicewise::api::{Limits, MAX_INPUT_BYTES, decode, input};
use slicewise::json::Raw;
use slicewise::model::object::slim_object;
use slicewise::model::read::Object;

slim_object! {
    /// Of the functions of handles that need nothing else.
    #[derive(Default)]
    pub(crate) struct HandleCall("input with a handle") refuse {
        "handle" pub(crate) handle: u32 = required;
    }
}

slim_object! {
    /// Watch events for a handle.
    #[derive(Default)]
    pub(crate) struct EventsCall<'a>("input with events") refuse {
        "handle" pub(crate) handle: u32 = required;
        "events" pub(crate) events: Option<Raw<'a>> = required;
    }
}

/// Reads an input.
pub(crate) fn read<'a, T: Object<'a> + Default>(input: &'a [u8]) -> Result<T, Error> {
    decode(input::text(input, Limits::default())?)
}

/// The size limit of a handle's inputs.
pub(crate) fn limits(max_input_bytes: Option<u32>) -> Limits {
    Limits::new(max_input_bytes.map_or(MAX_INPUT_BYTES, |most| most as usize))
}

/// A field as a text; empty if there is none.
pub(crate) fn text(field: Option<Raw<'_>>) -> &[u8] {
    field.map_or(b"", |field| field.get().as_bytes())
}

/// The error of a function, at the path of the field that it has read.
pub(crate) fn at<'e>(field: &'e str) -> impl Fn(Error) -> Error + 'e {
    move |error| {
        let lineless = Error::new(error.code(), error.message());
        lineless.at(error.path().unwrap_or_default()).below(field)
    }
}

/// Calls a function with two fields. Which of them an error is in, its line tells: it moves along with the first.
pub(crate) fn with_both(
    [first, second]: [(&str, Option<Raw<'_>>); 2],
    call: impl Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let (one, other) = (text(first.1), text(second.1));
    call(one, other).map_err(|error| {
        let lowered = [b"\n", one].concat();
        let again = call(&lowered, other).err().and_then(|again| again.line());
        match (error.line(), again) {
            (Some(line), Some(again)) if line == again => at(second.0)(error),
            (Some(_), _) => at(first.0)(error),
            // A name that the input does not have: the question is at fault.
            (None, _) if error.path().is_some() => at(second.0)(error),
            (None, _) => error,
        }
    })
}
