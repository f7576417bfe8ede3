//! The result of a run, as data.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

pub use super::sums::{EndpointsObject, Sums, Syncs, Writes};
pub use super::timeline::{
    ActionEntry, EditEntry, EventEntry, ListEntry, RefusedWrite, RetryEntry, SyncEntry,
    TimelineEntry, TimelineEntryKind,
};

use super::sums::figures;

figures! {
    /// The result of a scenario. Times are in virtual milliseconds since the start.
    #[non_exhaustive]
    pub struct Report {
        /// The description in the scenario.
        pub description: Option<String>,
        /// When nothing was left to happen, or the run was cut off.
        pub ended_at: u64,
        /// Whether the run was cut off before it came to rest.
        pub was_cut_off: bool,
        /// The phases of the run, in order.
        pub phases: Vec<Phase>,
        /// The sums of the whole run.
        pub total: Sums,
        /// Gauges over time; only if the scenario asks for samples.
        pub samples: Vec<Sample>,
        /// All Services that existed, by name.
        pub services: Vec<ServiceFigures>,
        /// What happened to the events sent to the controller.
        pub watches: WatchFigures,
        /// The state at the end of the run.
        pub end: End,
        /// What happened, in order; only if it was requested.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub timeline: Vec<TimelineEntry>,
    }

    /// A phase of a run.
    #[non_exhaustive]
    pub struct Phase {
        /// The name of the phase.
        pub name: String,
        /// When it began.
        pub at: u64,
        /// The time from its beginning to its last write; `null` if there was none.
        pub last_write_after: Option<u64>,
        /// The time from the last change of a pod, node, Service or slice by others to the last write; 0 if there was
        /// no write after that change.
        pub behind: u64,
        /// What was counted during the phase.
        pub sums: Sums,
        /// The gauges at its end.
        pub gauges: Gauges,
    }

    /// The state at one point in time.
    #[non_exhaustive]
    pub struct Gauges {
        /// The number of watchers of slices.
        pub watchers: u64,
        /// The number of pods that should get traffic.
        pub ready_pods: u64,
        /// The number of endpoints in slices.
        pub endpoints: u64,
        /// The number of slices.
        pub slices: u64,
        /// The number of slices if all were filled completely.
        pub full_slices: u64,
        /// The share of the slices' capacity that is used, 0 to 1.
        pub fill: f64,
        /// The number of pods that get traffic but should not.
        pub misdirected: u64,
        /// The number of pods that get no traffic but should.
        pub unused: u64,
    }

    /// The gauges at one point in time, and the two most important sums.
    #[non_exhaustive]
    pub struct Sample {
        /// The time.
        pub at: u64,
        /// The gauges.
        pub gauges: Gauges,
        /// The number of writes so far.
        pub writes: u64,
        /// The bytes sent to watchers so far.
        pub bytes_to_watchers: u64,
    }

    /// The figures of one Service.
    #[non_exhaustive]
    pub struct ServiceFigures {
        /// The Service, as `namespace/name`.
        pub service: String,
        /// Whether it exists at the end.
        pub exists: bool,
        /// The number of its endpoints in slices.
        pub endpoints: u64,
        /// The number of its slices.
        pub slices: u64,
        /// The number of its syncs.
        pub syncs: u64,
        /// The number of writes of its slices.
        pub writes: u64,
        /// How often its hints were switched on or off, counted per family.
        pub hint_flips: u64,
        /// Whether it has hints.
        pub has_hints: bool,
    }

    /// What happened to the events.
    #[non_exhaustive]
    pub struct WatchFigures {
        /// The number of events sent.
        pub sent: u64,
        /// The number of events that were never delivered.
        pub lost: u64,
        /// The number of events sent twice.
        pub doubled: u64,
        /// The number of events sent out of order.
        pub reordered: u64,
        /// The number of events dropped because their watch had been replaced.
        pub dropped: u64,
        /// The number of events delivered with an older version than the known one.
        pub late: u64,
        /// The number of lists, including the first ones.
        pub lists: u64,
    }

    /// The state at the end of a run.
    #[non_exhaustive]
    pub struct End {
        /// Whether plans from scratch for the final cluster write nothing apart from hints, and no slice belongs to a
        /// deleted Service.
        pub is_converged: bool,
        /// The number of writes in those plans, apart from hints.
        pub missing_writes: u64,
        /// The number of slices that those plans change only because of hints: without a change of endpoints, the
        /// controller reconsiders hints only if a zone is overloaded.
        pub slices_behind_in_hints: u64,
        /// The number of syncs that began while another sync of the same Service was running.
        pub overlapping_syncs: u64,
        /// The maximum number of syncs running at the same time.
        pub most_syncs_at_once: u64,
        /// Whether nothing is left in the cluster, the API server and the controller.
        pub is_empty: bool,
    }
}
