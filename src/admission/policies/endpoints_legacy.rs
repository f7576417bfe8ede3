//! `endpoints-legacy`: `v1` Endpoints follow the same rules for addresses as EndpointSlices, because a controller
//! mirrors them to slices (CVE-2021-25740).

use alloc::vec::Vec;

use super::addresses::{Addressed, Place, address_settings, no_address, read};
use crate::admission::context::Cluster;
use crate::admission::objects::{ReviewedAddress, ReviewedEndpoints};
use crate::admission::request::{Request, Subject};
use crate::admission::verdict::Verdict;
use crate::model::Few;
use crate::model::order::sorted_unique;

address_settings! {
    /// Settings of `endpoints-legacy`.
    "settings of endpoints-legacy"
}

/// Judges Endpoints that are created or changed.
pub fn check(request: &Request<'_>, cluster: &Cluster<'_>, settings: &Settings) -> Verdict {
    let Subject::Endpoints(change) = &request.subject else {
        return Verdict::allow();
    };
    let Some(new) = change.after() else {
        return Verdict::allow();
    };
    let known = change.before().map_or_else(Vec::new, known_addresses);
    let is_new = |address: &ReviewedAddress<'_>| known.binary_search(&lead(address)).is_err();
    let (mut endpoints, mut findings) = (Vec::new(), Vec::new());
    for (number, subset) in new.subsets.iter().enumerate() {
        let lists = [
            ("addresses", &subset.addresses),
            ("notReadyAddresses", &subset.not_ready_addresses),
        ];
        for (list, addresses) in lists {
            for (place, address) in addresses
                .iter()
                .enumerate()
                .filter(|(_, each)| is_new(each))
            {
                let place = Place::Subset(number, list, place);
                match read(&address.ip) {
                    Some(read) => endpoints.push(Addressed {
                        place,
                        addresses: Few::One((0, read)),
                        target: address.target.as_ref(),
                        node_name: address.node_name.as_ref(),
                    }),
                    None => findings.push(no_address(place.address(0), &address.ip)),
                }
            }
        }
    }
    settings.rules(cluster).check(&endpoints, &mut findings);
    findings.into_iter().collect()
}

/// What an address leads to: the address, its node, and its target.
type Lead<'a> = (&'a str, Option<&'a str>, Option<[&'a str; 3]>);

fn lead<'a>(address: &'a ReviewedAddress<'a>) -> Lead<'a> {
    let target = address.target.as_ref();
    let target = target.map(|target| [&*target.kind, &*target.namespace, &*target.name]);
    (&address.ip, address.node_name.as_deref(), target)
}

fn known_addresses<'a>(endpoints: &'a ReviewedEndpoints<'a>) -> Vec<Lead<'a>> {
    let subsets = endpoints.subsets.iter();
    let addresses =
        subsets.flat_map(|subset| subset.addresses.iter().chain(&subset.not_ready_addresses));
    sorted_unique(addresses.map(lead))
}

#[cfg(test)]
mod tests;
