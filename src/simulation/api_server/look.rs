//! What can be looked up in the server.

use alloc::sync::Arc;

use super::ApiServer;
use crate::model::{EndpointSlice, NamespacedName};

impl ApiServer {
    /// Those that name a Service, by name.
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
