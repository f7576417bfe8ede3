//! What we remember about our own writes, and about time.

mod slices;
mod trigger_time;

pub use slices::{ListMoment, SliceTracker, TrackedSlice};
pub use trigger_time::TriggerTimeTracker;
