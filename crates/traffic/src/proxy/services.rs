//! The Services that a proxy knows, and which of them have changed since the last sync.
//!
//! Reference: `ServiceChangeTracker`. A change that is reverted before a sync does not count.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString;
use alloc::vec::Vec;

use slicewise::model::{AddressType, NamespacedName};

use super::endpoint::{ServicePortName, UDP};
use super::service::ProxiedService;
use super::service_port::{Ports, ServicePortInfo, ports};
use super::slice::PortKey;

/// The Services, each with its ports in one address family.
#[derive(Clone, Debug)]
pub(super) struct ProxiedServices {
    family: AddressType,
    services: BTreeMap<NamespacedName, ProxiedServiceState>,
    changed: BTreeSet<NamespacedName>,
}

/// A Service that exists, or existed at the last sync.
#[derive(Clone, Debug, Default)]
struct ProxiedServiceState {
    /// As of the last sync.
    applied: Ports,
    /// Its current ports, if they differ.
    current: Option<Ports>,
    is_there: bool,
}

impl ProxiedServices {
    pub(super) const fn new(family: AddressType) -> Self {
        Self {
            family,
            services: BTreeMap::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Adds or changes a Service; is anything to be synced?
    pub(super) fn set(&mut self, service: &ProxiedService<'_>) -> bool {
        let current = ports(service, self.family);
        self.change(service.key(), current, true)
    }

    /// Removes a Service; is anything to be synced?
    pub(super) fn remove(&mut self, service: &NamespacedName) -> bool {
        let is_known = self
            .services
            .get(service)
            .is_some_and(|known| known.is_there);
        if is_known {
            return self.change(service.clone(), None, false);
        }
        self.is_changed()
    }

    /// Is anything to be synced?
    pub(super) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    fn change(&mut self, service: NamespacedName, current: Ports, is_there: bool) -> bool {
        let known = self.services.entry(service.clone()).or_default();
        known.is_there = is_there;
        known.current = (current != known.applied).then_some(current);
        if known.current.is_some() {
            self.changed.insert(service);
        } else {
            self.changed.remove(&service);
            if !is_there {
                self.services.remove(&service);
            }
        }
        self.is_changed()
    }

    /// Applies the changes; returns the Services that have any, and the UDP ports that are removed (reference:
    /// `ServicePortMap.Update`).
    pub(super) fn sync(&mut self) -> (BTreeSet<NamespacedName>, Vec<ServicePortInfo>) {
        let changed = core::mem::take(&mut self.changed);
        let mut deleted = Vec::new();
        for service in &changed {
            if let Some(known) = self.services.get_mut(service) {
                if let Some(current) = known.current.take() {
                    let before = core::mem::replace(&mut known.applied, current);
                    let is_kept = |key: &PortKey| {
                        let ports = known.applied.as_ref();
                        ports.is_some_and(|ports| ports.contains_key(key))
                    };
                    let gone = before.into_iter().flatten();
                    let gone = gone.filter(|(key, port)| port.protocol == UDP && !is_kept(key));
                    deleted.extend(gone.map(|(_, port)| port));
                }
                if !known.is_there {
                    self.services.remove(service);
                }
            }
        }
        (changed, deleted)
    }

    /// The ports as of the last sync, sorted.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ServicePortName, &ServicePortInfo)> {
        self.services.iter().flat_map(|(service, known)| {
            let ports = known.applied.iter().flatten();
            ports.map(|(key, info)| {
                let name = ServicePortName {
                    service: service.clone(),
                    port: key.name.to_string(),
                    protocol: key.protocol.to_string(),
                };
                (name, info)
            })
        })
    }

    /// A port as of the last sync.
    pub(super) fn get(&self, name: &ServicePortName) -> Option<&ServicePortInfo> {
        let key = PortKey {
            name: name.port.as_str().into(),
            protocol: name.protocol.as_str().into(),
        };
        self.services
            .get(&name.service)?
            .applied
            .as_ref()?
            .get(&key)
    }
}
