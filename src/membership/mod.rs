//! Which pods belong to which Services.

pub mod selector;
