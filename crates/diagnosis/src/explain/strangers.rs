//! Slices that name the Service but do not belong to its controller.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::Scene;
use super::words::{list, sentence};
use super::{say, unseen};
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, EndpointSlice, ip, keys};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::plan::{belongs, is_selected};
use slicewise::words::counted;
use slicewise_sources::kubernetes_service::NAME;
use slicewise_traffic::routing::UnreadRule;

/// Explains the slices that are left alone.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = &scene.case.service;
    let manager = scene.case.options.settings().managed_by;
    let slices = scene.case.slices.iter();
    for slice in slices.filter(|slice| !belongs(slice, service, manager)) {
        // The API servers' own slice is explained along with their Service.
        if scene.is_kubernetes() && slice.name() == NAME {
            continue;
        }
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
        "Slice {} of type {} is not used.",
        slice.name(),
        slice.address_type
    );
    say::slice(Code::SliceUnusable, say::names(slice), what)
        .because("A Service only has the families IPv4 and IPv6.")
        .details("The API accepts the address type FQDN but gives it no meaning: no controller writes such slices, kube-proxy and most other consumers ignore them, and DNS does not answer with them. The type is deprecated.")
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
        Some((_, names)) => format!(", and has the finalizers {names}"),
        None => String::new(),
    };
    let message = format!(
        "Slice {} is being deleted{why}: the controller does not touch it and adds its endpoints to other slices, so they are in two slices until it is gone. kube-proxy counts an address once.",
        slice.name()
    );
    say::slice(
        Code::SliceBeingDeleted,
        say::names(slice),
        format!("Slice {} is being deleted and left alone.", slice.name()),
    )
    .because("Its endpoints are added to other slices.")
    .details(message)
    .figure("endpoints", slice.endpoints.len())
    .fix(
        "contact the owner of the finalizer",
        "the slice is deleted once it has none",
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
    let (is_read, used) = who_reads(scene, slice);
    let is_reconciled = scene.case.service.is_reconciled();
    let effect = match (is_read, is_reconciled) {
        (false, _) => "",
        (true, true) => {
            " anyway, next to the Service's own slices: its endpoints get traffic, right or wrong"
        }
        (true, false) => ", as intended for a Service whose slices no controller manages",
    };
    let message = format!(
        "Slice {} ({}) names this Service but is left alone, because {whose}; {used}{effect}.",
        slice.name(),
        counted(slice.endpoints.len(), "endpoint")
    );
    let astray = astray(scene, slice);
    let (what, because) = if is_read && is_reconciled && !astray.is_empty() {
        (
            format!(
                "Slice {} sends clients to {}, but no pod of the Service has {}.",
                slice.name(),
                list(&astray),
                if astray.len() == 1 {
                    "that address"
                } else {
                    "these addresses"
                }
            ),
            format!("The controller leaves it alone: {whose}."),
        )
    } else {
        (
            format!("Slice {} is left alone.", slice.name()),
            format!("{}.", sentence(&whose)),
        )
    };
    let explanation = say::slice(Code::SliceOfOtherManager, say::names(slice), what)
        .because(because)
        .details(message)
        .figure(
            "managedBy",
            found.map_or_else(String::new, ToString::to_string).as_str(),
        )
        .figure("endpoints", slice.endpoints.len())
        .figure("addresses", astray.as_slice());
    if !is_reconciled || !is_read {
        return explanation.severity(Severity::Note);
    }
    explanation.fix(
        format!("if nothing manages it any more: kubectl delete endpointslice {} -n {}", slice.name(), slice.metadata.namespace),
        "only the controller's own slices are left; a slice is never transferred from one manager to another",
    )
}

/// Who reads the slice, if anyone, in words.
fn who_reads(scene: &Scene<'_>, slice: &EndpointSlice<'_>) -> (bool, &'static str) {
    if scene.case.service.is_headless() {
        return (true, "DNS answers with it");
    }
    let Some(service) = scene.proxied() else {
        return (true, "kube-proxy uses it");
    };
    if unseen::is_of_other_proxy(service) {
        return (true, "the Service's own proxy may use it");
    }
    match unseen::passed_over(service, slice) {
        Some((UnreadRule::HeadlessLabel | UnreadRule::OtherFamily, _)) => {
            (false, "kube-proxy does not read it")
        }
        _ => (true, "kube-proxy uses it"),
    }
}

/// Addresses that the slice publishes as ready but that no pod of the Service has.
fn astray<'s>(scene: &Scene<'_>, slice: &'s EndpointSlice<'_>) -> Vec<&'s str> {
    if scene.pods.is_empty() {
        return Vec::new();
    }
    let service = scene.case.service;
    let pods = scene.pods.iter().filter(|pod| is_selected(pod, service));
    let own: Vec<_> = pods.flat_map(|pod| &pod.status.pod_ips).collect();
    let ready = slice
        .endpoints
        .iter()
        .filter(|one| one.conditions.ready != Some(false));
    // Only the first of several addresses counts.
    let addresses = ready.filter_map(|endpoint| endpoint.addresses.first());
    let addresses = addresses.map(|address| &**address);
    sorted_unique(addresses.filter(|address| {
        let ip = ip::parse(address);
        !own.iter().any(|own| Some(own.ip) == ip)
    }))
}
