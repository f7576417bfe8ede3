//! A slice while it is being decided: which slice it comes from, which endpoints it will hold, which hints they get.
//!
//! A draft borrows, also what is wanted; nothing is copied until a plan is made of it. Endpoints that stay as they are
//! point at the existing slice, so that their unknown fields survive.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::existing::ConfirmedEndpoint;
use super::hint_facts::EndpointView;
use crate::model::endpoint_set::DesiredEndpoint;
use crate::model::{AddressType, Endpoint, EndpointPort, EndpointSlice, StringMap};

/// A slice to be written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Draft<'d, 'a> {
    /// The existing slice it replaces; `None` creates one.
    pub base: Option<&'a EndpointSlice<'a>>,
    /// Family.
    pub address_type: AddressType,
    /// The base takes over another role: its ports, labels and owner are set again.
    pub recycled: bool,
    /// Ports of a new or recycled slice; an updated one keeps its own.
    pub ports: Vec<EndpointPort<'a>>,
    /// New labels; `None` keeps the base's.
    pub labels: Option<StringMap<'a>>,
    /// Endpoints.
    pub endpoints: Endpoints<'d, 'a>,
    /// Hints.
    pub hints: Hints<'a>,
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
pub enum Endpoints<'d, 'a> {
    /// Those of the base, as they are.
    AsBase,
    /// A list.
    List(Vec<Placed<'d, 'a>>),
}

/// One endpoint of a draft.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Placed<'d, 'a> {
    /// As it stands in the base, hints included.
    Kept(&'a Endpoint<'a>),
    /// As it should be, over what stands in the base (for its unknown fields); hints start empty.
    Set(&'d DesiredEndpoint<'a>, Option<&'a Endpoint<'a>>),
    /// As desired, a field of the base; hints start empty.
    Confirmed(ConfirmedEndpoint<'a>),
}

/// The rule that gives a draft its hints.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Hints<'a> {
    /// None at all.
    #[default]
    Clear,
    /// Every ready endpoint its own zone; others keep what they have.
    SameZone,
    /// Likewise, and its own node.
    SameZoneAndNode,
    /// Every ready endpoint its own zone, except those at these positions.
    Redistributed(Vec<(usize, &'a str)>),
}

impl<'a> Placed<'_, 'a> {
    /// What hint rules look at.
    pub fn view(&self) -> EndpointView<'a> {
        match self {
            Self::Kept(endpoint) => EndpointView::existing(endpoint),
            Self::Confirmed(endpoint) => endpoint.view(),
            Self::Set(desired, _) => EndpointView::desired(desired),
        }
    }
}

impl<'d, 'a> Draft<'d, 'a> {
    /// A draft of an existing slice with its endpoints as they are.
    pub fn of(base: &'a EndpointSlice<'a>, address_type: AddressType) -> Self {
        Self {
            base: Some(base),
            address_type,
            recycled: false,
            ports: Vec::new(),
            labels: None,
            endpoints: Endpoints::AsBase,
            hints: Hints::Clear,
            reasons: Reasons::default(),
        }
    }

    /// The name of the base, empty for a new slice.
    pub fn name(&self) -> &str {
        self.base.map_or("", |base| base.name())
    }

    /// The order of drafts by name.
    pub fn by_name(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }

    /// How many endpoints it holds.
    pub fn len(&self) -> usize {
        match &self.endpoints {
            Endpoints::AsBase => self.base.map_or(0, |base| base.endpoints.len()),
            Endpoints::List(list) => list.len(),
        }
    }

    /// Does it hold no endpoint?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What hint rules look at, endpoint by endpoint.
    pub fn views(&self) -> Box<dyn Iterator<Item = EndpointView<'a>> + '_> {
        match &self.endpoints {
            Endpoints::AsBase => Box::new(self.base_endpoints().iter().map(EndpointView::existing)),
            Endpoints::List(list) => Box::new(list.iter().map(Placed::view)),
        }
    }

    /// The endpoints of the base.
    pub fn base_endpoints(&self) -> &'a [Endpoint<'a>] {
        self.base.map_or(&[], |base| base.endpoints.as_slice())
    }

    /// Adds endpoints, at least one, turning a draft that was as its base into a list.
    pub fn put(&mut self, endpoints: impl Iterator<Item = Placed<'d, 'a>>) {
        let mut list = self.take();
        list.extend(endpoints);
        self.reasons.filled = true;
        self.endpoints = Endpoints::List(list);
    }

    /// Takes all its endpoints out.
    pub fn take(&mut self) -> Vec<Placed<'d, 'a>> {
        match core::mem::replace(&mut self.endpoints, Endpoints::List(Vec::new())) {
            Endpoints::List(list) => list,
            Endpoints::AsBase => self.base_endpoints().iter().map(Placed::Kept).collect(),
        }
    }
}
