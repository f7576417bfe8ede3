//! The EndpointSlice controller, as a state machine without I/O.

mod config;
mod limiter;
pub mod queue;

pub use config::{Config, RetryLimits};
