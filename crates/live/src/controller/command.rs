//! Everything that the controller may request or report.

use alloc::boxed::Box;
use alloc::string::String;
use core::convert::Infallible;
use core::time::Duration;

use slicewise::model::NamespacedName;
use slicewise::plan::Plan;
use slicewise::topology::events::Event;

use crate::metrics::SyncOutcome;

/// What the controller requests or reports, in order. `P` is what the caller keeps of a plan.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that ignores a command is a wrong driver"
)]
pub enum Command<P = Box<Plan<'static>>> {
    /// Write this plan, even if it is empty, and call [`super::Controller::complete`]. Until then, the Service is not
    /// synced again.
    Sync {
        /// The Service.
        service: NamespacedName,
        /// What to write.
        plan: P,
    },
    /// A sync has ended; reported for every sync, with or without a plan.
    Ended {
        /// The Service.
        service: NamespacedName,
        /// How it ended.
        result: SyncOutcome,
        /// It failed too often, and is dropped until something about the Service changes.
        is_dropped: bool,
    },
    /// Publish an event on the Service.
    Publish {
        /// The Service.
        service: NamespacedName,
        /// The event.
        event: Event,
    },
    /// The Service will be synced again because its sync failed. The caller only has to call [`super::Controller::due`]
    /// in time.
    Retry {
        /// The Service.
        service: NamespacedName,
        /// The delay from now.
        after: Duration,
        /// How often it has failed.
        retries: u32,
    },
}

/// A command without a plan.
pub(super) type Notice = Command<Infallible>;

impl Notice {
    /// The same for any type of plan.
    pub(super) fn for_any<P>(self) -> Command<P> {
        match self {
            Self::Sync { plan, .. } => match plan {},
            Self::Ended {
                service,
                result,
                is_dropped,
            } => Command::Ended {
                service,
                result,
                is_dropped,
            },
            Self::Publish { service, event } => Command::Publish { service, event },
            Self::Retry {
                service,
                after,
                retries,
            } => Command::Retry {
                service,
                after,
                retries,
            },
        }
    }
}

/// Why a caller could not process a plan at all: its own store failed. This cannot happen with this crate's store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListError {
    /// Pods could not be listed, for this reason.
    Pods(String),
    /// EndpointSlices could not be listed, for this reason.
    EndpointSlices(String),
}
