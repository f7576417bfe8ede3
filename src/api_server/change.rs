//! Changes that the server reports to watches.

use crate::plan::writing::StoredSlice;
//! Changes that the server reports to watches.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::time::Duration;

use crate::controller::{Controller, Event, Kind, Reception, Versioned};
use crate::model::NamespacedName;
use crate::plan::writing::StoredSlice;

/// A change, as a watch reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Was the slice deleted? If so, this is its last state.
    pub is_deletion: bool,
    /// The slice.
    pub slice: StoredSlice,
}

/// The event for a controller.
impl From<Change> for Event<'static> {
    fn from(change: Change) -> Self {
        if change.is_deletion {
            return change.removal();
        let slice = Arc::unwrap_or_clone(change.slice);
        Event::Set(Box::new(Versioned::slice(slice)))
    }

impl Change {
    /// Passes it to a controller without copying the slice.
    pub fn tell(&self, controller: &mut Controller, now: Duration) -> Reception {
        if self.is_deletion {
            controller.handle(self.removal(), now)
        } else {
            controller.handle_slice(&self.slice, now)
        }

    fn removal(&self) -> Event<'static> {
        Event::Removed {
            kind: Kind::EndpointSlice,
            key: NamespacedName::of(&*self.slice),
            resource_version: self.slice.metadata.resource_version.clone(),
