//! Pairs endpoints before and after, wherever they are.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::order::Grouped;
use crate::model::port_map::PortMapKey;
use crate::model::{Endpoint, EndpointSlice, Text};

/// An endpoint in a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointInSlice<'s, 'a> {
    pub(super) endpoint: &'s Endpoint<'a>,
    pub(super) slice: &'s EndpointSlice<'a>,
    /// Its index among all endpoints of its side.
    number: usize,
}

/// What identifies an endpoint (reference: `endpointHash`): the family, addresses, hostname, and the target's namespace
/// and name.
type Identity<'s> = (&'s str, Vec<&'s str>, &'s str, Option<(&'s str, &'s str)>);

/// The endpoints of both sides.
#[derive(Debug, Default)]
pub(super) struct PairedEndpoints<'s, 'a> {
    /// By identity, with whether they are on the side after.
    places: Vec<(Identity<'s>, (bool, EndpointInSlice<'s, 'a>))>,
    before: usize,
    after: usize,
}

/// One endpoint: pairs of old and new places, places it left, and places it is new in.
pub(super) struct Pairing<'s, 'a> {
    pub(super) both: Vec<(EndpointInSlice<'s, 'a>, EndpointInSlice<'s, 'a>)>,
    pub(super) left: Vec<EndpointInSlice<'s, 'a>>,
    pub(super) come: Vec<EndpointInSlice<'s, 'a>>,
}

impl<'s, 'a> PairedEndpoints<'s, 'a> {
    pub(super) fn add(&mut self, slice: &'s EndpointSlice<'a>, is_after: bool) {
        let count = if is_after {
            &mut self.after
        } else {
            &mut self.before
        };
        for endpoint in &slice.endpoints {
            let number = *count;
            let place = EndpointInSlice {
                endpoint,
                slice,
                number,
            };
            self.places
                .push((identity(endpoint, slice), (is_after, place)));
            *count += 1;
        }
    }

    /// Every endpoint, sorted by identity.
    pub(super) fn paired(self) -> Vec<Pairing<'s, 'a>> {
        let places = Grouped::new(self.places);
        places.groups().map(pairing).collect()
    }
}

fn identity<'s>(endpoint: &'s Endpoint<'_>, slice: &'s EndpointSlice<'_>) -> Identity<'s> {
    let addresses = endpoint.addresses.iter().map(Text::as_str).collect();
    let target = endpoint.target_ref.as_ref();
    let target = target.map(|target| (target.namespace.as_str(), target.name.as_str()));
    (&slice.address_type, addresses, endpoint.hostname(), target)
}

/// First pairs those that stayed in their slice, then those that moved to one with the same ports; the others were
/// removed or added.
fn pairing<'s, 'a>(places: &[(Identity<'s>, (bool, EndpointInSlice<'s, 'a>))]) -> Pairing<'s, 'a> {
    let side = |side: bool| -> Vec<EndpointInSlice<'s, 'a>> {
        let places = places.iter().map(|(_, place)| *place);
        let places = places.filter(|(is_after, _)| *is_after == side);
        places.map(|(_, place)| place).collect()
    };
    let (mut left, mut come) = (side(false), side(true));
    let mut both = Vec::new();
    let mut pair_up = |is_it: fn(&EndpointInSlice<'_, '_>, &EndpointInSlice<'_, '_>) -> bool| {
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

/// For each endpoint of the slices after, in order: the number, from 1, of the same endpoint before; 0 if it is new.
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
#[doc(hidden)]
pub fn partners(before: &[EndpointSlice<'_>], after: &[EndpointSlice<'_>]) -> Vec<usize> {
    let mut endpoints = PairedEndpoints::default();
    before.iter().for_each(|slice| endpoints.add(slice, false));
    after.iter().for_each(|slice| endpoints.add(slice, true));
    let mut partners = vec![0; endpoints.after];
    for (before, after) in endpoints.paired().iter().flat_map(|pairing| &pairing.both) {
        if let Some(partner) = partners.get_mut(after.number) {
            *partner = before.number + 1;
        }
    }
    partners
}
