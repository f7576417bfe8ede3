//! A slice while it is being decided: the slice it is based on, its endpoints, and their hints.
//!
//! A draft borrows its contents, including desired endpoints; nothing is copied until the plan is built. Unchanged
//! endpoints point to the existing slice, so their unknown fields survive.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::existing::{ConfirmedEndpoint, count_ready_confirmed};
use super::hint_facts::EndpointView;
use crate::model::endpoint_set::DesiredEndpoint;
use crate::model::prefetch::Prefetch;
use crate::model::{AddressType, Endpoint, EndpointPort, EndpointSlice, StringMap};

/// A slice to be written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Draft<'d, 'a> {
    /// The existing slice it replaces; `None` creates one.
    pub base: Option<&'a EndpointSlice<'a>>,
    /// Family.
    pub address_type: AddressType,
    /// The base gets another role: its ports, labels and owner are replaced.
    pub recycled: bool,
    /// Ports of a new or recycled slice; an updated one keeps its ports.
    pub ports: Vec<EndpointPort<'a>>,
    /// New labels; `None` keeps the base's.
    pub labels: Option<StringMap<'a>>,
    /// Endpoints.
    pub endpoints: DraftEndpoints<'d, 'a>,
    /// Hints.
    pub hints: DraftHints<'a>,
    /// Why the slice is written.
    pub reasons: Reasons,
}

/// Why a slice is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reasons {
    /// Endpoints were removed or changed.
    pub endpoints: bool,
    /// Endpoints were added.
    pub filled: bool,
    /// Labels differ from the Service's.
    pub labels: bool,
    /// Hints had to change.
    pub hints: bool,
}

/// The endpoints of a draft.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum DraftEndpoints<'d, 'a> {
    /// Those of the base, unchanged.
    AsBase,
    /// A list.
    List(Vec<DraftEndpoint<'d, 'a>>),
}

/// One endpoint of a draft.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum DraftEndpoint<'d, 'a> {
    /// Unchanged from the base, including its hints.
    Kept(&'a Endpoint<'a>),
    /// The desired endpoint in place of the same one in the base, if it has one; hints start empty.
    Set(&'d DesiredEndpoint<'a>, Option<Before<'a>>),
    /// An endpoint of the base that is known to match; hints start empty.
    Confirmed(ConfirmedEndpoint<'a>),
}

/// What a desired endpoint takes over from the same one in the base.
///
/// Collected while the base is compared: once the plan is built, it is no longer in the processor's cache.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Before<'a> {
    /// Its only address, spelt as we would write it, otherwise it would not be the same endpoint; empty if it has several.
    pub address: &'a str,
    /// The endpoint, if it has fields that this version does not know.
    pub unknown: Option<&'a Endpoint<'a>>,
}

impl<'a> Before<'a> {
    /// What is taken over from this endpoint.
    pub fn of(endpoint: &'a Endpoint<'a>) -> Self {
        let address = match endpoint.addresses.as_slice() {
            [address] => address,
            _ => "",
        };
        let target = endpoint.target_ref.as_ref();
        let has_unknown = !endpoint.unknown.is_empty()
            || !endpoint.conditions.unknown.is_empty()
            || target.is_some_and(|target| !target.unknown.is_empty());
        Self {
            address,
            unknown: has_unknown.then_some(endpoint),
        }
    }
}

/// The rule that assigns hints to a draft.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum DraftHints<'a> {
    /// No hints.
    #[default]
    Clear,
    /// Each ready endpoint gets its own zone; others keep their hints.
    SameZone,
    /// Each ready endpoint gets its own zone and its own node; others keep their hints.
    SameZoneAndNode,
    /// Each ready endpoint gets its own zone, except those at these positions.
    Redistributed(Vec<(usize, &'a str)>),
}

impl<'a> DraftEndpoint<'_, 'a> {
    /// The view for hint rules.
    pub fn view(&self) -> EndpointView<'a> {
        match self {
            Self::Kept(endpoint) => EndpointView::existing(endpoint),
            Self::Confirmed(endpoint) => endpoint.view(),
            Self::Set(desired, _) => EndpointView::desired(desired),
        }
    }
}

impl<'a> DraftEndpoint<'_, 'a> {
    const fn confirmed(&self) -> Option<ConfirmedEndpoint<'a>> {
        match self {
            Self::Confirmed(endpoint) => Some(*endpoint),
            Self::Kept(_) | Self::Set(..) => None,
        }
    }
}

impl Prefetch for DraftEndpoint<'_, '_> {
    #[inline]
    fn prefetch(&self) {
        match self {
            Self::Kept(endpoint) => endpoint.prefetch(),
            Self::Set(desired, _) => desired.prefetch(),
            Self::Confirmed(_) => {}
        }
    }

    /// Texts are passed on, not read.
    fn prefetch_texts(&self) {}
}

impl<'d, 'a> Draft<'d, 'a> {
    /// A draft of an existing slice with its endpoints unchanged.
    pub fn of(base: &'a EndpointSlice<'a>, address_type: AddressType) -> Self {
        Self {
            base: Some(base),
            address_type,
            recycled: false,
            ports: Vec::new(),
            labels: None,
            endpoints: DraftEndpoints::AsBase,
            hints: DraftHints::Clear,
            reasons: Reasons::default(),
        }
    }

    /// The name of the base, empty for a new slice.
    pub fn name(&self) -> &str {
        self.base.map_or("", |base| base.name())
    }

    /// Orders drafts by name.
    pub fn by_name(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }

    /// The number of endpoints.
    pub fn len(&self) -> usize {
        match &self.endpoints {
            DraftEndpoints::AsBase => self.base.map_or(0, |base| base.endpoints.len()),
            DraftEndpoints::List(list) => list.len(),
        }
    }

    /// Does it have no endpoints?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts its ready endpoints by zone, an absent one as the empty text. A zone may be counted in several parts.
    pub fn count_ready(&self, count: &mut dyn FnMut(&'a str, i64)) {
        let (base, list) = self.parts();
        let others = list.iter().filter(|placed| placed.confirmed().is_none());
        for view in views(base, others).filter(|view| view.ready) {
            count(view.zone.unwrap_or_default(), 1);
        }
        count_ready_confirmed(list.iter().filter_map(DraftEndpoint::confirmed), count);
    }

    /// The views of the endpoints for hint rules.
    pub fn views(&self) -> impl Iterator<Item = EndpointView<'a>> + '_ {
        let (base, list) = self.parts();
        views(base, list.iter())
    }

    /// Its endpoints, as those of the base or as a list; the other one is empty.
    fn parts(&self) -> (&'a [Endpoint<'a>], &[DraftEndpoint<'d, 'a>]) {
        match &self.endpoints {
            DraftEndpoints::AsBase => (self.base_endpoints(), &[]),
            DraftEndpoints::List(list) => (&[], list),
        }
    }

    /// The endpoints of the base.
    pub fn base_endpoints(&self) -> &'a [Endpoint<'a>] {
        self.base.map_or(&[], |base| base.endpoints.as_slice())
    }

    /// Adds at least one endpoint, turning an unchanged draft into a list.
    pub fn put(&mut self, endpoints: impl Iterator<Item = DraftEndpoint<'d, 'a>>) {
        let mut list = self.take();
        list.extend(endpoints);
        self.reasons.filled = true;
        self.endpoints = DraftEndpoints::List(list);
    }

    /// Removes and returns all its endpoints.
    pub fn take(&mut self) -> Vec<DraftEndpoint<'d, 'a>> {
        match core::mem::replace(&mut self.endpoints, DraftEndpoints::List(Vec::new())) {
            DraftEndpoints::List(list) => list,
            DraftEndpoints::AsBase => self
                .base_endpoints()
                .iter()
                .map(DraftEndpoint::Kept)
                .collect(),
        }
    }
}

fn views<'p, 'd: 'p, 'a: 'd>(
    base: &'a [Endpoint<'a>],
    list: impl Iterator<Item = &'p DraftEndpoint<'d, 'a>>,
) -> impl Iterator<Item = EndpointView<'a>> {
    let base = base.iter().map(EndpointView::existing);
    base.chain(list.map(DraftEndpoint::view))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::testing::slice;
    use serde_json::{Value, json};

    /// The address that is taken over, and whether there are unknown fields.
    fn taken_over(endpoint: &Value) -> (&'static str, bool) {
        let slice = slice("a", core::slice::from_ref(endpoint));
        let before = Before::of(&slice.endpoints[0]);
        let is_itself = |unknown: &Endpoint<'_>| core::ptr::eq(unknown, &slice.endpoints[0]);
        (before.address, before.unknown.is_some_and(is_itself))
    }

    #[test]
    fn unknown_fields_are_taken_over_wherever_they_are() {
        let endpoint = json!({
            "addresses": ["10.0.0.1"], "conditions": {"ready": true}, "targetRef": {"kind": "Pod", "name": "p"},
        });
        assert_eq!(taken_over(&endpoint), ("10.0.0.1", false));
        for place in ["", "/conditions", "/targetRef"] {
            let mut endpoint = endpoint.clone();
            endpoint.pointer_mut(place).unwrap()["new"] = 1.into();
            assert_eq!(taken_over(&endpoint), ("10.0.0.1", true), "{place}");
        }
        let several = json!({"addresses": ["10.0.0.1", "10.0.0.2"]});
        assert_eq!(taken_over(&several), ("", false));
    }
}
