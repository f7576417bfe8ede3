//! Runs [`slicewise_live::controller`] against a Kubernetes API server: watch events go in, plans are written, and the
//! results of the writes go back.
//!
//! ```text
//! watches ─▶ drive (owns the state) ─▶ write ─▶ API server
//!              ▲        │                  elect: the Lease, which bounds every write
//!       serve ─┘        └─▶ publish
//! ```
//!
//! The library makes all decisions; this package adds the clock, the sockets and the Lease.

#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "callers fill in what to read or to do, and match how it ended"
)]

mod beside;
mod counts;
mod drive;
mod elect;
mod lease;
mod publish;
mod run;
mod serve;
mod settings;
mod shard;
mod write;

pub use drive::LoopEnd;
pub use lease::Timing;
pub use run::run;
pub use settings::{Election, NAME, RunSettings, ShowPlan};
pub use shard::Shard;
