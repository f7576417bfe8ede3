//! Addresses that are in several slices at once, and whether those agree about them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::list;
use slicewise::model::order::{Grouped, sort, sorted_unique};
use slicewise::model::{AddressType, Endpoint, EndpointSlice, Pod, ip};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise_sources::mirroring::mirrored_of;
use slicewise_traffic::proxy::{Proxier, ProxierSettings};

/// An address, with the slice and endpoint that have it.
type LocatedAddress<'s, 'a> = (&'s str, (&'s EndpointSlice<'a>, &'s Endpoint<'a>));

/// Explains addresses that consumers see twice in the current slices.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let mut placed: Vec<LocatedAddress<'_, '_>> = Vec::new();
    for &slice in scene.case.slices {
        for endpoint in &slice.endpoints {
            let addresses = endpoint.addresses.iter();
            placed.extend(addresses.map(|address| (&**address, (slice, endpoint))));
        }
    }
    let placed = Grouped::new(placed);
    for group in placed.groups() {
        let ports_repeat = group.iter().enumerate().any(|(number, (_, (slice, _)))| {
            let mut others = group.iter().skip(number + 1);
            others.any(|(_, (other, _))| other.ports == slice.ports)
        });
        let [(address, (first, endpoint)), _, ..] = group else {
            continue;
        };
        if !ports_repeat {
            continue;
        }
        let mut names: Vec<&str> = group.iter().map(|(_, (slice, _))| slice.name()).collect();
        sort(&mut names);
        names.dedup();
        let differ = group
            .iter()
            .any(|(_, (_, other))| says(other) != says(endpoint));
        let explanation = if let Some(names) = pods_that_share(scene, address, group) {
            shared(scene, address, group, &names)
        } else if differ {
            conflict(scene, address, group)
        } else {
            duplicate(scene, address, first, group, &names)
        };
        answers.push(explanation.figure("slices", names.as_slice()));
    }
}

/// What consumers read of an endpoint.
fn says<'e>(endpoint: &'e Endpoint<'_>) -> (bool, &'e str, &'e str) {
    (
        endpoint.conditions.ready.unwrap_or(true),
        endpoint.node_name.as_deref().unwrap_or_default(),
        endpoint.zone.as_deref().unwrap_or_default(),
    )
}

/// The names of the pods, if each endpoint is a different pod that really has the address, as on the host network.
fn pods_that_share<'g>(
    scene: &Scene<'_>,
    address: &str,
    group: &'g [LocatedAddress<'_, '_>],
) -> Option<Vec<&'g str>> {
    let ip = ip::parse(address);
    let pods = group.iter().map(|(_, (_, endpoint))| {
        let target = endpoint.target_ref.as_ref()?;
        let has_it = |pod: &&Pod<'_>| {
            let mut addresses = pod.status.pod_ips.iter();
            pod.metadata.name == target.name && addresses.any(|own| Some(own.ip) == ip)
        };
        let mut pods = scene.pods.iter().copied();
        pods.find(has_it).map(|_| &*target.name)
    });
    let names: Vec<&str> = pods.collect::<Option<_>>()?;
    let distinct = sorted_unique(names.iter().copied());
    (distinct.len() == group.len()).then_some(distinct)
}

fn shared(
    scene: &Scene<'_>,
    address: &str,
    group: &[LocatedAddress<'_, '_>],
    pods: &[&str],
) -> Explanation {
    let slices: Vec<&EndpointSlice<'_>> = group.iter().map(|(_, (slice, _))| *slice).collect();
    let names = slices.first().map_or(("", ""), |slice| say::names(slice));
    let is_any_ready = group
        .iter()
        .any(|(_, (_, endpoint))| endpoint.conditions.ready != Some(false));
    let (because, severity) = match chosen(scene, address, &slices) {
        Some((_, true)) => (
            "kube-proxy counts the address once and treats it as ready.",
            Severity::Note,
        ),
        Some((_, false)) if is_any_ready => (
            "kube-proxy counts the address once and treats it as not ready, although one of the pods is ready.",
            Severity::Degraded,
        ),
        _ => ("A consumer has to count the address once.", Severity::Note),
    };
    let titles: Vec<String> = pods.iter().map(|name| format!("Pod {name}")).collect();
    let what = format!("{} share the address {address}.", list(&titles));
    say::slice(Code::DuplicateEndpoint, names, what)
        .because(because)
        .details("Pods on the network of their node (hostNetwork) have its address. While one replaces another, both are in the slices. kube-proxy uses the last of them that is not terminating; consumers that use the first, or merge the conditions, see something else.")
        .severity(severity)
        .figure("pods", pods)
        .fix(
            "let the old pod stop before the new one starts (strategy Recreate, or maxSurge: 0)",
            "the address belongs to one pod at a time",
        )
}

fn duplicate(
    scene: &Scene<'_>,
    address: &str,
    first: &EndpointSlice<'_>,
    group: &[LocatedAddress<'_, '_>],
    names: &[&str],
) -> Explanation {
    let left = scene.after.iter().copied().filter(|slice| {
        let mut endpoints = slice.endpoints.iter();
        endpoints.any(|endpoint| endpoint.addresses.iter().any(|other| **other == *address))
    });
    let after: Vec<&str> = left.map(EndpointSlice::name).collect();
    let then = if after.is_empty() {
        "none of the Service's own slices".into()
    } else {
        format!("of the Service's own slices {}", list(&after))
    };
    let what = format!("Address {address} is in several slices at once.");
    let mut slices = group.iter().map(|(_, (slice, _))| slice);
    let copy = match slices.any(|slice| mirrored_of(slice).is_some()) {
        true => " One of them is a copy of the Endpoints: either that or the other is superfluous.",
        false => "",
    };
    say::slice(Code::DuplicateEndpoint, say::names(first), what)
        .because(format!("{} have it; kube-proxy counts it once, so it gets no more requests.{copy}", list(names)))
        .details(format!(
            "The API allows this: each slice is written separately, and an endpoint may be added to one before it is removed from the other. A consumer has to count an address once, as kube-proxy does. Once this plan is written, {then} has it."
        ))
        .fix(
            "if your own client counts it twice: combine all slices of a Service (label kubernetes.io/service-name) and drop repeated addresses",
            "it sees what kube-proxy sees",
        )
}

fn conflict(scene: &Scene<'_>, address: &str, group: &[LocatedAddress<'_, '_>]) -> Explanation {
    let words = group.iter().map(|(_, (slice, endpoint))| {
        let (ready, node, zone) = says(endpoint);
        let place = match (node, zone) {
            ("", "") => String::new(),
            ("", zone) => format!(", zone {zone}"),
            (node, "") => format!(", node {node}"),
            (node, zone) => format!(", node {node}, zone {zone}"),
        };
        format!("{} says ready: {ready}{place}", slice.name())
    });
    let words: Vec<String> = words.collect();
    let slices: Vec<&EndpointSlice<'_>> = group.iter().map(|(_, (slice, _))| *slice).collect();
    let counts = match chosen(scene, address, &slices) {
        Some((name, _)) => format!(" kube-proxy uses slice {name}."),
        None => String::new(),
    };
    let what = format!("Slices contradict each other about {address}.");
    let names = slices.first().map_or(("", ""), |slice| say::names(slice));
    let foreign = slices
        .iter()
        .find(|slice| !scene.own.iter().any(|own| own.name() == slice.name()));
    let explanation = say::slice(Code::SliceConflict, names, what)
        .because(format!("{}.{counts}", list(&words)))
        .details("Each slice is a complete statement about its endpoints, and nothing reconciles those of different writers. kube-proxy uses the last slice by name in which the address is not terminating; other consumers choose differently.");
    match foreign {
        Some(slice) => explanation.fix(
            format!(
                "correct or delete the slice that is wrong: kubectl delete endpointslice {} -n {}",
                slice.name(),
                slice.metadata.namespace
            ),
            "all consumers see the same",
        ),
        None => explanation.fix(
            "wait for the controller: it owns both slices, and one is out of date",
            "the address is in one slice only",
        ),
    }
}

/// The slice whose endpoint kube-proxy uses for an address, and whether that is ready, according to the proxier.
fn chosen(
    scene: &Scene<'_>,
    address: &str,
    slices: &[&EndpointSlice<'_>],
) -> Option<(String, bool)> {
    let service = scene.proxied()?;
    let family = slices.first()?.address_type.as_str();
    let families = AddressType::ALL;
    let address_type = families.into_iter().find(|one| one.as_str() == family)?;
    let mut settings = ProxierSettings::on_node("");
    settings.address_type = address_type;
    let mut proxier = Proxier::new(settings);
    proxier.set_service(service);
    for slice in slices {
        proxier.set_slice(slice);
    }
    proxier.sync();
    let (port, _) = proxier.service_ports().next()?;
    let endpoints = proxier.endpoints_by_slice(&port);
    let mut endpoints = endpoints.into_iter();
    let (name, endpoint) =
        endpoints.find(|(_, endpoint)| endpoint.host().to_string() == address)?;
    Some((name.to_string(), endpoint.is_ready()))
}
