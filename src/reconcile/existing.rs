//! Existing slices from the point of view of decisions: open, or settled by an earlier sync.
//!
//! A decision compares the endpoints of an open slice with the desired ones, one by one. A settled slice was compared
//! before, and neither it nor its pods have changed since: it matches, so its length and a few sums are all that
//! packing and hints need. From scratch every slice is open.

use alloc::vec::Vec;
use core::fmt;

use super::hint_facts::{
    EndpointView, HintFacts, HintTotals, count_ready, has_hints, hints_by_zone, is_hint_wrong,
};
use crate::model::order::sort_by;
use crate::model::slice_names::NamesWithout;
use crate::model::{Endpoint, EndpointHints, EndpointSlice, PortMapKey, SortedMap, Text};
use crate::traffic_distribution::TrafficDistribution;

/// An existing slice.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Existing<'a> {
    /// To be compared with the desired endpoints.
    Open(&'a EndpointSlice<'a>),
    /// Its endpoints and labels match; only its hints may have to change.
    Settled(Settled<'a>),
}

/// An open slice, with the endpoints that are known to match.
#[derive(Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct Open<'a> {
    /// The slice, without the confirmed endpoints.
    pub slice: &'a EndpointSlice<'a>,
    /// The confirmed endpoints, if any.
    pub confirmed: Option<Confirmed<'a>>,
}

/// Endpoints of an open slice that are known to match. Each has one address and targets a pod.
#[derive(Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct Confirmed<'a> {
    /// By position in the slice: is the endpoint confirmed?
    pub positions: &'a [bool],
    /// The facts for hint rules about the whole slice.
    pub facts: &'a HintFacts,
    /// The slice's number, for its source.
    pub number: u32,
    /// Provides endpoints that have to be written.
    pub source: &'a (dyn SettledSource + 'a),
}

impl<'a> From<&'a EndpointSlice<'a>> for Open<'a> {
    fn from(slice: &'a EndpointSlice<'a>) -> Self {
        Self {
            slice,
            confirmed: None,
        }
    }
}

impl<'a> Open<'a> {
    /// The number of endpoints in the slice.
    pub fn len(&self) -> usize {
        let confirmed = self.confirmed.map(|confirmed| confirmed.positions.len());
        confirmed.unwrap_or(self.slice.endpoints.len())
    }

    /// Does it have no endpoints?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slice, after nothing in it has changed.
    pub fn unchanged(self) -> Existing<'a> {
        match self.confirmed {
            None => Existing::Open(self.slice),
            Some(confirmed) => Existing::Settled(Settled {
                name: self.slice.name(),
                len: confirmed.positions.len(),
                facts: confirmed.facts,
                number: confirmed.number,
                source: confirmed.source,
            }),
        }
    }

    /// The endpoints by position.
    pub fn endpoints(&self) -> impl Iterator<Item = OpenEndpoint<'a>> {
        let mut others = self.slice.endpoints.iter();
        let confirmed = self.confirmed;
        (0_u32..).map_while(move |position| {
            let Some(confirmed) = confirmed else {
                return others.next().map(OpenEndpoint::Unconfirmed);
            };
            if *confirmed.positions.get(position as usize)? {
                let (source, number) = (confirmed.source, confirmed.number);
                return Some(OpenEndpoint::Confirmed(ConfirmedEndpoint {
                    source,
                    number,
                    position,
                }));
            }
            others.next().map(OpenEndpoint::Unconfirmed)
        })
    }
}

/// The comparison of an open slice.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster takes all of it"
)]
pub struct ComparedSlice<'a> {
    /// The slice.
    pub slice: &'a EndpointSlice<'a>,
    /// Its endpoints that do not match; all others do.
    pub wrong: Vec<&'a Endpoint<'a>>,
}

/// An endpoint of an open slice.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum OpenEndpoint<'a> {
    /// To be compared.
    Unconfirmed(&'a Endpoint<'a>),
    /// Known to match.
    Confirmed(ConfirmedEndpoint<'a>),
}

/// An endpoint that is known to match.
#[derive(Clone, Copy)]
pub struct ConfirmedEndpoint<'a> {
    source: &'a (dyn SettledSource + 'a),
    number: u32,
    position: u32,
}

impl<'a> ConfirmedEndpoint<'a> {
    /// The view for hint rules.
    pub fn view(&self) -> EndpointView<'a> {
        self.source.view(self.number, self.position)
    }

    /// Appends the endpoint, with the hints that follow from its view.
    pub fn push(&self, hints: HintsOf<'_, 'a>, to: &mut Vec<Endpoint<'a>>) {
        let (source, number) = (self.source, self.number);
        source.push_endpoint(number, self.position, hints, to);
    }
}

/// Counts the ready ones among endpoints by zone, an absent one as the empty text.
pub(super) fn count_ready_confirmed<'a>(
    endpoints: impl Iterator<Item = ConfirmedEndpoint<'a>>,
    count: &mut dyn FnMut(&'a str, i64),
) {
    // Most are of one slice, whose source is asked once.
    let (mut last, mut positions) = (None, Vec::new());
    for endpoint in endpoints {
        let before = last.replace(endpoint);
        if let Some(before) = before.filter(|before| before.number != endpoint.number) {
            before.source.count_ready(before.number, &positions, count);
            positions.clear();
        }
        positions.push(endpoint.position);
    }
    if let Some(last) = last {
        last.source.count_ready(last.number, &positions, count);
    }
}

impl fmt::Debug for ConfirmedEndpoint<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "confirmed at {}", self.position)
    }
}

/// The settled slices of one family and port group, summed up, so that most decisions need not look at each one.
#[derive(Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct SettledGroup<'a> {
    /// The number of slices; at least one.
    pub slices: usize,
    /// The number of endpoints in them.
    pub endpoints: usize,
    /// The facts for hint rules.
    pub totals: &'a HintTotals,
    /// Its number, for its source.
    pub number: u32,
    /// Provides the slices if they have to be looked at one by one.
    pub source: &'a (dyn SettledSource + 'a),
}

/// Settled slices of one family by ports.
pub type SettledGroups<'a> = SortedMap<&'a PortMapKey<'a>, SettledGroup<'a>>;

/// A slice whose endpoints and labels match.
#[derive(Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct Settled<'a> {
    /// The slice's name.
    pub name: &'a str,
    /// The number of endpoints; at least one.
    pub len: usize,
    /// The facts for hint rules.
    pub facts: &'a HintFacts,
    /// Its number, for its source.
    pub number: u32,
    /// Provides the whole slice if it has to be written.
    pub source: &'a (dyn SettledSource + 'a),
}

/// Provides settled slices.
pub trait SettledSource {
    /// The slices of a group, sorted by name.
    fn slices(&self, group: u32) -> Vec<Settled<'_>>;

    /// Their names.
    fn names(&self, group: u32) -> Option<NamesWithout<'_>>;

    /// The whole slice with that number.
    fn whole(&self, number: u32) -> &EndpointSlice<'_>;

    /// Counts the ready endpoints at some positions of that slice by zone, an absent one as the empty text. A zone may be
    /// counted in several parts.
    fn count_ready<'s>(
        &'s self,
        number: u32,
        positions: &[u32],
        count: &mut dyn FnMut(&'s str, i64),
    );

    /// The view of an endpoint of that slice for hint rules.
    fn view(&self, number: u32, position: u32) -> EndpointView<'_>;

    /// Appends an endpoint of that slice, with the hints that follow from its view.
    fn push_endpoint<'s>(
        &'s self,
        number: u32,
        position: u32,
        hints: HintsOf<'_, 's>,
        to: &mut Vec<Endpoint<'s>>,
    );
}

/// The hints of an endpoint, by its view.
pub type HintsOf<'f, 'a> = &'f dyn Fn(EndpointView<'a>) -> Option<EndpointHints<'a>>;

/// Adds the slices of groups to other slices; both the input and the result are sorted by name.
pub fn break_up<'a>(
    groups: impl IntoIterator<Item = &'a SettledGroup<'a>>,
    slices: &mut Vec<Existing<'a>>,
) {
    for group in groups {
        let settled = group.source.slices(group.number).into_iter();
        slices.extend(settled.map(Existing::Settled));
    }
    sort_by(slices, |a, b| a.name().cmp(b.name()));
}

impl fmt::Debug for SettledGroup<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} settled slices", self.slices)
    }
}

impl fmt::Debug for Existing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl<'a> Existing<'a> {
    /// The slice's name.
    pub fn name(&self) -> &'a str {
        match self {
            Self::Open(slice) => slice.name(),
            Self::Settled(settled) => settled.name,
        }
    }

    /// The name as plans list it.
    pub fn name_text(&self) -> Text<'a> {
        match self {
            Self::Open(slice) => slice.metadata.name.clone(),
            Self::Settled(settled) => settled.name.into(),
        }
    }

    /// The number of endpoints.
    pub fn len(&self) -> usize {
        match self {
            Self::Open(slice) => slice.endpoints.len(),
            Self::Settled(settled) => settled.len,
        }
    }

    /// Does it have no endpoints?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole slice.
    pub fn whole(&self) -> &'a EndpointSlice<'a> {
        match self {
            Self::Open(slice) => slice,
            Self::Settled(settled) => settled.source.whole(settled.number),
        }
    }

    /// The number of ready endpoints.
    pub fn count_ready(&self) -> i64 {
        match self {
            Self::Open(slice) => count_ready(slice),
            Self::Settled(settled) => settled.facts.ready,
        }
    }

    /// Does any endpoint have hints?
    pub fn has_hints(&self) -> bool {
        match self {
            Self::Open(slice) => has_hints(slice),
            Self::Settled(settled) => settled.facts.has_hints,
        }
    }

    /// Does a ready endpoint lack its hint, or have a different one?
    pub fn is_hint_wrong(&self, traffic: TrafficDistribution) -> bool {
        match self {
            Self::Open(slice) => is_hint_wrong(slice, traffic),
            Self::Settled(settled) if traffic.hints_nodes() => settled.facts.wrong_node,
            Self::Settled(settled) => settled.facts.wrong_zone,
        }
    }

    /// Hints of ready endpoints by zone; `None` if one of them has none (reference: `getHintsByZone`).
    pub fn hints_by_zone(&self) -> Option<SortedMap<&'a str, i64>> {
        match self {
            Self::Open(slice) => hints_by_zone(slice),
            Self::Settled(settled) => {
                let zones = settled.facts.by_zone.as_ref()?.iter();
                Some(zones.map(|(zone, count)| (zone.as_str(), *count)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::testing::slice;
    use serde_json::json;

    #[test]
    fn lengths() {
        for count in [0, 2] {
            let slice = slice("a", &vec![json!({"addresses": ["10.0.0.1"]}); count]);
            let (open, existing) = (Open::from(slice), Existing::Open(slice));
            assert_eq!([open.len(), existing.len()], [count; 2]);
            assert_eq!([open.is_empty(), existing.is_empty()], [count == 0; 2]);
        }
    }
}
