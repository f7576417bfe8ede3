//! The metadata of the given slices, so that updates keep what the planner does not know.

use alloc::collections::BTreeMap;
use alloc::string::String;

use k8s_openapi::api::discovery::v1 as discovery;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;

use crate::model::EndpointSlice;

/// The metadata of the given slices, by namespace and name.
pub(super) struct Originals<'a>(BTreeMap<(&'a str, &'a str), &'a meta::ObjectMeta>);

impl<'a> Originals<'a> {
    pub(super) fn new(slices: &[&'a discovery::EndpointSlice]) -> Self {
        let text = |value: &'a Option<String>| value.as_deref().unwrap_or_default();
        let entry = |slice: &&'a discovery::EndpointSlice| {
            let metadata = &slice.metadata;
            ((text(&metadata.namespace), text(&metadata.name)), metadata)
        };
        Self(slices.iter().map(entry).collect())
    }

    pub(super) fn get(&self, slice: &EndpointSlice<'_>) -> Option<&'a meta::ObjectMeta> {
        self.0
            .get(&(slice.metadata.namespace.as_str(), slice.name()))
            .copied()
    }
}
