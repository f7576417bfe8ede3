//! JSON text: a strict pull reader that remembers what the last object looked like, and a writer.
//!
//! They know nothing of Kubernetes. What is read, and where it goes, is said by the tables of [`crate::model::read`];
//! what is not read is skipped with the same strictness. The reader's errors are those of `serde_json`, to the
//! sentence and the byte, so that callers notice nothing of who reads.

mod ambiguity;
mod fault;
mod memory;
mod number;
mod obeyed;
mod raw;
mod reader;
mod scan;
mod skip;
mod string;
pub(crate) mod write;
#[cfg(feature = "patches")]
pub mod yaml;

pub use ambiguity::find_ambiguity;
pub use fault::{Class, Fault, Stop};
pub(crate) use memory::UNKNOWN;
pub use memory::{Member, Memory, Node};
pub(crate) use number::Numeral;
pub use obeyed::{is_obeyed, shown};
pub use raw::Raw;
pub(crate) use reader::Container;
pub use reader::Reader;
pub(crate) use scan::stands_at;

/// Inputs nested deeper than this are refused. Kubernetes objects stay below 40.
pub const MAX_DEPTH: usize = 100;
