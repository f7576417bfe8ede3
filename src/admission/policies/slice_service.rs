//! A slice held against the Service it names: that there is one, its families, its ports, its other slices.

use alloc::format;
use alloc::vec::Vec;

use super::slice_shape::Addresses;
use super::slice_siblings::check_siblings;
use super::stale;
use crate::admission::context::siblings::port_name;
use crate::admission::context::{Context, ServiceShape};
use crate::admission::review::Request;
use crate::admission::settings::SliceShape as Settings;
use crate::admission::slice::ReviewedSlice;
use crate::admission::verdict::{Cause, Finding};
use crate::model::text::shorten;
use crate::model::{AddressType, EndpointPort, keys};

/// What can be wrong only where the Service is known.
pub(super) fn check_against_service(
    request: &Request<'_>,
    slice: &ReviewedSlice<'_>,
    addresses: &Addresses,
    context: &Context,
    settings: &Settings,
    findings: &mut Vec<Finding>,
) {
    let label_field = format!("metadata.labels[{}]", keys::SERVICE_NAME_LABEL);
    let Some(name) = slice.service_name() else {
        let message = format!(
            "without the label {} no Service uses this slice; add it",
            keys::SERVICE_NAME_LABEL
        );
        findings.push(Finding::warn(
            "orphan",
            Cause::FieldValueRequired,
            label_field,
            message,
        ));
        return;
    };
    if let Err(why) = context.knows_services() {
        findings.extend(stale(
            settings.when_stale,
            why,
            "the slice was not held against its Service and its siblings",
        ));
        return;
    }
    let namespace = context.namespace(&request.namespace);
    let Some((namespace, service)) =
        namespace.and_then(|namespace| Some((namespace, namespace.services.get(name)?)))
    else {
        let message = format!(
            "there is no Service {}/{}; create it first, or mend the label",
            request.namespace,
            shorten(name)
        );
        findings.push(Finding::deny(
            "orphan",
            Cause::FieldValueNotFound,
            label_field,
            message,
        ));
        return;
    };
    findings.extend(check_service_family(slice, name, service));
    findings.extend(
        slice
            .ports
            .iter()
            .enumerate()
            .filter_map(|(number, port)| check_service_port(number, port, name, service)),
    );
    if let Some(siblings) = namespace.siblings.get(name) {
        findings.extend(check_siblings(slice, addresses, siblings));
    }
}

fn check_service_family(
    slice: &ReviewedSlice<'_>,
    name: &str,
    service: &ServiceShape,
) -> Option<Finding> {
    let family = [AddressType::IPv4, AddressType::IPv6]
        .into_iter()
        .find(|family| slice.address_type == family.as_str())?;
    if service.families.contains(&family) {
        return None;
    }
    let families: Vec<_> = service
        .families
        .iter()
        .map(|family| family.as_str())
        .collect();
    let message = format!(
        "Service {name} has {} only; use that, or add {} to its ipFamilies",
        families.join(" and "),
        family.as_str()
    );
    Some(Finding::deny(
        "service-family",
        Cause::FieldValueInvalid,
        "addressType",
        message,
    ))
}

/// A port must be one of the Service's, by name and protocol. A Service without ports takes any.
fn check_service_port(
    number: usize,
    port: &EndpointPort<'_>,
    name: &str,
    service: &ServiceShape,
) -> Option<Finding> {
    let (port_name, protocol) = port_name(port);
    if service.ports.is_empty()
        || service
            .ports
            .iter()
            .any(|(name, other)| name == port_name && other == protocol)
    {
        return None;
    }
    if let Some((_, other)) = service.ports.iter().find(|(name, _)| name == port_name) {
        let message = format!(
            "port `{port_name}` of Service {name} is {other}, not {}; write {other}",
            shorten(protocol)
        );
        return Some(Finding::deny(
            "service-port",
            Cause::FieldValueInvalid,
            format!("ports[{number}].protocol"),
            message,
        ));
    }
    let known: Vec<_> = service
        .ports
        .iter()
        .map(|(name, protocol)| format!("`{name}` ({protocol})"))
        .collect();
    let message = format!(
        "Service {name} has no port `{}`; it has {}",
        shorten(port_name),
        known.join(", ")
    );
    Some(Finding::deny(
        "service-port",
        Cause::FieldValueNotFound,
        format!("ports[{number}].name"),
        message,
    ))
}
