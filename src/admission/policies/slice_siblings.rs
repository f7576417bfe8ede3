//! Endpoints that are there twice: within a slice, and across the slices of one Service.

use alloc::format;
use alloc::vec::Vec;

use super::slice_shape::Addresses;
use crate::admission::context::siblings::port_name;
use crate::admission::context::{Sibling, Siblings};
use crate::admission::slice::ReviewedSlice;
use crate::admission::verdict::{Cause, Finding};
use crate::model::order::{sort, sort_by, sorted_unique};

/// Addresses that one slice holds twice.
pub(super) fn duplicates(addresses: &Addresses) -> Vec<Finding> {
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
            "{address} is endpoints[{first}].addresses[{first_place}] already; keep one of them"
        );
        Finding::deny(
            "duplicate-endpoint",
            Cause::FieldValueDuplicate,
            format!("endpoints[{endpoint}].addresses[{place}]"),
            message,
        )
    };
    repeats.into_iter().map(finding).collect()
}

/// Addresses that another slice of the Service holds for one of the same ports.
///
/// Different ports of one address may well lie in different slices.
pub(super) fn check_siblings(
    slice: &ReviewedSlice<'_>,
    addresses: &Addresses,
    siblings: &Siblings,
) -> Vec<Finding> {
    let ports = sorted_unique(slice.ports.iter().map(port_name));
    let competes = |sibling: &&Sibling| {
        let is_same_slice = slice.metadata.name == *sibling.name;
        let shares_port = sibling
            .ports
            .iter()
            .any(|(name, protocol)| ports.binary_search(&(name, protocol)).is_ok());
        !is_same_slice && (shares_port || (ports.is_empty() && sibling.ports.is_empty()))
    };
    let mut repeats: Vec<_> = addresses
        .groups()
        .filter_map(|places| {
            let (address, place) = places.first()?;
            let sibling = siblings.holding(*address).find(competes)?;
            Some((place, address, sibling))
        })
        .collect();
    sort_by(&mut repeats, |a, b| a.0.cmp(b.0));
    let finding = |((endpoint, place), address, sibling): (&(usize, usize), _, &Sibling)| {
        let message = format!(
            "{address} is in EndpointSlice {} of the same Service already, for the same port; take it out of one of them",
            sibling.name
        );
        Finding::deny(
            "duplicate-in-sibling",
            Cause::FieldValueDuplicate,
            format!("endpoints[{endpoint}].addresses[{place}]"),
            message,
        )
    };
    repeats.into_iter().map(finding).collect()
}
