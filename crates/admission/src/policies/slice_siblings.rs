//! Duplicate endpoints, within a slice and across the slices of one Service.

use alloc::format;
use alloc::vec::Vec;

use super::slice_parts::{IndexedAddresses, port_name};
use crate::context::ClusterView;
use crate::objects::ReviewedSlice;
use crate::verdict::{CauseType, Finding};
use slicewise::model::SortedMap;
use slicewise::model::order::{sort, sort_by, sorted_unique};
use slicewise_live::session::observer::ObservedSlice;

/// Addresses that one slice holds twice.
pub(super) fn duplicates(addresses: &IndexedAddresses) -> Vec<Finding> {
    let mut repeats: Vec<_> = addresses
        .groups()
        .filter_map(|places| places.split_first())
        .flat_map(|((address, first), rest)| {
            rest.iter().map(|(_, place)| (*place, *first, *address))
        })
        .collect();
    sort(&mut repeats);
    let finding = |((endpoint, place), (first, first_place), address)| {
        let message = format!(
            "{address} is already endpoints[{first}].addresses[{first_place}]; keep one of them"
        );
        Finding::deny(
            "duplicate-endpoint",
            CauseType::FieldValueDuplicate,
            format!("endpoints[{endpoint}].addresses[{place}]"),
            message,
        )
    };
    repeats.into_iter().map(finding).collect()
}

/// Addresses that another slice of the Service holds for one of the same ports.
///
/// Different ports of one address may be in different slices.
pub(super) fn check_siblings(
    slice: &ReviewedSlice<'_>,
    service: &str,
    addresses: &IndexedAddresses,
    cluster: &ClusterView<'_>,
) -> Vec<Finding> {
    let ports = sorted_unique(slice.ports.iter().map(port_name));
    let competes = |sibling: &ObservedSlice<'_>| {
        let head = sibling.head;
        let shares_port = head
            .ports
            .iter()
            .any(|port| ports.binary_search(&port_name(port)).is_ok());
        let is_same_slice = slice.metadata.name == head.metadata.name;
        !is_same_slice && (shares_port || (ports.is_empty() && head.ports.is_empty()))
    };
    let mut siblings = cluster.slices_holding(service, addresses.keys());
    siblings.retain(competes);
    // Each of them is read once, in the order of names: the first that holds an address is named.
    let holders = SortedMap::merged(
        siblings.iter().flat_map(|sibling| {
            let held = sibling.addresses();
            let shared = held.filter(|address| !addresses.of(address).is_empty());
            shared.map(move |address| (address, *sibling))
        }),
        |_, _| {},
    );
    let mut repeats: Vec<_> = addresses
        .groups()
        .filter_map(|places| {
            let (address, place) = places.first()?;
            Some((*place, *address, *holders.get(address)?))
        })
        .collect();
    sort_by(&mut repeats, |a, b| a.0.cmp(&b.0));
    let finding = |((endpoint, place), address, sibling): (_, _, ObservedSlice<'_>)| {
        let message = format!(
            "{address} is already in EndpointSlice {} of the same Service, for the same port; remove it from one of them",
            sibling.head.metadata.name
        );
        Finding::deny(
            "duplicate-in-sibling",
            CauseType::FieldValueDuplicate,
            format!("endpoints[{endpoint}].addresses[{place}]"),
            message,
        )
    };
    repeats.into_iter().map(finding).collect()
}
