//! JSON in, JSON out: the façade behind every interface. It works on bytes and runs natively, so nothing here needs
//! wasm.
//!
//! Answers are one line of minified JSON, the same bytes on every platform. Invalid input is an [`Error`] with a code,
//! a JSON pointer and a position; nothing is dropped silently.

mod asked;
mod detect;
mod diff;
#[doc(hidden)]
pub mod endpoints_check;
mod given;
#[doc(hidden)]
pub mod incomplete;
#[doc(hidden)]
pub mod input;
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
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod pieces;
#[doc(hidden)]
pub mod place;
mod plan;
#[doc(hidden)]
pub mod prepared;
#[doc(hidden)]
pub mod received;
#[doc(hidden)]
pub mod request_stream;
mod settled;
#[doc(hidden)]
pub mod slice_check;
#[doc(hidden)]
pub mod snapshot;
mod snapshot_plans;
#[doc(hidden)]
pub mod stream;
mod warning;

use alloc::string::ToString;
use alloc::vec::Vec;

pub use crate::model::duration::parse as read_duration;
pub use asked::{NamedObject, asked};
#[doc(hidden)]
pub use detect::not_objects;
pub use detect::{InputShape, detect};
pub use diff::{Diff, Sides, SliceList, diff, differing, partners, slices};
pub use given::Given;
pub use incomplete::refuse;
#[doc(hidden)]
pub use input::decode;
pub use input::{Limits, MAX_DEPTH, MAX_INPUT_BYTES};
#[cfg(feature = "k8s-openapi")]
#[doc(hidden)]
pub use names::check_names;
pub use options::check_options;
#[cfg(feature = "k8s-openapi")]
#[doc(hidden)]
pub use options::check_typed_options;
pub use plan::{plan, with_plan};
pub use received::Received;
pub use settled::{is_watch_event, settle_events};
#[cfg(feature = "k8s-openapi")]
pub(crate) use snapshot::complete_request;
pub use snapshot::{IgnoredKinds, Snapshot};
#[doc(hidden)]
pub use snapshot_plans::{SlicesByService, slices_by_service};
pub use snapshot_plans::{SnapshotPlans, plan_snapshot, with_snapshot_plans};
pub use stream::{SnapshotStream, StreamedSnapshot};
pub use warning::{Warning, WarningCode};

use serde::Serialize;

use crate::plan::Plan;
use crate::{Error, json};

/// One line of JSON.
///
/// # Errors
/// When the value refuses to be serialized, which no type of these crates does.
#[doc(hidden)]
pub fn encode(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    json::write::to_vec(value).map_err(unwritable)
}

/// One line of JSON for a plan, which is long enough to have its room made at once.
///
/// # Errors
/// Same as [`encode`].
#[doc(hidden)]
pub fn encode_plan(plan: &Plan<'_>) -> Result<Vec<u8>, Error> {
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
