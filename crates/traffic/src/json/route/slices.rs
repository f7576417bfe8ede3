//! Slices grouped by their Service.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slicewise::model::{EndpointSlice, Text, keys};

use crate::proxy::ProxiedService;

/// The slices of an input.
pub(in crate::json) struct RouteSlices<'s> {
    /// By namespace, then by the Service's name; slices without a Service are under the empty name.
    slices: BTreeMap<&'s str, BTreeMap<&'s str, Vec<&'s EndpointSlice<'s>>>>,
}

impl<'s> RouteSlices<'s> {
    pub(in crate::json) fn new(slices: &'s [EndpointSlice<'s>]) -> Self {
        let mut by_service: BTreeMap<&str, BTreeMap<&str, Vec<_>>> = BTreeMap::new();
        for slice in slices {
            let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
            let service = service.map_or("", Text::as_str);
            let namespace = by_service.entry(&slice.metadata.namespace).or_default();
            namespace.entry(service).or_default().push(slice);
        }
        Self { slices: by_service }
    }

    /// The slices of a Service.
    pub(in crate::json) fn of(&self, service: &ProxiedService<'_>) -> &[&'s EndpointSlice<'s>] {
        let metadata = &service.metadata;
        self.at(&metadata.namespace, &metadata.name)
    }

    /// The slices of a namespace that name no Service.
    pub(in crate::json) fn without_service(&self, namespace: &str) -> &[&'s EndpointSlice<'s>] {
        self.at(namespace, "")
    }

    fn at(&self, namespace: &str, service: &str) -> &[&'s EndpointSlice<'s>] {
        let namespace = self.slices.get(namespace);
        let found = namespace.and_then(|services| services.get(service));
        found.map_or(&[], Vec::as_slice)
    }
}
