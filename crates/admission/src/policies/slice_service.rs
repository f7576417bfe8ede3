//! Compares a slice with the Service it names: that it exists, its families, its ports, its other slices.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::not_checked;
use super::slice_parts::{IndexedAddresses, port_name};
use super::slice_siblings::check_siblings;
use crate::context::ClusterView;
use crate::objects::ReviewedSlice;
use crate::reach::protocol;
use crate::settings::WhenStale;
use crate::unread::PolicyConcern;
use crate::verdict::{CauseType, Finding};
use slicewise::model::kind::Kind;
use slicewise::model::order::sorted_unique;
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, EndpointPort, Service, keys};
use slicewise::reconcile::address_types;

/// Checks that need the Service to be known.
pub(super) fn check_against_service(
    slice: &ReviewedSlice<'_>,
    is_new: bool,
    addresses: &IndexedAddresses,
    cluster: &ClusterView<'_>,
    when_stale: WhenStale,
    most: u32,
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
            CauseType::FieldValueRequired,
            label_field,
            message,
        ));
        return;
    };
    if let Err(why) = cluster.knows(&[Kind::Service]) {
        let what = "the slice was not compared with its Service and its siblings";
        findings.extend(not_checked(when_stale, &why, what));
        return;
    }
    if let Err(why) = cluster.has_read(PolicyConcern::Service(name)) {
        let what = "the slice was not compared with its Service and its siblings";
        findings.extend(not_checked(when_stale, &why, what));
        return;
    }
    let Some(service) = cluster.service(name) else {
        let message = format!(
            "there is no Service {}/{}; create it first, or fix the label",
            cluster.namespace(),
            shorten(name)
        );
        findings.push(Finding::deny(
            "orphan",
            CauseType::FieldValueNotFound,
            label_field,
            message,
        ));
        return;
    };
    findings.extend(check_service_family(slice, name, service));
    let known = ServicePorts::new(service);
    let ports = slice.ports.iter().enumerate();
    findings.extend(ports.filter_map(|(number, port)| known.check(number, port)));
    let siblings = PolicyConcern::Slices {
        of: name,
        but: &slice.metadata.name,
    };
    let knows = cluster.knows(&[Kind::EndpointSlice]);
    if let Err(why) = knows.and_then(|()| cluster.has_read(siblings)) {
        let what = "the slice was not compared with its siblings";
        findings.extend(not_checked(when_stale, &why, what));
        return;
    }
    let most = most as usize;
    let count = cluster.slices(name).len();
    if is_new && count >= most {
        let message = format!(
            "Service {name} already has {count} slices, of at most {most}; put the endpoints into one of them"
        );
        findings.push(Finding::deny(
            "too-many-slices",
            CauseType::FieldValueTooMany,
            label_field,
            message,
        ));
    }
    findings.extend(check_siblings(slice, name, addresses, cluster));
}

fn check_service_family(
    slice: &ReviewedSlice<'_>,
    name: &str,
    service: &Service<'_>,
) -> Option<Finding> {
    let family = AddressType::ALL
        .into_iter()
        .find(|family| slice.address_type == family.as_str())?;
    let families = address_types(service);
    if families.contains(&family) {
        return None;
    }
    let families: Vec<_> = families.iter().map(|family| family.as_str()).collect();
    let message = format!(
        "Service {name} has {} only; use that, or add {} to its ipFamilies",
        families.join(" and "),
        family.as_str()
    );
    Some(Finding::deny(
        "service-family",
        CauseType::FieldValueInvalid,
        "addressType",
        message,
    ))
}

/// The ports of a Service by name and protocol.
struct ServicePorts<'s> {
    service: &'s str,
    ports: Vec<(&'s str, &'s str)>,
    /// What messages list: a Service may have thousands.
    shown: String,
}

impl<'s> ServicePorts<'s> {
    fn new(service: &'s Service<'_>) -> Self {
        const SHOWN: usize = 5;
        let ports = service.spec.ports.iter();
        let ports = ports.map(|port| (port.name.as_str(), protocol(&port.protocol)));
        let ports = sorted_unique(ports);
        let shown = ports.iter().take(SHOWN);
        let shown: Vec<_> = shown
            .map(|(name, protocol)| format!("`{}` ({})", shorten(name), shorten(protocol)))
            .collect();
        let mut shown = shown.join(", ");
        if ports.len() > SHOWN {
            shown.push_str(&format!(" and {} more", ports.len() - SHOWN));
        }
        Self {
            service: &service.metadata.name,
            ports,
            shown,
        }
    }

    /// A port must match one of the Service's by name and protocol. A Service without ports accepts any.
    fn check(&self, number: usize, port: &EndpointPort<'_>) -> Option<Finding> {
        let (name, wanted) = port_name(port);
        let first = self.ports.partition_point(|(known, _)| *known < name);
        let named = self.ports.get(first..).unwrap_or_default();
        let mut named = named.iter().take_while(|(known, _)| *known == name);
        let other = named.next().map(|(_, protocol)| *protocol);
        if self.ports.is_empty()
            || other == Some(wanted)
            || named.any(|(_, protocol)| *protocol == wanted)
        {
            return None;
        }
        let service = self.service;
        if let Some(other) = other {
            let message = format!(
                "port `{}` of Service {service} is {other}, not {}; write {other}",
                shorten(name),
                shorten(wanted)
            );
            return Some(Finding::deny(
                "service-port",
                CauseType::FieldValueInvalid,
                format!("ports[{number}].protocol"),
                message,
            ));
        }
        let message = format!(
            "Service {service} has no port `{}`; it has {}",
            shorten(name),
            self.shown
        );
        Some(Finding::deny(
            "service-port",
            CauseType::FieldValueNotFound,
            format!("ports[{number}].name"),
            message,
        ))
    }
}
