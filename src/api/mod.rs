//! JSON in, JSON out: the façade every door opens on. Bytes only; it runs natively, so nothing here needs wasm.
//!
//! Answers are one line of minified JSON, the same bytes on every platform. Bad input is an [`Error`] with a code,
//! a JSON pointer and a position; nothing is dropped in silence.

mod controller;
mod detect;
pub mod events;
mod fast_event;
mod input;
mod place;
mod plan;
mod review;
mod session;
mod snapshot;

use alloc::string::ToString;
use alloc::vec::Vec;

pub use controller::ControllerStream;
pub use detect::{Shape, detect};
pub use input::{Limits, MAX_DEPTH, MAX_INPUT_BYTES};
#[cfg(feature = "k8s-openapi")]
pub(crate) use plan::check_names;
pub use plan::{check_options, plan, with_plan};
pub use review::{MAX_REVIEW_BYTES, Reviewer};
pub use session::{Applied, LineError, Session};
pub use snapshot::{
    IgnoredKinds, Snapshot, SnapshotPlans, Warning, WarningCode, plan_snapshot, with_snapshot_plans,
};

use serde::Serialize;

use crate::Error;
use crate::plan::Plan;

/// A plan as one line of JSON, into memory that is large enough from the start: growing to it costs more than writing.
fn encode_plan(plan: &Plan<'_>) -> Result<Vec<u8>, Error> {
    const ENDPOINT: usize = 352;
    const SLICE: usize = 1024;
    const NAME: usize = 40;
    let written = plan.create.iter().chain(&plan.update);
    let written = written.map(|slice| SLICE + slice.endpoints.len() * ENDPOINT);
    let size = SLICE + written.sum::<usize>() + plan.unchanged.len() * NAME;
    let mut json = Vec::with_capacity(size);
    plan.serialize(&mut serde_json::Serializer::new(&mut json))
        .map_err(|error| Error::new(crate::Code::InvalidValue, error.to_string()))?;
    Ok(json)
}

/// One line of JSON. Our own values always have one; the fallback is for the type system.
fn encode(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value)
        .map_err(|error| Error::new(crate::Code::InvalidValue, error.to_string()))
}
