//! Changes that an [API server in memory](slicewise::api_server) reports to watches, as events.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::time::Duration;

use slicewise::api_server::Change;
use slicewise::model::NamespacedName;

use super::{Controller, Event, Kind, Reception, Versioned};

/// The event for a controller.
impl From<Change> for Event<'static> {
    fn from(change: Change) -> Self {
        if change.is_deletion {
            return removal(&change);
        }
        let slice = Arc::unwrap_or_clone(change.slice);
        Event::Set(Box::new(Versioned::slice(slice)))
    }
}

impl Controller {
    /// Takes a change of a slice without copying the slice.
    pub fn handle_change(&mut self, change: &Change, now: Duration) -> Reception {
        if change.is_deletion {
            self.handle(removal(change), now)
        } else {
            self.handle_slice(&change.slice, now)
        }
    }
}

fn removal(change: &Change) -> Event<'static> {
    Event::Removed {
        kind: Kind::EndpointSlice,
        key: NamespacedName::of(&*change.slice),
        resource_version: change.slice.metadata.resource_version.clone(),
    }
}
