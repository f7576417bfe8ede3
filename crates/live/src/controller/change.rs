//! Changes that an [API server in memory](crate::api_server) reports to watches, as events.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::time::Duration;

use crate::api_server::StoredChange;
use slicewise::model::NamespacedName;

use super::{ClusterEvent, Controller, Kind, Reception, Versioned};

/// The event for a controller.
impl From<StoredChange> for ClusterEvent<'static> {
    fn from(change: StoredChange) -> Self {
        if change.is_deletion {
            return removal(&change);
        }
        let slice = Arc::unwrap_or_clone(change.slice);
        ClusterEvent::Set(Box::new(Versioned::slice(slice)))
    }
}

impl Controller {
    /// Takes a change of a slice without copying the slice.
    pub fn handle_change(&mut self, change: &StoredChange, now: Duration) -> Reception {
        if change.is_deletion {
            self.handle(removal(change), now)
        } else {
            self.handle_slice(&change.slice, now)
        }
    }
}

fn removal(change: &StoredChange) -> ClusterEvent<'static> {
    ClusterEvent::Removed {
        kind: Kind::EndpointSlice,
        key: NamespacedName::of(&*change.slice),
        resource_version: change.slice.metadata.resource_version.clone(),
    }
}
