//! Decides which Services need a sync after an event, and when.
//!
//! Reference: the event handlers of `endpointslice_controller.go`, `syncPod` and `checkNodeTopologyDistribution`.

use alloc::vec::Vec;

use slicewise::model::{EndpointSlice, NamespacedName, Service};
use slicewise::tracker::{ListMoment, TrackedSlice};

use super::Controller;
use crate::session::event::{Kind, ObjectRef, Versioned, VersionedRef};
use crate::session::follow::SessionFollower;
use crate::session::{Session, SliceSummary};

impl Controller {
    /// Is it a Service whose deletion still waits for its sync? It no longer counts as known.
    fn is_deleted(&self, kind: Kind, key: &NamespacedName) -> bool {
        kind == Kind::Service && self.deleted.contains(key)
    }

    fn set_service(&mut self, key: NamespacedName, service: &Service<'_>) {
        self.session.set_service(service);
        self.deleted.remove(&key);
        self.queue.add(key);
    }

    /// Before work begins, Services may arrive after their pods, so they are looked up when it does.
    fn pod_changed(&mut self, pod: NamespacedName, services: Vec<NamespacedName>) {
        if !self.unsynced.is_empty() {
            self.early_pods.insert(pod);
        }
        self.queue_pods_services(services);
    }

    fn queue_pods_services(&mut self, services: Vec<NamespacedName>) {
        let delay = self.config.endpoint_updates_batch_period;
        for service in services {
            if !self.deleted.contains(&service) {
                self.queue.add_after(service, delay, self.now);
            }
        }
    }

    fn set_slice(&mut self, key: &NamespacedName, slice: &EndpointSlice<'_>) {
        let old = self.session.set_slice(slice);
        let Some(new) = self.session.slice_summary(key) else {
            return;
        };
        if let Some(old) = old.as_ref().filter(|old| old.is_tracked()) {
            self.tracker.lose(old);
        }
        if new.is_tracked() {
            self.tracker.see(&new);
        }
        // Another slice of the same name: the deletion of the old one was missed.
        let old = match old {
            Some(old) if old.uid != new.uid => {
                self.slice_gone(&old);
                None
            }
            old => old,
        };
        if let Some(old) = old.as_ref().filter(|old| old.is_left_by(&new))
            && self.is_shown(old)
        {
            // The reference keeps waiting for it, and no longer syncs its Service.
            self.tracker.handle_deletion(old);
        }
        let is_news = new.is_ours && self.tracker.should_sync(&new);
        match old {
            Some(old) if old.service != new.service => {
                self.queue_slices_service(&new);
                self.queue_slices_service(&old);
            }
            Some(old) if old.is_ours != new.is_ours => self.queue_slices_service(&new),
            _ if is_news => self.queue_slices_service(&new),
            _ => {}
        }
    }

    fn slice_gone(&mut self, summary: &SliceSummary) {
        let is_waited_for = summary.is_ours && self.tracker.has(summary);
        if is_waited_for && self.is_shown(summary) && !self.tracker.handle_deletion(summary) {
            self.queue_slices_service(summary);
        }
    }

    /// Does this event include our last write to the slice? Only a list from before the write does not: in that case,
    /// the Service is stale until the watch has caught up.
    fn is_shown(&self, summary: &SliceSummary) -> bool {
        let moment = self.slice_list.as_ref();
        moment.is_none_or(|moment| self.tracker.is_shown(summary, *moment))
    }

    fn queue_slices_service(&mut self, summary: &SliceSummary) {
        if let Some(service) = summary.service_key() {
            let delay = self.config.slice_delay();
            self.queue.add_after(service, delay, self.now);
        }
    }

    /// Without this, a written slice that was deleted or replaced before any event reported it would be expected
    /// forever.
    fn expect_only_listed(&mut self) {
        let Some(moment) = self.slice_list.take() else {
            return;
        };
        let uids = |service: &NamespacedName| {
            let slices = self.session.tracked_slices(service);
            slices.map(TrackedSlice::uid).collect()
        };
        let delay = self.config.slice_delay();
        for service in self.tracker.retain_slices(moment, uids) {
            self.queue.add_after(service, delay, self.now);
        }
    }

    /// Does what had to wait until all kinds were listed.
    pub(super) fn begin_work(&mut self) {
        for pod in core::mem::take(&mut self.early_pods) {
            let services = self.session.services_of_pod(&pod);
            self.queue_pods_services(services);
        }
        if core::mem::take(&mut self.nodes_changed) {
            for service in self.session.overloaded_services() {
                self.queue.add(service);
            }
        }
    }
}

impl SessionFollower for Controller {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn set(&mut self, seen: VersionedRef<'_>) {
        let key = seen.object.key();
        match seen.object {
            ObjectRef::Service(service) => self.set_service(key, service),
            ObjectRef::Pod(pod) => {
                let services = self.session.set_pod(pod, seen.resource_version);
                self.pod_changed(key, services);
            }
            ObjectRef::Node(node) => self.nodes_changed |= self.session.set_node(node),
            ObjectRef::EndpointSlice(slice) => self.set_slice(&key, slice),
        }
    }

    fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        if self.is_deleted(kind, key) || !self.session.has(kind, key) {
            return false;
        }
        match kind {
            Kind::Service => {
                // Its state is dropped by its sync, so a Service that is recreated before that keeps its hints and
                // trigger times, as in the reference.
                self.deleted.insert(key.clone());
                self.queue.add(key.clone());
            }
            Kind::Pod => {
                let services = self.session.remove_pod(key);
                self.early_pods.remove(key);
                self.queue_pods_services(services);
            }
            Kind::Node => self.nodes_changed |= self.session.remove_node(&key.name),
            Kind::EndpointSlice => {
                if let Some(summary) = self.session.remove_slice(key) {
                    if summary.is_tracked() {
                        self.tracker.lose(&summary);
                    }
                    self.slice_gone(&summary);
                }
            }
        }
        true
    }

    /// A running pod or a node should not lose its endpoints because of one bad field: the last version stays.
    fn set_aside(&mut self, _: Kind, _: &NamespacedName) {}

    fn comes_late(&mut self, kind: Kind, (namespace, name): (&str, &str), version: &str) -> bool {
        if kind == Kind::Service && !self.deleted.is_empty() {
            let key = NamespacedName {
                namespace: namespace.into(),
                name: name.into(),
            };
            if self.deleted.contains(&key) {
                return self.session.is_before_deletion(kind, &key, version);
            }
        }
        self.session.is_late(kind, (namespace, name), version)
    }

    fn list_begins(&mut self, kind: Kind, all: Option<(&[Versioned<'_>], &str)>) {
        let is_slices = kind == Kind::EndpointSlice;
        match all {
            Some((objects, version)) => {
                self.slice_list = is_slices.then(|| moment(objects, version));
            }
            None if is_slices => {
                self.slice_list = Some(ListMoment::AfterWrites(self.tracker.writes()));
            }
            None => {}
        }
    }

    fn list_ends(&mut self, kind: Kind) {
        if kind == Kind::EndpointSlice {
            self.expect_only_listed();
        }
        self.unsynced.remove(&kind);
    }

    fn resync(&mut self) {
        for service in self.session.keys(Kind::Service) {
            if !self.deleted.contains(&service) {
                self.queue.add(service);
            }
        }
        for key in self.session.keys(Kind::EndpointSlice) {
            let summary = self.session.slice_summary(&key);
            if let Some(summary) =
                summary.filter(|summary| summary.is_ours && self.tracker.should_sync(summary))
            {
                self.queue_slices_service(&summary);
            }
        }
    }
}

/// The version that a list of slices shows: its own or, if it has none, that of the latest slice in it, because the
/// list cannot be older.
fn moment(slices: &[Versioned<'_>], version: &str) -> ListMoment {
    let number = |version: &str| version.parse().ok();
    let versions = slices.iter().map(|slice| &slice.resource_version);
    let version = number(version).or_else(|| versions.filter_map(|version| number(version)).max());
    version.map_or(ListMoment::Unknown, ListMoment::Version)
}
