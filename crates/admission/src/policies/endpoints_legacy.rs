//! `endpoints-legacy`: `v1` Endpoints follow the same rules for addresses as EndpointSlices, because a controller
//! mirrors them to slices (CVE-2021-25740).
//!
//! An address that an update leaves where it is, is judged again if it takes traffic that it did not: for other ports, out
//! of `notReadyAddresses`, or because nothing keeps the controller from mirroring it any more.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::addresses::{Addressed, EndpointPosition, address_settings, no_address, read};
use crate::context::ClusterView;
use crate::objects::{ReviewedAddress, ReviewedEndpoints};
use crate::reach::protocol;
use crate::request::{Request, ReviewSubject};
use crate::verdict::PolicyVerdict;
use slicewise::model::{EndpointPort, Few};
use slicewise::model::order::sorted_unique;

address_settings! {
    /// Settings of `endpoints-legacy`.
    "settings of endpoints-legacy"
}

/// Judges Endpoints that are created or changed.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::Endpoints(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let Some(new) = change.after() else {
        return PolicyVerdict::allow();
    };
    // Without the label, a controller mirrors what nobody has looked at yet.
    let is_mirrored_anew = |old: &&ReviewedEndpoints<'_>| old.skips_mirroring() && !new.skips_mirroring();
    let old = change.before().filter(|old| !is_mirrored_anew(old));
    let (old_ports, new_ports) = (old.map_or_else(Vec::new, ports), ports(new));
    let known = old.map_or_else(Vec::new, |old| known_leads(old, &old_ports));
    let is_known = |lead: &Lead<'_>| known.binary_search(lead).is_ok();
    let (mut endpoints, mut findings) = (Vec::new(), Vec::new());
    for (number, (subset, ports)) in new.subsets.iter().zip(&new_ports).enumerate() {
        let lists = [
            ("addresses", &subset.addresses, true),
            ("notReadyAddresses", &subset.not_ready_addresses, false),
        ];
        for (list, addresses, is_ready) in lists {
            let judged = addresses.iter().enumerate().filter(|(_, address)| {
                let was = |was_ready| is_known(&(lead(address), ports, was_ready));
                !was(true) && (is_ready || !was(false))
            });
            for (place, address) in judged {
                let place = EndpointPosition::Subset(number, list, place);
                match read(&address.ip) {
                    Some(read) => endpoints.push(Addressed {
                        place,
                        addresses: Few::One((0, read)),
                        target: address.target.as_ref(),
                        node_name: address.node_name.as_ref(),
                        zone: None,
                    }),
                    None => findings.push(no_address(place.address(0), &address.ip)),
                }
            }
        }
    }
    settings.rules(cluster).check(&endpoints, &mut findings);
    findings.into_iter().collect()
}

/// Where an address leads.
type AddressLead<'a> = (&'a str, Option<&'a str>, Option<[&'a str; 3]>);

/// An address, its node and its target; its ports; and whether it takes traffic.
type Lead<'a> = (AddressLead<'a>, &'a str, bool);

fn lead<'a>(address: &'a ReviewedAddress<'a>) -> AddressLead<'a> {
    let target = address.target.as_ref();
    let target = target.map(|target| [&*target.kind, &*target.namespace, &*target.name]);
    (&address.ip, address.node_name.as_deref(), target)
}

fn known_leads<'a>(endpoints: &'a ReviewedEndpoints<'a>, ports: &'a [String]) -> Vec<Lead<'a>> {
    let subsets = endpoints.subsets.iter().zip(ports);
    let leads = subsets.flat_map(|(subset, ports)| {
        let ready = subset.addresses.iter().map(|address| (address, true));
        let others = subset.not_ready_addresses.iter();
        let all = ready.chain(others.map(|address| (address, false)));
        all.map(move |(address, is_ready)| (lead(address), ports.as_str(), is_ready))
    });
    sorted_unique(leads)
}

/// The ports of each subset as a text, so that leads are found by comparing them in order.
fn ports(endpoints: &ReviewedEndpoints<'_>) -> Vec<String> {
    let text = |port: &EndpointPort<'_>| {
        let name = port.name.as_deref().unwrap_or_default();
        let protocol = protocol(port.protocol.as_deref().unwrap_or_default());
        format!("{name:?} {:?} {protocol:?} ", port.port)
    };
    let subsets = endpoints.subsets.iter();
    subsets.map(|subset| subset.ports.iter().map(text).collect()).collect()
}

#[cfg(test)]
mod tests;
