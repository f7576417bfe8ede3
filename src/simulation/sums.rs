//! What is counted in a run, or in a part of it.

use core::ops::AddAssign;

use serde::Serialize;

/// Structures of figures, as reports hold them.
macro_rules! figures {
    ($($(#[$meta:meta])* pub struct $Name:ident { $($(#[$field_meta:meta])* pub $field:ident: $Type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $Name {
            $($(#[$field_meta])* pub $field: $Type,)*
        }
    )*};
}
pub(super) use figures;

figures! {
    /// What is counted.
    #[non_exhaustive]
    pub struct Sums {
        /// Writes of slices by the controller.
        pub writes: Writes,
        /// Their bytes, as JSON.
        pub bytes_written: u64,
        /// Events of slices, times those who watch.
        pub watch_events: u64,
        /// Their bytes, as JSON.
        pub bytes_to_watchers: u64,
        /// Endpoints in them.
        pub endpoints_to_watchers: u64,
        /// Syncs, by how they ended.
        pub syncs: Syncs,
        /// Syncs that were to be retried.
        pub retries: u64,
        /// Events that the controller published.
        pub published: u64,
        /// Families of Services whose hints continued or off.
        pub hint_flips: u64,
        /// Endpoint seconds of traffic that slices send to pods that should not have it, as the API server has them.
        pub misdirected_seconds: f64,
        /// Endpoint seconds of pods that should have traffic, and are not in a slice as ready.
        pub unused_seconds: f64,
        /// What one Endpoints object for each Service would have cost, written whenever a sync changes it, and not cut
        /// off at 1000 addresses.
        pub endpoints_object: EndpointsObject,
    }

    /// Writes by verb.
    #[non_exhaustive]
    pub struct Writes {
        /// Slices created.
        pub create: u64,
        /// Slices updated.
        pub update: u64,
        /// Slices deleted.
        pub delete: u64,
        /// Writes refused, or said to be.
        pub refused: u64,
    }

    /// Syncs by how they ended.
    #[non_exhaustive]
    pub struct Syncs {
        /// All was written.
        pub success: u64,
        /// The slices as known were too old.
        pub stale: u64,
        /// A write was refused, or something could not be planned.
        pub error: u64,
        /// Of these: failed once too often.
        pub dropped: u64,
    }

    /// The cost of Endpoints objects.
    #[non_exhaustive]
    pub struct EndpointsObject {
        /// Times an object was written.
        pub writes: u64,
        /// Bytes of it, as JSON.
        pub bytes_written: u64,
        /// The same, times those who watch.
        pub bytes_to_watchers: u64,
    }
}

impl Writes {
    /// Writes that were made.
    pub const fn made(&self) -> u64 {
        self.create + self.update + self.delete
    }
}

/// Adds field by field.
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
