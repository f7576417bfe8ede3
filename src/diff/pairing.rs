//! Endpoints before and after, found again wherever they are.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::model::port_map::PortMapKey;
use crate::model::{Endpoint, EndpointSlice, Text};

/// An endpoint in a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'s, 'a> {
    pub(super) endpoint: &'s Endpoint<'a>,
    pub(super) slice: &'s EndpointSlice<'a>,
    /// Its number among all of its side, from 0.
    number: usize,
}

/// What makes two endpoints the same one (reference: `endpointHash`): the family, addresses, hostname, and the target's
/// namespace and name.
type Identity<'s> = (&'s str, Vec<&'s str>, &'s str, Option<(&'s str, &'s str)>);

/// One endpoint: where it was, and where it is.
#[derive(Debug, Default)]
struct Places<'s, 'a> {
    before: Vec<Place<'s, 'a>>,
    after: Vec<Place<'s, 'a>>,
}

/// The endpoints of both sides.
#[derive(Debug, Default)]
pub(super) struct Endpoints<'s, 'a> {
    places: BTreeMap<Identity<'s>, Places<'s, 'a>>,
    before: usize,
    after: usize,
}

/// One endpoint: the places it kept or went to, those it left, and those it came to.
pub(super) struct Pairing<'s, 'a> {
    pub(super) both: Vec<(Place<'s, 'a>, Place<'s, 'a>)>,
    pub(super) left: Vec<Place<'s, 'a>>,
    pub(super) come: Vec<Place<'s, 'a>>,
}

impl<'s, 'a> Endpoints<'s, 'a> {
    pub(super) fn was_in(&mut self, slice: &'s EndpointSlice<'a>) {
        for endpoint in &slice.endpoints {
            let number = self.before;
            let places = self.places.entry(identity(endpoint, slice)).or_default();
            places.before.push(Place {
                endpoint,
                slice,
                number,
            });
            self.before += 1;
        }
    }

    pub(super) fn is_in(&mut self, slice: &'s EndpointSlice<'a>) {
        for endpoint in &slice.endpoints {
            let number = self.after;
            let places = self.places.entry(identity(endpoint, slice)).or_default();
            places.after.push(Place {
                endpoint,
                slice,
                number,
            });
            self.after += 1;
        }
    }

    /// Each endpoint, in the order of what it is.
    pub(super) fn paired(self) -> impl Iterator<Item = Pairing<'s, 'a>> {
        self.places.into_values().map(pairing)
    }
}

fn identity<'s>(endpoint: &'s Endpoint<'_>, slice: &'s EndpointSlice<'_>) -> Identity<'s> {
    let addresses = endpoint.addresses.iter().map(Text::as_str).collect();
    let target = endpoint.target_ref.as_ref();
    let target = target.map(|target| (target.namespace.as_str(), target.name.as_str()));
    (&slice.address_type, addresses, endpoint.hostname(), target)
}

/// First those that stayed in their slice, then those that went to one with the same ports; the rest left, or came.
fn pairing<'s, 'a>(places: Places<'s, 'a>) -> Pairing<'s, 'a> {
    let Places {
        before: mut left,
        after: mut come,
    } = places;
    let mut both = Vec::new();
    let mut pair_up = |is_it: fn(&Place<'_, '_>, &Place<'_, '_>) -> bool| {
        left.retain(|before| {
            let Some(found) = come.iter().position(|after| is_it(before, after)) else {
                return true;
            };
            both.push((*before, come.remove(found)));
            false
        });
    };
    pair_up(|before, after| before.slice.name() == after.slice.name());
    pair_up(|before, after| {
        PortMapKey::new(&before.slice.ports) == PortMapKey::new(&after.slice.ports)
    });
    Pairing { both, left, come }
}

/// For each endpoint of the slices after, in their order: the number of the same one among those before, from 1 on; 0
/// for one that was not there.
///
/// ```
/// use slicewise::diff::partners;
/// use slicewise::model::EndpointSlice;
///
/// let slice = |name: &str, addresses: &[&str]| {
///     let endpoints = addresses.iter().map(|address| format!(r#"{{"addresses": ["{address}"]}}"#));
///     let endpoints = endpoints.collect::<Vec<_>>().join(",");
///     format!(r#"{{"metadata": {{"name": "{name}"}}, "addressType": "IPv4", "ports": [], "endpoints": [{endpoints}]}}"#)
/// };
/// let texts = [slice("a", &["10.0.0.1", "10.0.0.2"]), slice("b", &["10.0.0.3", "10.0.0.2"])];
/// let slices = texts.each_ref().map(|text| serde_json::from_str::<EndpointSlice<'_>>(text).unwrap());
///
/// assert_eq!(partners(&slices[..1], &slices[1..]), [0, 2]);
/// ```
pub fn partners(before: &[EndpointSlice<'_>], after: &[EndpointSlice<'_>]) -> Vec<usize> {
    let mut endpoints = Endpoints::default();
    before.iter().for_each(|slice| endpoints.was_in(slice));
    after.iter().for_each(|slice| endpoints.is_in(slice));
    let mut partners = vec![0; endpoints.after];
    for (before, after) in endpoints.paired().flat_map(|pairing| pairing.both) {
        if let Some(partner) = partners.get_mut(after.number) {
            *partner = before.number + 1;
        }
    }
    partners
}
