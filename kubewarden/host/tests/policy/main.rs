//! The policy as it is delivered, in the host stack.

mod common;
mod hostile;
mod readme;
mod settings;
mod verdicts;
