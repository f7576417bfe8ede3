//! `slice-addresses`: each address of an EndpointSlice belongs to a pod of its namespace, or to an allowed range.
//!
//! Endpoints that an update leaves unchanged are not judged again, unless they take traffic that they did not: the slice
//! moves to another Service, its ports change, or an endpoint becomes ready or serving. Of the names in an `FQDN` slice, those that are addresses are judged: kube-proxy ignores such slices, other consumers do not.

use alloc::vec::Vec;

use super::addresses::{Addressed, EndpointPosition, address_settings, no_address, read};
use crate::context::ClusterView;
use crate::objects::{ReviewedEndpoint, ReviewedSlice};
use crate::request::{Request, ReviewSubject};
use crate::verdict::{Finding, PolicyVerdict};
use slicewise::model::order::Grouped;
use slicewise::model::{Few, Text, ip};

address_settings! {
    /// Settings of `slice-addresses`.
    "settings of slice-addresses"
}

/// Judges an EndpointSlice that is created or changed.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::EndpointSlice(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let Some(slice) = change.after() else {
        return PolicyVerdict::allow();
    };
    let mut findings = Vec::new();
    let (new, kept) = new_and_kept(slice, change.before(), &mut findings);
    let rules = settings.rules(cluster);
    rules.check(&new, &mut findings);
    rules.check_kept(&kept, &mut findings);
    findings.into_iter().collect()
}

/// The endpoints that take traffic that they did not take before; beside them, the others.
fn new_and_kept<'s>(
    slice: &'s ReviewedSlice<'s>,
    old: Option<&'s ReviewedSlice<'s>>,
    findings: &mut Vec<Finding>,
) -> (Vec<Addressed<'s>>, Vec<Addressed<'s>>) {
    // Other ports of an address are other traffic.
    let old = old.filter(|old| old.service_name() == slice.service_name() && old.ports == slice.ports);
    let known = old.map_or(&[][..], |old| &old.endpoints);
    let has_moved = |(number, endpoint): &(usize, &ReviewedEndpoint<'_>)| {
        let same_place = known.get(*number);
        !same_place.is_some_and(|other| is_no_more_than(endpoint, other))
    };
    let endpoints = slice.endpoints.iter().enumerate();
    let moved: Vec<_> = endpoints.filter(has_moved).collect();
    if moved.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let known = Grouped::new(
        known
            .iter()
            .map(|endpoint| (first_address(endpoint), endpoint)),
    );
    let is_new = |endpoint: &ReviewedEndpoint<'_>| {
        let mut known = known.of(&first_address(endpoint)).iter();
        !known.any(|(_, other)| is_no_more_than(endpoint, other))
    };
    let holds_names = slice.address_type == "FQDN";
    let mut moved = moved.into_iter().peekable();
    let (mut new, mut kept) = (Vec::new(), Vec::new());
    for (number, endpoint) in slice.endpoints.iter().enumerate() {
        let has_moved = moved.next_if(|(place, _)| *place == number).is_some();
        let is_new = has_moved && is_new(endpoint);
        let mut ignored = Vec::new();
        let faults = if is_new { &mut *findings } else { &mut ignored };
        let endpoint = addressed(number, endpoint, holds_names, faults);
        let endpoints = if is_new { &mut new } else { &mut kept };
        if !(holds_names && endpoint.addresses.is_empty()) {
            endpoints.push(endpoint);
        }
    }
    // Whoever only removes endpoints need not mend the others.
    if new.is_empty() {
        kept.clear();
    }
    (new, kept)
}

/// Does an endpoint lead where the other one does, without taking traffic that the other one did not?
fn is_no_more_than(endpoint: &ReviewedEndpoint<'_>, other: &ReviewedEndpoint<'_>) -> bool {
    let taken = |endpoint: &ReviewedEndpoint<'_>| {
        let ready = endpoint.conditions.ready.unwrap_or(true);
        (ready, endpoint.conditions.serving.unwrap_or(ready))
    };
    let ((ready, serving), (was_ready, was_serving)) = (taken(endpoint), taken(other));
    endpoint.leads_where(other)
        && endpoint.zone == other.zone
        && (was_ready || !ready) && (was_serving || !serving)
}

fn addressed<'s>(
    number: usize,
    endpoint: &'s ReviewedEndpoint<'s>,
    holds_names: bool,
    findings: &mut Vec<Finding>,
) -> Addressed<'s> {
    let place = EndpointPosition::Endpoint(number);
    let mut addresses = Few::new();
    for (number, address) in endpoint.addresses.iter().enumerate() {
        let text: &str = if holds_names {
            let name = address.strip_suffix('.').unwrap_or(address);
            if !ends_in_number(name) {
                continue;
            }
            name
        } else {
            address
        };
        // A leading zero is decimal to some readers of a name and octal to others.
        let loose = ip::parse_loosely(text).filter(|_| holds_names);
        match (read(text), loose) {
            (None, None) => findings.push(no_address(place.address(number), address)),
            (one, other) => {
                let readings = one.into_iter().chain(other.filter(|other| Some(*other) != one));
                readings.for_each(|read| addresses.push((number, read)));
            }
        }
    }
    Addressed {
        place,
        addresses,
        target: endpoint.target.as_ref(),
        node_name: endpoint.node_name.as_ref(),
        zone: endpoint.zone.as_ref(),
    }
}

/// Resolvers take a name whose last label is a number for an IPv4 address (`inet_aton`), however it is spelt.
fn ends_in_number(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

fn first_address<'e>(endpoint: &'e ReviewedEndpoint<'_>) -> &'e str {
    endpoint.addresses.first().map_or("", Text::as_str)
}

#[cfg(test)]
mod tests;
