//! Slices from the point of view of a sync: open ones in full, settled ones as sums, and in full only if they are
//! written.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::OnceCell;

use slicewise::model::order::sort_by;
use slicewise::model::prefetch::prefetch_ahead;
use slicewise::model::slice_names::{NamesWithout, TextList};
use slicewise::model::{AddressType, Endpoint, EndpointSlice, PortMapKey, ip};
use slicewise::reconcile::existing::{
    Confirmed, HintsOf, Open, Settled, SettledGroup, SettledGroups, SettledSource,
};
use slicewise::reconcile::hint_facts::EndpointView;

use super::Session;
use super::ids::SliceId;
use super::known_endpoints::{KnownEndpoint, count_ready, push_with_hints, view};
use super::services::{KeptGroup, ServiceState};
use super::slices::SliceComparison;

/// A slice to compare, without the confirmed endpoints.
pub(super) struct OpenSlice<'s> {
    pub(super) id: SliceId,
    pub(super) slice: EndpointSlice<'s>,
    /// By position; `None` if no endpoint is confirmed.
    confirmed: Option<Vec<bool>>,
}

/// The open slices of a Service, sorted by name.
pub(super) fn open_slices<'s>(session: &'s Session, state: &ServiceState) -> Vec<OpenSlice<'s>> {
    let open = state.open.iter();
    let mut open: Vec<_> = open.map(|id| OpenSlice::new(session, *id)).collect();
    sort_by(&mut open, |a, b| a.slice.name().cmp(b.slice.name()));
    open
}

impl<'s> OpenSlice<'s> {
    fn new(session: &'s Session, id: SliceId) -> Self {
        let Session {
            slices,
            names,
            pods,
            ..
        } = session;
        let known = slices.get(id);
        let touched = known.filter(|known| !matches!(known.comparison, SliceComparison::Open));
        let confirmed = touched.map(|known| {
            let endpoints = known.endpoints.iter();
            endpoints
                .map(|endpoint| known.is_confirmed(endpoint))
                .collect()
        });
        let slice = slices.part(names, pods, id, |slice, endpoint| {
            !slice.is_confirmed(endpoint)
        });
        Self {
            id,
            slice,
            confirmed,
        }
    }
}

/// Slices that may have to be written; each is built on first use.
pub(super) struct WrittenSlices<'s> {
    session: &'s Session,
    open: Vec<WrittenOpen<'s>>,
    groups: Vec<(AddressType, &'s PortMapKey<'static>, &'s KeptGroup)>,
    /// The index of the first slice of each group among all slices.
    firsts: Vec<usize>,
    slices: OnceCell<Vec<WrittenSlice<'s>>>,
    none: EndpointSlice<'s>,
}

/// An open slice.
struct WrittenOpen<'s> {
    id: SliceId,
    endpoints: &'s [KnownEndpoint],
    /// The texts of their addresses, stored as one text.
    addresses: OnceCell<TextList>,
}

type WrittenSlice<'s> = (SliceId, OnceCell<Box<EndpointSlice<'s>>>);

impl<'s> WrittenSlices<'s> {
    pub(super) fn new(
        session: &'s Session,
        state: &'s ServiceState,
        open: &[OpenSlice<'_>],
    ) -> Self {
        let groups = |family| {
            let groups = state.settled.of(family).iter();
            groups.map(move |(ports, group)| (family, ports, group))
        };
        let groups: Vec<_> = AddressType::ALL.into_iter().flat_map(groups).collect();
        let mut next = open.len();
        let place = |(_, _, group): &(_, _, &KeptGroup)| {
            let first = next;
            next += group.len();
            first
        };
        let firsts = groups.iter().map(place).collect();
        Self {
            session,
            open: open
                .iter()
                .map(|open| WrittenOpen::new(session, open.id))
                .collect(),
            groups,
            firsts,
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
                    slices: group.len(),
                    endpoints: group.endpoints,
                    totals: &group.totals,
                    number,
                    source: self,
                };
                (*ports as &PortMapKey<'_>, settled)
            })
            .collect()
    }

    /// The open slices in the form that decisions use.
    pub(super) fn open<'a>(&'a self, open: &'a [OpenSlice<'a>]) -> Vec<Open<'a>> {
        let as_open = |(number, open): (u32, &'a OpenSlice<'a>)| {
            let known = self.session.slices.get(open.id);
            let confirmed = open.confirmed.as_deref().zip(known);
            Open {
                slice: &open.slice,
                confirmed: confirmed.map(|(positions, known)| Confirmed {
                    positions,
                    facts: &known.facts,
                    number,
                    source: self,
                }),
            }
        };
        (0_u32..).zip(open).map(as_open).collect()
    }

    /// All slices: the open ones, then the settled ones group by group.
    fn slices(&self) -> &[WrittenSlice<'s>] {
        self.slices.get_or_init(|| {
            let mut ids: Vec<_> = self.open.iter().map(|open| open.id).collect();
            for (_, _, group) in &self.groups {
                ids.extend(group.slices());
            }
            ids.into_iter().map(|id| (id, OnceCell::new())).collect()
        })
    }

    /// The text of a usual endpoint's address.
    fn address(&self, number: u32, position: u32) -> Option<&str> {
        let open = self.open.get(number as usize)?;
        let texts = open.addresses.get_or_init(|| addresses(open.endpoints));
        texts.get(position as usize)
    }

    /// Prefetches the pods of the endpoints after this one, which are going to be written as well.
    fn prefetch_after(&self, number: u32, position: u32) {
        let Some(open) = self.open.get(number as usize) else {
            return;
        };
        let pods = &self.session.pods;
        let ahead = |count: usize| open.endpoints.get(position as usize + count)?.pod();
        prefetch_ahead(
            ahead,
            |pod| pods.prefetch(pod),
            |pod| pods.prefetch_texts(pod),
        );
    }

    fn open_endpoint(&self, number: u32, position: u32) -> Option<&'s KnownEndpoint> {
        let open = self.open.get(number as usize)?;
        open.endpoints.get(position as usize)
    }
}

impl<'s> WrittenOpen<'s> {
    fn new(session: &'s Session, id: SliceId) -> Self {
        let slice = session.slices.get(id);
        Self {
            id,
            endpoints: slice.map_or(&[], |slice| &slice.endpoints),
            addresses: OnceCell::new(),
        }
    }
}

impl SettledSource for WrittenSlices<'_> {
    fn slices(&self, group: u32) -> Vec<Settled<'_>> {
        let known = self.groups.get(group as usize);
        let Some(((_, _, known), first)) = known.zip(self.firsts.get(group as usize)) else {
            return Vec::new();
        };
        let first = u32::try_from(*first).unwrap_or(u32::MAX);
        let settled = |(number, slice): (u32, SliceId)| {
            let slice = self.session.slices.get(slice)?;
            Some(Settled {
                name: slice.name(),
                len: slice.endpoints.len(),
                facts: &slice.facts,
                number,
                source: self,
            })
        };
        (first..).zip(known.slices()).filter_map(settled).collect()
    }

    fn names(&self, group: u32) -> Option<NamesWithout<'_>> {
        let (_, _, group) = self.groups.get(group as usize)?;
        Some(group.names())
    }

    fn whole(&self, number: u32) -> &EndpointSlice<'_> {
        let Some((slice, whole)) = self.slices().get(number as usize) else {
            return &self.none;
        };
        whole.get_or_init(|| Box::new(self.session.whole_slice(*slice)))
    }

    fn count_ready<'c>(
        &'c self,
        number: u32,
        positions: &[u32],
        count: &mut dyn FnMut(&'c str, i64),
    ) {
        let open = self.open.get(number as usize);
        let all = open.map_or(&[][..], |open| open.endpoints);
        let endpoints = positions.iter();
        let endpoints = endpoints.filter_map(|position| all.get(*position as usize));
        count_ready(&self.session.names, endpoints, count);
    }

    fn view(&self, number: u32, position: u32) -> EndpointView<'_> {
        let endpoint = self.open_endpoint(number, position);
        let view = endpoint.map(|endpoint| view(&self.session.names, endpoint));
        view.unwrap_or_default()
    }

    fn push_endpoint<'s>(
        &'s self,
        number: u32,
        position: u32,
        hints: HintsOf<'_, 's>,
        to: &mut Vec<Endpoint<'s>>,
    ) {
        let Session { names, pods, .. } = self.session;
        let Some(endpoint) = self.open_endpoint(number, position) else {
            return;
        };
        self.prefetch_after(number, position);
        let address = self.address(number, position).unwrap_or_default();
        push_with_hints(names, pods, endpoint, address, hints, to);
    }
}

/// The texts of the usual endpoints' addresses, by position; empty for others.
fn addresses(endpoints: &[KnownEndpoint]) -> TextList {
    const USUAL: usize = 15;
    let mut addresses = TextList::with_room(endpoints.len(), USUAL);
    for endpoint in endpoints {
        addresses.push(|text| {
            if let KnownEndpoint::Usual(usual) = endpoint {
                ip::push_text(text, &usual.address());
            }
        });
    }
    addresses
}
