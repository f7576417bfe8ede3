//! JSON in, JSON out: the façade behind every interface. It works on bytes and runs natively, so nothing here needs
//! wasm.
//!
//! Answers are one line of minified JSON, the same bytes on every platform. Invalid input is an [`Error`] with a code,
//! a JSON pointer and a position; nothing is dropped silently.

mod applied;
mod apply;
mod asked;
mod controller_stream;
mod detect;
mod diff;
#[cfg(feature = "glance")]
mod edit;
#[doc(hidden)]
pub mod endpoints_check;
pub mod events;
#[cfg(feature = "explain")]
mod explain;
#[cfg(all(feature = "explain", feature = "patches"))]
mod export;
#[cfg(feature = "schema")]
pub mod fields;
#[cfg(feature = "glance")]
mod glance;
#[doc(hidden)]
#[allow(
    clippy::exhaustive_structs,
    reason = "the crates around the core declare what they need"
)]
pub mod incomplete;
#[doc(hidden)]
pub mod input;
mod intake;
mod list_pieces;
pub(crate) mod lists;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
#[allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::len_without_is_empty,
    reason = "the crates around the core read objects with them"
)]
pub mod objects;
mod options;
mod pieces;
#[doc(hidden)]
pub mod place;
mod plan;
mod prepared;
#[doc(hidden)]
pub mod received;
mod review;
mod session;
#[cfg(feature = "watch-events")]
mod settled;
mod simulation;
#[doc(hidden)]
pub mod slice_check;
mod snapshot;
mod snapshot_plans;
#[doc(hidden)]
pub mod stream;
mod warning;

use alloc::string::ToString;
use alloc::vec::Vec;

pub use crate::model::duration::parse as read_duration;
pub use applied::{Applied, LeftOutObject, LineError, WatchError};
pub use apply::{AppliedPlan, RefusedWrite, applied, apply};
pub use asked::{Asked, asked};
pub use controller_stream::ControllerStream;
#[cfg(feature = "schema")]
pub(crate) use controller_stream::describe::{ControllerAnswer, ControllerLine};
#[cfg(feature = "schema")]
pub(crate) use controller_stream::record::ControllerConfig;
pub use detect::{Shape, detect};
pub use diff::{Diff, Sides, Slices, diff, differing, partners, slices};
#[cfg(feature = "glance")]
pub use edit::{EditQuestion, edit};
#[cfg(feature = "explain")]
pub use explain::{Explained, Question, ServiceExplained, explain, explained};
#[cfg(all(feature = "explain", feature = "patches"))]
pub use export::{ExportQuestion, exported};
#[cfg(feature = "glance")]
pub use glance::{GlanceQuestion, glance, legend, look};
pub use incomplete::refuse;
pub(crate) use input::decode;
pub use input::{Limits, MAX_DEPTH, MAX_INPUT_BYTES};
pub use list_pieces::ListPieces;
pub use lists::next_page;
#[cfg(feature = "k8s-openapi")]
pub(crate) use names::check_names;
pub use options::check_options;
#[cfg(feature = "k8s-openapi")]
pub(crate) use options::check_typed_options;
pub use plan::{plan, with_plan};
pub use received::Received;
pub use review::{
    KindStatus, MAX_REVIEW_BYTES, ReviewSieve, Reviewer, ReviewerStatus, Supply, Wanted,
};
pub use session::Session;
#[cfg(feature = "watch-events")]
pub use settled::{is_watch_event, settle_events};
pub use simulation::{Timeline, TimelineSettings, simulate};
pub use snapshot::{IgnoredKinds, Snapshot};
pub use snapshot_plans::{SnapshotPlans, plan_snapshot, with_snapshot_plans};
pub use stream::{SnapshotStream, StreamedSnapshot};
pub use warning::{Warning, WarningCode};

use serde::Serialize;

use crate::plan::Plan;
use crate::{Error, json};

/// One line of JSON. Our own values always serialize; the error only satisfies the type system.
///
/// # Errors
/// Never.
#[doc(hidden)]
pub fn encode(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    json::write::to_vec(value).map_err(unwritable)
}

/// The same for a plan, which is long enough to have its room made at once.
fn encode_plan(plan: &Plan<'_>) -> Result<Vec<u8>, Error> {
    const ENDPOINT: usize = 384;
    const NAME: usize = 32;
    const REST: usize = 2048;
    let written = plan.create.iter().chain(&plan.update);
    let endpoints: usize = written.map(|slice| slice.endpoints.len()).sum();
    let likely = REST + endpoints * ENDPOINT + plan.unchanged.len() * NAME;
    json::write::to_vec_of(plan, likely).map_err(unwritable)
}

fn unwritable(error: json::write::Unwritable) -> Error {
    Error::new(crate::Code::InvalidValue, error.to_string())
}
