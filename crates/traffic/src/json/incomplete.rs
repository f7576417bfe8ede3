//! What an input for traffic lacks.

use alloc::vec::Vec;

use slicewise::api::incomplete::{NO_SERVICES, Need, each_once, namespaces};
use slicewise::api::{Received, Warning, WarningCode};
use slicewise::model::{AddressType, EndpointSlice};

use crate::proxy;

/// What an input for traffic lacks; `without_nodes` says what follows from it if Nodes are needed and not there.
pub(super) fn of_traffic(
    services: &[proxy::ProxiedService<'_>],
    slices: &[EndpointSlice<'_>],
    without_nodes: Option<&str>,
    received: &Received,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let kinds = [
        ("EndpointSlice", false),
        ("Node", false),
        ("Service", false),
    ];
    received.warn_of_cuts(&kinds, &mut warnings);
    if services.is_empty() {
        let message = received.none("Service", NO_SERVICES, "services");
        warnings.push(Warning::new(WarningCode::NoServices, message));
    }
    if slices.is_empty() {
        let fact = "there are no EndpointSlices, so no Service has endpoints";
        let message = received.none("EndpointSlice", fact, "endpointslices");
        warnings.push(Warning::new(WarningCode::NoSlices, message));
    } else {
        let proxied = services.iter().filter(|service| is_proxied(service));
        let needed = proxied.map(|service| &*service.metadata.namespace);
        Need {
            kind: "EndpointSlice",
            resource: "endpointslices",
            code: WarningCode::NoSlices,
            consequence: "nothing has endpoints",
            blocks_writes: false,
            needed: each_once(needed),
            present: namespaces(slices),
        }
        .warn(received, &mut warnings);
    }
    if let Some(fact) = without_nodes {
        // Why they were left out is told beside this.
        let message = match received.has_left_out() {
            true => fact.into(),
            false => received.none("Node", fact, "nodes"),
        };
        warnings.push(Warning::new(WarningCode::NoNodes, message));
    }
    received.warn_of_several(&mut warnings);
    received.warn_of_left_out(&mut warnings);
    warnings
}

fn is_proxied(service: &proxy::ProxiedService<'_>) -> bool {
    let families = AddressType::ALL;
    let mut families = families.into_iter();
    families.any(|family| proxy::service_port::is_served(service, family))
}
