//! Which hints a Service gets, and why: one answer for each of its families.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::words::count;
use super::{Scene, hints_given, hints_off, say, whatif};
use crate::model::order::sorted_unique;
use crate::model::{AddressType, Endpoint, EndpointSlice};
use crate::plan::explanation::{Explanation, ExplanationCode as Code, ZoneFigures};
use crate::plan::{HintsMode, HintsReport};
use crate::topology::allocation::Allocation;

/// Hints are an offer.
pub(super) const WHO_FOLLOWS: &str = "Each consumer of slices decides whether to follow hints: kube-proxy does since 1.24, Linkerd does, Cilium does with --enable-service-topology, Istio's ztunnel and Envoy Gateway do not (see `slicewise traffic --reader`).";

/// Explains the hints of each family.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    for report in &scene.case.plan.hints {
        match (report.mode, report.applied) {
            (HintsMode::None, _) => not_asked(scene, report, answers),
            // The arithmetic of the plan counts endpoints that no slice will ever hold.
            (HintsMode::Auto, _) if scene.held_back() > 0 => {}
            (HintsMode::Auto, false) => hints_off::explain(scene, report, answers),
            (HintsMode::Auto, true) => hints_given::auto(scene, report, answers),
            _ => hints_given::traffic(scene, report, answers),
        }
    }
}

fn not_asked(scene: &Scene<'_>, report: &HintsReport<'_>, answers: &mut Vec<Explanation>) {
    let family = report.address_type;
    let service = scene.case.service;
    let has_hints = |slice: &&EndpointSlice<'_>| {
        slice.address_type == family.as_str()
            && slice
                .endpoints
                .iter()
                .any(|endpoint| endpoint.hints.is_some())
    };
    let with_hints = scene.own.iter().filter(has_hints).count();
    if with_hints > 0 {
        let message = format!(
            "{} of the Service had hints, but no effective setting requests them any more: the hints are removed, with one write for each such slice. Traffic goes to all endpoints equally again.",
            count(with_hints, "slice")
        );
        let explanation = say::service(Code::HintsRemoved, service, "Hints are removed.")
            .because(format!(
                "{} had them, but no setting requests them any more.",
                count(with_hints, "slice")
            ))
            .details(message)
            .family(family);
        let fix = whatif::traffic_fix(scene, family);
        answers.push(explanation.figure("slices", with_hints).fixes(fix));
        return;
    }
    let ready = scene.ready(family);
    let zones = ready.iter().filter_map(|endpoint| endpoint.zone.as_deref());
    let zones = sorted_unique(zones.chain(scene.case.cluster.zones.iter().copied()));
    // Ineffective settings have been explained already; in one zone there is nothing to prefer, and DNS prefers nothing.
    if ready.len() < 2 || zones.len() < 2 || service.wants_topology_hints() || service.is_headless()
    {
        return;
    }
    let message = format!(
        "No hints, because neither setting requests them: spec.trafficDistribution {}, and no annotation requests `Auto`. Each client may get any of the {}, in any zone.",
        match &service.spec.traffic_distribution {
            Some(value) => format!("is {value}, which has no effect here"),
            None => "is not set".to_string(),
        },
        count(scene.ready(family).len(), "ready endpoint")
    );
    let mut explanation = say::service(
        Code::HintsNotAsked,
        service,
        "Clients may get endpoints in any zone.",
    )
    .because("Neither trafficDistribution nor the annotation requests hints.")
    .details(message)
    .family(family);
    explanation = explanation.fixes(whatif::traffic_fix(scene, family));
    match whatif::auto_effect(scene, family) {
        Some(Ok(effect)) => {
            explanation = explanation.fix(
                "or annotate it with service.kubernetes.io/topology-mode: Auto",
                effect,
            );
        }
        Some(Err(reason)) => explanation.details.push_str(&format!(
            " The annotation service.kubernetes.io/topology-mode: Auto would change nothing: {reason}."
        )),
        None => {}
    }
    answers.push(explanation);
}

/// The arithmetic as data, with where the endpoints are and lead.
pub(super) fn zone_figures(
    allocations: &[Allocation<'_>],
    ready: &[&Endpoint<'_>],
) -> Vec<ZoneFigures> {
    let zone = |allocation: &Allocation<'_>| {
        let name = allocation.share.zone;
        ZoneFigures {
            zone: name.to_string(),
            cpu_ratio: allocation.share.cpu_ratio,
            desired: allocation.proportional,
            minimum: allocation.minimum,
            maximum: allocation.maximum,
            endpoints: in_zone(ready, name),
            hinted: hinted_to(ready, name),
        }
    };
    allocations.iter().map(zone).collect()
}

/// How many of the endpoints are in a zone.
pub(super) fn in_zone(ready: &[&Endpoint<'_>], zone: &str) -> i64 {
    let own = |endpoint: &&&Endpoint<'_>| endpoint.zone.as_deref() == Some(zone);
    ready.iter().filter(own).count() as i64
}

/// How many are hinted to it.
pub(super) fn hinted_to(ready: &[&Endpoint<'_>], zone: &str) -> i64 {
    let leads = |endpoint: &&&Endpoint<'_>| hinted_zones(endpoint).contains(&zone);
    ready.iter().filter(leads).count() as i64
}

/// Zones an endpoint is hinted to.
pub(super) fn hinted_zones<'e>(endpoint: &'e Endpoint<'_>) -> Vec<&'e str> {
    let hints = endpoint.hints.iter().flat_map(|hints| &hints.for_zones);
    hints.map(|hint| &*hint.name).collect()
}

/// What an endpoint is called.
pub(super) fn title(endpoint: &Endpoint<'_>) -> String {
    match &endpoint.target_ref {
        Some(target) => target.name.to_string(),
        None => endpoint
            .addresses
            .first()
            .map_or_else(String::new, ToString::to_string),
    }
}

/// `a 3, b 2`.
pub(super) fn spread(ready: &[&Endpoint<'_>], zones: &[&str]) -> String {
    let zone = |zone: &&str| format!("{zone} {}", in_zone(ready, zone));
    zones.iter().map(zone).collect::<Vec<_>>().join(", ")
}

/// Which family, where the Service has several.
pub(super) fn of_family(scene: &Scene<'_>, family: AddressType) -> String {
    if scene.case.plan.hints.len() > 1 {
        format!(" {}", family.as_str())
    } else {
        String::new()
    }
}
