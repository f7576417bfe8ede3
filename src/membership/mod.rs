//! Which pods belong to which Services.

pub mod change;
pub mod index;
#[doc(hidden)]
pub mod label_selector;
#[doc(hidden)]
pub mod nearest;
#[doc(hidden)]
pub mod pods;
#[doc(hidden)]
pub mod selector;
