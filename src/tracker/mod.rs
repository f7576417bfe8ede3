//! What we remember of our own writes, and of time.

mod slices;
mod trigger_time;

pub use slices::{ListMoment, SliceTracker, TrackedSlice};
pub use trigger_time::TriggerTimeTracker;
