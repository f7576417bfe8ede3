//! Ports of a Service that pods of a new template would no longer have.

use alloc::format;
use alloc::string::String;

use super::{Loss, warn};
use crate::policies::service_labels::{port_key, port_title};
use crate::reach::{Reach, protocol};
use crate::verdict::Finding;
use slicewise::model::order::sorted_unique;
use slicewise::model::pod::ContainerPort;
use slicewise::model::text::shorten;
use slicewise::model::{Pod, Service, ServicePort, TargetPort};
use slicewise::reconcile::ports::{container_ports, resolve};

/// Names of ports that the old pods have and the new ones would not.
pub(super) fn named_ports_left<'f>(
    service: &'f Service<'_>,
    [old, new]: [&'f Pod<'_>; 2],
    before: &'f Reach,
    after: &'f Reach,
) -> impl Iterator<Item = Finding> + 'f {
    let (had, has) = (resolve(service, old), resolve(service, new));
    let resolved = had.into_iter().zip(has);
    let ports = service.spec.ports.iter().zip(resolved);
    let left = ports.filter(|(_, (had, has))| had.is_some() && has.is_none());
    left.filter_map(move |(port, _)| {
        let (name, protocol) = port_key(port);
        let had = before.behind(name, protocol);
        let lost = had.saturating_sub(after.behind(name, protocol));
        let loss = (lost > 0).then_some(Loss { lost, had })?;
        let names = ports_of(new, protocol).map(|port| format!("`{}`", shorten(&port.name)));
        let message = format!(
            "port {} of Service {} leads to the {protocol} port {}, which the new pods would not have{}: it would lose {loss}; keep the name, or change targetPort first",
            port_title(port),
            service.metadata.name,
            target(port),
            instead("have", names)
        );
        Some(loss.finding("port-left", CONTAINERS, message))
    })
}

/// Numbers of ports that the old pods declare and the new ones would not, although they declare some. Declarations are
/// informational, so this is never more than a warning.
pub(super) fn numbered_ports_left<'f>(
    service: &'f Service<'_>,
    [old, new]: [&'f Pod<'_>; 2],
    loss: Loss,
) -> impl Iterator<Item = Finding> + 'f {
    let is_left = |port: &&ServicePort<'_>| {
        let TargetPort::Number(number) = port.target_port else {
            return false;
        };
        let declares = |pod: &Pod<'_>| {
            ports_of(pod, port_key(port).1).any(|declared| declared.container_port == number)
        };
        declares(old) && !declares(new) && container_ports(new).next().is_some()
    };
    let ports = service.spec.ports.iter().filter(move |_| loss.lost > 0);
    ports.filter(is_left).map(move |port| {
        let numbers = ports_of(new, port_key(port).1).map(|port| format!("{}", port.container_port));
        let message = format!(
            "port {} of Service {} leads to port {}, which the new pods would not declare{}: unless something still listens there, it would lose {loss}",
            port_title(port),
            service.metadata.name,
            target(port),
            instead("declare", numbers)
        );
        warn("port-left", CONTAINERS, message)
    })
}

const CONTAINERS: &str = "spec.template.spec.containers";

fn ports_of<'p>(
    pod: &'p Pod<'_>,
    wanted: &'p str,
) -> impl Iterator<Item = &'p ContainerPort<'p>> {
    container_ports(pod).filter(move |port| protocol(&port.protocol) == wanted)
}

fn target(port: &ServicePort<'_>) -> String {
    match &port.target_port {
        TargetPort::Number(number) => format!("{number}"),
        TargetPort::Name(name) => format!("`{}`", shorten(name)),
    }
}

/// ` (they have a, b)`, with the first few.
fn instead(verb: &str, ports: impl Iterator<Item = String>) -> String {
    const MOST: usize = 5;
    let ports = sorted_unique(ports);
    match ports.get(..MOST).unwrap_or(&ports) {
        [] => String::new(),
        some => format!(" (they {verb} {})", some.join(", ")),
    }
}
