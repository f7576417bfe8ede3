//! Which zones give endpoints to which other zones.
//!
//! Reference: `getGivingAndReceivingZones`. Ties, which it breaks randomly, go to the first zone by name here.
//! Endpoints go to the zone that is owed most until it has enough; there, the order is that of a Go map, which more
//! often than not starts with the zone inserted first, which is the same one.

use alloc::vec::Vec;

use super::allocation::Allocation;
use crate::model::SortedMap;

/// The number of endpoints that zones give away or receive, starting with the zone with the largest number.
#[derive(Debug, Default)]
pub(crate) struct ByZone<'a>(Vec<(&'a str, i64)>);

impl<'a> ByZone<'a> {
    fn add_one(&mut self, zone: &'a str) {
        match self.0.iter_mut().find(|(other, _)| *other == zone) {
            Some((_, count)) => *count += 1,
            None => self.0.push((zone, 1)),
        }
    }

    /// The next zone.
    pub(crate) fn first(&self) -> Option<&'a str> {
        self.0.first().map(|(zone, _)| *zone)
    }

    /// Subtracts one endpoint from a zone's count; returns false if none are left.
    pub(crate) fn take_one(&mut self, zone: &str) -> bool {
        let Some(place) = self.0.iter().position(|(other, _)| *other == zone) else {
            return false;
        };
        if let Some((_, count)) = self.0.get_mut(place) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(place);
            }
        }
        true
    }
}

/// How many endpoints each zone should give and receive, given what each is owed and has.
pub(crate) fn giving_and_receiving<'a>(
    allocations: &[Allocation<'a>],
    allocated: &SortedMap<&'a str, i64>,
) -> (ByZone<'a>, ByZone<'a>) {
    let mut surplus: Vec<(&'a str, f64)> = Vec::new();
    let mut deficit: Vec<(&'a str, f64)> = Vec::new();
    for allocation in allocations {
        let zone = allocation.share.zone;
        let has = allocated.get(zone).copied().unwrap_or_default() as f64;
        let wanted = allocation.desired();
        surplus.push((zone, has - wanted));
        deficit.push((zone, wanted - has));
    }
    let (mut giving, mut receiving) = (ByZone::default(), ByZone::default());
    while let (Some(giver), Some(receiver)) = (most(&mut surplus), most(&mut deficit)) {
        if (giver.1 < 1.0 && receiver.1 < 1.0) || giver.1 < 0.5 || receiver.1 < 0.5 {
            break;
        }
        giving.add_one(giver.0);
        giver.1 -= 1.0;
        receiving.add_one(receiver.0);
        receiver.1 -= 1.0;
    }
    (giving, receiving)
}

/// The zone with the largest number; among equals the first by name.
fn most<'z, 'a>(zones: &'z mut [(&'a str, f64)]) -> Option<&'z mut (&'a str, f64)> {
    zones
        .iter_mut()
        .reduce(|best, zone| if zone.1 > best.1 { zone } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::nodes::ZoneShare;

    /// Zones with what they are owed and what they have; the result is who gives and who receives how many.
    #[track_caller]
    fn check(
        zones: &[(&'static str, f64, i64)],
        giving: &[(&str, i64)],
        receiving: &[(&str, i64)],
    ) {
        let owed = |(zone, proportional, _): &(&'static str, f64, i64)| Allocation {
            share: ZoneShare {
                zone,
                cpu_ratio: 0.0,
            },
            proportional: *proportional,
            minimum: 0,
            maximum: 0,
        };
        let allocations: Vec<_> = zones.iter().map(owed).collect();
        let has = zones.iter().filter(|(_, _, count)| *count > 0);
        let allocated = has.map(|(zone, _, count)| (*zone, *count)).collect();
        let found = giving_and_receiving(&allocations, &allocated);
        assert_eq!(
            (found.0.0.as_slice(), found.1.0.as_slice()),
            (giving, receiving)
        );
    }

    #[test]
    fn surplus_goes_where_there_is_too_little() {
        check(&[("a", 2.0, 2), ("b", 2.0, 2)], &[], &[]);
        check(&[("a", 2.0, 4), ("b", 2.0, 0)], &[("a", 2)], &[("b", 2)]);
        check(
            &[("a", 2.0, 0), ("b", 2.0, 5), ("c", 2.0, 1)],
            &[("b", 3)],
            &[("a", 2), ("c", 1)],
        );
    }

    #[test]
    fn halves_move_only_against_a_whole() {
        check(&[("a", 2.5, 3), ("b", 1.5, 1)], &[], &[]);
        check(&[("a", 2.0, 3), ("b", 1.5, 1)], &[("a", 1)], &[("b", 1)]);
        check(&[("a", 2.5, 3), ("b", 2.0, 1)], &[("a", 1)], &[("b", 1)]);
        check(&[("a", 2.0, 3), ("b", 1.49, 1)], &[], &[]);
        check(&[("a", 2.51, 3), ("b", 2.0, 1)], &[], &[]);
    }

    #[test]
    fn the_zone_with_most_gives_first() {
        check(
            &[("a", 1.0, 2), ("b", 1.0, 3), ("c", 1.0, 0)],
            &[("b", 1)],
            &[("c", 1)],
        );
        // The zone with the most is determined again after each endpoint, on both sides.
        check(
            &[("a", 2.0, 4), ("b", 2.0, 4), ("c", 2.0, 0), ("d", 2.0, 0)],
            &[("a", 2), ("b", 2)],
            &[("c", 2), ("d", 2)],
        );
        check(
            &[("a", 2.0, 4), ("b", 2.0, 4), ("c", 2.0, 0)],
            &[("a", 1), ("b", 1)],
            &[("c", 2)],
        );
    }

    #[test]
    fn of_equal_zones_the_first_by_name_gives() {
        check(
            &[("a", 1.0, 2), ("b", 1.0, 2), ("c", 1.0, 0)],
            &[("a", 1)],
            &[("c", 1)],
        );
    }

    #[test]
    fn a_zone_is_owed_its_minimum() {
        let owed = Allocation {
            share: ZoneShare {
                zone: "a",
                cpu_ratio: 0.1,
            },
            proportional: 0.4,
            minimum: 1,
            maximum: 1,
        };
        assert!((owed.desired() - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn counts_are_taken_down_to_nothing() {
        let mut counts = ByZone(vec![("b", 2), ("a", 1)]);
        assert_eq!(counts.first(), Some("b"));
        assert!(!counts.take_one("c"));
        assert!(counts.take_one("b") && counts.take_one("b") && !counts.take_one("b"));
        assert_eq!(counts.first(), Some("a"));
        assert!(counts.take_one("a"));
        assert_eq!(counts.first(), None);
    }
}
