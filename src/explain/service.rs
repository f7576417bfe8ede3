//! What is to be said of the Service as a whole: nobody keeps it, it selects nothing, its ports lead nowhere.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::pods::desired_of;
use super::words::{count, either, list};
use super::{Scene, say, selector};
use crate::membership::nearest::nearest;
use crate::model::order::sorted_unique;
use crate::model::pod::ContainerPort;
use crate::model::{Pod, ServicePort, TargetPort};
use crate::plan::explanation::{Explanation, ExplanationCode as Code};
use crate::plan::is_selected;
use crate::reconcile::ports;

/// The API's validation takes no more ports in a slice.
const MAX_PORTS: usize = 100;

/// Explains the Service.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = scene.case.service;
    if !service.is_reconciled() && scene.case.endpoints.is_empty() {
        answers.push(not_reconciled(scene));
        return;
    }
    if service.metadata.deletion_timestamp.is_some() {
        answers.push(being_deleted(scene));
    }
    let selected: Vec<&Pod<'_>> = scene
        .pods
        .iter()
        .copied()
        .filter(|pod| is_selected(pod, service))
        .collect();
    if selected.is_empty() && scene.case.endpoints.is_empty() {
        answers.extend(selector::nothing(scene));
    } else if !selected.is_empty() {
        answers.extend(no_ready_endpoint(scene, &selected));
        answers.extend(published(scene, &selected));
        ports_of(scene, &selected, answers);
    }
    answers.extend(too_many_ports(scene));
}

fn not_reconciled(scene: &Scene<'_>) -> Explanation {
    let service = scene.case.service;
    let name = &service.metadata.name;
    let left = left_behind(scene);
    if service.spec.service_type == "ExternalName" {
        let message = format!(
            "Service {name} is of type ExternalName: it is a DNS alias and nothing else. No controller keeps slices for it, selector or not; those it had before it became one are left alone and go stale.{left}"
        );
        return say::service(Code::ExternalName, service, message).fix(
            "set spec.type: ClusterIP (and spec.externalName: null), if it is meant to lead to pods",
            "the controller makes slices of the pods that the selector picks out",
        );
    }
    let message = format!(
        "Service {name} has no selector, so that the controller keeps no slices for it: whoever made the Service has to write them. (Endpoints objects written by hand are mirrored into slices by another controller.) A selector taken away leaves the slices as they were, and they go stale.{left}"
    );
    say::service(Code::NoSelector, service, message)
        .fix(
            "set spec.selector to the labels of the pods",
            "the controller makes slices of them; slices that others made for the Service stay beside its own",
        )
        .fix(
            format!("or write EndpointSlices by hand, with the labels kubernetes.io/service-name: {name} and endpointslice.kubernetes.io/managed-by: YOUR-NAME"),
            "kube-proxy uses them; nobody but you changes them",
        )
}

/// Slices that the controller has made, and keeps no more.
fn left_behind(scene: &Scene<'_>) -> String {
    let names: Vec<&str> = scene
        .own
        .iter()
        .map(crate::model::EndpointSlice::name)
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        " Left behind: {}. kube-proxy goes on using what is there; delete it by hand (kubectl delete endpointslice) if it is wrong.",
        list(&names)
    )
}

fn being_deleted(scene: &Scene<'_>) -> Explanation {
    let service = scene.case.service;
    let held_back: usize = scene
        .case
        .plan
        .figures
        .families()
        .iter()
        .map(|family| family.held_back)
        .sum();
    let message = format!(
        "Service {} is being deleted: slices it has are kept up to date until it is gone, but none are created ({} held back). The garbage collector takes its slices with it.",
        service.metadata.name,
        count(held_back, "slice")
    );
    say::service(Code::ServiceBeingDeleted, service, message)
        .figure("heldBack", held_back)
        .fix(
            "if it does not go: see who owns its finalizers (a load balancer's controller, as a rule)",
            "it is gone once it has none; a new Service of that name then gets slices of its own",
        )
}

fn no_ready_endpoint(scene: &Scene<'_>, selected: &[&Pod<'_>]) -> Option<Explanation> {
    let wanted = desired_of(scene, selected);
    let endpoints = || {
        let groups = wanted.groups.values();
        groups.flat_map(|group| group.ipv4.iter().chain(&group.ipv6))
    };
    if endpoints().any(|endpoint| endpoint.ready == Some(true)) {
        return None;
    }
    let ends = selected.iter().filter(|pod| pod.is_terminal()).count();
    let without_address = selected
        .iter()
        .filter(|pod| !pod.is_terminal() && !pod.may_be_endpoint())
        .count();
    let terminating = selected
        .iter()
        .filter(|pod| pod.may_be_endpoint() && pod.is_terminating())
        .count();
    let counts = [
        (ends, "finished"),
        (without_address, "without an address"),
        (terminating, "being deleted"),
        (
            selected.len() - ends - without_address - terminating,
            "not ready or left out",
        ),
    ];
    let words: Vec<String> = counts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    let serving = endpoints()
        .filter(|endpoint| endpoint.serving == Some(true) && endpoint.terminating == Some(true))
        .count();
    let traffic = if serving > 0 {
        format!(
            "kube-proxy falls back to the {} that {} terminating but still serving.",
            count(serving, "endpoint"),
            if serving == 1 { "is" } else { "are" }
        )
    } else {
        "Connections to the Service are refused.".to_string()
    };
    let message = format!(
        "The selector picks out {}, but {} a ready endpoint: {}. {traffic} What is wrong with each pod is told by itself.",
        count(selected.len(), "pod"),
        if selected.len() == 1 {
            "it is not"
        } else {
            "none of them is"
        },
        list(&words)
    );
    Some(
        say::service(Code::NoReadyEndpoint, scene.case.service, message)
            .figure("selected", selected.len())
            .figure("finished", ends)
            .figure("withoutAddress", without_address)
            .figure("terminating", terminating),
    )
}

fn published(scene: &Scene<'_>, selected: &[&Pod<'_>]) -> Option<Explanation> {
    let service = scene.case.service;
    if !service.spec.publish_not_ready_addresses {
        return None;
    }
    let published = selected
        .iter()
        .filter(|pod| pod.may_be_endpoint() && (!pod.is_ready() || pod.is_terminating()));
    let names: Vec<&str> = published.map(|pod| &*pod.metadata.name).collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "publishNotReadyAddresses publishes {} as ready: true that {} not, or on the way out: {}. Clients get them like any other, by kube-proxy or by DNS.",
        count(names.len(), "pod"),
        if names.len() == 1 { "is" } else { "are" },
        list(&names)
    );
    Some(
        say::service(Code::NotReadyPublished, service, message)
            .figure("pods", names.as_slice())
            .fix(
                "set spec.publishNotReadyAddresses: false, unless peers have to find each other before they are ready; then give clients a second Service without it",
                "pods are ready endpoints only while their Ready condition is True",
            ),
    )
}

fn ports_of(scene: &Scene<'_>, selected: &[&Pod<'_>], answers: &mut Vec<Explanation>) {
    let service = scene.case.service;
    if !ports::depend_on_pod(service) {
        return;
    }
    let candidates: Vec<&Pod<'_>> = selected
        .iter()
        .copied()
        .filter(|pod| pod.may_be_endpoint())
        .collect();
    if candidates.is_empty() {
        return;
    }
    for (number, port) in service.spec.ports.iter().enumerate() {
        let has = |pod: &&&Pod<'_>| {
            ports::resolve(service, pod)
                .get(number)
                .copied()
                .flatten()
                .is_some()
        };
        if candidates.iter().any(|pod| has(&pod)) {
            continue;
        }
        answers.push(port_not_found(scene, port, &candidates));
    }
    let groups = desired_of(scene, &candidates);
    if groups.groups.len() > 1 {
        answers.push(several_groups(scene, &groups));
    }
}

/// The containers' ports that count, each with its protocol; sidecars' included.
fn container_ports<'p>(pods: &[&'p Pod<'p>]) -> Vec<&'p ContainerPort<'p>> {
    let containers = pods
        .iter()
        .flat_map(|pod| pod.spec.containers.iter().chain(&pod.spec.init_containers));
    containers.flat_map(|container| &container.ports).collect()
}

fn port_not_found(scene: &Scene<'_>, port: &ServicePort<'_>, pods: &[&Pod<'_>]) -> Explanation {
    let TargetPort::Name(wanted) = &port.target_port else {
        return say::service(Code::PortNotFound, scene.case.service, String::new());
    };
    let all = container_ports(pods);
    let of_protocol = all.iter().filter(|other| other.protocol == port.protocol);
    let names = sorted_unique(
        of_protocol
            .map(|other| &*other.name)
            .filter(|name| !name.is_empty()),
    );
    let other_protocol = all
        .iter()
        .find(|other| other.name == *wanted && other.protocol != port.protocol);
    let in_init = pods.iter().flat_map(|pod| &pod.spec.init_containers);
    let in_init = in_init
        .filter(|container| container.restart_policy != "Always")
        .flat_map(|container| &container.ports)
        .any(|other| other.name == *wanted && other.protocol == port.protocol);
    let (known, meant) = match (other_protocol, names.as_slice()) {
        (Some(other), _) => (
            format!("there is one for {}, and the protocol has to be the same", other.protocol),
            None,
        ),
        _ if in_init => (
            "only an init container that ends has it; of init containers those with restartPolicy: Always count".to_string(),
            None,
        ),
        (None, []) => ("their containers name no port at all".to_string(), None),
        (None, names) => (
            format!("their containers name {}", list(names)),
            nearest(wanted, names),
        ),
    };
    let title = if port.name.is_empty() {
        "the Service's port".to_string()
    } else {
        format!("port {}", port.name)
    };
    let message = format!(
        "targetPort {wanted} of {title} is found in none of the {}: no container has a {} port of that name ({known}). The port is left out of the slices, so that nothing listens behind it, while the pods count as endpoints.",
        count(pods.len(), "pod"),
        port.protocol
    );
    let explanation = say::service(Code::PortNotFound, scene.case.service, message)
        .figure("targetPort", &**wanted)
        .figure("names", names.as_slice());
    let explanation = match meant {
        Some(meant) => explanation.fix(
            format!("set targetPort: {meant}"),
            "the slices have the port",
        ),
        None => explanation,
    };
    explanation.fix(
        format!("name a container's port {wanted} (protocol {}) in the pods' template, or write the number as targetPort", port.protocol),
        "the slices have the port; a number is not looked up on the pod",
    )
}

fn several_groups(
    scene: &Scene<'_>,
    desired: &crate::reconcile::desired::Desired<'_>,
) -> Explanation {
    let mut words = Vec::new();
    for group in desired.groups.values() {
        let port = |port: &crate::model::EndpointPort<'_>| {
            let name = port.name.as_deref().unwrap_or_default();
            let number = port.port.unwrap_or_default();
            if name.is_empty() {
                number.to_string()
            } else {
                format!("{name}={number}")
            }
        };
        let ports: Vec<String> = group.ports.iter().map(port).collect();
        let ports = if ports.is_empty() {
            "no port".to_string()
        } else {
            ports.join(" ")
        };
        let endpoints = group.ipv4.len().max(group.ipv6.len());
        words.push(format!("{ports} ({})", count(endpoints, "endpoint")));
    }
    let message = format!(
        "The pods resolve the Service's named ports in {} ways: {}. A slice has one list of ports for all its endpoints, so that each way has slices of its own, however few endpoints it has.",
        words.len(),
        list(&words)
    );
    say::service(Code::SeveralPortGroups, scene.case.service, message)
        .figure("groups", words.len())
        .fix(
            "give the named port the same number in all pods (during a rollout that changes it, it passes by itself)",
            "one group of slices is left",
        )
}

/// A pod without a port that other pods of the Service have.
pub(super) fn pod_without_port(scene: &Scene<'_>, pod: &Pod<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let others: Vec<&Pod<'_>> = scene
        .pods
        .iter()
        .copied()
        .filter(|other| is_selected(other, service) && other.may_be_endpoint())
        .collect();
    let resolved = ports::resolve(service, pod);
    let lacks = service.spec.ports.iter().enumerate().filter(|(number, _)| {
        let has = |pod: &Pod<'_>| {
            ports::resolve(service, pod)
                .get(*number)
                .copied()
                .flatten()
                .is_some()
        };
        resolved.get(*number).copied().flatten().is_none() && others.iter().any(|other| has(other))
    });
    let names: Vec<String> = lacks
        .filter_map(|(_, port)| match &port.target_port {
            TargetPort::Name(name) => Some(format!("{name}/{}", port.protocol)),
            TargetPort::Number(_) => None,
        })
        .collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "Pod {} has no container port {}, which other pods of the Service have: it is an endpoint without that port, in slices of its own, and gets no traffic for it.",
        pod.metadata.name,
        either(&names)
    );
    Some(say::pod(Code::PodWithoutPort, pod, message).fix(
        "name the port in the pod's template, or take the label away that the selector picks it out by",
        "it serves the port, or is no endpoint",
    ))
}

fn too_many_ports(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let ports = service.spec.ports.len();
    if ports <= MAX_PORTS {
        return None;
    }
    let message = format!(
        "Service {} has {ports} ports, and the API takes {MAX_PORTS} in a slice at most: every write of its slices is refused, and the Service has no endpoints. The controller does not split ports over slices.",
        service.metadata.name
    );
    Some(
        say::service(Code::TooManyPorts, service, message)
            .figure("ports", ports)
            .figure("maximum", MAX_PORTS)
            .fix(
                format!(
                    "split it into {} Services of at most {MAX_PORTS} ports with the same selector",
                    ports.div_ceil(MAX_PORTS)
                ),
                "each has slices that the API takes",
            )
            .fix(
                "or make it headless without ports, if clients know the ports",
                "its slices need none",
            ),
    )
}
