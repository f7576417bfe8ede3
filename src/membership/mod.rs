//! Which pods belong to which Services.

pub mod change;
pub mod index;
pub(crate) mod nearest;
#[doc(hidden)]
pub mod selector;
