//! The endpoint counts for which `Auto` assigns hints, determined by the allocation itself.

use alloc::vec::Vec;

use super::allocation::allocate;
use super::nodes::ZoneShare;

/// The counts that get hints, relative to the current one.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HintedCounts {
    /// The nearest smaller count that gets hints, if any.
    pub below: Option<i64>,
    /// The nearest greater one.
    pub above: i64,
    /// From this count on, all get hints.
    pub always_from: i64,
    /// Counts without hints, of at least as many endpoints as zones.
    pub refused: Vec<i64>,
}

/// With more zones, counts are not searched.
const MOST_ZONES: usize = 64;

/// Searches for counts that get hints; `None` if there are no usable zones.
///
/// The search is complete: a minimum is less than `share × count ÷ 1.2 + 1`, so their sum is less than `count ÷ 1.2 +
/// zones`, which is at most `count` from six times the number of zones on.
pub fn search(shares: &[ZoneShare<'_>], ready: i64) -> Option<HintedCounts> {
    if shares.is_empty() || shares.len() > MOST_ZONES {
        return None;
    }
    let zones = shares.len() as i64;
    let refused: Vec<i64> = (zones..6 * zones)
        .filter(|count| !works(shares, *count))
        .collect();
    let works = |count: &i64| refused.binary_search(count).is_err();
    Some(HintedCounts {
        below: (zones..ready).rev().find(works),
        above: (zones.max(ready + 1)..).find(works).unwrap_or_default(),
        always_from: refused.last().map_or(zones, |last| last + 1),
        refused,
    })
}

/// Does that count get hints?
pub fn works(shares: &[ZoneShare<'_>], ready: i64) -> bool {
    allocate(Some(shares), ready).1.is_none()
}

/// These zones, with equal CPU.
pub fn equal<'a>(shares: &[ZoneShare<'a>]) -> Vec<ZoneShare<'a>> {
    let share = |share: &ZoneShare<'a>| ZoneShare {
        zone: share.zone,
        cpu_ratio: 1.0 / shares.len() as f64,
    };
    shares.iter().map(share).collect()
}

/// The range of counts in a rollout with the usual limits (a quarter unavailable, rounded down; a quarter more, rounded
/// up).
pub fn rollout(ready: i64) -> (i64, i64) {
    (ready - ready / 4, ready + (ready + 3) / 4)
}

/// The nearest count not below `ready` whose whole rollout keeps its hints.
pub fn steady_from(shares: &[ZoneShare<'_>], ready: i64) -> Option<i64> {
    let counts = search(shares, ready)?;
    // This terminates: from 4/3 of the last refused count on, a quarter less is no longer refused.
    (ready..).find(|count| {
        let (least, most) = rollout(*count);
        !counts
            .refused
            .iter()
            .any(|refused| (least..=most).contains(refused))
            && least >= shares.len() as i64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(ratios: &[f64]) -> Vec<ZoneShare<'static>> {
        let names = ["a", "b", "c", "d", "e", "f"].iter().zip(ratios);
        names
            .map(|(zone, cpu_ratio)| ZoneShare {
                zone,
                cpu_ratio: *cpu_ratio,
            })
            .collect()
    }

    #[track_caller]
    fn check(ratios: &[f64], ready: i64, below: Option<i64>, above: i64, always_from: i64) {
        let found = search(&shares(ratios), ready).unwrap();
        let nearest = (found.below, found.above, found.always_from);
        assert_eq!(nearest, (below, above, always_from));
    }

    #[test]
    fn nearest_counts() {
        check(&[1.0 / 3.0; 3], 11, Some(10), 12, 12);
        check(&[1.0 / 3.0; 3], 5, Some(3), 6, 12);
        check(&[1.0 / 3.0; 3], 2, None, 3, 12);
        check(&[1.0 / 3.0; 3], 100, Some(99), 101, 12);
        check(&[0.5; 2], 3, Some(2), 4, 6);
        check(&[0.2; 5], 24, Some(23), 25, 25);
    }

    #[test]
    fn the_search_is_complete() {
        for ratios in [
            &[1.0 / 6.0; 6][..],
            &[0.5, 0.25, 0.25],
            &[0.6, 0.3, 0.1],
            &[0.98, 0.02],
        ] {
            let shares = shares(ratios);
            let counts = search(&shares, 1).unwrap();
            let later = (counts.always_from..400).all(|count| works(&shares, count));
            assert!(later, "{ratios:?}");
            assert!(counts.always_from <= 6 * shares.len() as i64);
        }
    }

    #[test]
    fn few_zones_are_looked_at() {
        let equal_zones = |count| vec![shares(&[1.0])[0]; count];
        assert_eq!(search(&[], 3), None);
        assert!(search(&equal(&equal_zones(MOST_ZONES)), 1).is_some());
        assert_eq!(search(&equal(&equal_zones(MOST_ZONES + 1)), 1), None);
    }

    #[test]
    fn equal_zones_share_alike() {
        let found = equal(&shares(&[0.6, 0.3, 0.05, 0.05]));
        assert_eq!(found, shares(&[0.25; 4]));
    }

    #[test]
    fn rollouts() {
        assert_eq!(rollout(6), (5, 8));
        assert_eq!(rollout(3), (3, 4));
        assert_eq!(steady_from(&shares(&[1.0 / 3.0; 3]), 9), Some(15));
    }
}
