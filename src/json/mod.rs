//! JSON text, without a word of Kubernetes: how values are written.

mod raw;
pub(crate) mod write;

pub(crate) use raw::Raw;
