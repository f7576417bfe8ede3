//! The result of a run, as data.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

pub use super::sums::{EndpointsObject, Sums, Syncs, Writes};
pub use super::timeline::{
    ActionEntry, EditEntry, Entry, EventEntry, ListEntry, RefusedWrite, RetryEntry, SyncEntry, What,
};

use super::sums::figures;

figures! {
    /// The result of a scenario. Times are virtual milliseconds since the start.
    #[non_exhaustive]
    pub struct Report {
        /// The scenario's own words.
        pub description: Option<String>,
        /// When nothing was left to happen, or the run was ended.
        pub ended_at: u64,
        /// Was the run ended before it came to rest?
        pub was_cut_off: bool,
        /// The parts of the run, in order.
        pub phases: Vec<Phase>,
        /// The whole run.
        pub total: Sums,
        /// Gauges over time, where the scenario asks for them.
        pub samples: Vec<Sample>,
        /// Services there were, by name.
        pub services: Vec<ServiceFigures>,
        /// The result of the events on their way to the controller.
        pub watches: WatchFigures,
        /// How the run ended.
        pub end: End,
        /// What happened, in order, where it was asked for.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub timeline: Vec<Entry>,
    }

    /// A part of a run.
    #[non_exhaustive]
    pub struct Phase {
        /// Its name.
        pub name: String,
        /// When it began.
        pub at: u64,
        /// From its beginning to the last write in it; `null` without one.
        pub last_write_after: Option<u64>,
        /// From the last change of a pod, node, Service or slice by others to the last write after it; 0 when there
        /// was none after it.
        pub behind: u64,
        /// What was counted in it.
        pub sums: Sums,
        /// What there was at its end.
        pub gauges: Gauges,
    }

    /// What exists at a time.
    #[non_exhaustive]
    pub struct Gauges {
        /// Those who watch slices.
        pub watchers: u64,
        /// Pods that should have traffic.
        pub ready_pods: u64,
        /// Endpoints in slices.
        pub endpoints: u64,
        /// Slices.
        pub slices: u64,
        /// Slices there would be if all were full.
        pub full_slices: u64,
        /// Endpoints of what the slices have room for, 0 to 1.
        pub fill: f64,
        /// Pods that get traffic they should not.
        pub misdirected: u64,
        /// Pods that get none, and should.
        pub unused: u64,
    }

    /// Gauges at a time, and the two sums that are most looked at.
    #[non_exhaustive]
    pub struct Sample {
        /// When.
        pub at: u64,
        /// Gauges.
        pub gauges: Gauges,
        /// Writes so far.
        pub writes: u64,
        /// Bytes to watchers so far.
        pub bytes_to_watchers: u64,
    }

    /// The result of a Service.
    #[non_exhaustive]
    pub struct ServiceFigures {
        /// Namespace and name.
        pub service: String,
        /// Does it exist at the end?
        pub exists: bool,
        /// Its endpoints in slices.
        pub endpoints: u64,
        /// Its slices.
        pub slices: u64,
        /// Syncs of it.
        pub syncs: u64,
        /// Writes for it.
        pub writes: u64,
        /// How often its hints continued or off.
        pub hint_flips: u64,
        /// Are its hints on?
        pub has_hints: bool,
    }

    /// The result of events.
    #[non_exhaustive]
    pub struct WatchFigures {
        /// Events sent.
        pub sent: u64,
        /// Never delivered.
        pub lost: u64,
        /// Sent twice.
        pub doubled: u64,
        /// Sent out of order.
        pub reordered: u64,
        /// Dropped because their watch had been replaced.
        pub dropped: u64,
        /// Delivered, but older than what was known.
        pub late: u64,
        /// Lists, the first ones included.
        pub lists: u64,
    }

    /// How a run ended.
    #[non_exhaustive]
    pub struct End {
        /// Has a plan from scratch over the cluster as it is nothing to write, hints aside?
        pub is_converged: bool,
        /// Writes such plans have, hints aside.
        pub missing_writes: u64,
        /// Slices that such plans change for their hints alone: without a change of endpoints, the controller looks at
        /// hints again only where a zone is overloaded.
        pub slices_behind_in_hints: u64,
        /// Syncs begun while another of the same Service was under way.
        pub overlapping_syncs: u64,
        /// Syncs under way at one time.
        pub most_syncs_at_once: u64,
        /// Is nothing left at all, in the cluster, the API server or the controller?
        pub is_empty: bool,
    }
}
