//! Endpoints as consumers of slices see them, and their numbers.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::model::endpoint_slice::NameRef;
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, Endpoint, EndpointSlice, NamespacedName, Text, ip, keys};
use slicewise::tracker::TrackedSlice as _;

use super::change::{SeenEndpoint, SeenPort, SeenTarget, TrafficChangeKind};
use super::moved;
use crate::session::Session;

/// The endpoints at an address, by ports: usually one.
pub(super) type EndpointsAtAddress = BTreeMap<Vec<SeenPort>, SeenEndpoint>;

/// The numbers of a Service's endpoints in one family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EndpointCounts {
    pub(super) all: usize,
    pub(super) ready: usize,
    /// Ready endpoints with a hint to a zone.
    pub(super) hinted: usize,
    /// Terminating, and still serving.
    pub(super) draining: usize,
}

pub(super) const fn family(address: IpAddr) -> AddressType {
    match address {
        IpAddr::V4(_) => AddressType::IPv4,
        IpAddr::V6(_) => AddressType::IPv6,
    }
}

/// The endpoints at an address in the slices of a Service.
pub(super) fn at(
    session: &Session,
    service: &NamespacedName,
    address: IpAddr,
) -> EndpointsAtAddress {
    let mut at = EndpointsAtAddress::new();
    for (head, endpoint) in session.endpoints_at(service, address) {
        choose(&mut at, head, &endpoint, address);
    }
    at
}

/// If several have the same address, a later one counts unless it is terminating, as for kube-proxy.
fn choose(
    at: &mut EndpointsAtAddress,
    head: &EndpointSlice<'_>,
    endpoint: &Endpoint<'_>,
    address: IpAddr,
) {
    let ports = ports(head);
    if endpoint.conditions.is_terminating() && at.contains_key(&ports) {
        return;
    }
    let seen = seen(head, endpoint, address, ports.clone());
    at.insert(ports, seen);
}

/// The numbers of a Service's endpoints, by family.
pub(super) fn counts(
    session: &Session,
    service: &NamespacedName,
) -> BTreeMap<AddressType, EndpointCounts> {
    let mut all: BTreeMap<IpAddr, EndpointsAtAddress> = BTreeMap::new();
    session.for_each_endpoint(service, |head, endpoint| {
        if let Some(address) = address_of(endpoint) {
            choose(all.entry(address).or_default(), head, endpoint, address);
        }
    });
    let mut counts: BTreeMap<AddressType, EndpointCounts> = BTreeMap::new();
    for (address, at) in &all {
        let counts = counts.entry(family(*address)).or_default();
        at.values().for_each(|seen| counts.count(seen, true));
    }
    counts
}

/// The addresses for which a slice differs before and after, each with the Service concerned.
pub(super) fn differing(
    before: Option<&EndpointSlice<'_>>,
    after: Option<&EndpointSlice<'_>>,
) -> BTreeSet<(NamespacedName, IpAddr)> {
    let service = |slice: &EndpointSlice<'_>| NamespacedName {
        namespace: slice.metadata.namespace.to_string(),
        name: slice.service_name().to_string(),
    };
    let said = |slice: Option<&'_ EndpointSlice<'_>>| -> Vec<(NamespacedName, IpAddr)> {
        let slices = slice
            .into_iter()
            .filter(|slice| !slice.service_name().is_empty());
        let pairs = slices.flat_map(|slice| {
            let service = service(slice);
            let addresses = slice.endpoints.iter().filter_map(address_of);
            addresses.map(move |address| (service.clone(), address))
        });
        pairs.collect()
    };
    let is_same_head = before.zip(after).is_some_and(|(before, after)| {
        ports(before) == ports(after)
            && before.metadata.labels.get(keys::SERVICE_NAME_LABEL)
                == after.metadata.labels.get(keys::SERVICE_NAME_LABEL)
    });
    if !is_same_head {
        let both = said(before).into_iter().chain(said(after));
        return both.collect();
    }
    let (olds, news) = (by_address(before), by_address(after));
    let changed = olds
        .iter()
        .filter(|(address, old)| news.get(*address) != Some(*old));
    let added = news.keys().filter(|address| !olds.contains_key(*address));
    let Some(service) = after
        .map(service)
        .filter(|service| !service.name.is_empty())
    else {
        return BTreeSet::new();
    };
    let addresses = changed.map(|(address, _)| address).chain(added);
    addresses
        .map(|address| (service.clone(), *address))
        .collect()
}

fn by_address<'s, 'a>(
    slice: Option<&'s EndpointSlice<'a>>,
) -> BTreeMap<IpAddr, Vec<&'s Endpoint<'a>>> {
    let mut by_address: BTreeMap<IpAddr, Vec<&Endpoint<'_>>> = BTreeMap::new();
    for endpoint in slice.into_iter().flat_map(|slice| &slice.endpoints) {
        if let Some(address) = address_of(endpoint) {
            by_address.entry(address).or_default().push(endpoint);
        }
    }
    by_address
}

/// Only the first address counts.
fn address_of(endpoint: &Endpoint<'_>) -> Option<IpAddr> {
    ip::parse(endpoint.addresses.first()?)
}

fn ports(head: &EndpointSlice<'_>) -> Vec<SeenPort> {
    let text = |text: &Option<Text<'_>>| text.as_deref().unwrap_or_default().to_string();
    let ports = head.ports.iter().map(|port| SeenPort {
        name: text(&port.name),
        port: port.port,
        protocol: text(&port.protocol),
    });
    sorted_unique(ports)
}

fn seen(
    head: &EndpointSlice<'_>,
    endpoint: &Endpoint<'_>,
    address: IpAddr,
    ports: Vec<SeenPort>,
) -> SeenEndpoint {
    let text = |text: &Option<Text<'_>>| text.as_ref().map(ToString::to_string);
    let names = |names: &[NameRef<'_>]| -> Vec<String> {
        names.iter().map(|name| name.name.to_string()).collect()
    };
    let hints = endpoint.hints.as_ref();
    let (ready, serving, terminating) = endpoint.conditions.meant();
    SeenEndpoint {
        address: ip::to_text(&address),
        ports,
        target: endpoint.target_ref.as_ref().map(|target| SeenTarget {
            kind: target.kind.to_string(),
            name: target.name.to_string(),
        }),
        node: text(&endpoint.node_name),
        zone: text(&endpoint.zone),
        ready,
        serving,
        terminating,
        state: endpoint.conditions.state(),
        for_zones: hints.map_or_else(Vec::new, |hints| names(&hints.for_zones)),
        for_nodes: hints.map_or_else(Vec::new, |hints| names(&hints.for_nodes)),
        slice: head.name().to_string(),
    }
}

impl EndpointCounts {
    fn count(&mut self, seen: &SeenEndpoint, is_there: bool) {
        let count = |number: &mut usize, counts: bool| {
            let by = usize::from(counts);
            *number = if is_there {
                *number + by
            } else {
                number.saturating_sub(by)
            };
        };
        count(&mut self.all, true);
        count(&mut self.ready, seen.ready);
        count(&mut self.hinted, seen.ready && !seen.for_zones.is_empty());
        count(
            &mut self.draining,
            !seen.ready && seen.serving && seen.terminating,
        );
    }

    /// Stops counting the old endpoint and counts the new one; returns what has changed, if anything.
    pub(super) fn step(
        &mut self,
        address_type: AddressType,
        (before, after): (Option<SeenEndpoint>, Option<SeenEndpoint>),
    ) -> Option<TrafficChangeKind> {
        let ready_before = self.ready;
        if let Some(before) = &before {
            self.count(before, false);
        }
        if let Some(after) = &after {
            self.count(after, true);
        }
        let ready = moved(ready_before, self.ready);
        match (before, after) {
            (None, None) => None,
            (None, Some(endpoint)) => Some(TrafficChangeKind::EndpointGained {
                address_type,
                endpoint,
                ready,
            }),
            (Some(endpoint), None) => Some(TrafficChangeKind::EndpointLost {
                address_type,
                endpoint,
                ready,
            }),
            (Some(before), Some(endpoint)) => {
                let fields = endpoint.differing(&before);
                (!fields.is_empty()).then_some(TrafficChangeKind::EndpointChanged {
                    address_type,
                    endpoint,
                    before: Box::new(before),
                    fields,
                    ready,
                })
            }
        }
    }

    /// What the changes of single endpoints mean for the Service as a whole.
    pub(super) fn whole(&self, address_type: AddressType, before: Self) -> Vec<TrafficChangeKind> {
        let mut whats = Vec::new();
        let Self { ready, hinted, .. } = *self;
        if before.ready > 0 && ready == 0 {
            whats.push(TrafficChangeKind::NoneReady {
                address_type,
                draining: self.draining,
            });
        }
        if before.ready == 0 && ready > 0 {
            whats.push(TrafficChangeKind::SomeReady {
                address_type,
                ready,
            });
        }
        let is_hinted = |counts: &Self| counts.ready > 0 && counts.hinted == counts.ready;
        if is_hinted(self) && !is_hinted(&before) {
            whats.push(TrafficChangeKind::HintsOn {
                address_type,
                ready,
            });
        }
        // Without a ready endpoint, hints do not matter.
        if is_hinted(&before) && !is_hinted(self) && ready > 0 {
            whats.push(TrafficChangeKind::HintsOff {
                address_type,
                ready,
                hinted,
                reason: None,
            });
        }
        whats
    }
}
