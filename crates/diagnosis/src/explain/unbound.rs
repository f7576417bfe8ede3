//! Slices that were meant for the Service and are not bound to it: only a label does that.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::effect::Effect;
use super::say;
use super::scene::Scene;
use super::words::list;
use slicewise::membership::nearest::nearest;
use slicewise::model::{EndpointSlice, ip, keys};
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;

/// Explains them if clients are not served.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let is_broken = |effect: &Effect| effect.severity() == Severity::Broken;
    if !scene.effect.as_ref().is_some_and(is_broken) {
        return;
    }
    let slices = scene.case.unbound.iter().copied();
    let meant: Vec<&EndpointSlice<'_>> = slices
        .filter(|slice| !slice.endpoints.is_empty() && is_meant(scene, slice))
        .collect();
    answers.extend(told(scene, &meant));
}

/// Is it like a slice of the Service in everything but the label?
fn is_meant(scene: &Scene<'_>, slice: &EndpointSlice<'_>) -> bool {
    let service = &scene.case.service.metadata;
    let (name, own) = (slice.name(), service.name.as_str());
    let is_named = |text: &str| {
        let rest = text.strip_prefix(own);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let label = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
    let is_slip = label.is_some_and(|label| nearest(label, &[own]).is_some());
    let mut owners = slice.metadata.owner_references.iter();
    let is_owned = owners.any(|owner| owner.kind == "Service" && owner.name == service.name);
    let mut pods = scene.case.selected.iter();
    let mut addresses = slice.endpoints.iter().flat_map(|one| one.addresses.iter());
    let has_pod = || {
        let ips: Vec<_> = addresses
            .by_ref()
            .filter_map(|one| ip::parse(one))
            .collect();
        pods.any(|pod| pod.status.pod_ips.iter().any(|own| ips.contains(&own.ip)))
    };
    is_owned || is_slip || is_named(name) || (scene.case.service.is_reconciled() && { has_pod }())
}

fn told(scene: &Scene<'_>, slices: &[&EndpointSlice<'_>]) -> Option<Explanation> {
    let first = slices.first()?;
    let service = &scene.case.service.metadata;
    let names: Vec<&str> = slices.iter().map(|slice| slice.name()).collect();
    let addresses: usize = slices.iter().map(|slice| slice.endpoints.len()).sum();
    let title = if slices.len() == 1 { "Slice" } else { "Slices" };
    let has = if slices.len() == 1 { "has" } else { "have" };
    let key = keys::SERVICE_NAME_LABEL;
    let (wrong, label) = match first.metadata.labels.get(key) {
        Some(other) => (
            format!("the label {key}: {other}, not {}", service.name),
            "is",
        ),
        None => (format!("not the label {key}: {}", service.name), "lacks"),
    };
    let what = format!(
        "{title} {} {has} {} and {wrong}.",
        list(&names),
        counted(addresses, "endpoint")
    );
    let explanation = say::slice(Code::SliceUnbound, say::names(first), what)
        .because("Only that label ties a slice to a Service, not its name or owner; kube-proxy and DNS ignore the slice.")
        .figure("slices", names.as_slice())
        .figure("label", label)
        .figure("endpoints", addresses);
    // The fix is tried.
    let bound: Vec<EndpointSlice<'_>> = slices
        .iter()
        .map(|slice| {
            let mut bound = (*slice).clone();
            let labels = &mut bound.metadata.labels;
            labels.insert(key.into(), service.name.clone());
            bound
        })
        .collect();
    let mut seen = scene.seen();
    seen.extend(&bound);
    let effect = Effect::over(scene, &seen)?;
    if effect.severity() == Severity::Broken {
        return Some(explanation);
    }
    let manager = first.metadata.labels.get(keys::MANAGED_BY_LABEL);
    let keeps = match manager {
        Some(manager) => format!("; {manager} writes the slice and has to keep the label"),
        None => "".to_string(),
    };
    let changes = slices.iter().map(|slice| {
        let (namespace, name) = say::names(slice);
        let mut change = SuggestedChange::patch("EndpointSlice", namespace, name);
        let is_bare = slice.metadata.labels.is_empty();
        change.set_in_map("/metadata/labels", is_bare, key, &service.name);
        change
    });
    let fix = say::fix(
        format!(
            "kubectl label --overwrite endpointslice {} -n {} {key}={}",
            names.join(" "),
            service.namespace,
            service.name
        ),
        format!("{}{keeps}", effect.in_words()),
    );
    Some(explanation.fixes([fix.by(changes)]))
}
