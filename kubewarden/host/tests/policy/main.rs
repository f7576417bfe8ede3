//! The policy as released, in the host stack.

mod common;
mod hostile;
mod operations;
mod readme;
mod settings;
mod verdicts;
