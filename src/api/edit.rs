//! Manual edits of objects: objects in, changes of the input out.

use alloc::format;
use alloc::vec::Vec;

use super::input::{self, Limits};
use super::{encode, place};
use crate::glance::edit::{Edited, another, drain, ready};
use crate::model::Text;
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::{Code, Error};

slim_object! {
    /// What is done.
    #[derive(Clone, Debug, Default)]
    pub struct EditQuestion<'a>("edit") refuse {
        /// `drain` drains a node, `ready` sets whether an object is ready, and `add` adds another one.
        "do" pub what: Text<'a> = required where EDITS;
        /// The node and its pods to drain it; the object that is to be ready or not; those of its kind to add another
        /// one like the last.
        "objects" pub objects: Vec<Edited<'a>> as Vec<crate::model::describe::KubernetesObject> = required;
        /// The node that is drained.
        "name" pub name: Text<'a>;
        /// Is the object to be ready?
        "ready" pub ready: bool;
    }
}

const EDITS: [&str; 3] = ["drain", "ready", "add"];

/// Takes an edit and returns the changes of the input that implement it.
///
/// # Errors
/// When it cannot be read, or is not one of the supported edits.
pub fn edit(question: &[u8]) -> Result<Vec<u8>, Error> {
    let text = input::text(question, Limits::default())?;
    let question: EditQuestion<'_> = input::decode(text)?;
    let objects = &question.objects;
    let changes = match question.what.as_str() {
        "drain" => drain(&question.name, objects),
        "ready" => Vec::from_iter(objects.iter().map(|object| ready(object, question.ready))),
        "add" => Vec::from_iter(another(objects)),
        other => {
            let message = format!(
                "`{}` is not an edit; use one of `{}`",
                shorten(other),
                EDITS.join("`, `")
            );
            let error = Error::new(Code::InvalidValue, message).at("/do");
            return Err(place::locate(error, text));
        }
    };
    encode(&changes)
}
