//! Slices as a sync looks at them: open ones whole, settled ones as sums, whole only where they have to be written.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::Session;
use super::services::{FAMILIES, Group, ServiceState};
use super::slices::{Comparison, SliceNumber};
use crate::model::{AddressType, EndpointSlice, PortMapKey, Text};
use crate::reconcile::existing::{Open, Settled, SettledGroup, SettledGroups, Source};

/// A slice to be compared.
pub(super) struct OpenSlice<'s> {
    pub(super) number: SliceNumber,
    pub(super) slice: EndpointSlice<'s>,
    confirmed: Vec<bool>,
}

impl<'s> OpenSlice<'s> {
    pub(super) fn new(session: &'s Session, number: SliceNumber) -> Self {
        let known = session.slices.get(number);
        let touched = known.filter(|known| !matches!(known.comparison, Comparison::Open));
        let confirmed = touched.map(|known| {
            let endpoints = known.endpoints.iter();
            endpoints
                .map(|endpoint| known.is_confirmed(endpoint))
                .collect()
        });
        Self {
            number,
            slice: session.whole_slice(number),
            confirmed: confirmed.unwrap_or_default(),
        }
    }

    pub(super) fn as_open(&self) -> Open<'_> {
        Open {
            slice: &self.slice,
            confirmed: &self.confirmed,
        }
    }
}

/// Settled slices; each is made whole when it is asked for first.
pub(super) struct Wholes<'s> {
    session: &'s Session,
    groups: Vec<(AddressType, &'s PortMapKey<'static>, &'s Group)>,
    slices: OnceCell<Vec<WholeSlice<'s>>>,
    none: EndpointSlice<'s>,
}

type WholeSlice<'s> = (SliceNumber, OnceCell<Box<EndpointSlice<'s>>>);

impl<'s> Wholes<'s> {
    pub(super) fn new(session: &'s Session, state: &'s ServiceState) -> Self {
        let groups = |family| {
            let groups = state.settled.of(family).iter();
            groups.map(move |(ports, group)| (family, ports, group))
        };
        Self {
            session,
            groups: FAMILIES.into_iter().flat_map(groups).collect(),
            slices: OnceCell::new(),
            none: EndpointSlice::default(),
        }
    }

    pub(super) fn groups(&self, family: AddressType) -> SettledGroups<'_> {
        let numbered = (0_u32..).zip(&self.groups);
        let of_family = numbered.filter(|(_, (other, ..))| *other == family);
        of_family
            .map(|(number, (_, ports, group))| {
                let settled = SettledGroup {
                    slices: group.slices.len(),
                    endpoints: group.endpoints,
                    totals: &group.totals,
                    number,
                    source: self,
                };
                (*ports as &PortMapKey<'_>, settled)
            })
            .collect()
    }

    /// All settled slices, group by group.
    fn slices(&self) -> &[WholeSlice<'s>] {
        self.slices.get_or_init(|| {
            let slices = self.groups.iter().flat_map(|(_, _, group)| &group.slices);
            slices.map(|slice| (*slice, OnceCell::new())).collect()
        })
    }
}

impl Source for Wholes<'_> {
    fn slices(&self, group: u32) -> Vec<Settled<'_>> {
        let before = self.groups.iter().take(group as usize);
        let before: usize = before.map(|(_, _, group)| group.slices.len()).sum();
        let Some((_, _, known)) = self.groups.get(group as usize) else {
            return Vec::new();
        };
        let first = u32::try_from(before).unwrap_or(u32::MAX);
        let settled = |(number, slice): (u32, &SliceNumber)| {
            let slice = self.session.slices.get(*slice)?;
            Some(Settled {
                name: slice.name(),
                len: slice.endpoints.len(),
                facts: slice.settled()?,
                number,
                source: self,
            })
        };
        (first..).zip(&known.slices).filter_map(settled).collect()
    }

    fn names<'n>(&'n self, group: u32, names: &mut Vec<Text<'n>>) {
        let group = self.groups.get(group as usize).into_iter();
        names.extend(
            group
                .flat_map(|(_, _, group)| group.names.iter())
                .map(Text::from),
        );
    }

    fn whole(&self, number: u32) -> &EndpointSlice<'_> {
        let Some((slice, whole)) = self.slices().get(number as usize) else {
            return &self.none;
        };
        whole.get_or_init(|| Box::new(self.session.whole_slice(*slice)))
    }
}
