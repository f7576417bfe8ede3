//! Merges the endpoints of a service port from its slices, sorted and without duplicates.

use alloc::vec::Vec;

use super::endpoint::{PortEndpoint, by_text};
use super::host::Host;
use super::slice::{AddressRecord, PortKey};
use super::tracker::{AppliedSlice, Tracker};
use slicewise::model::order::sort_by;

/// A slice that is read along with the others: hosts are visited in order, so each record is found in turn.
struct SliceCursor<'t> {
    slot: &'t AppliedSlice,
    next: usize,
    /// Its port numbers for the service port, sorted as texts.
    numbers: Vec<i32>,
}

/// A slice's record of a host.
#[derive(Clone, Copy)]
struct HostRecord<'t> {
    slot: &'t AppliedSlice,
    number: i32,
    record: AddressRecord,
}

impl<'t> HostRecord<'t> {
    fn endpoint(self) -> PortEndpoint<'t> {
        PortEndpoint {
            host: self.record.host,
            port: self.number,
            state: self.record.state,
            hints: self.slot.slice.hints_of(self.record),
        }
    }
}

/// Calls `give` with each endpoint of a port and the name of the slice that is used for it.
pub(super) fn for_each<'t>(
    tracker: &'t Tracker,
    key: &PortKey,
    mut give: impl FnMut(&'t str, PortEndpoint<'t>),
) {
    let mut readings: Vec<Option<SliceCursor<'t>>> = tracker
        .slots
        .iter()
        .map(|slot| slot.as_ref().and_then(|slot| SliceCursor::new(slot, key)))
        .collect();
    // The records of one host, nearly always from one slice.
    let mut said: Vec<HostRecord<'t>> = Vec::new();
    let mut last: Option<Host> = None;
    for (host, number) in &tracker.hosts {
        if last.replace(*host) != Some(*host) {
            give_one(&mut said, &mut give);
        }
        let Some(Some(reading)) = readings.get_mut(*number as usize) else {
            continue;
        };
        let Some(record) = reading.slot.slice.records.get(reading.next) else {
            continue;
        };
        reading.next += 1;
        let slot = reading.slot;
        said.extend(reading.numbers.iter().map(|number| HostRecord {
            slot,
            number: *number,
            record: *record,
        }));
    }
    give_one(&mut said, &mut give);
}

impl<'t> SliceCursor<'t> {
    /// `None` for a slice without the port.
    fn new(slot: &'t AppliedSlice, key: &PortKey) -> Option<Self> {
        let mut numbers: Vec<i32> = slot.slice.numbers(key).collect();
        sort_by(&mut numbers, |one, other| by_text(*one, *other));
        let has_any = !numbers.is_empty();
        has_any.then_some(Self {
            slot,
            next: 0,
            numbers,
        })
    }
}

/// Reports the endpoints of one host, for all slices and port numbers.
fn give_one<'t>(said: &mut Vec<HostRecord<'t>>, give: &mut impl FnMut(&'t str, PortEndpoint<'t>)) {
    if let [only] = said.as_slice() {
        give(&only.slot.name, only.endpoint());
        said.clear();
        return;
    }
    said.sort_by(|one, other| {
        let by_number = by_text(one.number, other.number);
        by_number.then_with(|| one.slot.name.cmp(&other.slot.name))
    });
    for of_number in said.chunk_by(|one, other| one.number == other.number) {
        let mut of_number = of_number.iter().copied();
        let first = of_number.next();
        let chosen = first.map(|first| {
            of_number.fold(first, |kept, later| {
                if kept.record.is_replaced_by(later.record) {
                    later
                } else {
                    kept
                }
            })
        });
        if let Some(said) = chosen {
            give(&said.slot.name, said.endpoint());
        }
    }
    said.clear();
}
