//! Ports that lead nowhere, or resolve to several numbers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::{either, list, numbers, ranged};
use crate::edited::with_ports;
use slicewise::membership::nearest::nearest;
use slicewise::model::order::sorted_unique;
use slicewise::model::pod::ContainerPort;
use slicewise::model::{Pod, Service, ServicePort, TargetPort};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
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
    if candidates.is_empty() {
        return;
    }
    let is_found = found(service, &candidates);
    let mut missing: Vec<MissingPorts<'_>> = Vec::new();
    for (port, is_found) in service.spec.ports.iter().zip(is_found) {
        let TargetPort::Name(wanted) = &port.target_port else {
            continue;
        };
        if is_found {
            answers.extend(named_twice(scene, port, &candidates));
            continue;
        }
        let one = MissingPorts::new(port, wanted, &candidates);
        let is_alike = |other: &&mut MissingPorts<'_>| {
            other.protocol == one.protocol && other.known == one.known
        };
        match missing.iter_mut().find(is_alike) {
            Some(alike) => {
                alike.names.extend(one.names);
                alike.wanted.extend(one.wanted);
            }
            None => missing.push(one),
        }
    }
    answers.extend(
        missing
            .iter()
            .map(|ports| port_not_found(scene, ports, &candidates)),
    );
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

/// Which ports of the Service at least one of the pods has.
fn found(service: &Service<'_>, pods: &[&Pod<'_>]) -> Vec<bool> {
    let mut is_found = alloc::vec![false; service.spec.ports.len()];
    for pod in pods {
        for (is_found, port) in is_found.iter_mut().zip(ports::resolve(service, pod)) {
            *is_found |= port.is_some();
        }
        if is_found.iter().all(|is_found| *is_found) {
            break;
        }
    }
    is_found
}

/// Ports that no pod has, all for the same reason.
struct MissingPorts<'p> {
    protocol: &'p str,
    /// Their names in the Service.
    names: Vec<&'p str>,
    /// Their names on the pods.
    wanted: Vec<&'p str>,
    /// What pods have instead.
    known: String,
    /// The name that was probably meant.
    meant: Option<&'p str>,
    /// All names of ports that pods have.
    there: Vec<&'p str>,
}

impl<'p> MissingPorts<'p> {
    fn new(port: &'p ServicePort<'_>, wanted: &'p str, pods: &[&'p Pod<'p>]) -> Self {
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
        let whose = if pods.len() == 1 { "its" } else { "their" };
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
            (None, []) => (format!("{whose} containers do not name any ports"), None),
            (None, names) => (
                format!("{whose} containers name {}", list(names)),
                nearest(wanted, names),
            ),
        };
        MissingPorts {
            protocol: &port.protocol,
            names: [&*port.name].into(),
            wanted: [wanted].into(),
            known,
            meant,
            there: names,
        }
    }
}

/// More names than these are a range.
const MOST_PORTS: usize = 5;

fn port_not_found(scene: &Scene<'_>, missing: &MissingPorts<'_>, pods: &[&Pod<'_>]) -> Explanation {
    let MissingPorts {
        protocol,
        names,
        known,
        ..
    } = missing;
    let wanted = ranged(&missing.wanted, MOST_PORTS);
    let title = match names.as_slice() {
        ["", ..] => "the Service's port".to_string(),
        [name] => format!("port {name}"),
        names => format!("{} ports ({})", names.len(), ranged(names, MOST_PORTS)),
    };
    let (nowhere, whose, a) = match pods.len() {
        1 => (
            "nowhere on the pod".to_string(),
            "The pod".to_string(),
            "no",
        ),
        number => (
            format!("on none of the {number} pods"),
            format!("None of the {number} pods"),
            "a",
        ),
    };
    let message = format!(
        "targetPort {wanted} of {title} was found {nowhere}: no container has a {protocol} port of that name ({known}). The port is left out of the slices, so nothing answers on it, although the pods count as endpoints."
    );
    let number = match missing.wanted.as_slice() {
        [one] => one.parse::<u16>().ok().map(i32::from),
        _ => None,
    };
    let because = match number.is_some() {
        true => format!(
            "In quotes, {wanted} is the name of a port; an API server refuses it, because a name has a letter."
        ),
        false => format!("{whose} has {a} {protocol} port named {wanted}: {known}."),
    };
    let explanation = say::service(
        Code::PortNotFound,
        scene.case.service,
        format!("Nothing listens behind {title}."),
    )
    .because(because)
    .details(message)
    .figure("targetPort", wanted.as_str())
    .figure("names", missing.there.as_slice());
    let is_it = |port: &ServicePort<'_>| matches!(&port.target_port, TargetPort::Name(name) if missing.wanted.contains(&&**name));
    if let Some(number) = number {
        let fix = say::fix(
            format!("set targetPort: {number}"),
            "the slices have the port; numbers are not looked up on the pod",
        );
        let change = with_ports(scene.case.service, is_it, "targetPort", number);
        return explanation.fixes([fix.by([change])]);
    }
    let explanation = match missing.meant.filter(|_| names.len() == 1) {
        Some(meant) => explanation.fixes([say::fix(
            format!("set targetPort: {meant}"),
            "the slices have the port",
        )
        .by([with_ports(scene.case.service, is_it, "targetPort", meant)])]),
        None => explanation,
    };
    explanation.fix(
        format!("name a container's port {wanted} (protocol {protocol}) in the pods' template, or write the number as targetPort"),
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
        .case
        .selected
        .iter()
        .copied()
        .filter(|other| other.may_be_endpoint())
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
