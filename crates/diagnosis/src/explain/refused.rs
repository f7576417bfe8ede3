//! Endpoints that no slice can have: the API server refuses every slice with one of their addresses.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;

use super::say;
use super::scene::Scene;
use super::words::list;
use slicewise::model::order::sorted_unique;
use slicewise::model::{Endpoint, EndpointSlice, ip};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains the addresses that cannot be written (reference: `ValidateNonSpecialIP`).
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let planned = scene.planned();
    let live = scene.case.slices;
    let is_live = |slice: &&&EndpointSlice<'_>| {
        let found = live.binary_search_by(|live| live.name().cmp(slice.name()));
        let found = found.ok().and_then(|found| live.get(found));
        found.is_some_and(|live| live.endpoints == slice.endpoints)
    };
    let new = planned.iter().filter(|slice| !is_live(slice));
    let endpoints = new.flat_map(|slice| &slice.endpoints);
    let special = endpoints.flat_map(specials);
    let special: Vec<(&str, String)> =
        sorted_unique(special.map(|(kind, address)| (kind, address.to_string())));
    let (kind, _) = special.first()?;
    let names: Vec<&str> = special.iter().map(|(_, name)| name.as_str()).collect();
    let is_one = names.len() == 1;
    let explanation = say::service(
        Code::AddressRefused,
        scene.case.service,
        format!("The API server refuses every slice with {}.", list(&names)),
    )
    .because(format!(
        "{} {kind}, which no slice may have; each write fails, however often it is tried.",
        if is_one { "It is" } else { "They are" }
    ))
    .details("The API refuses unspecified, loopback, link-local and link-local multicast addresses in slices. The controller tries a failed sync up to 15 times, and again at the next change; it and its lease are in order.")
    .figure("addresses", names.as_slice());
    Some(if scene.mirror_plan().is_some() {
        explanation.fix(
            format!(
                "write another address into the Endpoints {}",
                scene.case.service.metadata.name
            ),
            "the slices of it are accepted",
        )
    } else {
        explanation.fix(
            "give the pods addresses from another range (the cluster's pod CIDR, or the network plugin's)",
            "slices with the new addresses are accepted",
        )
    })
}

/// Would the API server refuse to create the slice?
pub(super) fn is_refused(slice: &EndpointSlice<'_>) -> bool {
    slice
        .endpoints
        .iter()
        .any(|one| specials(one).next().is_some())
}

/// The addresses that no slice may have, each with its kind.
fn specials<'e>(endpoint: &'e Endpoint<'_>) -> impl Iterator<Item = (&'static str, &'e str)> {
    let addresses = endpoint.addresses.iter();
    addresses.filter_map(|address| Some((special(ip::parse(address)?)?, address.as_str())))
}

fn special(address: IpAddr) -> Option<&'static str> {
    let (is_link_local, is_local_multicast) = match address {
        IpAddr::V4(v4) => (v4.is_link_local(), v4.octets().starts_with(&[224, 0, 0])),
        IpAddr::V6(v6) => {
            let [first, ..] = v6.segments();
            (v6.is_unicast_link_local(), first & 0xff0f == 0xff02)
        }
    };
    let kinds = [
        (address.is_unspecified(), "unspecified"),
        (address.is_loopback(), "loopback"),
        (is_link_local, "link-local"),
        (is_local_multicast, "link-local multicast"),
    ];
    kinds
        .into_iter()
        .find_map(|(is_it, kind)| is_it.then_some(kind))
}
