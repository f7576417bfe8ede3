//! The objects that traffic depends on, read as their bytes arrive.

use slicewise::api::stream::streams;

use super::route::TrafficObjects;
use crate::routing::ClientSelector;

streams! {
    /// Reads the objects that traffic depends on, piece by piece.
    TrafficStream of TrafficObjects gives TrafficObjects;
}

impl TrafficStream<'_, '_> {
    /// Also reads pods: requests come from those that are selected.
    #[must_use]
    pub fn with_clients(mut self, clients: ClientSelector) -> Self {
        self.0.objects().clients = Some(clients);
        self
    }
}
