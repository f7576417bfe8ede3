//! Whether kube-proxy follows the hints that are assigned.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::traffic::{From, TrafficSources, of as traffic_of};
use super::words::list;
use super::zones::{hinted_zones, title};
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, Endpoint, EndpointSlice};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::plan::{HintsMode, HintsReport};

/// Hints for nodes have to be examined for each node.
const fn from(scene: &Scene<'_>, report: &HintsReport<'_>) -> From {
    match report.mode {
        _ if scene.case.clients.is_some() => From::Clients,
        HintsMode::PreferSameNode => From::Nodes,
        _ => From::Zones,
    }
}

/// The ready endpoints of a family.
fn ready_of<'p>(
    planned: &'p [&EndpointSlice<'p>],
    family: AddressType,
) -> impl Iterator<Item = &'p Endpoint<'p>> {
    let slices = planned.iter();
    let of_family = slices.filter(move |slice| slice.address_type == family.as_str());
    let endpoints = of_family.flat_map(|slice| &slice.endpoints);
    endpoints.filter(|endpoint| endpoint.conditions.ready.unwrap_or(true))
}

/// Does any ready endpoint lack hints? Otherwise kube-proxy follows them.
pub(super) fn is_any_unhinted(scene: &Scene<'_>, family: AddressType) -> bool {
    let planned = scene.planned();
    let mut ready = ready_of(&planned, family);
    ready.any(|endpoint| hinted_zones(endpoint).is_empty())
}

/// The traffic that follows the assigned hints, if kube-proxy follows them.
pub(super) fn follow<'t>(
    scene: &Scene<'t>,
    report: &HintsReport<'_>,
    answers: &mut Vec<Explanation>,
) -> Option<TrafficSources<'t>> {
    let planned = scene.planned();
    let ready: Vec<&Endpoint<'_>> = ready_of(&planned, report.address_type).collect();
    let without: Vec<String> = ready
        .iter()
        .filter(|endpoint| hinted_zones(endpoint).is_empty())
        .map(|endpoint| title(endpoint))
        .collect();
    let service = scene.proxied()?;
    let (family, from) = (report.address_type, from(scene, report));
    let traffic = traffic_of(scene, service, &planned, family, from);
    if traffic.follows_hints() {
        return Some(traffic);
    }
    if !without.is_empty() && !traffic.ports.is_empty() {
        answers.push(not_followed(scene, report, &ready, &without));
    }
    None
}

fn not_followed(
    scene: &Scene<'_>,
    report: &HintsReport<'_>,
    ready: &[&Endpoint<'_>],
    without: &[String],
) -> Explanation {
    let nodes = ready
        .iter()
        .filter(|endpoint| hinted_zones(endpoint).is_empty())
        .filter_map(|endpoint| endpoint.node_name.as_deref());
    let nodes = sorted_unique(nodes);
    let message = format!(
        "kube-proxy ignores the zone hints of this Service: {} of {} ready endpoints {} none, for {} in no zone ({}), and hints are followed only if every ready endpoint has one. Traffic goes to all endpoints equally.",
        without.len(),
        ready.len(),
        if without.len() == 1 { "has" } else { "have" },
        if without.len() == 1 {
            "it is"
        } else {
            "they are"
        },
        list(without)
    );
    let names: Vec<&str> = without.iter().map(String::as_str).collect();
    let explanation = say::service(
        Code::HintsNotFollowed,
        scene.case.service,
        "kube-proxy ignores the zone hints of this Service.",
    )
    .because(format!(
        "{} of {} ready endpoints {} none: {}.",
        without.len(),
        ready.len(),
        if without.len() == 1 { "has" } else { "have" },
        list(without)
    ))
    .details(message)
    .family(report.address_type)
    .figure("endpoints", names.as_slice());
    if nodes.is_empty() {
        return explanation.fix(
            "set the zone of the endpoints",
            "all have hints, and they are followed",
        );
    }
    explanation.fix(
        format!("label {} with topology.kubernetes.io/zone", list(&nodes)),
        "all ready endpoints have hints, and they are followed",
    )
}
