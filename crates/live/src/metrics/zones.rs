//! How evenly `Auto` hints spread load over zones, summed over all Services.
//!
//! Of a Service's ready endpoints, each zone is **owed** its share of the CPU of all zones, and some are **hinted** to
//! it. If traffic comes from the zones in proportion to their CPU, an endpoint that serves a zone gets `owed ÷ hinted`
//! times the traffic it would get in an even distribution; the **overload** is that ratio minus 1. The reference only
//! assigns hints if it expects at most [`slicewise::topology::allocation::OVERLOAD_THRESHOLD`], but slices that it
//! leaves alone keep their hints.
//!
//! Amounts are integers, in millionths: what a Service adds can be subtracted again exactly.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::plan::{HintsMode, HintsReport};

const MILLION: i64 = 1_000_000;

/// The contribution of one family of one Service to one zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Load {
    zone: String,
    /// Millionths of endpoints.
    owed: i64,
    hinted: i64,
}

/// Sums of one zone.
#[derive(Debug, Clone, Default)]
pub(super) struct ZoneLoad {
    owed: i128,
    hinted: i128,
    /// The number of loads with each overload, in millionths.
    overloads: BTreeMap<i64, usize>,
}

/// All zones in which any Service has loads.
#[derive(Debug, Clone, Default)]
pub(super) struct LoadedZones(BTreeMap<String, ZoneLoad>);

/// The loads of one family; empty unless it has hints of mode `Auto`.
pub(super) fn loads(report: &HintsReport<'_>) -> Vec<Load> {
    let gives_hints = report.mode == HintsMode::Auto && report.applied;
    let zones = report.zones.iter().filter(|_| gives_hints);
    zones
        .map(|zone| Load {
            zone: zone.zone.as_str().to_owned(),
            owed: millionths(zone.desired),
            hinted: zone.allocated.unwrap_or_default().max(0),
        })
        .collect()
}

fn millionths(amount: f64) -> i64 {
    (amount * MILLION as f64 + 0.5) as i64
}

impl Load {
    /// In millionths; the maximum if nothing serves a zone that is owed something.
    fn overload(&self) -> i64 {
        let hinted = i128::from(self.hinted);
        let ratio = match (self.owed, hinted) {
            (0, 0) => MILLION,
            (_, 0) => return i64::MAX,
            (owed, hinted) => {
                i64::try_from((i128::from(owed) + hinted / 2) / hinted).unwrap_or(i64::MAX)
            }
        };
        ratio - MILLION
    }
}

impl LoadedZones {
    pub(super) fn add(&mut self, load: &Load) {
        let zone = self.0.entry(load.zone.clone()).or_default();
        zone.owed += i128::from(load.owed);
        zone.hinted += i128::from(load.hinted);
        *zone.overloads.entry(load.overload()).or_default() += 1;
    }

    /// Removes a load that was added before. A zone without loads is removed.
    pub(super) fn remove(&mut self, load: &Load) {
        let Some(zone) = self.0.get_mut(&load.zone) else {
            return;
        };
        zone.owed -= i128::from(load.owed);
        zone.hinted -= i128::from(load.hinted);
        let overload = load.overload();
        if let Some(count) = zone.overloads.get_mut(&overload) {
            *count -= 1;
            if *count == 0 {
                zone.overloads.remove(&overload);
            }
        }
        if zone.overloads.is_empty() {
            self.0.remove(&load.zone);
        }
    }

    /// Zones by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &ZoneLoad)> {
        self.0.iter().map(|(name, zone)| (name.as_str(), zone))
    }
}

impl ZoneLoad {
    /// The endpoints it is owed.
    pub(super) fn owed(&self) -> f64 {
        self.owed as f64 / MILLION as f64
    }

    /// Endpoints hinted to it.
    pub(super) fn hinted(&self) -> f64 {
        self.hinted as f64
    }

    /// The maximum overload of any Service's family; infinite if nothing serves a zone that is owed something.
    pub(super) fn overload(&self) -> f64 {
        match self.overloads.keys().next_back() {
            Some(&i64::MAX) => f64::INFINITY,
            greatest => greatest.copied().unwrap_or_default() as f64 / MILLION as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(owed: f64, hinted: i64) -> Load {
        Load {
            zone: "a".to_owned(),
            owed: millionths(owed),
            hinted,
        }
    }

    /// Owed, hinted and overload of zone a, for these loads.
    #[track_caller]
    fn check(loads: &[Load], expected: (f64, f64, f64)) {
        let mut zones = LoadedZones::default();
        loads.iter().for_each(|load| zones.add(load));
        let (_, zone) = zones.iter().next().unwrap();
        assert_eq!((zone.owed(), zone.hinted(), zone.overload()), expected);
        loads.iter().for_each(|load| zones.remove(load));
        assert!(zones.0.is_empty());
    }

    #[test]
    fn the_worst_service_counts() {
        check(&[load(2.5, 2)], (2.5, 2.0, 0.25));
        check(&[load(2.5, 2), load(2.5, 5)], (5.0, 7.0, 0.25));
        check(&[load(1.0, 2)], (1.0, 2.0, -0.5));
        check(&[load(1.0, 3), load(2.0, 3)], (3.0, 6.0, -0.333_333));
        check(&[load(0.0, 0)], (0.0, 0.0, 0.0));
        check(&[load(0.0, 1)], (0.0, 1.0, -1.0));
    }

    #[test]
    fn a_zone_that_nothing_serves_is_overloaded_without_end() {
        check(&[load(0.5, 0), load(1.0, 1)], (1.5, 1.0, f64::INFINITY));
    }

    #[test]
    fn absurd_amounts_do_no_harm() {
        let owed = (i64::MAX as f64) / MILLION as f64;
        check(
            &[load(1e300, i64::MAX)],
            (owed, i64::MAX as f64, 0.0 - 0.999_999),
        );
        check(&[load(f64::NAN, 1)], (0.0, 1.0, -1.0));
    }

    /// Sums of floats would keep rounding errors.
    #[test]
    fn what_was_added_is_taken_away_to_the_last_bit() {
        let mut zones = LoadedZones::default();
        zones.add(&load(0.1, 1));
        for number in 1..100 {
            let other = load(f64::from(number) / 7.0, 3);
            zones.add(&other);
            zones.remove(&other);
        }
        assert_eq!(zones.iter().next().unwrap().1.owed(), 0.1);
    }
}
