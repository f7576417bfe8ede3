//! `slice-addresses`: each address of an EndpointSlice belongs to a pod of its namespace, or to a range that is allowed.
//!
//! Endpoints that an update leaves as they were are not judged again, unless the slice comes to serve another Service.

use alloc::format;
use alloc::vec::Vec;

use super::addresses::{Addressed, address_settings, no_address, read};
use crate::admission::context::Cluster;
use crate::admission::objects::{ReviewedEndpoint, ReviewedSlice};
use crate::admission::request::{Request, Subject};
use crate::admission::verdict::{Finding, Verdict};
use crate::model::Text;
use crate::model::order::Grouped;

address_settings! {
    /// Settings of `slice-addresses`.
    "settings of slice-addresses"
}

/// Judges an EndpointSlice that is created or changed.
pub fn check(request: &Request<'_>, cluster: &Cluster<'_>, settings: &Settings) -> Verdict {
    let Subject::EndpointSlice(change) = &request.subject else {
        return Verdict::allow();
    };
    let Some(slice) = change.after() else {
        return Verdict::allow();
    };
    // No consumer takes names for addresses.
    if slice.address_type == "FQDN" {
        return Verdict::allow();
    }
    let mut findings = Vec::new();
    let endpoints = new_endpoints(slice, change.before(), &mut findings);
    settings.rules(cluster).check(&endpoints, &mut findings);
    findings.into_iter().collect()
}

fn new_endpoints<'s>(
    slice: &'s ReviewedSlice<'s>,
    old: Option<&'s ReviewedSlice<'s>>,
    findings: &mut Vec<Finding>,
) -> Vec<Addressed<'s>> {
    let old = old.filter(|old| old.service_name() == slice.service_name());
    let known = old.into_iter().flat_map(|old| &old.endpoints);
    let known = Grouped::new(known.map(|endpoint| (first_address(endpoint), endpoint)));
    let is_new = |endpoint: &ReviewedEndpoint<'_>| {
        let mut known = known.of(&first_address(endpoint)).iter();
        !known.any(|(_, other)| endpoint.leads_where(other))
    };
    let endpoints = slice.endpoints.iter().enumerate();
    endpoints
        .filter(|(_, endpoint)| is_new(endpoint))
        .map(|(number, endpoint)| {
            let addresses = endpoint.addresses.iter().enumerate();
            let addresses = addresses.filter_map(|(place, address)| {
                let field = format!(".addresses[{place}]");
                let Some(read) = read(address) else {
                    let field = format!("endpoints[{number}]{field}");
                    findings.push(no_address(field, address));
                    return None;
                };
                Some((field, read))
            });
            Addressed {
                field: format!("endpoints[{number}]"),
                addresses: addresses.collect(),
                target: endpoint.target.as_ref(),
                node_name: endpoint.node_name.as_ref(),
            }
        })
        .collect()
}

fn first_address<'e>(endpoint: &'e ReviewedEndpoint<'_>) -> &'e str {
    endpoint.addresses.first().map_or("", Text::as_str)
}

#[cfg(test)]
mod tests;
