//! All slices by Service: updates are recorded as they arrive, changes are computed on request.
//!
//! Reference: `EndpointSliceCache` and `EndpointsChangeTracker`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString;
use alloc::vec::Vec;

use slicewise::model::order::sort_by;
use slicewise::model::{AddressType, EndpointSlice, NamespacedName, SortedMap, Timestamp, keys};

use super::endpoint::{PortEndpoint, ServiceEndpoint, ServicePortName, by_text};
use super::merged;
use super::pending::ReceivedSlice;
use super::slice::{PortKey, SliceView};
use super::tracker::Tracker;

/// The slices of one address type.
#[derive(Clone, Debug)]
pub(super) struct ProxySlices {
    view: SliceView,
    address_type: AddressType,
    /// Only later trigger times are reported.
    started: Option<Timestamp>,
    services: BTreeMap<NamespacedName, Tracker>,
    /// Services with pending changes.
    pending: BTreeSet<NamespacedName>,
}

/// The changes of endpoints in a sync.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) services: BTreeSet<NamespacedName>,
    pub(super) trigger_times: SortedMap<NamespacedName, Vec<Timestamp>>,
    pub(super) has_udp: bool,
    pub(super) deleted: Vec<ServiceEndpoint>,
    pub(super) gained: Vec<ServicePortName>,
}

impl ProxySlices {
    pub(super) fn new(
        view: SliceView,
        address_type: AddressType,
        started: Option<Timestamp>,
    ) -> Self {
        Self {
            view,
            address_type,
            started,
            services: BTreeMap::new(),
            pending: BTreeSet::new(),
        }
    }

    /// Records a slice that was set or removed; is that a change? It is not for slices of another address type, or
    /// without a Service.
    pub(super) fn record(&mut self, seen: ReceivedSlice<'_>, is_removed: bool) -> bool {
        let slice = seen.slice();
        if slice.address_type != self.address_type.as_str() {
            return false;
        }
        let Some(service) = service_of(slice) else {
            return false;
        };
        let tracker = match self.services.get_mut(&service) {
            Some(tracker) => tracker,
            // If the Service has no slices, none can be removed.
            None if is_removed => return false,
            None => self.services.entry(service.clone()).or_default(),
        };
        let time = trigger_time(slice, self.started);
        let is_news = tracker.record(seen, is_removed, &self.view);
        if is_news && is_removed {
            tracker.trigger_times.clear();
        } else if is_news {
            tracker.trigger_times.extend(time);
        }
        if is_news {
            self.pending.insert(service);
        }
        is_news
    }

    /// Records that a slice is no longer selected, if it was. The reference's watch reports that once, as if the slice
    /// had been deleted, and nothing about it from then on.
    pub(super) fn leave_out(&mut self, seen: ReceivedSlice<'_>) -> bool {
        let slice = seen.slice();
        let tracker = service_of(slice).and_then(|service| self.services.get(&service));
        tracker.is_some_and(|tracker| tracker.has(&slice.metadata.name)) && self.record(seen, true)
    }

    /// Applies the pending changes.
    pub(super) fn sync(&mut self) -> Changed {
        let mut changed = Changed {
            services: core::mem::take(&mut self.pending),
            ..Changed::default()
        };
        let mut times = Vec::new();
        for service in &changed.services {
            let Some(tracker) = self.services.get_mut(service) else {
                continue;
            };
            let changes = tracker.sync(&self.view);
            changed.has_udp |= changes.has_udp;
            let deleted = changes.deleted.into_iter();
            changed
                .deleted
                .extend(deleted.map(|(key, host, port)| ServiceEndpoint {
                    service_port: name(service, &key),
                    host,
                    port,
                }));
            let gained = changes.gained.iter();
            changed.gained.extend(gained.map(|key| name(service, key)));
            let triggered = core::mem::take(&mut tracker.trigger_times);
            if !triggered.is_empty() {
                times.push((service.clone(), triggered));
            }
            if tracker.is_empty() {
                self.services.remove(service);
            }
        }
        changed.trigger_times = times.into_iter().collect();
        sort_by(&mut changed.deleted, |one, other| {
            let by_service = one.service_port.cmp(&other.service_port);
            let by_host = by_service.then(one.host.cmp(&other.host));
            by_host.then_with(|| by_text(one.port, other.port))
        });
        changed
    }

    /// Are any changes pending?
    pub(super) fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The service ports with endpoints, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = ServicePortName> {
        self.services
            .iter()
            .flat_map(|(service, tracker)| tracker.keys().map(|key| name(service, key)))
    }

    /// Calls `give` with each endpoint of a service port, sorted by name, and the name of its slice.
    pub(super) fn for_each<'s>(
        &'s self,
        name: &ServicePortName,
        give: impl FnMut(&'s str, PortEndpoint<'s>),
    ) {
        if let Some(tracker) = self.services.get(&name.service) {
            let key = PortKey {
                name: name.port.as_str().into(),
                protocol: name.protocol.as_str().into(),
            };
            merged::for_each(tracker, &key, give);
        }
    }
}

fn name(service: &NamespacedName, key: &PortKey) -> ServicePortName {
    ServicePortName {
        service: service.clone(),
        port: key.name.to_string(),
        protocol: key.protocol.to_string(),
    }
}

/// The Service of a slice, if the slice has all the necessary names (reference: `endpointSliceCacheKeys`).
fn service_of(slice: &EndpointSlice<'_>) -> Option<NamespacedName> {
    let metadata = &slice.metadata;
    let service = metadata.labels.get(keys::SERVICE_NAME_LABEL)?;
    let has_names =
        !(service.is_empty() || metadata.namespace.is_empty() || metadata.name.is_empty());
    has_names.then(|| NamespacedName {
        namespace: metadata.namespace.to_string(),
        name: service.to_string(),
    })
}

/// When a slice's change was triggered, if it says so, and if the proxier was running by then.
fn trigger_time(slice: &EndpointSlice<'_>, started: Option<Timestamp>) -> Option<Timestamp> {
    let annotation = slice
        .metadata
        .annotations
        .get(keys::TRIGGER_TIME_ANNOTATION)?;
    let time = Timestamp::parse(annotation).filter(|time| !time.is_zero())?;
    started.is_none_or(|started| time > started).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_that_is_removed_unseen_leaves_nothing() {
        let view = SliceView {
            node_name: "n1".into(),
            with_node_hints: true,
        };
        let mut slices = ProxySlices::new(view, AddressType::IPv4, None);
        let text = r#"{"metadata": {"namespace": "shop", "name": "a", "labels": {"kubernetes.io/service-name": "cart"}},
            "addressType": "IPv4"}"#;
        let slice: EndpointSlice<'_> = serde_json::from_str(text).unwrap();
        assert!(!slices.record(ReceivedSlice::Borrowed(&slice), true));
        assert!(slices.services.is_empty());
        assert!(slices.record(ReceivedSlice::Borrowed(&slice), false));
        assert!(slices.record(ReceivedSlice::Borrowed(&slice), true));
        slices.sync();
        assert!(slices.services.is_empty());
    }
}
