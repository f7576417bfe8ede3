//! Ports that lead nowhere, or resolve to several numbers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::{either, list, numbers};
use slicewise::membership::nearest::nearest;
use slicewise::model::order::sorted_unique;
use slicewise::model::pod::ContainerPort;
use slicewise::model::{Pod, ServicePort, TargetPort};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::plan::is_selected;
use slicewise::reconcile::ports;
use slicewise::words::counted;

/// Explains the Service's ports by name.
pub(super) fn explain(scene: &Scene<'_>, selected: &[&Pod<'_>], answers: &mut Vec<Explanation>) {
    let service = scene.case.service;
    if !ports::depend_on_pod(service) {
        return;
    }
    let is_to_be = !scene.templates.is_empty();
    let candidates: Vec<&Pod<'_>> = selected
        .iter()
        .copied()
        .filter(|pod| is_to_be || pod.may_be_endpoint())
        .collect();
    let mut missing = Vec::new();
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
            answers.extend(named_twice(scene, port, &candidates));
            continue;
        }
        missing.push(port);
    }
    let mut told: Vec<(Vec<&ServicePort<'_>>, Explanation)> = Vec::new();
    for port in missing {
        let one = port_not_found(scene, &[port], &candidates);
        // Equal reasons are one finding.
        match told
            .iter_mut()
            .find(|(_, other)| other.figures.get("known") == one.figures.get("known"))
        {
            Some((ports, _)) => ports.push(port),
            None => told.push(([port].into(), one)),
        }
    }
    answers.extend(told.into_iter().map(|(ports, one)| match ports.len() {
        1 => one,
        _ => port_not_found(scene, &ports, &candidates),
    }));
    let groups = scene.desired_of(&candidates);
    if groups.groups.len() > 1 {
        answers.push(several_groups(scene, &groups));
    }
}

/// The container ports that count, including those of sidecars, each with its protocol.
fn container_ports<'p>(pods: &[&'p Pod<'p>]) -> Vec<&'p ContainerPort<'p>> {
    let containers = pods
        .iter()
        .flat_map(|pod| pod.spec.containers.iter().chain(&pod.spec.init_containers));
    containers.flat_map(|container| &container.ports).collect()
}

/// What pods have instead of a port: in words, the name that was probably meant, and all names.
fn instead<'p>(
    port: &ServicePort<'_>,
    wanted: &str,
    pods: &[&'p Pod<'p>],
) -> (String, Option<&'p str>, Vec<&'p str>) {
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
        .filter(|container| !container.is_sidecar())
        .flat_map(|container| &container.ports)
        .any(|other| other.name == *wanted && other.protocol == port.protocol);
    let (known, meant) = match (other_protocol, names.as_slice()) {
        (Some(other), _) => (
            format!(
                "there is one for {}, but the protocol has to match",
                other.protocol
            ),
            None,
        ),
        _ if in_init => (
            "only an init container has it; init containers only count with restartPolicy: Always"
                .to_string(),
            None,
        ),
        (None, []) => ("their containers do not name any ports".to_string(), None),
        (None, names) => (
            format!("their containers name {}", list(names)),
            nearest(wanted, names),
        ),
    };
    (known, meant, names)
}

/// Ports that no pod has, all for the same reason.
fn port_not_found(scene: &Scene<'_>, ports: &[&ServicePort<'_>], pods: &[&Pod<'_>]) -> Explanation {
    let nothing = || say::service(Code::PortNotFound, scene.case.service, String::new());
    let Some(port) = ports.first() else {
        return nothing();
    };
    let TargetPort::Name(wanted) = &port.target_port else {
        return nothing();
    };
    let named = |of: &dyn Fn(&ServicePort<'_>) -> String| {
        let names: Vec<String> = ports.iter().map(|port| of(port)).collect();
        match names.as_slice() {
            [first, .., last] if names.len() > 5 => format!("{first} to {last}"),
            names => list(names),
        }
    };
    let all_wanted = named(&|port| match &port.target_port {
        TargetPort::Name(name) => name.to_string(),
        TargetPort::Number(number) => number.to_string(),
    });
    let (known, meant, names) = instead(port, wanted, pods);
    let title = if port.name.is_empty() {
        "the Service's port".to_string()
    } else if ports.len() == 1 {
        format!("port {}", port.name)
    } else {
        format!(
            "{} ports ({})",
            ports.len(),
            named(&|port| port.name.to_string())
        )
    };
    let message = format!(
        "targetPort {wanted} of {title} was found {}: no container has a {} port of that name ({known}). The port is left out of the slices, so nothing answers on it, although the pods count as endpoints.",
        match pods.len() {
            1 => "nowhere on the pod".to_string(),
            number => format!("on none of the {number} pods"),
        },
        port.protocol
    );
    let explanation = say::service(
        Code::PortNotFound,
        scene.case.service,
        format!("Nothing listens behind {title}."),
    )
    .because(format!(
        "{} has {} port named {all_wanted}: {known}.",
        match pods.len() {
            1 => "The pod".to_string(),
            number => format!("None of the {number} pods"),
        },
        match (pods.len(), port.protocol.as_str()) {
            (1, protocol) => format!("no {protocol}"),
            (_, protocol) => format!("a {protocol}"),
        }
    ))
    .details(message)
    .figure("targetPort", &**wanted)
    .figure("known", known.as_str())
    .figure("names", names.as_slice());
    let explanation = match meant.filter(|_| ports.len() == 1) {
        Some(meant) => explanation.fix(
            format!("set targetPort: {meant}"),
            "the slices have the port",
        ),
        None => explanation,
    };
    explanation.fix(
        format!("name a container's port {all_wanted} (protocol {}) in the pods' template, or write the number as targetPort", port.protocol),
        "the slices have the port; numbers are not looked up on the pod",
    )
}

/// The reference uses the first port with the name.
fn named_twice(
    scene: &Scene<'_>,
    port: &ServicePort<'_>,
    pods: &[&Pod<'_>],
) -> Option<Explanation> {
    let TargetPort::Name(wanted) = &port.target_port else {
        return None;
    };
    let found = pods.iter().find_map(|pod| {
        let named = ports::container_ports(pod)
            .filter(|other| other.name == *wanted && other.protocol == port.protocol);
        let mut numbers: Vec<i32> = named.map(|other| other.container_port).collect();
        let first = *numbers.first()?;
        numbers.retain(|number| *number != first);
        (!numbers.is_empty()).then_some((pod, first, sorted_unique(numbers)))
    });
    let (pod, first, others) = found?;
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    Some(
        say::service(
            Code::PortNamedTwice,
            scene.case.service,
            format!("Of the container ports named {wanted}, only {first} gets traffic."),
        )
        .because(format!(
            "Pod {} has port {} with the same name, and the first one counts.",
            pod.metadata.name,
            list(&others)
        ))
        .details("A named targetPort resolves to one number per pod: the first container port with that name and protocol, in the order of spec.containers. An endpoint has one number for each port of the Service.")
        .figure("targetPort", &**wanted)
        .fix(
            "give each container port its own name, and the Service one port for each",
            "each container gets the traffic of its port",
        ),
    )
}

fn several_groups(
    scene: &Scene<'_>,
    desired: &slicewise::reconcile::desired::Desired<'_>,
) -> Explanation {
    let mut words = Vec::new();
    for group in desired.groups.values() {
        let ports = numbers(&group.ports);
        let endpoints = group.endpoints.ipv4.len().max(group.endpoints.ipv6.len());
        words.push(format!("{ports} ({})", counted(endpoints, "endpoint")));
    }
    let message = format!(
        "The pods resolve the Service's named ports in {} ways: {}. A slice has one list of ports for all its endpoints, so each way gets separate slices, however few endpoints it has.",
        words.len(),
        list(&words)
    );
    say::service(Code::SeveralPortGroups, scene.case.service, format!("The named ports resolve to {} sets of numbers, each with separate slices.", words.len())).because(format!("{}.", list(&words))).details(message)
        .figure("groups", words.len())
        .fix(
            "give the named port the same number in all pods (during a rollout that changes it, this resolves itself)",
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
        "Pod {} has no container port {}, which other pods of the Service have: it is an endpoint without that port, in separate slices, and gets no traffic for it.",
        pod.metadata.name,
        either(&names)
    );
    Some(
        say::pod(
            Code::PodWithoutPort,
            pod,
            format!(
                "Pod {} gets no traffic for {}.",
                pod.metadata.name,
                either(&names)
            ),
        )
        .because("Its containers have no port with that name; other pods of the Service do.")
        .details(message)
        .fix(
            "name the port in the pod's template, or remove the label that the selector matches",
            "it serves the port, or is not an endpoint",
        ),
    )
}
