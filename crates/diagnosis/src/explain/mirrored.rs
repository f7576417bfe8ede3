//! Endpoints objects next to slices: whether they are mirrored, and why not.

use alloc::format;
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use slicewise::diff::{EndpointChange, EndpointDiff, compare};
use slicewise::model::{EndpointSlice, keys};
use slicewise::plan::Plan;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;
use slicewise_sources::mirroring::{Input, SkippedReason, mirror, mirrored_of};

/// Explains whether the Endpoints with the Service's name are mirrored. For a Service with a selector, the Endpoints
/// controller writes them, which needs no explanation.
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    // The API servers also write the slice for their Endpoints, and label those so that no other controller does.
    if scene.is_kubernetes() {
        return None;
    }
    let endpoints = scene.case.details.endpoints(&service.key())?;
    let mut input = Input::new(
        service.metadata.namespace.clone(),
        service.metadata.name.clone(),
    );
    input.endpoints = Some(endpoints);
    input.service = Some(service);
    input.slices = scene.case.slices.to_vec();
    let mut mirrored = mirror(&input);
    let addresses: usize = endpoints
        .subsets
        .iter()
        .map(|subset| subset.addresses.len())
        .sum();
    let Some(reason) = mirrored.skipped else {
        let live = mirrored_slices(scene);
        mirrored.plan.name_created(&live);
        return Some(copied(scene, &live, &mirrored.plan, addresses));
    };
    let (because, change, effect) = match reason {
        SkippedReason::ServiceHasSelector => return stale_copy(scene, addresses),
        SkippedReason::SkipMirrorLabel => (
            format!("They have the label {}: \"true\".", keys::SKIP_MIRROR_LABEL),
            format!(
                "remove the label {}, or write slices yourself",
                keys::SKIP_MIRROR_LABEL
            ),
            "the Endpoints are mirrored, and kube-proxy uses them",
        ),
        SkippedReason::LeaderElection => (
            format!(
                "They have the annotation {}: they are a leader election lock.",
                keys::LEADER_ANNOTATION
            ),
            format!(
                "remove the annotation {} if they are not a lock",
                keys::LEADER_ANNOTATION
            ),
            "the Endpoints are mirrored, and kube-proxy uses them",
        ),
        // The Endpoints are here, and so is the Service.
        _ => return None,
    };
    let severity = if scene.case.slices.is_empty() && scene.case.knows_slices && addresses > 0 {
        Severity::Broken
    } else {
        Severity::Risk
    };
    Some(
        say::service(
            Code::EndpointsNotMirrored,
            service,
            "Its Endpoints are not mirrored into slices.",
        )
        .because(because)
        .details("kube-proxy and most other consumers only read EndpointSlices: addresses that are only in Endpoints get no traffic.")
        .severity(severity)
        .figure("addresses", addresses)
        .fix(change, effect),
    )
}

/// Endpoints that are or will be mirrored to slices.
fn copied(
    scene: &Scene<'_>,
    live: &[&EndpointSlice<'_>],
    plan: &Plan<'_>,
    addresses: usize,
) -> Explanation {
    let service = scene.case.service;
    let (namespace, name) = (&service.metadata.namespace, &service.metadata.name);
    let writes = plan.create.len() + plan.update.len() + plan.delete.len();
    let is_written = !scene.case.knows_slices || !is_news(live, plan);
    let what = match (is_written, live.is_empty()) {
        (true, _) => "Its Endpoints are mirrored into slices.",
        (false, true) => "Its Endpoints are not mirrored yet.",
        (false, false) => "Its mirrored slices are out of date.",
    };
    let explanation = say::service(Code::EndpointsMirrored, service, what)
        .because(format!(
            "The Service has no selector; its Endpoints have {}.",
            counted(addresses, "ready address")
        ))
        .details(format!("The mirroring controller copies Endpoints that people write into slices labelled {}={}: one for each family and list of ports.", keys::MANAGED_BY_LABEL, keys::MIRRORING_MANAGED_BY))
        .figure("addresses", addresses)
        .figure("writes", writes);
    if is_written {
        return explanation;
    }
    let severity = match scene.ready_now() {
        0 if addresses > 0 => Severity::Broken,
        _ => Severity::Degraded,
    };
    explanation
        .severity(severity)
        .fix(
            format!("kubectl annotate --overwrite endpoints {name} -n {namespace} resync=\"$(date)\""),
            format!(
                "the mirroring controller syncs them again, as it only does when they, the Service or a mirrored slice change; with this input the result is {}",
                counted(writes, "write")
            ),
        )
        .fix(
            "if nothing is written: check whether the endpointslice-mirroring-controller runs (kube-controller-manager --controllers)",
            "it writes the slices as soon as it runs",
        )
}

fn mirrored_slices<'a>(scene: &Scene<'a>) -> Vec<&'a EndpointSlice<'a>> {
    let slices = scene.case.slices.iter().copied();
    slices
        .filter(|slice| mirrored_of(slice).is_some())
        .collect()
}

/// Does the plan change where traffic goes? Consumers ignore labels, owners and conditions with the same meaning.
fn is_news(live: &[&EndpointSlice<'_>], plan: &Plan<'_>) -> bool {
    let services = compare(live, &plan.named_after(live));
    let mut services = services.iter();
    services.any(|service| {
        let mut fields = service.slices.iter().flat_map(|slice| &slice.fields);
        service.changes.iter().any(is_told) || fields.any(|field| field.path.starts_with("/ports"))
    })
}

fn is_told(endpoint: &EndpointDiff<'_>) -> bool {
    match endpoint.change {
        EndpointChange::Added | EndpointChange::Removed => true,
        EndpointChange::Moved => false,
        EndpointChange::Changed => {
            let mut fields = endpoint.fields.iter();
            fields.any(|field| field.path == "/conditions/ready")
        }
    }
}

/// The Endpoints controller writes at most this many addresses into one object, and only those of the first family.
const MOST_IN_ENDPOINTS: usize = 1000;

/// Endpoints of a Service with a selector that disagree with the slices.
fn stale_copy(scene: &Scene<'_>, addresses: usize) -> Option<Explanation> {
    let ready =
        |slice: &&EndpointSlice<'_>| slice.endpoints.iter().filter(|one| one.is_ready()).count();
    let family = scene.case.service.spec.ip_families.first();
    let seen = scene.seen();
    let of_family = seen
        .iter()
        .filter(|slice| family.is_none_or(|family| slice.address_type == **family));
    let in_slices: usize = of_family.map(ready).sum();
    let is_same = in_slices.min(MOST_IN_ENDPOINTS) == addresses.min(MOST_IN_ENDPOINTS);
    (!is_same && scene.case.knows_slices).then(|| {
        say::service(
            Code::EndpointsNotMirrored,
            scene.case.service,
            "The Service's Endpoints and slices differ.",
        )
        .because(format!(
            "{} in Endpoints, {} in slices; kube-proxy reads the slices.",
            counted(addresses, "ready address"),
            counted(in_slices, "ready endpoint")
        ))
        .details("Two controllers write the Endpoints and the slices of a Service with a selector, and neither reads the other's; Endpoints of such a Service are never mirrored. An address added to them by hand is removed again, or stays without effect. kubectl get endpoints shows the Endpoints, which have at most 1000 addresses and only the first family.")
        .severity(Severity::Note)
        .figure("addresses", addresses)
        .figure("readyEndpoints", in_slices)
        .fix(
            "use kubectl get endpointslices instead; to add addresses by hand, use a Service without a selector",
            "you see what kube-proxy uses",
        )
    })
}
