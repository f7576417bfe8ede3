//! The endpoints that an Endpoints object stands for, by family and ports; and those that are left out.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use slicewise::model::endpoint_set::{DesiredEndpoint, EndpointAddresses, EndpointTarget};
use slicewise::model::endpoints::{EndpointAddress, EndpointSubset, SubsetPort};
use slicewise::model::order::sort_by;
use slicewise::model::{
    AddressType, ByFamily, Endpoint, EndpointPort, PortMapKey, SortedMap, Text, ip,
};
use slicewise::topology::events::Event;

/// The key of a group of slices: the family, and the ports in any order.
pub(super) type GroupKey<'a> = (AddressType, PortMapKey<'a>);

/// The endpoints of one group.
pub(super) struct DesiredGroup<'s, 'a> {
    pub(super) ports: Vec<EndpointPort<'a>>,
    /// Sorted in placement order, with unique identities.
    pub(super) endpoints: Vec<DesiredMirrorEndpoint<'s, 'a>>,
}

/// A desired endpoint.
pub(super) struct DesiredMirrorEndpoint<'s, 'a> {
    endpoint: DesiredEndpoint<'s>,
    address: &'s EndpointAddress<'a>,
}

/// All groups, and events about the addresses that are in none of them.
pub(super) struct DesiredGroups<'s, 'a> {
    pub(super) groups: SortedMap<GroupKey<'a>, DesiredGroup<'s, 'a>>,
    pub(super) events: Vec<Event>,
}

impl<'s, 'a> DesiredGroups<'s, 'a> {
    /// Groups the addresses of canonical subsets, at most `max` of each subset.
    pub(super) fn of(subsets: &'s [EndpointSubset<'a>], max: usize) -> Self {
        let mut left_out = LeftOut::default();
        let mut groups = Vec::new();
        for subset in subsets {
            let ports: Vec<_> = subset.ports.iter().map(slice_port).collect();
            let key = PortMapKey::new(&ports);
            let mut found = families(subset, max, &mut left_out);
            for family in AddressType::ALL {
                let (ports, endpoints) = (ports.clone(), core::mem::take(found.of_mut(family)));
                groups.push(((family, key.clone()), DesiredGroup { ports, endpoints }));
            }
        }
        // Two subsets can only have equal ports if those have application protocols, or if one has port 0 and the other
        // none.
        let mut groups = SortedMap::merged(groups, |kept, more| {
            kept.endpoints.append(&mut more.endpoints);
            kept.ports = core::mem::take(&mut more.ports);
        });
        groups.values_mut().for_each(DesiredGroup::settle);
        Self {
            groups,
            events: left_out.events(max),
        }
    }
}

impl DesiredGroup<'_, '_> {
    /// If several endpoints have one identity, the last one counts (reference: `EndpointSet.Insert`).
    fn settle(&mut self) {
        sort_by(&mut self.endpoints, |a, b| {
            a.endpoint.placement_order(&b.endpoint)
        });
        self.endpoints.dedup_by(|later, kept| {
            let is_same = later.endpoint.placement_order(&kept.endpoint) == Ordering::Equal;
            if is_same {
                core::mem::swap(later, kept);
            }
            is_same
        });
    }

    /// Looks up an existing endpoint; `Some(true)` if it is up to date.
    pub(super) fn find(&self, existing: &Endpoint<'_>) -> Option<bool> {
        let mut key = DesiredEndpoint::new(
            EndpointAddresses::of_existing(existing)?,
            EndpointTarget::Reference(existing.target_ref.as_ref()),
        );
        key.hostname = existing.hostname.as_deref();
        let order = |wanted: &DesiredMirrorEndpoint<'_, '_>| wanted.endpoint.placement_order(&key);
        let place = self.endpoints.binary_search_by(order).ok()?;
        let wanted = self.endpoints.get(place)?;
        Some(wanted.endpoint.equals_beyond_identity(existing))
    }
}

impl<'a> DesiredMirrorEndpoint<'_, 'a> {
    fn new<'s>(
        address: &'s EndpointAddress<'a>,
        ready: bool,
    ) -> Option<DesiredMirrorEndpoint<'s, 'a>> {
        let hostname = address.hostname.as_str();
        let mut endpoint = DesiredEndpoint::new(
            ip::parse(&address.ip)?.into(),
            EndpointTarget::Reference(address.target_ref.as_ref()),
        );
        endpoint.ready = Some(ready);
        endpoint.hostname = Some(hostname).filter(|name| !name.is_empty());
        endpoint.node_name = address.node_name.as_deref();
        Some(DesiredMirrorEndpoint { endpoint, address })
    }

    fn family(&self) -> AddressType {
        let first = self.endpoint.addresses.iter().next();
        first.map_or(AddressType::IPv4, |first| ip::address_type(&first))
    }

    /// The endpoint as written to a slice.
    pub(super) fn endpoint(&self) -> Endpoint<'a> {
        let addresses = self.endpoint.addresses.iter();
        let hostname = Some(self.address.hostname.clone());
        let mut endpoint = Endpoint::default();
        endpoint.addresses = addresses.map(|ip| ip::to_text(&ip).into()).collect();
        endpoint.conditions.ready = self.endpoint.ready;
        endpoint.hostname = hostname.filter(|name| !name.is_empty());
        endpoint.target_ref = self.address.target_ref.clone();
        endpoint.node_name = self.address.node_name.clone();
        endpoint
    }
}

/// Name and protocol are always set, even if empty, as the reference points to them.
fn slice_port<'a>(port: &SubsetPort<'a>) -> EndpointPort<'a> {
    let mut of_slice = EndpointPort::default();
    of_slice.name = Some(port.name.clone());
    of_slice.port = Some(port.port);
    of_slice.protocol = Some(port.protocol.clone());
    of_slice.app_protocol = port.app_protocol.clone();
    of_slice
}

/// Addresses that are not mirrored, over all subsets.
#[derive(Default)]
struct LeftOut {
    /// Because they are invalid.
    invalid: usize,
    /// For any reason.
    all: usize,
}

impl LeftOut {
    /// The second event includes the invalid addresses, as in the reference.
    fn events(&self, max: usize) -> Vec<Event> {
        let mut events = vec![];
        if self.invalid > 0 {
            let message = format!(
                "Skipped {} invalid IP addresses when mirroring to EndpointSlices",
                self.invalid
            );
            events.push(Event::warning("InvalidIPAddress", message));
        }
        if self.all > self.invalid {
            let message = format!(
                "A max of {max} addresses can be mirrored to EndpointSlices per Endpoints subset. {} addresses were skipped",
                self.all
            );
            events.push(Event::warning("TooManyAddressesToMirror", message));
        }
        events
    }
}

/// The first `max` valid addresses of a subset, ready ones first, by family. Later ones are ignored.
fn families<'s, 'a>(
    subset: &'s EndpointSubset<'a>,
    max: usize,
    left_out: &mut LeftOut,
) -> ByFamily<Vec<DesiredMirrorEndpoint<'s, 'a>>> {
    let ready = subset.addresses.iter().map(|address| (address, true));
    let not_ready = subset.not_ready_addresses.iter();
    let all = ready.chain(not_ready.map(|address| (address, false)));
    left_out.all += all.clone().count();
    let (mut found, mut count) = (ByFamily::default(), 0);
    for (address, ready) in all {
        if count >= max {
            break;
        }
        match DesiredMirrorEndpoint::new(address, ready) {
            Some(wanted) => {
                let family: &mut Vec<_> = found.of_mut(wanted.family());
                family.push(wanted);
                count += 1;
            }
            None => left_out.invalid += 1,
        }
    }
    left_out.all -= count;
    found
}

/// The family of a slice, from its text; slices of other address types are in no group.
pub(super) fn family(address_type: &Text<'_>) -> Option<AddressType> {
    let families = AddressType::ALL;
    families
        .into_iter()
        .find(|family| *address_type == family.as_str())
}
