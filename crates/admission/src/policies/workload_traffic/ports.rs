//! Ports of a Service that pods of a new template would no longer have.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Loss, warn};
use crate::policies::service_labels::{port_key, port_title};
use crate::reach::{Reach, protocol};
use crate::verdict::Finding;
use slicewise::model::order::{gathered, sorted_unique};
use slicewise::model::text::shorten;
use slicewise::model::{Pod, Service, ServicePort, TargetPort};
use slicewise::reconcile::ports::{NamedPort, ResolvedPorts, container_ports, resolve_among};

/// The ports of a template's pods, which may be very many, for the Services that select them.
pub(super) struct TemplatePorts<'p> {
    all: Vec<NamedPort<'p>>,
    /// Protocol and number of each.
    declared: BTreeSet<(&'p str, i32)>,
}

impl<'p> TemplatePorts<'p> {
    pub(super) fn of(pod: &'p Pod<'_>) -> Self {
        let ports = container_ports(pod).map(|port| NamedPort {
            name: &port.name,
            protocol: &port.protocol,
            number: port.container_port,
        });
        let all: Vec<_> = ports.collect();
        let declared = all.iter().map(|port| (protocol(port.protocol), port.number));
        Self {
            declared: declared.collect(),
            all,
        }
    }

    /// The numbers for each port of a Service; only ports with names that it asks for are looked at.
    pub(super) fn resolve(&self, service: &Service<'_>) -> ResolvedPorts {
        let asked = service.spec.ports.iter().filter_map(|port| match &port.target_port {
            TargetPort::Name(name) => Some(name.as_str()),
            TargetPort::Number(_) => None,
        });
        let asked: BTreeSet<_> = gathered(asked);
        let ports = self.all.iter().filter(|port| asked.contains(port.name));
        let ports: Vec<_> = ports.copied().collect();
        resolve_among(service, &ports.iter().copied())
    }

    /// ` (they have a, b)`: the first few ports of a protocol.
    fn instead(&self, wanted: &str, verb: &str, shown: impl Fn(&NamedPort<'_>) -> String) -> String {
        const MOST: usize = 5;
        let ports = self.all.iter().filter(|port| protocol(port.protocol) == wanted);
        let ports = sorted_unique(ports.map(shown));
        match ports.get(..MOST).unwrap_or(&ports) {
            [] => String::new(),
            some => format!(" (they {verb} {})", some.join(", ")),
        }
    }
}

/// Names of ports that the old pods have and the new ones would not; `had` and `has` are the Service's ports with each.
pub(super) fn named_ports_left(
    service: &Service<'_>,
    new: &TemplatePorts<'_>,
    [had, has]: [&ResolvedPorts; 2],
    [before, after]: [&Reach; 2],
) -> Vec<Finding> {
    let ports = service.spec.ports.iter().zip(had.iter().zip(has));
    let left = ports.filter(|(_, (had, has))| had.is_some() && has.is_none());
    let mut others = BTreeMap::new();
    let finding = |(port, _): (&ServicePort<'_>, _)| {
        let (name, protocol) = port_key(port);
        let had = before.behind(name, protocol);
        let lost = had.saturating_sub(after.behind(name, protocol));
        let loss = (lost > 0).then_some(Loss { lost, had })?;
        let names = |port: &NamedPort<'_>| format!("`{}`", shorten(port.name));
        let others = others.entry(String::from(protocol));
        let others = others.or_insert_with_key(|protocol| new.instead(protocol, "have", names));
        let message = format!(
            "port {} of Service {} leads to the {protocol} port {}, which the new pods would not have{others}: it would lose {loss}; keep the name, or change targetPort first",
            port_title(port),
            service.metadata.name,
            target(port),
        );
        Some(loss.finding("port-left", CONTAINERS, message))
    };
    left.filter_map(finding).collect()
}

/// Numbers of ports that the old pods declare and the new ones would not, although they declare some. Declarations are
/// informational, so this is never more than a warning.
pub(super) fn numbered_ports_left(
    service: &Service<'_>,
    [old, new]: [&TemplatePorts<'_>; 2],
    loss: Loss,
) -> Vec<Finding> {
    if loss.lost == 0 || new.all.is_empty() {
        return Vec::new();
    }
    let is_left = |port: &&ServicePort<'_>| {
        let TargetPort::Number(number) = port.target_port else {
            return false;
        };
        let wanted = (port_key(port).1, number);
        old.declared.contains(&wanted) && !new.declared.contains(&wanted)
    };
    let mut others = BTreeMap::new();
    let finding = |port: &ServicePort<'_>| {
        let numbers = |port: &NamedPort<'_>| format!("{}", port.number);
        let others = others.entry(String::from(port_key(port).1));
        let others = others.or_insert_with_key(|protocol| new.instead(protocol, "declare", numbers));
        let message = format!(
            "port {} of Service {} leads to port {}, which the new pods would not declare{others}: unless something still listens there, it would lose {loss}",
            port_title(port),
            service.metadata.name,
            target(port),
        );
        warn("port-left", CONTAINERS, message)
    };
    let ports = service.spec.ports.iter();
    ports.filter(is_left).map(finding).collect()
}

const CONTAINERS: &str = "spec.template.spec.containers";

fn target(port: &ServicePort<'_>) -> String {
    match &port.target_port {
        TargetPort::Number(number) => format!("{number}"),
        TargetPort::Name(name) => format!("`{}`", shorten(name)),
    }
}
