//! Slices that name the Service but do not belong to its controller.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::Scene;
use super::words::{list, sentence};
use super::{say, unseen};
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, Endpoint, EndpointSlice, ip, keys};
use slicewise::plan::belongs;
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;
use slicewise_sources::kubernetes_service::NAME;
use slicewise_sources::mirroring::mirrored_of;
use slicewise_traffic::routing::UnreadRule;

/// Explains the slices that are left alone.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    answers.extend(not_of_here(scene));
    let service = &scene.case.service;
    let manager = scene.case.options.settings().managed_by;
    let slices = scene.case.slices.iter();
    for slice in slices.filter(|slice| !belongs(slice, service, manager)) {
        // The API servers' own slice is explained along with their Service.
        if scene.is_kubernetes() && slice.name() == NAME {
            continue;
        }
        // Mirrored slices are explained along with the Endpoints.
        let is_mirrored = scene.mirrored.is_some() && mirrored_of(slice).is_some();
        if is_mirrored && !service.is_reconciled() {
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

/// Endpoints on nodes that are not in this cluster, in slices of other managers: nobody here notices if they are gone.
fn not_of_here(scene: &Scene<'_>) -> Option<Explanation> {
    if scene.case.cluster.nodes.is_empty() {
        return None;
    }
    let manager = scene.case.options.settings().managed_by;
    let slices = scene.case.slices.iter().copied();
    let slices = slices.filter(|slice| {
        !belongs(slice, scene.case.service, manager) && mirrored_of(slice).is_none()
    });
    let found: Vec<(&EndpointSlice<'_>, &str, &str)> = slices
        .flat_map(|slice| slice.endpoints.iter().map(move |one| (slice, one)))
        .filter(|(_, one)| one.conditions.ready != Some(false))
        .filter_map(|(slice, one)| {
            let node = one.node_name.as_deref()?;
            if scene.nodes().zone(node).is_some() {
                return None;
            }
            Some((slice, one.addresses.first()?.as_str(), node))
        })
        .collect();
    let (first, ..) = found.first()?;
    let all = scene
        .seen()
        .iter()
        .flat_map(|slice| &slice.endpoints)
        .filter(|one| one.is_ready())
        .count();
    let words = found
        .iter()
        .map(|(slice, address, node)| format!("{address} on {node} in {}", slice.name()));
    let words: Vec<String> = words.collect();
    let writers = found
        .iter()
        .filter_map(|(slice, ..)| slice.metadata.labels.get(keys::MANAGED_BY_LABEL));
    let writers = sorted_unique(writers.map(|writer| writer.as_str()));
    let writer = match writers.as_slice() {
        [] => "whoever wrote the slices".to_string(),
        writers => list(writers),
    };
    let (endpoints, are) = match found.len() {
        1 => ("1 of", "is"),
        _ => ("", "are"),
    };
    let number = if found.len() == 1 {
        String::new()
    } else {
        format!("{} of ", found.len())
    };
    let what = format!(
        "{endpoints}{number} {} {are} on nodes that are not in this cluster.",
        counted(all, "ready endpoint")
    );
    let what = what.replace("  ", " ");
    Some(
        say::slice(Code::SliceOfOtherManager, say::names(first), what)
            .because(format!("{}. kube-proxy uses them while their slices say ready; only {writer} removes them, and no controller of Kubernetes.", list(&words)))
            .figure("addresses", found.iter().map(|(_, address, _)| *address).collect::<Vec<_>>().as_slice())
            .fix(
                format!("if their cluster is gone: have {writer} remove them"),
                "clients only use the other endpoints; a manager that runs may write the slice again",
            ),
    )
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
    .look(
        "the log of what owns the finalizer",
        "why it does not remove it; the slice is deleted once it has none",
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
    let is_plain = is_reconciled || !is_read;
    let (what, because) = if is_plain {
        (what, because)
    } else {
        written_by(slice, found.map(|found| found.as_str()))
    };
    let has_notes = !is_plain && !because.is_empty();
    let explanation = say::slice(Code::SliceOfOtherManager, say::names(slice), what)
        .because(because)
        .details(message)
        .figure(
            "managedBy",
            found.map_or_else(String::new, ToString::to_string).as_str(),
        )
        .figure("endpoints", slice.endpoints.len())
        .figure("addresses", astray.as_slice());
    if is_plain {
        if !is_read {
            return explanation.severity(Severity::Note);
        }
        return others(scene, slice, explanation);
    }
    let explanation = explanation.severity(Severity::Note);
    if has_notes {
        explanation.figure("notes", 1_usize)
    } else {
        explanation
    }
}

/// What to do about a slice beside those of the Service's controller.
fn others(scene: &Scene<'_>, slice: &EndpointSlice<'_>, explanation: Explanation) -> Explanation {
    let is_needed = scene.ready_of_own() == 0;
    let is_no_pod = |one: &Endpoint<'_>| one.target_ref.as_ref().is_some_and(|to| to.kind != "Pod");
    if is_needed || slice.endpoints.iter().all(is_no_pod) {
        return explanation.severity(Severity::Note);
    }
    let (namespace, name) = say::names(slice);
    explanation.fixes([say::fix(
        format!("if nothing manages it any more: kubectl delete endpointslice {name} -n {namespace}"),
        "only the controller's own slices are left; a slice is never transferred from one manager to another",
    )
    .by([SuggestedChange::delete("EndpointSlice", namespace, name)])])
}

/// A slice as intended for a Service without a selector: who writes it, and what might seem to be wrong with it.
fn written_by(slice: &EndpointSlice<'_>, manager: Option<&str>) -> (String, String) {
    let mut notes = Vec::new();
    let owners = slice.metadata.owner_references.iter();
    let owners = owners.filter(|owner| owner.kind != "Service");
    let owners: Vec<String> = owners
        .map(|owner| format!("{} {}", owner.kind, owner.name))
        .collect();
    if !owners.is_empty() {
        notes.push(format!(
            "Its owner is {}, which is valid: kube-proxy does not read owner references.",
            list(&owners)
        ));
    }
    if slice
        .endpoints
        .iter()
        .any(|one| one.conditions.ready.is_none())
    {
        notes.push("Endpoints without the condition ready count as ready.".to_string());
    }
    let what = match manager {
        Some(manager) => format!(
            "Slice {} is written by {manager}; Kubernetes' own controllers never change it.",
            slice.name()
        ),
        None => format!(
            "Slice {} is written by its owner; no controller changes it.",
            slice.name()
        ),
    };
    match notes.is_empty() {
        true => (what, String::new()),
        false => (notes.join(" "), what),
    }
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
    let pods = scene.case.selected.iter();
    let own: Vec<_> = pods.flat_map(|pod| &pod.status.pod_ips).collect();
    let is_other = |one: &&Endpoint<'_>| one.target_ref.as_ref().is_some_and(|to| to.kind != "Pod");
    let ready = slice
        .endpoints
        .iter()
        .filter(|one| one.conditions.ready != Some(false) && !is_other(one));
    // Only the first of several addresses counts.
    let addresses = ready.filter_map(|endpoint| endpoint.addresses.first());
    let addresses = addresses.map(|address| &**address);
    sorted_unique(addresses.filter(|address| {
        let ip = ip::parse(address);
        !own.iter().any(|own| Some(own.ip) == ip)
    }))
}
