//! Why a pod is not an endpoint, or not a ready one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::families::{Bare, of_other_family};
use super::scene::Scene;
use super::words::{list, sentence};
use super::{dns, events, not_ready, restarts, say, selector, terminating};
use slicewise::model::endpoint_set::DesiredEndpoint;
use slicewise::model::{AddressType, Endpoint, EndpointSlice, Pod};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::plan::is_selected;
use slicewise::reconcile::address_types;

/// Explains the selected pods, and the one that the question asks about.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let start = answers.len();
    let mut bare = Bare::new(scene);
    if scene.case.pod.is_none() {
        for pod in scene.case.selected {
            selected(scene, pod, &mut bare, answers);
        }
        answers.splice(start..start, bare.explain(scene));
        return;
    }
    let mut is_found = false;
    for pod in scene.pods {
        is_found |= scene.asks_about(pod);
        if is_selected(pod, scene.case.service) {
            selected(scene, pod, &mut bare, answers);
        } else if scene.asks_about(pod) {
            answers.extend(selector::not_selected(scene, pod));
        }
    }
    answers.splice(start..start, bare.explain(scene));
    if !is_found {
        let others = scene.case.pods.iter().filter(|pod| scene.asks_about(pod));
        let elsewhere = others.min_by_key(|pod| &pod.metadata.namespace);
        answers.extend(elsewhere.and_then(|pod| selector::in_other_namespace(scene, pod)));
    }
}

fn selected<'s>(
    scene: &Scene<'_>,
    pod: &'s Pod<'s>,
    bare: &mut Bare<'s>,
    answers: &mut Vec<Explanation>,
) {
    let before = answers.len();
    if !pod.may_be_endpoint() {
        answers.push(if pod.is_terminal() {
            finished(scene, pod)
        } else {
            without_address(scene, pod)
        });
        return;
    }
    let wanted = scene.desired_of(&[pod]);
    if !wanted.missing_nodes.is_empty() {
        // Without any nodes, a warning says so of all pods.
        if !scene.case.cluster.nodes.is_empty() || scene.asks_about(pod) {
            answers.push(node_unknown(scene, pod));
        }
        return;
    }
    let families = address_types(scene.case.service);
    let mut found: Vec<(AddressType, &DesiredEndpoint<'_>)> = Vec::new();
    for group in wanted.groups.values() {
        for family in &families {
            let of_family = group.endpoints(*family).iter();
            found.extend(of_family.map(|endpoint| (*family, endpoint)));
        }
    }
    for family in &families {
        let is_missing = !found.iter().any(|(other, _)| other == family);
        if is_missing
            && (found.is_empty() || families.len() == 1 || !scene.case.service.is_headless())
        {
            let is_told_of_all = !found.is_empty() && bare.takes(*family, pod);
            if !is_told_of_all || scene.asks_about(pod) {
                answers.push(of_other_family(pod, *family, found.is_empty()));
            }
        }
    }
    let Some((_, endpoint)) = found.first() else {
        return;
    };
    if !scene.lost.covers(pod) || scene.asks_about(pod) {
        answers.extend(conditions(scene, pod, endpoint));
    }
    answers.extend(restarts::explain(scene, pod));
    let ports = wanted
        .groups
        .values()
        .next()
        .map_or(0, |group| group.ports.len());
    if ports < scene.case.service.spec.ports.len() {
        answers.extend(super::ports::pod_without_port(scene, pod));
    }
    answers.extend(dns::without_hostname(scene, pod, endpoint));
    if scene.asks_about(pod) && answers.len() == before {
        answers.push(is_endpoint(scene, pod));
    }
}

fn finished(scene: &Scene<'_>, pod: &Pod<'_>) -> Explanation {
    let phase = &pod.status.phase;
    let reason = scene.detail(pod).map(|detail| &detail.status.reason);
    let why = match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{phase}, {reason}"),
        None => phase.to_string(),
    };
    let message = format!(
        "Pod {} has finished (phase {why}); a finished pod is never an endpoint, even if its object and address still exist.",
        pod.metadata.name
    );
    say::pod(
        Code::PodFinished,
        pod,
        format!(
            "Pod {} has finished and is not an endpoint.",
            pod.metadata.name
        ),
    )
    .because(format!("Its phase is {why}."))
    .details(message)
}

fn without_address(scene: &Scene<'_>, pod: &Pod<'_>) -> Explanation {
    let name = &pod.metadata.name;
    let detail = scene.detail(pod);
    if pod.spec.node_name.is_empty() {
        let scheduled = detail.and_then(|detail| detail.condition("PodScheduled"));
        let why = scheduled
            .filter(|condition| condition.status != "True" && !condition.message.is_empty())
            .map(|condition| format!(": {}", not_ready::quoted(&condition.message)))
            .unwrap_or_default();
        let message = format!(
            "Pod {name} has no address yet, because it is not scheduled to a node{why}. A pod is an endpoint as soon as it has an address, ready or not."
        );
        return say::pod(
            Code::PodWithoutAddress,
            pod,
            format!("Pod {name} is not an endpoint yet: it has no address."),
        )
        .because(format!("It is not scheduled to a node{why}."))
        .details(message)
        .look(
            format!("kubectl describe pod {name} -n {}", pod.metadata.namespace),
            "which of its requirements (resources, affinity, tolerations, volumes) no node meets",
        );
    }
    let why = detail.map_or_else(String::new, |_| not_ready::why(scene, pod).0);
    let why = if why.is_empty() || why == "none" {
        String::new()
    } else {
        format!("; {why}")
    };
    let message = format!(
        "Pod {name} has no address yet: node {} has not set up its network{why}. A pod is an endpoint as soon as it has an address, ready or not.",
        pod.spec.node_name
    );
    say::pod(Code::PodWithoutAddress, pod, format!("Pod {name} is not an endpoint yet: it has no address.")).because(format!("Node {} has not set up its network{why}.", pod.spec.node_name)).details(message)
        .look(
            format!("kubectl describe pod {name} -n {}", pod.metadata.namespace),
            "its events show problems with the network plugin or the image; the controller adds it as soon as it has an address",
        )
}

fn node_unknown(scene: &Scene<'_>, pod: &Pod<'_>) -> Explanation {
    let (name, node) = (&pod.metadata.name, &pod.spec.node_name);
    let what = if node.is_empty() {
        format!("Pod {name} has an address but no node name")
    } else if scene.case.cluster.nodes.is_empty() {
        format!("Pod {name} is on node {node}, and the input contains no nodes")
    } else {
        format!(
            "Pod {name} is on node {node}, which does not exist (it was deleted, or is so new that the controller has not seen it)"
        )
    };
    let message = format!(
        "{what}: it is left out because its zone is unknown, and the Service is retried until it is known. With publishNotReadyAddresses it would be kept."
    );
    let explanation = say::pod(
        Code::PodNodeUnknown,
        pod,
        format!("Pod {name} is left out of the slices."),
    )
    .because(format!("{what}."))
    .details(message);
    if scene.case.cluster.nodes.is_empty() {
        // Nothing is wrong with the pod, but with the input.
        return explanation.severity(Severity::Note).look(
            "kubectl get services,pods,nodes,endpointslices -A -o json",
            "the nodes, too: with them the answer matches the cluster",
        );
    }
    explanation.look(
        format!("kubectl get node {node}"),
        "whether the node is gone for good; then the pod garbage collector deletes the pod, and its owner creates another one on an existing node",
    )
}

/// Why the endpoint is not ready.
fn conditions(
    scene: &Scene<'_>,
    pod: &Pod<'_>,
    endpoint: &DesiredEndpoint<'_>,
) -> Option<Explanation> {
    let is_serving = endpoint.serving == Some(true);
    if endpoint.terminating == Some(true) {
        return Some(terminating::explain(scene, pod, endpoint));
    }
    if endpoint.ready == Some(true) && is_serving {
        return None;
    }
    let (why, next) = not_ready::why(scene, pod);
    let name = &pod.metadata.name;
    if endpoint.ready == Some(true) {
        // `NotReadyPublished` covers all of them.
        return scene.asks_about(pod).then(|| {
            let message = format!("Pod {name} is published as ready because of publishNotReadyAddresses, although {why}; serving is false.");
            let what = format!("Pod {name} is published as ready, but is not.");
            let because = format!("publishNotReadyAddresses is set; {why}.");
            next.told_by(say::pod(Code::PodNotReady, pod, what).because(because).details(message))
        });
    }
    let (what, traffic) = match scene.live(pod) {
        Some((slice, live)) if live.conditions.ready.unwrap_or(true) => (
            format!(
                "Pod {name} is not ready, and slice {} still says it is.",
                slice.name()
            ),
            "and it gets traffic until the slice is updated",
        ),
        _ => (format!("Pod {name} is not ready."), "so it gets no traffic"),
    };
    let event = events::of_pod(scene, pod)
        .map_or_else(String::new, |event| format!(" An Event says {event}."));
    let message = format!(
        "Pod {name} should be an endpoint with ready: false, {traffic}, because {why}.{event}"
    );
    Some(
        next.told_by(
            say::pod(Code::PodNotReady, pod, what)
                .because(format!("{}.", sentence(&why)))
                .details(message),
        ),
    )
}

/// Where the pod is published, if there is no problem.
fn is_endpoint(scene: &Scene<'_>, pod: &Pod<'_>) -> Explanation {
    let is_it = |endpoint: &Endpoint<'_>| {
        endpoint.target_ref.as_ref().is_some_and(|target| {
            target.name == pod.metadata.name && target.namespace == pod.metadata.namespace
        })
    };
    let slices: Vec<&EndpointSlice<'_>> = if scene.case.knows_slices {
        scene.case.slices.to_vec()
    } else {
        scene.after.clone()
    };
    let mut places = vec![];
    for slice in slices {
        for endpoint in slice.endpoints.iter().filter(|endpoint| is_it(endpoint)) {
            places.push(place(scene, slice, endpoint));
        }
    }
    if places.is_empty() {
        let message = format!(
            "Pod {} should be a ready endpoint, but no live slice has it.",
            pod.metadata.name
        );
        return say::pod(Code::PodIsEndpoint, pod, message)
            .because("It has not been written yet; see the Service's explanations.");
    }
    let message = format!(
        "Pod {} is a ready endpoint: {}.",
        pod.metadata.name,
        list(&places)
    );
    say::pod(
        Code::PodIsEndpoint,
        pod,
        format!("Pod {} is a ready endpoint.", pod.metadata.name),
    )
    .because(format!("{}.", list(&places)))
    .details(message)
}

fn place(scene: &Scene<'_>, slice: &EndpointSlice<'_>, endpoint: &Endpoint<'_>) -> String {
    let address = endpoint.addresses.first().map_or("?", |address| address);
    let which = if scene.is_new(slice) {
        "a slice that is still to be created".to_string()
    } else {
        format!("slice {}", slice.name())
    };
    let zone = endpoint.zone.as_deref().map_or_else(
        || "in no zone".to_string(),
        |zone| format!("in zone {zone}"),
    );
    let hints = endpoint.hints.iter().flat_map(|hints| &hints.for_zones);
    let hints: Vec<&str> = hints.map(|hint| &*hint.name).collect();
    let hints = if hints.is_empty() {
        "without hints".to_string()
    } else {
        format!("hinted to {}", list(&hints))
    };
    format!("{address} in {which}, {zone}, {hints}")
}
