//! How many endpoints each zone is owed: minimum, maximum, and desired.
//!
//! Reference: `TopologyCache.getAllocations`. The order of float operations is part of the behaviour: with five equal
//! zones, 6, 12 and 24 endpoints are refused only because `0.2 × 6` is slightly more than 1.2.

use alloc::vec::Vec;

use super::events::Disabled;
use super::nodes::ZoneShare;

/// The maximum acceptable overload of an endpoint.
pub const OVERLOAD_THRESHOLD: f64 = 0.2;

/// What one zone is owed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Allocation<'a> {
    /// The zone and its share of CPU.
    pub share: ZoneShare<'a>,
    /// CPU share × ready endpoints.
    pub proportional: f64,
    /// With fewer, the zone's endpoints would be overloaded.
    pub minimum: i64,
    /// With more, another zone would not get its minimum.
    pub maximum: i64,
}

impl Allocation<'_> {
    /// The target of redistribution: the proportional share, but at least the minimum.
    pub const fn desired(&self) -> f64 {
        self.proportional.max(self.minimum as f64)
    }

    /// Is the minimum one too high because the floating-point result is slightly above an integer?
    pub fn is_rounded_up(&self) -> bool {
        let least = self.proportional / (1.0 + OVERLOAD_THRESHOLD);
        (least - (self.minimum - 1) as f64).abs() < 1e-9
    }
}

/// Allocations of every zone sorted by name, or why there are none.
///
/// If the zones are known but there are too few endpoints, the allocations are returned along with the reason, so that
/// a plan can show the arithmetic.
pub fn allocate<'a>(
    shares: Option<&[ZoneShare<'a>]>,
    ready: i64,
) -> (Vec<Allocation<'a>>, Option<Disabled>) {
    let Some(shares) = shares else {
        return (Vec::new(), Some(Disabled::InsufficientNodeInfo));
    };
    let mut allocations: Vec<_> = shares
        .iter()
        .map(|share| allocate_zone(*share, ready))
        .collect();
    let slack = ready
        - allocations
            .iter()
            .map(|allocation| allocation.minimum)
            .sum::<i64>();
    for allocation in &mut allocations {
        allocation.maximum = allocation.minimum + slack;
    }
    let zones = shares.len();
    let reason = if zones as i64 > ready {
        Some(Disabled::InsufficientEndpoints { ready, zones })
    } else if slack < 0 {
        Some(Disabled::OverloadThreshold { ready, zones })
    } else {
        None
    };
    (allocations, reason)
}

/// The minimum number of endpoints for a zone with this proportional share (reference: `getMinimumEndpoints`).
pub(super) fn fewest(proportional: f64) -> i64 {
    let least = proportional * (1.0 / (1.0 + OVERLOAD_THRESHOLD));
    // `ceil` is not in `core`.
    let whole = least as i64;
    whole + i64::from((whole as f64) < least)
}

fn allocate_zone(share: ZoneShare<'_>, ready: i64) -> Allocation<'_> {
    let proportional = share.cpu_ratio * ready as f64;
    let minimum = fewest(proportional);
    Allocation {
        share,
        proportional,
        minimum,
        maximum: minimum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(ratios: &[f64]) -> Vec<ZoneShare<'static>> {
        let names = ["a", "b", "c", "d", "e", "f"];
        names
            .iter()
            .zip(ratios)
            .map(|(zone, ratio)| ZoneShare {
                zone,
                cpu_ratio: *ratio,
            })
            .collect()
    }

    /// The endpoint counts from the number of zones up to 40 that get no hints.
    #[track_caller]
    fn check(ratios: &[f64], refused: &[i64]) {
        let shares = shares(ratios);
        let first = ratios.len() as i64;
        let found: Vec<i64> = (first..=40)
            .filter(|ready| allocate(Some(&shares), *ready).1.is_some())
            .collect();
        assert_eq!(found, refused);
    }

    #[test]
    fn refused_counts_include_the_rounding_traps() {
        check(&[1.0 / 2.0; 2], &[3, 5]);
        check(&[1.0 / 3.0; 3], &[4, 5, 8, 11]);
        check(&[1.0 / 4.0; 4], &[5, 6, 7, 10, 11, 15]);
        check(&[1000.0 / 5000.0; 5], &[6, 7, 8, 9, 12, 13, 14, 19, 24]);
        check(&[1.0 / 6.0; 6], &[8, 9, 10, 11, 15, 16, 17, 22, 23, 29]);
        check(&[0.5, 0.25, 0.25], &[3, 5, 6, 10]);
    }

    #[test]
    fn reasons() {
        assert_eq!(allocate(None, 9).1, Some(Disabled::InsufficientNodeInfo));
        assert_eq!(
            allocate(Some(&shares(&[0.5, 0.5])), 1).1,
            Some(Disabled::InsufficientEndpoints { ready: 1, zones: 2 })
        );
        assert_eq!(
            allocate(Some(&shares(&[0.5, 0.5])), 3).1,
            Some(Disabled::OverloadThreshold { ready: 3, zones: 2 })
        );
    }

    #[test]
    fn numbers() {
        for (ready, expected) in [(4, (2.0, 2, 2)), (12, (6.0, 5, 7))] {
            let shares = shares(&[0.5, 0.5]);
            let (allocations, reason) = allocate(Some(&shares), ready);
            assert_eq!(reason, None);
            let numbers: Vec<_> = allocations
                .iter()
                .map(|zone| (zone.proportional, zone.minimum, zone.maximum))
                .collect();
            assert_eq!(numbers, [expected; 2]);
        }
    }
}
