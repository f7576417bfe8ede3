//! Which zones give endpoints to which others.
//!
//! Reference: `getGivingAndReceivingZones`. Ties, random there, go to the zone that sorts first here.

use std::collections::BTreeMap;

use super::allocation::Allocation;

/// Endpoints a zone gives away, or receives.
pub type Counts<'a> = BTreeMap<&'a str, i64>;

/// How many endpoints each zone should give and receive, from what each is owed and has.
pub fn giving_and_receiving<'a>(
    allocations: &[Allocation<'a>],
    allocated: &BTreeMap<&'a str, i64>,
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
    let (mut giving, mut receiving) = (Counts::new(), Counts::new());
    while let (Some(giver), Some(receiver)) = (most(&mut surplus), most(&mut deficit)) {
        if (giver.1 < 1.0 && receiver.1 < 1.0) || giver.1 < 0.5 || receiver.1 < 0.5 {
            break;
        }
        *giving.entry(giver.0).or_default() += 1;
        giver.1 -= 1.0;
        *receiving.entry(receiver.0).or_default() += 1;
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
