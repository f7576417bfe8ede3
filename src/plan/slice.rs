//! EndpointSlices in the types of any client.

use alloc::sync::Arc;

use crate::model::EndpointSlice;
use crate::tracker::SliceTracker;

/// An EndpointSlice in the types of some client, limited to what writing needs.
pub trait Slice {
    /// An owned slice as a server stores it.
    type Stored: Slice;

    /// The slice's name; empty before it is created.
    fn name(&self) -> &str;

    /// The prefix from which the API server generates a name.
    fn generate_name(&self) -> &str;

    /// The slice's family: `IPv4`, `IPv6`, or one that the API may add.
    fn address_type(&self) -> &str;

    /// The slice as if it were stored unchanged.
    fn to_stored(&self) -> Self::Stored;

    /// Tells the tracker that this slice was written.
    fn expect_in(&self, tracker: &mut SliceTracker);
}

/// A slice as a server stores it, shared by all users.
pub type StoredSlice = Arc<EndpointSlice<'static>>;

/// A shared slice is stored as it is.
impl<S: Slice> Slice for Arc<S> {
    type Stored = Self;

    fn name(&self) -> &str {
        S::name(self)
    }

    fn generate_name(&self) -> &str {
        S::generate_name(self)
    }

    fn address_type(&self) -> &str {
        S::address_type(self)
    }

    fn to_stored(&self) -> Self {
        Self::clone(self)
    }

    fn expect_in(&self, tracker: &mut SliceTracker) {
        S::expect_in(self, tracker);
    }
}

impl Slice for EndpointSlice<'_> {
    type Stored = StoredSlice;

    fn name(&self) -> &str {
        &self.metadata.name
    }

    fn generate_name(&self) -> &str {
        &self.metadata.generate_name
    }

    fn address_type(&self) -> &str {
        &self.address_type
    }

    fn to_stored(&self) -> StoredSlice {
        Arc::new(self.to_static())
    }

    fn expect_in(&self, tracker: &mut SliceTracker) {
        tracker.update(self);
    }
}
