//! JSON in, JSON out: the façade every door opens on. Bytes only; it runs natively, so nothing here needs wasm.
//!
//! Answers are one line of minified JSON, the same bytes on every platform. Bad input is an [`Error`] with a code,
//! a JSON pointer and a position; nothing is dropped in silence.

mod controller;
mod detect;
pub mod events;
#[cfg(feature = "explain")]
mod explain;
mod fast_event;
mod input;
mod place;
mod plan;
mod review;
mod session;
mod simulation;
mod snapshot;

use alloc::string::ToString;
use alloc::vec::Vec;

pub use crate::model::duration::parse as read_duration;
pub use controller::ControllerStream;
pub use detect::{Shape, detect};
#[cfg(feature = "explain")]
pub use explain::{Explained, Question, ServiceExplained, explain, explained};
pub use input::{Limits, MAX_DEPTH, MAX_INPUT_BYTES};
#[cfg(feature = "k8s-openapi")]
pub(crate) use plan::check_names;
pub use plan::{check_options, plan, with_plan};
pub use review::{MAX_REVIEW_BYTES, Reviewer};
pub use session::{Applied, LineError, Session};
pub use simulation::simulate;
pub use snapshot::{
    IgnoredKinds, Snapshot, SnapshotPlans, Warning, WarningCode, plan_snapshot, with_snapshot_plans,
};

use serde::Serialize;

use crate::Error;

/// One line of JSON. Our own values always have one; the fallback is for the type system.
fn encode(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value)
        .map_err(|error| Error::new(crate::Code::InvalidValue, error.to_string()))
}
