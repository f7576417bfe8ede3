//! The state of hints between syncs.
//!
//! Reference: `TopologyCache`. [`ServiceHints`] is the part that belongs to one Service; it is the opaque `state` of a
//! plan. The session stores it for all Services and reports those that are overloaded after the nodes changed.

use alloc::string::String;

use serde::Serialize;

use super::allocation;
use super::nodes::ZoneShare;
use crate::model::object::slim_object;
use crate::model::{AddressType, SortedMap};

/// Endpoints hinted to each zone.
pub type ZoneCounts = SortedMap<String, i64>;

slim_object! {
    /// The hints of one Service after its last sync.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct ServiceHints("the `state` of a previous plan") refuse {
        /// Whether hints were assigned. One flag for both families, as in the reference.
        "populated" pub populated: bool;
        /// The number of endpoints hinted to each zone, for IPv4.
        #[serde(rename = "IPv4", skip_serializing_if = "Option::is_none")]
        "IPv4" pub ipv4: Option<ZoneCounts>;
        /// The number of endpoints hinted to each zone, for IPv6.
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

    /// Records that hints are assigned.
    pub fn set(&mut self, address_type: AddressType, zones: ZoneCounts) {
        *self.family(address_type) = Some(zones);
        self.populated = true;
    }

    /// Removes the hints of a family. The flag is cleared as well, even if the other family still has hints.
    pub fn remove(&mut self, address_type: AddressType) {
        *self.family(address_type) = None;
        self.populated = false;
    }

    /// Is there no state?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Does any zone have too few endpoints for its current share of CPU (reference: `serviceOverloaded`)?
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(zones: &[(&str, i64)]) -> ZoneCounts {
        let own = |(zone, count): &(&str, i64)| (String::from(*zone), *count);
        zones.iter().map(own).collect()
    }

    #[track_caller]
    fn check(zones: &[(&str, i64)], shares: Option<&[(&'static str, f64)]>, expected: bool) {
        let mut hints = ServiceHints::default();
        hints.set(AddressType::IPv6, counts(zones));
        let share = |(zone, cpu_ratio): &(&'static str, f64)| ZoneShare {
            zone,
            cpu_ratio: *cpu_ratio,
        };
        let shares: Option<Vec<_>> = shares.map(|shares| shares.iter().map(share).collect());
        assert_eq!(hints.is_overloaded(shares.as_deref()), expected);
    }

    #[test]
    fn a_zone_short_of_its_minimum_is_overloaded() {
        let halves = Some(&[("a", 0.5), ("b", 0.5)][..]);
        check(&[("a", 5), ("b", 5)], halves, false);
        // 9 × 0.5 ÷ 1.2 is 3.75.
        check(&[("a", 4), ("b", 5)], halves, false);
        check(&[("a", 3), ("b", 6)], halves, true);
        check(&[("a", 6), ("b", 3)], halves, true);
    }

    #[test]
    fn a_zone_without_hints_is_overloaded() {
        check(&[("a", 5)], Some(&[("a", 0.99), ("b", 0.01)]), true);
    }

    #[test]
    fn without_node_information_every_hint_is_too_much() {
        check(&[("a", 5), ("b", 5)], None, true);
        check(&[("a", 5), ("b", 5)], Some(&[]), true);
        check(&[], None, false);
    }

    #[test]
    fn the_flag_goes_with_either_family() {
        let mut hints = ServiceHints::default();
        hints.set(AddressType::IPv4, counts(&[("a", 1)]));
        hints.set(AddressType::IPv6, counts(&[("b", 2)]));
        hints.remove(AddressType::IPv6);
        assert_eq!(
            serde_json::to_string(&hints).unwrap(),
            r#"{"populated":false,"IPv4":{"a":1}}"#
        );
        assert!(!hints.is_empty());
        hints.remove(AddressType::IPv4);
        assert!(hints.is_empty());
    }
}
