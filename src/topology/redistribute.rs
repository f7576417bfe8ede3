//! Which zones give endpoints to which others.
//!
//! Reference: `getGivingAndReceivingZones`. Ties, random there, go to the zone that sorts first here. Endpoints go to
//! the zone that is owed most until it has enough; there the order is that of a Go map, which starts with the zone put
//! in first, this one, more often than not.

use alloc::vec::Vec;

use super::allocation::Allocation;
use crate::model::SortedMap;

/// Endpoints that zones give away, or receive, the zone with most to give or receive first.
#[derive(Debug, Default)]
pub struct Counts<'a>(Vec<(&'a str, i64)>);

impl<'a> Counts<'a> {
    fn add_one(&mut self, zone: &'a str) {
        match self.0.iter_mut().find(|(other, _)| *other == zone) {
            Some((_, count)) => *count += 1,
            None => self.0.push((zone, 1)),
        }
    }

    /// The zone whose turn it is.
    pub fn first(&self) -> Option<&'a str> {
        self.0.first().map(|(zone, _)| *zone)
    }

    /// Takes one endpoint off a zone's count; false when it has none left.
    pub fn take_one(&mut self, zone: &str) -> bool {
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

/// How many endpoints each zone should give and receive, from what each is owed and has.
pub fn giving_and_receiving<'a>(
    allocations: &[Allocation<'a>],
    allocated: &SortedMap<&'a str, i64>,
) -> (Counts<'a>, Counts<'a>) {
    let mut surplus: Vec<(&'a str, f64)> = Vec::new();
    let mut deficit: Vec<(&'a str, f64)> = Vec::new();
    for allocation in allocations {
        let zone = allocation.share.zone;
        let has = allocated.get(zone).copied().unwrap_or_default() as f64;
        let wanted = allocation.desired();
        if has > wanted {
            surplus.push((zone, has - wanted));
        } else if has < wanted {
            deficit.push((zone, wanted - has));
        }
    }
    let (mut giving, mut receiving) = (Counts::default(), Counts::default());
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

/// The zone with the greatest number above zero; of equals the first in name order.
fn most<'z, 'a>(zones: &'z mut [(&'a str, f64)]) -> Option<&'z mut (&'a str, f64)> {
    zones
        .iter_mut()
        .filter(|zone| zone.1 > 0.0)
        .reduce(|best, zone| if zone.1 > best.1 { zone } else { best })
}
