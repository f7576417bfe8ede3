//! Slices that name the Service but are not its controller's to change.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::words::{count, sentence};
use super::{Scene, say};
use crate::model::{AddressType, EndpointSlice, keys};
use crate::plan::belongs;
use crate::plan::explanation::{Explanation, ExplanationCode as Code, Severity};

/// Explains the slices that are left alone.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = &scene.case.service;
    let manager = scene.case.options.settings().managed_by;
    let slices = scene.case.slices.iter();
    for slice in slices.filter(|slice| !belongs(slice, service, manager)) {
        answers.push(if slice.metadata.deletion_timestamp.is_some() {
            being_deleted(slice)
        } else if !FAMILIES.contains(&&*slice.address_type) {
            unusable(slice)
        } else {
            of_other_manager(scene, slice, manager)
        });
    }
}

/// Families that a Service can have.
const FAMILIES: [&str; 2] = [AddressType::IPv4.as_str(), AddressType::IPv6.as_str()];

fn unusable(slice: &EndpointSlice<'_>) -> Explanation {
    let what = format!(
        "Nobody uses slice {} of type {}.",
        slice.name(),
        slice.address_type
    );
    say::slice(Code::SliceUnusable, say::names(slice), what)
        .because("A Service has families IPv4 and IPv6 only.")
        .details("The API takes the address type FQDN and gives it no meaning: no controller writes such slices, kube-proxy and most other readers pass over them, and DNS does not answer with them. The type is deprecated.")
        .figure("endpoints", slice.endpoints.len())
        .fix(
            "write the addresses that the names resolve to into a slice of type IPv4 or IPv6, or make the Service an ExternalName for one name",
            "kube-proxy uses the addresses; DNS answers with the name",
        )
}

fn being_deleted(slice: &EndpointSlice<'_>) -> Explanation {
    let finalizers = slice
        .metadata
        .unknown
        .iter()
        .find(|(key, _)| *key == "finalizers");
    let why = match finalizers {
        Some((_, names)) => format!(", and waits for its finalizers {names}"),
        None => String::new(),
    };
    let message = format!(
        "Slice {} is being deleted{why}: the controller does not touch it and puts its endpoints into other slices, so that they are in two until it is gone. kube-proxy counts an address once.",
        slice.name()
    );
    say::slice(
        Code::SliceBeingDeleted,
        say::names(slice),
        format!("Slice {} is being deleted and left alone.", slice.name()),
    )
    .because("Its endpoints are put into other slices.")
    .details(message)
    .figure("endpoints", slice.endpoints.len())
    .fix(
        "see whoever set the finalizer",
        "the slice goes as soon as it has none",
    )
}

fn of_other_manager(scene: &Scene<'_>, slice: &EndpointSlice<'_>, manager: &str) -> Explanation {
    let found = slice.metadata.labels.get(keys::MANAGED_BY_LABEL);
    let whose = match found {
        Some(other) => format!(
            "its label {} is {other}, not {manager}",
            keys::MANAGED_BY_LABEL
        ),
        None => format!("it has no label {}", keys::MANAGED_BY_LABEL),
    };
    let effect = if scene.case.service.is_reconciled() {
        "kube-proxy uses it all the same, beside the Service's own: what stands in it gets traffic, right or wrong"
    } else {
        "kube-proxy uses it, and for a Service that no controller keeps slices for, that is how it should be"
    };
    let message = format!(
        "Slice {} ({}) names this Service but is left alone, because {whose}; {effect}.",
        slice.name(),
        count(slice.endpoints.len(), "endpoint")
    );
    let explanation = say::slice(
        Code::SliceOfOtherManager,
        say::names(slice),
        format!("Slice {} is left alone.", slice.name()),
    )
    .because(format!("{}.", sentence(&whose)))
    .details(message)
    .figure(
        "managedBy",
        found
            .map_or_else(|| "".to_string(), ToString::to_string)
            .as_str(),
    )
    .figure("endpoints", slice.endpoints.len());
    if !scene.case.service.is_reconciled() {
        return explanation.severity(Severity::Note);
    }
    explanation.fix(
        format!("if nobody keeps it any more: kubectl delete endpointslice {} -n {}", slice.name(), slice.metadata.namespace),
        "only the controller's own slices are left; a slice is never handed over from one manager to another",
    )
}
