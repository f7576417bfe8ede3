//! Scenarios: a world for a controller of EndpointSlices to work in, as values, and what the controller costs in it.
//!
//! ```
//! use slicewise::api::Limits;
//! use slicewise_simulation::simulate;
//!
//! let scenario = br#"{
//!     "zones": [{"name": "a", "nodes": 2}, {"name": "b", "nodes": 2}],
//!     "services": [{"service": "shop/cart", "replicas": 6}],
//!     "actions": [{"at": "1m", "rollingUpdate": {"service": "shop/cart"}}]
//! }"#;
//! let report = simulate(scenario, false, Limits::default())?;
//! assert!(report.end.is_converged);
//! # Ok::<(), slicewise::Error>(())
//! ```
//!
//! There is no I/O, no clock, and no randomness except from a seed.
//!
//! [`run`] takes a [`Scenario`]: a cluster, and what happens to it and when. Deployments create and replace pods,
//! watches deliver events to the controller, late or not at all if the scenario says so, the controller's plans go to
//! an in-memory API server, and everything is measured along the way. Equal scenarios give equal reports.
//!
//! Invariant: the cluster itself, its pods and Services, never depends on what the controller knows. Whether a run has
//! converged is decided from the cluster alone.

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod act;
mod agenda;
mod bundled;
mod clock;
mod cluster;
mod cost;
mod json;
mod measure;
mod outcome;
mod play;
mod pods;
mod random;
pub mod report;
pub mod scenario;
mod schema;
mod seen;
mod share;
mod sums;
mod syncs;
mod timeline;
mod traffic;
mod verify;
#[cfg(feature = "wasm")]
pub mod wasm;
mod watch;
mod words;
mod workload;
mod world;
mod writer;

use core::time::Duration;

pub use bundled::BUNDLED;
pub use json::{Timeline, TimelineSettings, simulate};
pub use play::{Happened, Play, ScenarioSummary, TimelineStep};
pub use report::Report;
pub use scenario::Scenario;
pub use schema::schemas;
pub use seen::{EndpointSeen, HintsSeen, NodeSeen, PodSeen, SliceDelta, SliceFate, SliceSeen};
pub use share::TrafficShares;

use world::World;

/// A run that does not end by itself, and whose scenario sets no end, ends after a day.
const DAY: Duration = Duration::from_secs(86_400);

/// Runs a scenario that has been checked ([`Scenario::check`]); without the check, impossible parts are left out.
pub fn run(scenario: &Scenario<'_>, with_timeline: bool) -> Report {
    let mut world = World::new(scenario.clone().into_owned(), with_timeline);
    world.run();
    world.report()
}

#[cfg(test)]
mod tests;
