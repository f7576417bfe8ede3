//! Which ports of a Service a pod has.

use alloc::vec::Vec;

use crate::model::pod::ContainerPort;
use crate::model::{EndpointPort, Pod, Service, ServicePort, TargetPort};

/// The port numbers of a pod for each port of a Service, in the Service's order; `None` if the pod lacks it.
pub type ResolvedPorts = Vec<Option<i32>>;

/// Finds each port of the Service on the pod (reference: `getEndpointPorts`, `FindPort`).
pub fn resolve(service: &Service<'_>, pod: &Pod<'_>) -> ResolvedPorts {
    let ports = container_ports(pod).map(|port| NamedPort {
        name: &port.name,
        protocol: &port.protocol,
        number: port.container_port,
    });
    resolve_among(service, &ports)
}

/// Finds each port of the Service among the container ports of a pod.
pub fn resolve_among<'p>(
    service: &Service<'_>,
    ports: &(impl Iterator<Item = NamedPort<'p>> + Clone),
) -> ResolvedPorts {
    let wanted = service.spec.ports.iter();
    wanted.map(|port| find_port(port, ports.clone())).collect()
}

/// A container port, for lookups.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "what a lookup compares, and its result"
)]
pub struct NamedPort<'p> {
    pub name: &'p str,
    pub protocol: &'p str,
    pub number: i32,
}

/// The ports of a pod's containers, including sidecars, in lookup order.
pub fn container_ports<'p>(
    pod: &'p Pod<'_>,
) -> impl Iterator<Item = &'p ContainerPort<'p>> + Clone {
    let sidecars = pod.spec.init_containers.iter();
    let sidecars = sidecars.filter(|container| container.is_sidecar());
    let containers = pod.spec.containers.iter().chain(sidecars);
    containers.flat_map(|container| &container.ports)
}

/// The ports that do not depend on a pod: those of an endpoint that is not a pod.
pub fn resolve_numbers(service: &Service<'_>) -> ResolvedPorts {
    let number = |port: &ServicePort<'_>| match port.target_port {
        TargetPort::Number(number) => Some(number),
        TargetPort::Name(_) => None,
    };
    service.spec.ports.iter().map(number).collect()
}

/// Does any port have to be looked up on the pod?
pub fn depend_on_pod(service: &Service<'_>) -> bool {
    service
        .spec
        .ports
        .iter()
        .any(|port| matches!(port.target_port, TargetPort::Name(_)))
}

/// The ports of a slice for pods with this resolution; a port that the pod lacks is left out.
pub(crate) fn endpoint_ports<'a>(
    service: &'a Service<'a>,
    resolved: &[Option<i32>],
) -> Vec<EndpointPort<'a>> {
    let found = service
        .spec
        .ports
        .iter()
        .zip(resolved)
        .filter_map(|(port, number)| number.map(|number| (port, number)));
    found
        .map(|(port, number)| EndpointPort {
            name: Some(port.name.clone()),
            port: Some(number),
            protocol: Some(port.protocol.clone()),
            app_protocol: port.app_protocol.clone(),
            ..EndpointPort::default()
        })
        .collect()
}

fn find_port<'p>(
    port: &ServicePort<'_>,
    mut ports: impl Iterator<Item = NamedPort<'p>>,
) -> Option<i32> {
    let name = match &port.target_port {
        TargetPort::Number(number) => return Some(*number),
        TargetPort::Name(name) => name,
    };
    let found = ports.find(|found| *name == *found.name && port.protocol == *found.protocol);
    found.map(|found| found.number)
}
