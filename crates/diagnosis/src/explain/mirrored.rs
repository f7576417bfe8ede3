//! Endpoints objects next to slices: whether they are mirrored, and why not.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::effect::Effect;
use super::say;
use super::scene::{Case, Scene};
use super::words::list;
use slicewise::diff::{EndpointChange, EndpointDiff, compare};
use slicewise::model::{EndpointSlice, Endpoints, keys};
use slicewise::plan::Plan;
use slicewise::plan::change::{SuggestedChange, below};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;
use slicewise_sources::mirroring::{
    EndpointsPerSubset, MirrorInput, MirrorPlan, SkippedReason, mirror, mirrored_of,
};

/// Explains whether the Endpoints with the Service's name are mirrored. For a Service with a selector, the Endpoints
/// controller writes them, which needs no explanation.
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    // The API servers also write the slice for their Endpoints, and label those so that no other controller does.
    if scene.is_kubernetes() {
        return None;
    }
    let endpoints = scene.case.details.endpoints(&service.key())?;
    let mirrored = scene.mirrored.as_ref()?;
    let addresses: usize = endpoints
        .subsets
        .iter()
        .map(|subset| subset.addresses.len())
        .sum();
    let Some(reason) = mirrored.skipped else {
        if addresses == 0 {
            return Some(empty(scene, endpoints));
        }
        let live = mirrored_slices(scene);
        let copied = copied(scene, &live, &mirrored.plan, addresses);
        return Some(too_many(scene, endpoints).unwrap_or(copied));
    };
    let (because, words, removed) = match reason {
        SkippedReason::ServiceHasSelector => return stale_copy(scene, addresses),
        SkippedReason::SkipMirrorLabel => (
            format!("They have the label {}: \"true\".", keys::SKIP_MIRROR_LABEL),
            format!(
                "remove the label {}, or write slices yourself",
                keys::SKIP_MIRROR_LABEL
            ),
            below("/metadata/labels", keys::SKIP_MIRROR_LABEL),
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
            below("/metadata/annotations", keys::LEADER_ANNOTATION),
        ),
        // The Endpoints are here, and so is the Service.
        _ => return None,
    };
    let mut change = SuggestedChange::patch(
        "Endpoints",
        &service.metadata.namespace,
        &service.metadata.name,
    );
    change.remove(removed);
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
        .fixes([say::fix(words, "the Endpoints are mirrored, and kube-proxy uses them").by([change])]),
    )
}

/// The plan of the mirroring controller for the Endpoints with the Service's name.
pub(super) fn plan<'a>(case: &Case<'a>) -> Option<MirrorPlan<'a>> {
    let service = case.service;
    let endpoints = case.details.endpoints(&service.key())?;
    let mut input = MirrorInput::new(
        service.metadata.namespace.clone(),
        service.metadata.name.clone(),
    );
    input.endpoints = Some(endpoints);
    input.service = Some(service);
    input.slices = case.slices.to_vec();
    let mut mirrored = mirror(&input);
    let live = case.slices.iter().copied();
    let live: Vec<_> = live.filter(|slice| mirrored_of(slice).is_some()).collect();
    mirrored.plan.name_created(&live);
    Some(mirrored)
}

/// Endpoints without a ready address: there is nothing to mirror.
fn empty(scene: &Scene<'_>, endpoints: &Endpoints<'_>) -> Explanation {
    let service = scene.case.service;
    let name = &service.metadata.name;
    let subsets = endpoints.subsets.iter();
    let waiting: usize = subsets.map(|subset| subset.not_ready_addresses.len()).sum();
    let annotations = endpoints.metadata.annotations.iter();
    let signs: Vec<&str> = annotations
        .map(|(key, _)| key.as_str())
        .filter(|key| !key.contains("last-applied"))
        .collect();
    let writer = match signs.as_slice() {
        [] => "Whoever made them has to fill them".to_string(),
        signs => format!(
            "The agent that keeps their annotations ({}) has to fill them",
            list(signs)
        ),
    };
    let because = match waiting {
        0 => String::new(),
        waiting => format!(
            "They have {} that are not ready. ",
            counted(waiting, "address")
        ),
    };
    say::service(
        Code::EndpointsMirrored,
        service,
        format!("The Endpoints {name} have no ready address to mirror."),
    )
    .because(format!("{because}{writer}; no controller of Kubernetes does for a Service without a selector."))
    .severity(match scene.effect.as_ref().map(Effect::severity) {
        Some(Severity::Broken) | None => Severity::Broken,
        Some(_) => Severity::Note,
    })
    .figure("addresses", 0_usize)
    .look(
        "the log of what writes the Endpoints, such as the agent of a replicated database",
        "why there is no address; a selector instead would send clients to every pod with the labels, replicas included",
    )
}

/// Addresses beyond the limit of the mirroring controller.
fn too_many(scene: &Scene<'_>, endpoints: &Endpoints<'_>) -> Option<Explanation> {
    let most = EndpointsPerSubset::default().get();
    let subsets = endpoints.subsets.iter();
    let beyond = subsets.map(|subset| {
        let all = subset.addresses.len() + subset.not_ready_addresses.len();
        all.saturating_sub(most)
    });
    let lost: usize = beyond.sum();
    let addresses: usize = endpoints
        .subsets
        .iter()
        .map(|subset| subset.addresses.len())
        .sum();
    (lost > 0).then(|| {
        say::service(
            Code::EndpointsMirrored,
            scene.case.service,
            format!("{} of the Endpoints' {addresses} addresses {} not mirrored.", lost, if lost == 1 { "is" } else { "are" }),
        )
        .because(format!("The mirroring controller copies at most {most} addresses of a subset (--mirroring-max-endpoints-per-subset, at most {most}) and reports TooManyAddressesToMirror."))
        .severity(Severity::Degraded)
        .figure("addresses", addresses)
        .figure("lost", lost)
        .fix(
            "write the slices directly instead of Endpoints (for the kubelets of the Prometheus operator: --kubelet-endpointslice)",
            "several slices take any number of addresses",
        )
    })
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
        (true, _) if !scene.case.knows_slices => "Its Endpoints will be mirrored into slices.",
        (true, _) => "Its Endpoints are mirrored into slices.",
        (false, true) => "Its Endpoints are not mirrored yet.",
        (false, false) => "Its mirrored slices are out of date.",
    };
    let outdated = if is_written || live.is_empty() {
        String::new()
    } else {
        outdated(live, plan)
    };
    let explanation = say::service(Code::EndpointsMirrored, service, what)
        .because(format!(
            "The Service has no selector; its Endpoints have {}.{outdated}",
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
        .fixes([say::fix(
            format!("kubectl annotate --overwrite endpoints {name} -n {namespace} resync=\"$(date)\""),
            format!(
                "the mirroring controller syncs them again, as it only does when they, the Service or a mirrored slice change; with this input the result is {}",
                counted(writes, "write")
            ),
        )
        .resync()])
        .look(say::CONTROLLER_MANAGER.0, say::CONTROLLER_MANAGER.1)
}

/// Which addresses the live slices lack, and which they should not have.
fn outdated(live: &[&EndpointSlice<'_>], plan: &Plan<'_>) -> String {
    let services = compare(live, &plan.named_after(live));
    let changes = services.iter().flat_map(|service| &service.changes);
    let of = |(what, change): (&str, EndpointChange)| {
        let changed = changes.clone().filter(|one| one.change == change);
        let addresses = changed.flat_map(|one| one.addresses.iter().map(|one| one.as_str()));
        let addresses: Vec<&str> = addresses.collect();
        (!addresses.is_empty()).then(|| format!(" {what}: {}.", list(&addresses)))
    };
    let kinds = [
        ("Missing", EndpointChange::Added),
        ("Left over", EndpointChange::Removed),
    ];
    kinds.into_iter().filter_map(of).collect()
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
