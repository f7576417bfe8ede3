//! What is remembered of hints between syncs.
//!
//! Reference: `TopologyCache`. [`ServiceHints`] is the part that belongs to one Service; it travels as the opaque
//! `state` of a plan. [`TopologyCache`] keeps it for all Services and tells which are overloaded after the
//! nodes changed.

use alloc::collections::BTreeMap;
use alloc::string::String;

use serde::Serialize;

use super::allocation;
use super::nodes::ZoneShare;
use crate::model::object::slim_object;
use crate::model::{AddressType, NamespacedName, SortedMap};

/// Endpoints hinted to each zone.
pub type ZoneCounts = SortedMap<String, i64>;

slim_object! {
    /// Hints of one Service as the last sync left them.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct ServiceHints("the `state` of a previous plan") refuse {
        /// Have hints been given? One flag for both families, as in the reference.
        "populated" pub populated: bool;
        /// Hints by zone, for IPv4.
        #[serde(rename = "IPv4", skip_serializing_if = "Option::is_none")]
        "IPv4" pub ipv4: Option<ZoneCounts>;
        /// Hints by zone, for IPv6.
        #[serde(rename = "IPv6", skip_serializing_if = "Option::is_none")]
        "IPv6" pub ipv6: Option<ZoneCounts>;
    }
}

impl ServiceHints {
    const fn family(&mut self, address_type: AddressType) -> &mut Option<ZoneCounts> {
        match address_type {
            AddressType::IPv4 => &mut self.ipv4,
            AddressType::IPv6 => &mut self.ipv6,
        }
    }

    /// Remembers that hints are given.
    pub fn set(&mut self, address_type: AddressType, zones: ZoneCounts) {
        *self.family(address_type) = Some(zones);
        self.populated = true;
    }

    /// Forgets the hints of a family. The flag goes with them even if the other family still has some.
    pub fn remove(&mut self, address_type: AddressType) {
        *self.family(address_type) = None;
        self.populated = false;
    }

    /// Is nothing remembered?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Is any zone short of endpoints for its present share of CPU (reference: `serviceOverloaded`)?
    pub fn is_overloaded(&self, shares: Option<&[ZoneShare<'_>]>) -> bool {
        [&self.ipv4, &self.ipv6]
            .into_iter()
            .flatten()
            .any(|zones| is_overloaded(zones, shares.unwrap_or_default()))
    }
}

fn is_overloaded(zones: &ZoneCounts, shares: &[ZoneShare<'_>]) -> bool {
    if zones.is_empty() {
        return false;
    }
    let total: i64 = zones.values().sum();
    let is_short = |share: &ZoneShare<'_>| {
        let fewest = allocation::fewest(total as f64 * share.cpu_ratio);
        zones.get(share.zone).is_none_or(|count| *count < fewest)
    };
    shares.is_empty() || shares.iter().any(is_short)
}

/// Hints of all Services.
#[derive(Clone, Debug, Default)]
pub struct TopologyCache {
    services: BTreeMap<NamespacedName, ServiceHints>,
}

impl TopologyCache {
    /// What is remembered of a Service; reading creates nothing.
    pub fn service(&self, key: &NamespacedName) -> ServiceHints {
        self.services.get(key).cloned().unwrap_or_default()
    }

    /// Takes what a sync of the Service left.
    pub fn commit(&mut self, key: NamespacedName, hints: ServiceHints) {
        if hints.is_empty() {
            self.services.remove(&key);
        } else {
            self.services.insert(key, hints);
        }
    }

    /// Forgets a deleted Service.
    pub fn delete_service(&mut self, key: &NamespacedName) {
        self.services.remove(key);
    }

    /// Services that a change of the nodes has put over the threshold, in key order.
    pub fn overloaded_services(
        &self,
        shares: Option<&[ZoneShare<'_>]>,
    ) -> impl Iterator<Item = &NamespacedName> {
        self.services
            .iter()
            .filter(move |(_, hints)| hints.is_overloaded(shares))
            .map(|(key, _)| key)
    }

    /// How many Services are remembered.
    pub fn len(&self) -> usize {
        self.services.len()
    }

    /// Is nothing remembered?
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }
}
