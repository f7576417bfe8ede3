//! JSON text: a strict pull reader that remembers the layout of the last object, and a writer.
//!
//! They know nothing of Kubernetes: callers say what is read and where it goes; everything else is skipped with the same
//! strictness. The reader reports the same errors as `serde_json`, word for word and at the same position, so callers
//! cannot tell which one reads. The writer writes the same bytes.
//!
//! ```
//! use slicewise_json::{Raw, Reader, Stop};
//!
//! /// The value of the field `replicas`; everything else is skipped.
//! fn replicas<'a>(reader: &mut Reader<'a>) -> Result<Option<Raw<'a>>, Stop> {
//!     let (mut found, mut is_first) = (None, true);
//!     reader.begin_object("an object")?;
//!     while let Some(key) = reader.next_field(is_first)? {
//!         let value = reader.raw(None)?;
//!         if key == "replicas" {
//!             found = Some(value);
//!         }
//!         is_first = false;
//!     }
//!     reader.end()?;
//!     Ok(found)
//! }
//!
//! let mut reader = Reader::new(r#"{"name": "cart", "replicas": 3}"#);
//! let found = replicas(&mut reader).ok().flatten();
//! assert_eq!(found.map(Raw::get), Some("3"));
//!
//! let mut reader = Reader::new(r#"{"replicas": 03}"#);
//! assert_eq!(replicas(&mut reader), Err(Stop));
//! let fault = reader.into_fault();
//! assert_eq!((fault.message.as_str(), fault.at), ("invalid number", 15));
//! ```

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]
#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "the core matches all of it, and nobody else is meant to use it"
)]

extern crate alloc;

mod ambiguity;
mod contents;
mod excerpt;
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
pub mod write;
mod wrong;
pub mod yaml;

pub use ambiguity::find_ambiguity;
pub use excerpt::{cut, shorten};
pub use fault::{Class, Fault, Stop};
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub use field_name::FieldName;
pub use memory::{LayoutMemory, UNKNOWN};
pub use nesting::Nesting;
pub use number::Numeral;
pub use obeyed::{is_obeyed, shown};
pub use place::{LayoutMember, LayoutNode};
pub use raw::Raw;
pub use reader::{JsonContainer, Reader};
pub use scan::{runs_along, stands_at};
pub use template::{Mismatch, StepContent, Template, TemplateStep};
pub use templates::Templates;

/// What is read may be nested this deep. What is skipped may be nested deeper: the managed fields of an object, and
/// whatever an API server stores without asking for its shape, have hundreds of levels.
pub const MAX_DEPTH: usize = 100;
