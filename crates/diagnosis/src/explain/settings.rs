//! Hint settings that have no effect: overruled, unknown, or disabled.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::say::fix;
use super::scene::Scene;
use super::words::pairs;
use super::{say, whatif};
use crate::edited::EditedService;
use slicewise::model::{AddressType, Service, StringMap, keys};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Fix};
use slicewise::traffic_distribution::TrafficDistribution;

const KNOWN: &str = "PreferSameZone, PreferSameNode and PreferClose";

/// Explains settings without effect.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = scene.case.service;
    answers.extend(annotations(scene));
    answers.extend(traffic_distribution(scene));
    let settings = scene.case.options.settings();
    if service.wants_topology_hints() && !settings.topology_hints {
        let message = format!(
            "Service {} requests `Auto` hints ({}), but the controller runs without a topology cache (topologyHints: false): no hints are set, and no event reports it.",
            service.metadata.name,
            pairs(&set(service))
        );
        answers.push(
            say::service(
                Code::HintsSwitchedOff,
                service,
                "`Auto` hints are requested but not set.",
            )
            .because("The controller runs without a topology cache (topologyHints: false).")
            .details(message)
            .fixes(whatif::topology_cache(scene).then(|| {
                fix(
                    "turn topology hints on in the controller",
                    "the annotation takes effect",
                )
            }))
            .fixes(any_traffic_fix(scene)),
        );
    }
}

/// The topology annotations of a Service.
fn set<'s>(service: &Service<'s>) -> StringMap<'s> {
    let annotations = service.metadata.annotations.iter();
    annotations
        .filter(|(key, _)| keys::is_topology_annotation(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Would an annotation with this value, by itself, request hints?
fn asks(value: &str) -> bool {
    let mut service = Service::default();
    let annotations = &mut service.metadata.annotations;
    annotations.insert(keys::TOPOLOGY_MODE_ANNOTATION.into(), value.into());
    service.wants_topology_hints()
}

fn annotations(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let annotations = &service.metadata.annotations;
    let old = annotations.get(keys::TOPOLOGY_AWARE_HINTS_ANNOTATION);
    let new = annotations.get(keys::TOPOLOGY_MODE_ANNOTATION);
    if let (Some(old), Some(new)) = (old, new)
        && asks(old) != asks(new)
    {
        let message = format!(
            "Both annotations are set: {}={old} and {}={new}. The older one wins, so {old} counts.",
            keys::TOPOLOGY_AWARE_HINTS_ANNOTATION,
            keys::TOPOLOGY_MODE_ANNOTATION
        );
        return Some(
            say::service(
                Code::HintsAnnotationWins,
                service,
                format!("Of two annotations, {old} counts."),
            )
            .because("The older annotation wins.")
            .details(message)
            .fixes(tried(
                scene,
                EditedService::new(service)
                    .without_annotation(keys::TOPOLOGY_AWARE_HINTS_ANNOTATION),
                format!("take {} away", keys::TOPOLOGY_AWARE_HINTS_ANNOTATION),
                format!("{new} counts"),
            )),
        );
    }
    let (key, value) = match (old, new) {
        (Some(old), _) => (keys::TOPOLOGY_AWARE_HINTS_ANNOTATION, old),
        (None, Some(new)) => (keys::TOPOLOGY_MODE_ANNOTATION, new),
        (None, None) => return None,
    };
    if asks(value) || value.is_empty() || value.eq_ignore_ascii_case("disabled") {
        return None;
    }
    let message = format!(
        "Annotation {key} is {value:?}, which has no effect: only the exact values Auto and auto do."
    );
    Some(
        say::service(
            Code::HintsUnknownValue,
            service,
            "The topology annotation has no effect.",
        )
        .because(format!(
            "Its value is {value:?}; only Auto and auto are valid."
        ))
        .details(message)
        .fixes(tried(
            scene,
            EditedService::new(service).annotated(key, "Auto"),
            format!(
                "kubectl annotate --overwrite service {} -n {} {key}=Auto",
                service.metadata.name, service.metadata.namespace
            ),
            "`Auto` hints are set",
        ))
        .fixes(any_traffic_fix(scene)),
    )
}

fn traffic_distribution(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let value = service.spec.traffic_distribution.as_deref()?;
    if service.wants_topology_hints() {
        let message = format!(
            "spec.trafficDistribution: {value} is ignored, because the annotation {} requests `Auto` hints, and the annotation wins.",
            pairs(&set(service))
        );
        return Some(
            say::service(
                Code::HintsAnnotationWins,
                service,
                format!("spec.trafficDistribution: {value} is ignored."),
            )
            .because("The topology annotation wins over it.")
            .details(message)
            .fixes(tried(
                scene,
                EditedService::new(service).without_topology_annotations(),
                "take the annotation away",
                format!("{value} takes effect"),
            )),
        );
    }
    let allowed = scene
        .case
        .options
        .settings()
        .prefer_same_traffic_distribution;
    if TrafficDistribution::of(service, allowed).is_some() {
        return None;
    }
    if TrafficDistribution::of(service, true).is_some() {
        let message = format!(
            "spec.trafficDistribution: {value} has no effect, because it is turned off in the controller (preferSameTrafficDistribution: false, the feature gate of that name; it was off before Kubernetes 1.34): no hints are set."
        );
        return Some(
            say::service(
                Code::HintsSwitchedOff,
                service,
                format!("spec.trafficDistribution: {value} is ignored."),
            )
            .because("The feature gate PreferSameTrafficDistribution is off.")
            .details(message)
            .fixes(tried(
                scene,
                EditedService::new(service).traffic_distribution(Some("PreferClose")),
                "set PreferClose",
                "zone hints are set; it is the older name of PreferSameZone",
            ))
            .fix(
                "or turn the feature gate on in the API server, the controller manager and all kube-proxies",
                format!("{value} takes effect"),
            ),
        );
    }
    let message = format!(
        "spec.trafficDistribution: {value:?} has no effect: the valid values are exactly {KNOWN}."
    );
    Some(
        say::service(
            Code::HintsUnknownValue,
            service,
            "spec.trafficDistribution has no effect.",
        )
        .because(format!("Its value is {value:?}; {KNOWN} are valid."))
        .details(message)
        .fixes(any_traffic_fix(scene)),
    )
}

/// A change of the Service, if it makes a difference to its slices, planned over the same input.
fn tried(
    scene: &Scene<'_>,
    edited: EditedService<'_>,
    what: impl Into<String>,
    effect: impl Into<String>,
) -> Option<Fix> {
    whatif::makes_a_difference(scene, &edited.service)
        .then(|| fix(what, effect).by([edited.change]))
}

/// The effect of `trafficDistribution`, in the first family where it has one.
fn any_traffic_fix(scene: &Scene<'_>) -> Option<Fix> {
    let mut families = AddressType::ALL.into_iter();
    families.find_map(|family| whatif::traffic_fix(scene, family))
}
