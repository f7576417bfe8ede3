//! Which pods belong to which Services.

pub mod change;
pub mod index;
pub mod nearest;
pub mod selector;
