//! Manual edits of objects: objects in, changes of the input out. Also what a list says of objects.

use alloc::format;
use alloc::vec::Vec;

use crate::glance::edit::{Edited, another, drain, ready};
use crate::glance::facts::facts;
use slicewise::api::{Limits, encode, input, place};
use slicewise::model::Text;
use slicewise::model::text::shorten;
use slicewise::slim_object;
use slicewise::{Code, Error};

slim_object! {
    /// An edit of the input.
    #[derive(Clone, Debug, Default)]
    pub struct EditQuestion<'a>("edit") refuse {
        /// The edit: `drain` drains a node, `ready` sets whether an object is ready, `add` adds another object. `list`
        /// changes nothing and returns what a list says of the objects.
        "do" pub what: Text<'a> = required where EDITS;
        /// For `drain`, the node and its pods; for `ready`, the objects to change; for `add`, all objects of the kind,
        /// of which the last is copied; for `list`, the listed objects.
        "objects" pub objects: Vec<Edited<'a>> as Vec<slicewise::model::describe::KubernetesObject> = required;
        /// The name of the node to drain.
        "name" pub name: Text<'a>;
        /// Whether the objects should be ready.
        "ready" pub ready: bool;
    }
}

const EDITS: [&str; 4] = ["drain", "ready", "add", "list"];

/// Takes an edit and returns the changes of the input that implement it; for `list`,
/// [`ListedFacts`](crate::glance::facts::ListedFacts) of each object.
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
        "list" => return encode(&objects.iter().map(facts).collect::<Vec<_>>()),
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
