//! The figures of a run, or of a part of it.

use core::ops::AddAssign;

use serde::Serialize;

/// Declares structs of figures for reports.
macro_rules! figures {
    ($($(#[$meta:meta])* pub struct $Name:ident { $($(#[$field_meta:meta])* pub $field:ident: $Type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $Name {
            $($(#[$field_meta])* pub $field: $Type,)*
        }
    )*};
}
pub(super) use figures;

figures! {
    /// The sums of what was counted.
    #[non_exhaustive]
    pub struct Sums {
        /// The writes of slices by the controller.
        pub writes: Writes,
        /// The bytes written, as JSON.
        pub bytes_written: u64,
        /// The number of slice events, counted once per watcher.
        pub watch_events: u64,
        /// The bytes sent to watchers, as JSON.
        pub bytes_to_watchers: u64,
        /// The number of endpoints in the events sent to watchers.
        pub endpoints_to_watchers: u64,
        /// The number of syncs, by result.
        pub syncs: Syncs,
        /// The number of retries scheduled.
        pub retries: u64,
        /// The number of events that the controller published.
        pub published: u64,
        /// How often hints were switched on or off, counted per Service and family.
        pub hint_flips: u64,
        /// Endpoint seconds during which the slices in the API server sent traffic to pods that should not get it.
        pub misdirected_seconds: f64,
        /// Endpoint seconds during which pods that should get traffic were not in a slice as ready.
        pub unused_seconds: f64,
        /// What one Endpoints object per Service would have cost, if written whenever a sync changes it and without the
        /// limit of 1000 addresses.
        pub endpoints_object: EndpointsObject,
    }

    /// The number of writes, by verb.
    #[non_exhaustive]
    pub struct Writes {
        /// The number of slices created.
        pub create: u64,
        /// The number of slices updated.
        pub update: u64,
        /// The number of slices deleted.
        pub delete: u64,
        /// The number of writes that were refused, or reported as refused.
        pub refused: u64,
    }

    /// The number of syncs, by result.
    #[non_exhaustive]
    pub struct Syncs {
        /// Everything was written.
        pub success: u64,
        /// The known slices were outdated.
        pub stale: u64,
        /// A write was refused, or something could not be planned.
        pub error: u64,
        /// Failed syncs, also counted as `stale` or `error`, after which the Service was dropped because it had failed
        /// too often.
        pub dropped: u64,
    }

    /// The cost of Endpoints objects.
    #[non_exhaustive]
    pub struct EndpointsObject {
        /// The number of writes.
        pub writes: u64,
        /// The bytes written, as JSON.
        pub bytes_written: u64,
        /// The bytes sent to watchers, as JSON.
        pub bytes_to_watchers: u64,
    }
}

impl Writes {
    /// Writes that were made.
    pub const fn made(&self) -> u64 {
        self.create + self.update + self.delete
    }
}

/// Implements addition field by field.
macro_rules! adds {
    ($($Name:ident { $($field:ident $(by $by:tt)?),* })*) => {$(
        impl AddAssign<&Self> for $Name {
            fn add_assign(&mut self, other: &Self) {
                $(self.$field += adds!(@ $($by)? other.$field);)*
            }
        }
    )*};
    (@ ref $value:expr) => { &$value };
    (@ $value:expr) => { $value };
}

adds! {
    Writes { create, update, delete, refused }
    Syncs { success, stale, error, dropped }
    EndpointsObject { writes, bytes_written, bytes_to_watchers }
    Sums {
        writes by ref, bytes_written, watch_events, bytes_to_watchers, endpoints_to_watchers, syncs by ref, retries,
        published, hint_flips, misdirected_seconds, unused_seconds, endpoints_object by ref
    }
}
