//! Which hints a Service gets, and why: one answer per family.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::say::fix;
use super::scene::Scene;
use super::{hints_given, hints_off, say, whatif};
use slicewise::model::EndpointSlice;
use slicewise::model::order::sorted_unique;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::plan::{HintsMode, HintsReport};
use slicewise::words::counted;

/// Explains the hints of each family.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    for report in &scene.case.plan.hints {
        match (report.mode, report.applied) {
            (HintsMode::None, _) => not_asked(scene, report, answers),
            // The plan's arithmetic counts endpoints that no slice will ever have.
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
    let has_hints = |slice: &&&EndpointSlice<'_>| {
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
            counted(with_hints, "slice")
        );
        let explanation = say::service(Code::HintsRemoved, service, "Hints are removed.")
            .because(format!(
                "{} had them, but no setting requests them any more.",
                counted(with_hints, "slice")
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
    // Ineffective settings are explained elsewhere; hints make no difference in one zone or through DNS.
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
        counted(scene.ready(family).len(), "ready endpoint")
    );
    let explanation = say::service(
        Code::HintsNotAsked,
        service,
        "Clients may get endpoints in any zone.",
    )
    .because("Neither trafficDistribution nor the annotation requests hints.")
    .details(message)
    .family(family);
    answers.push(explanation);
}

/// Adds what would request hints, which takes two plans for each Service.
pub(super) fn complete(scene: &Scene<'_>, answers: &mut [Explanation]) {
    let answers = answers.iter_mut();
    for answer in answers.filter(|answer| answer.code == Code::HintsNotAsked) {
        let Some(family) = answer.address_type else {
            continue;
        };
        let mut told = answer.clone().fixes(whatif::traffic_fix(scene, family));
        match whatif::auto_effect(scene, family) {
            Some(Ok((effect, change))) => {
                let words = "or annotate it with service.kubernetes.io/topology-mode: Auto";
                told = told.fixes([fix(words, effect).by([change])]);
            }
            Some(Err(reason)) => told.details.push_str(&format!(
                " The annotation service.kubernetes.io/topology-mode: Auto would change nothing: {reason}."
            )),
            None => {}
        }
        *answer = told;
    }
}
