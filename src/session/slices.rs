//! The slices of a session, by name and by Service.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

use super::SliceMark;
use crate::model::{EndpointSlice, NamespacedName};

#[derive(Debug, Default)]
pub(super) struct Slices {
    all: BTreeMap<NamespacedName, (SliceMark, EndpointSlice<'static>)>,
    /// Names by the Service the slices say they belong to.
    by_service: BTreeMap<NamespacedName, BTreeSet<String>>,
}

impl Slices {
    pub(super) fn set(&mut self, mark: SliceMark, slice: &EndpointSlice<'_>) -> Option<SliceMark> {
        let key = mark.key.clone();
        let old = self.remove(&key);
        if let Some(service) = mark.service_key() {
            let names = self.by_service.entry(service).or_default();
            names.insert(key.name.clone());
        }
        self.all.insert(key, (mark, slice.clone().into_owned()));
        old
    }

    pub(super) fn remove(&mut self, key: &NamespacedName) -> Option<SliceMark> {
        let (mark, _) = self.all.remove(key)?;
        if let Some(service) = mark.service_key()
            && let Some(names) = self.by_service.get_mut(&service)
        {
            names.remove(&key.name);
            if names.is_empty() {
                self.by_service.remove(&service);
            }
        }
        Some(mark)
    }

    pub(super) fn mark(&self, key: &NamespacedName) -> Option<&SliceMark> {
        self.all.get(key).map(|(mark, _)| mark)
    }

    /// Those that say they belong to the Service, by name.
    pub(super) fn of(
        &self,
        service: &NamespacedName,
    ) -> impl Iterator<Item = (&SliceMark, &EndpointSlice<'static>)> {
        let namespace = service.namespace.clone();
        let names = self.by_service.get(service).into_iter().flatten();
        names.filter_map(move |name| {
            let key = NamespacedName {
                namespace: namespace.clone(),
                name: name.clone(),
            };
            self.all.get(&key).map(|(mark, slice)| (mark, slice))
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.by_service.is_empty()
    }
}
