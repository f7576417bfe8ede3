//! The controller of [`slicewise::controller`] against a Kubernetes API server: what watches report goes in, plans are
//! written, and the result of the writes goes back.
//!
//! ```text
//! watches ─▶ drive (owns the state) ─▶ write ─▶ API server
//!              ▲        │                  elect: the Lease, which bounds every write
//!       serve ─┘        └─▶ publish
//! ```
//!
//! All decisions are the library's; here are the clock, the sockets and the Lease.

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

pub use drive::End;
pub use lease::Timing;
pub use run::run;
pub use settings::{Election, NAME, Settings};
pub use shard::Shard;
