//! What a controller asks of a session besides plans.

use alloc::vec::Vec;

use super::{Session, SliceMark};
use crate::membership::change::{PodChange, PodVersion};
use crate::model::{NamespacedName, Service};
use crate::tracker::TrackedSlice;

impl Session {
    /// Does anybody keep slices for the Service ([`Service::is_reconciled`])? `None` when there is no such Service.
    pub fn is_reconciled(&self, key: &NamespacedName) -> Option<bool> {
        let number = self.services.find(&key.namespace, &key.name)?;
        let state = self.services.state(number)?;
        Some(Service::is_reconciled(&state.service))
    }

    /// The Services that select the pod as it is now, by name.
    pub fn services_of_pod(&self, key: &NamespacedName) -> Vec<NamespacedName> {
        let number = self.pods.find(&self.names, &key.namespace, &key.name);
        let pod = number.and_then(|number| self.whole_pod(number));
        let version = pod.as_ref().map(|pod| PodVersion {
            pod,
            resource_version: "",
        });
        let change = PodChange::new(None, version);
        let services = change.map(|change| change.services(&self.selectors));
        services.into_iter().flatten().cloned().collect()
    }

    /// What is known of a slice.
    pub fn slice_mark(&self, key: &NamespacedName) -> Option<SliceMark> {
        let number = self.slices.find(&key.namespace, &key.name)?;
        self.slices.get(number).map(|slice| self.mark(&slice.head))
    }
}

impl SliceMark {
    /// Has it been a slice of its Service to write, and is no longer?
    pub fn is_left_by(&self, new: &Self) -> bool {
        let is_counted = |mark: &Self| mark.is_ours && !mark.is_terminating;
        is_counted(self) && (!is_counted(new) || self.service != new.service)
    }

    /// The Service it belongs to; `None` when it does not say.
    pub fn service_key(&self) -> Option<NamespacedName> {
        (!self.service.is_empty()).then(|| NamespacedName {
            namespace: self.key.namespace.clone(),
            name: self.service.clone(),
        })
    }
}

impl TrackedSlice for SliceMark {
    fn namespace(&self) -> &str {
        &self.key.namespace
    }

    fn service_name(&self) -> &str {
        &self.service
    }

    fn uid(&self) -> &str {
        &self.uid
    }

    fn generation(&self) -> i64 {
        self.generation
    }
}
