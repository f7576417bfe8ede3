//! JSON text: a strict pull reader that remembers the layout of the last object, and a writer.
//!
//! They know nothing of Kubernetes. The tables of [`crate::model::read`] say what is read and where it goes; everything
//! else is skipped with the same strictness. The reader reports the same errors as `serde_json`, word for word and at
//! the same position, so callers cannot tell which one reads.

mod ambiguity;
mod fault;
mod field_name;
mod memory;
mod nesting;
mod number;
mod obeyed;
mod place;
mod raw;
mod reader;
mod scan;
mod skip;
mod string;
mod template;
mod templates;
pub(crate) mod write;
#[cfg(feature = "patches")]
pub mod yaml;

pub use ambiguity::find_ambiguity;
pub use fault::{Class, Fault, Stop};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use field_name::FieldName;
pub(crate) use field_name::field_name;
pub use memory::Memory;
pub(crate) use memory::UNKNOWN;
pub(crate) use nesting::Nesting;
pub(crate) use number::Numeral;
pub use obeyed::{is_obeyed, shown};
pub use place::{Member, Node};
pub use raw::Raw;
pub(crate) use reader::Container;
pub use reader::Reader;
pub(crate) use scan::{runs_along, stands_at};
pub(crate) use template::{Difference, Template, What};

/// What is read may be nested this deep. What is skipped may be nested deeper: the managed fields of an object, and
/// whatever an API server stores without asking for its shape, have hundreds of levels.
pub const MAX_DEPTH: usize = 100;
