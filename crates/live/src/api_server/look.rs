//! Queries of the server's state.

use alloc::sync::Arc;

use super::ApiServer;
use slicewise::model::{EndpointSlice, NamespacedName};

impl ApiServer {
    /// The slices that name a Service, sorted by name.
    pub fn slices_of<'s>(
        &'s self,
        service: &NamespacedName,
    ) -> impl Iterator<Item = &'s EndpointSlice<'static>> {
        self.slices().filter(|slice| slice.names(service))
    }

    /// A slice.
    pub fn slice(&self, key: &NamespacedName) -> Option<&EndpointSlice<'static>> {
        self.slices.get(key).map(Arc::as_ref)
    }
}
