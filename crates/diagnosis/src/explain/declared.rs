//! Port numbers that the Service sends traffic to and that pods do not declare.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::list;
use crate::edited::with_ports;
use slicewise::model::order::sorted_unique;
use slicewise::model::pod::ContainerPort;
use slicewise::model::{Pod, ServicePort, TargetPort};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::reconcile::ports::container_ports;

/// Explains port numbers; port names are resolved on the pods, and explained there.
pub(super) fn explain(scene: &Scene<'_>, selected: &[&Pod<'_>], answers: &mut Vec<Explanation>) {
    let candidates: Vec<&Pod<'_>> = selected
        .iter()
        .copied()
        .filter(|pod| {
            !scene.templates.is_empty() || (pod.may_be_endpoint() && !pod.is_terminating())
        })
        .collect();
    for port in &scene.case.service.spec.ports {
        if let TargetPort::Number(number @ 1..) = port.target_port {
            answers.extend(of_port(scene, port, number, &candidates));
        }
    }
}

fn of_port(
    scene: &Scene<'_>,
    port: &ServicePort<'_>,
    number: i32,
    pods: &[&Pod<'_>],
) -> Option<Explanation> {
    // A pod that declares no ports tells us nothing.
    let speaking = pods
        .iter()
        .copied()
        .filter(|pod| container_ports(pod).next().is_some());
    let (having, lacking): (Vec<&Pod<'_>>, Vec<&Pod<'_>>) = speaking.partition(|pod| {
        container_ports(pod).any(|other| other.container_port == number && is_of(other, port))
    });
    let first = lacking.first()?;
    let names: Vec<&str> = lacking.iter().map(|pod| &*pod.metadata.name).collect();
    let others = lacking.iter().flat_map(|pod| container_ports(pod));
    let others = sorted_unique(others.map(|other| (other.container_port, protocol(other, port))));
    let words: Vec<String> = others.iter().map(in_words).collect();
    let of_protocol = protocol_words(port, number, &others);
    let (what, because) = if having.is_empty() {
        (
            format!("No pod declares {of_protocol}port {number}, where the Service sends traffic."),
            format!("Their containers declare {}.", list(&words)),
        )
    } else {
        let titles: Vec<String> = names.iter().map(|name| format!("Pod {name}")).collect();
        let (verb, they) = match names.len() {
            1 => ("declares", "It declares"),
            _ => ("declare", "They declare"),
        };
        let others = match having.len() {
            1 => "1 other pod of the Service declares".to_string(),
            number => format!("{number} other pods of the Service declare"),
        };
        (
            format!(
                "{} {verb} no {of_protocol}port {number}, where the Service sends traffic.",
                list(&titles)
            ),
            format!("{they} {}; {others} {number}.", list(&words)),
        )
    };
    // A container that declares no ports may be the one that listens.
    let is_sure = lacking
        .iter()
        .flat_map(|pod| &pod.spec.containers)
        .all(|container| !container.ports.is_empty());
    let severity = if is_sure {
        Severity::Risk
    } else {
        Severity::Note
    };
    let explanation = say::service(Code::PortNotDeclared, scene.case.service, what)
        .because(because)
        .details(format!("Declared ports are only informational: a process may listen on other ports, and need not listen on these. If nothing listens on {number}, connections are refused, and the pod is still a ready endpoint, because its readiness probe uses its own port."))
        .severity(severity)
        .figure("targetPort", i64::from(number))
        .figure("pods", names.as_slice());
    let is_it = |other: &ServicePort<'_>| {
        other.target_port == port.target_port && other.protocol == port.protocol
    };
    Some(match (having.is_empty(), others.as_slice()) {
        (false, _) => explanation.fix(
            "add a label to the selector that only the right pods have, if these belong to another workload",
            "the Service no longer sends them traffic",
        ),
        (true, [(other, Some(protocol))]) if *other == number => explanation.fixes([say::fix(
            format!("if the pods listen on {number}/{protocol}: set protocol: {protocol} for that port of the Service"),
            "the slices have that port; `kubectl apply` merges the ports of a Service by their number, so of two ports that differ in protocol only one may be left",
        )
        .by([with_ports(scene.case.service, is_it, "protocol", *protocol)])]),
        (true, [(only, None)]) => explanation.fixes([say::fix(
            format!("if the pods listen on {only}: set targetPort: {only}"),
            "the slices have that port",
        )
        .by([with_ports(scene.case.service, is_it, "targetPort", *only)])]),
        (true, _) => explanation.look(
            format!(
                "kubectl exec {} -n {} -- ss -ltnu",
                first.metadata.name, first.metadata.namespace
            ),
            format!("whether anything listens on {number}; if nothing does, targetPort is wrong"),
        ),
    })
}

/// A declared port, with its protocol if it is not that of the Service's port.
type Declared<'p> = (i32, Option<&'p str>);

fn in_words((number, protocol): &Declared<'_>) -> String {
    match protocol {
        Some(protocol) => format!("{number}/{protocol}"),
        None => number.to_string(),
    }
}

/// The protocol of the Service's port, if it is the only thing that the pods' declarations lack.
fn protocol_words(port: &ServicePort<'_>, number: i32, declared: &[Declared<'_>]) -> String {
    let is_other = |(other, protocol): &Declared<'_>| *other == number && protocol.is_some();
    match declared.iter().any(is_other) {
        true => format!("{} ", or_tcp(&port.protocol)),
        false => String::new(),
    }
}

fn protocol<'p>(declared: &'p ContainerPort<'_>, port: &ServicePort<'_>) -> Option<&'p str> {
    let protocol = or_tcp(&declared.protocol);
    (!is_of(declared, port)).then_some(protocol)
}

fn is_of(declared: &ContainerPort<'_>, port: &ServicePort<'_>) -> bool {
    or_tcp(&declared.protocol) == or_tcp(&port.protocol)
}

fn or_tcp(protocol: &str) -> &str {
    if protocol.is_empty() { "TCP" } else { protocol }
}
