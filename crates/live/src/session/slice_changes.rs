//! Changes of EndpointSlices, and how they become settled or open.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use slicewise::model::{AddressType, EndpointPort, EndpointSlice, NamespacedName, PortMapKey};
use slicewise::reconcile::hint_facts::HintFacts;

use super::event::Kind;
use super::ids::{PodId, ServiceId, SliceId};
use super::known_endpoints::{self, KnownEndpoint, take};
use super::slices::{self, KnownSlice, SliceComparison};
use super::{Session, SliceSummary};

impl Session {
    /// Adds or changes an EndpointSlice. Returns the summary of its previous state.
    pub fn set_slice(&mut self, slice: &EndpointSlice<'_>) -> Option<SliceSummary> {
        self.note_given(Kind::EndpointSlice, slice);
        let metadata = &slice.metadata;
        let before = self.slices.find(&metadata.namespace, &metadata.name);
        let (mut known, pods) = self.known_slice(slice, before);
        if let Some(before) = before.and_then(|before| self.slices.get(before)) {
            known.comparison = slices::compared(before, &known);
        }
        let mut stay = pods.clone();
        stay.sort_unstable();
        let place = (known.service, known.family);
        let summary = before.and_then(|before| {
            self.take_slice(before, |pod, of| {
                of == place && stay.binary_search(&pod).is_ok()
            })
        });
        let id = self.slices.insert(known);
        if let (Some(observed), Some(known)) = (&mut self.observed, self.slices.get(id)) {
            observed.note_slice(id, known);
        }
        for pod in pods {
            if let Some(pod) = self.pods.get_mut(pod) {
                pod.slices.insert(id);
            }
        }
        self.file_slice(id);
        if let Some(before) = summary.as_ref().and_then(|(_, service, _)| *service) {
            self.services.forget_unused(before);
        }
        summary.map(|(summary, _, pods)| {
            for pod in pods {
                self.pods.forget_unused(&mut self.names, pod);
            }
            summary
        })
    }

    /// Removes an EndpointSlice. Returns the summary of its previous state.
    pub fn remove_slice(&mut self, key: &NamespacedName) -> Option<SliceSummary> {
        let id = self.slices.find(&key.namespace, &key.name)?;
        let (summary, service, pods) = self.take_slice(id, |_, _| false)?;
        for pod in pods {
            self.pods.forget_unused(&mut self.names, pod);
        }
        if let Some(service) = service {
            self.services.forget_unused(service);
        }
        Some(summary)
    }

    /// Marks an endpoint of a slice as needing comparison.
    pub(super) fn doubt(&mut self, id: SliceId, pod: PodId) {
        self.unsettle(id);
        if let Some(slice) = self.slices.get_mut(id)
            && let SliceComparison::Touched(pods) = &mut slice.comparison
        {
            pods.insert(pod);
        }
    }

    /// Makes a settled slice touched.
    pub(super) fn unsettle(&mut self, id: SliceId) {
        let Some(slice) = self.slices.get_mut(id) else {
            return;
        };
        let (Some(service), Some(family)) = (slice.service, slice.family) else {
            return;
        };
        if !slice.is_settled() {
            return;
        }
        if let Some(state) = self.services.state_mut(service) {
            state.open.insert(id);
            let settled = state.settled.of_mut(family);
            if let Some(group) = settled.get_mut(&slice.ports) {
                group.remove(id, slice.name(), slice.endpoints.len(), &slice.facts);
                if group.len() == 0 {
                    settled.remove(&slice.ports);
                }
            }
        }
        slice.comparison = SliceComparison::Touched(BTreeSet::new());
    }

    /// The stored form of a slice that replaces another, and the pods it names.
    pub(super) fn known_slice(
        &mut self,
        slice: &EndpointSlice<'_>,
        before: Option<SliceId>,
    ) -> (KnownSlice, Vec<PodId>) {
        let head = slice.borrowed().into_owned();
        let summary = SliceSummary::new(&head, self.options.settings().managed_by);
        let is_looked_at = summary.is_tracked();
        let namespace = &summary.key.namespace;
        let service = is_looked_at.then(|| self.services.id_of(namespace, &summary.service));
        let mut endpoints = Vec::new();
        if is_looked_at || self.observed.is_some() {
            let before = before.and_then(|before| self.slices.get(before));
            let before = before.map_or(&[][..], |before| &before.endpoints);
            let before = before.iter().map(Some).chain(core::iter::repeat(None));
            let taken = slice.endpoints.iter().zip(before);
            let (names, pods) = (&mut self.names, &mut self.pods);
            endpoints = taken
                .map(|(endpoint, before)| take(names, pods, namespace, endpoint, before))
                .collect();
        }
        let pods = endpoints.iter().filter_map(KnownEndpoint::pod);
        let pods = pods.collect();
        let family = AddressType::named(&head.address_type);
        let ports = head.ports.iter().cloned().map(EndpointPort::into_owned);
        let ports = PortMapKey::new(&ports.collect::<Vec<_>>());
        let known = KnownSlice {
            head,
            endpoints,
            service,
            family,
            ports,
            facts: if is_looked_at {
                HintFacts::of(slice)
            } else {
                HintFacts::default()
            },
            comparison: SliceComparison::Open,
        };
        (known, pods)
    }

    /// Removes a slice; its Service and pods may become unused. Pods that do not `stay` in it may no longer be in any
    /// slice.
    pub(super) fn take_slice(
        &mut self,
        id: SliceId,
        stays: impl Fn(PodId, (Option<ServiceId>, Option<AddressType>)) -> bool,
    ) -> Option<(SliceSummary, Option<ServiceId>, Vec<PodId>)> {
        self.unsettle(id);
        let slice = self.slices.get(id)?;
        if let Some(known) = slice
            .service
            .and_then(|service| self.services.get_mut(service))
        {
            known.slices.retain(|other| *other != id);
            if let Some(state) = known.state.as_deref_mut() {
                state.open.remove(&id);
            }
        }
        let slice = self.slices.remove(id)?;
        if let Some(observed) = &mut self.observed {
            observed.forget_slice(id, &slice);
        }
        let mut pods = Vec::new();
        let state = slice
            .service
            .and_then(|service| self.services.state_mut(service))
            .filter(|state| !state.is_dirty);
        if let (Some(state), Some(family)) = (state, slice.family) {
            let place = (slice.service, slice.family);
            let pods = slice.endpoints.iter().filter_map(KnownEndpoint::pod);
            let leaving = pods.filter(|pod| !stays(*pod, place));
            state.pending.of_mut(family).extend(leaving);
        }
        for endpoint in &slice.endpoints {
            known_endpoints::release(&mut self.names, endpoint);
            if let Some(pod) = endpoint.pod() {
                if let Some(known) = self.pods.get_mut(pod) {
                    known.slices.remove(id);
                }
                pods.push(pod);
            }
        }
        let summary = SliceSummary::new(&slice.head, self.options.settings().managed_by);
        Some((summary, slice.service, pods))
    }

    /// Adds a slice to its Service.
    pub(super) fn file_slice(&mut self, id: SliceId) {
        let Some(slice) = self.slices.get(id) else {
            return;
        };
        let Some(known) = slice
            .service
            .and_then(|service| self.services.get_mut(service))
        else {
            return;
        };
        let slices = &self.slices;
        let is_before = |other: &SliceId| {
            slices
                .get(*other)
                .is_some_and(|other| other.name() < slice.name())
        };
        let place = known.slices.partition_point(is_before);
        known.slices.insert(place, id);
        if let Some(state) = known.state.as_deref_mut() {
            state.open.insert(id);
        }
    }

    /// Slices that contain a pod's old uid must keep it when the uid changes.
    pub(super) fn keep_uid_in_slices(&mut self, pod: PodId) {
        let Some(known) = self.pods.get(pod) else {
            return;
        };
        for slice in known.slices.iter() {
            let Some(slice) = self.slices.get_mut(slice) else {
                continue;
            };
            for endpoint in slice
                .endpoints
                .iter_mut()
                .filter(|endpoint| endpoint.pod() == Some(pod))
            {
                let whole = known_endpoints::whole(&self.names, &self.pods, endpoint).into_owned();
                known_endpoints::release(&mut self.names, endpoint);
                *endpoint = KnownEndpoint::Other(Box::new(whole), Some(pod));
            }
        }
    }

    pub(super) fn whole_slice(&self, id: SliceId) -> EndpointSlice<'_> {
        self.slices.whole(&self.names, &self.pods, id)
    }

    /// Opens all slices of a Service.
    pub(super) fn open_all(&mut self, service: ServiceId) {
        for slice in self.slices_of(service) {
            if let Some(slice) = self.slices.get_mut(slice) {
                slice.comparison = SliceComparison::Open;
            }
        }
    }
}
