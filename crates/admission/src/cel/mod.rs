//! Expressions of the Common Expression Language over values that a host provides.
//!
//! The crate `cel` parses the syntax. Everything after that is done here: its interpreter counts no steps, iterates
//! maps in hash order, quotes whole objects in its errors, and is larger than this whole module.
//!
//! ```text
//! text ─▶ parse ─▶ compile ─▶ Program ─▶ evaluate(host, meter) ─▶ Value
//! ```
//!
//! **Architecture invariant:** every step of an evaluation, and every byte and item it creates, is paid for in advance.
//! Whatever the objects are, an evaluation ends within its [`Meter`].

mod addresses;
mod calls;
mod compile;
mod evaluate;
mod folds;
mod formats;
mod functions;
mod lists;
mod meter;
mod names;
mod operators;
mod parse;
mod patterns;
mod program;
mod quantities;
mod special;
mod strings;
mod times;
mod typed;
mod urls;
mod value;

pub use compile::compile;
pub use evaluate::{ValueProvider, evaluate};
pub use formats::NamedFormat;
pub use meter::{Fail, Meter};
pub use names::{DeclaredNames, HostFields, Name, ValueKind};
pub use parse::{MAX_BYTES, renamed};
pub use program::{Program, Used};
pub use quantities::CelQuantity;
pub use times::Instant;
pub use value::{Map, MapKey, Str, Value};

#[cfg(test)]
mod tests;
