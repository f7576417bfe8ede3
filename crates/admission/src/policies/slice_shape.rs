//! `slice-shape`: a hand-written EndpointSlice must match its Service, its siblings and itself.
//!
//! Slices of the control plane's own controllers are not judged, nor are updates that leave family,
//! endpoints, ports and Service unchanged: a slice that is already wrong must still be able to lose a finalizer.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::CONTROL_PLANE;
use super::slice_parts::{IndexedAddresses, port_name};
use super::slice_service::check_against_service;
use super::slice_siblings::duplicates;
use crate::context::ClusterView;
use crate::objects::{ReviewedConditions, ReviewedSlice};
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use slicewise::model::endpoint_slice::{MAX_ADDRESSES, MAX_PORTS};
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, SortedMap, dns, ip};

/// The API's validation accepts no more endpoints in a slice.
const MAX_ENDPOINTS: u32 = 1000;

policy_settings! {
    /// Settings of `slice-shape`.
    Settings("settings of slice-shape") {
        /// The maximum number of endpoints per slice, 1 to 1000. Default 1000.
        "maxEndpoints" max_endpoints: u32 = MAX_ENDPOINTS;
        /// The maximum number of slices per Service, at least 1. Default 1000.
        "maxSlices" max_slices: u32 = 1000;
    }
    // Their order of writes puts an endpoint in two siblings for a moment.
    exempt CONTROL_PLANE;
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        [
            ("maxEndpoints", self.max_endpoints, 1, MAX_ENDPOINTS),
            ("maxSlices", self.max_slices, 1, u32::MAX),
        ]
        .into()
    }
}

/// Judges an EndpointSlice that is created or changed.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::EndpointSlice(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let Some(slice) = slice_to_judge(change) else {
        return PolicyVerdict::allow();
    };
    let too_large = check_size(slice, settings);
    if !too_large.is_empty() {
        return too_large.into_iter().collect();
    }
    let mut findings = Vec::new();
    let family = check_family(slice, &mut findings);
    let addresses = check_addresses(slice, family, &mut findings);
    findings.extend(check_ports(slice));
    findings.extend(duplicates(&addresses));
    findings.extend(check_conditions(slice));
    let is_new = matches!(change, ObjectChange::Create(_));
    check_against_service(
        slice,
        is_new,
        &addresses,
        cluster,
        settings.when_stale,
        settings.max_slices,
        &mut findings,
    );
    findings.into_iter().collect()
}

/// The slice after the change, if anything that this policy judges has changed.
fn slice_to_judge<'c, 'a>(change: &'c ObjectChange<ReviewedSlice<'a>>) -> Option<&'c ReviewedSlice<'a>> {
    match change {
        ObjectChange::Create(new) => Some(new),
        ObjectChange::Update { old, new } => (!new.has_shape_of(old)).then_some(new),
        ObjectChange::Delete(_) => None,
    }
}

fn check_size(slice: &ReviewedSlice<'_>, settings: &Settings) -> Vec<Finding> {
    let limits = [
        (
            "too-many-endpoints",
            "endpoints",
            slice.endpoints.len(),
            settings.max_endpoints as usize,
        ),
        ("too-many-ports", "ports", slice.ports.len(), MAX_PORTS),
    ];
    let over = limits
        .into_iter()
        .filter(|(_, _, count, most)| count > most);
    over.map(|(rule, field, count, most)| {
        let message = format!(
            "a slice may have {most} {field}, this one has {count}; spread them over several slices"
        );
        Finding::deny(rule, CauseType::FieldValueTooMany, field, message)
    })
    .collect()
}

/// The family of the slice; `None` if addresses cannot be compared with one.
fn check_family(slice: &ReviewedSlice<'_>, findings: &mut Vec<Finding>) -> Option<AddressType> {
    match slice.address_type.as_str() {
        "IPv4" => return Some(AddressType::IPv4),
        "IPv6" => return Some(AddressType::IPv6),
        "FQDN" => {
            let message = "kube-proxy ignores FQDN slices; use IPv4 or IPv6, or a Service of type ExternalName";
            findings.push(Finding::warn(
                "address-type",
                CauseType::FieldValueInvalid,
                "addressType",
                message,
            ));
        }
        other => {
            let message = format!(
                "`{}` is not an address type; write IPv4 or IPv6",
                shorten(other)
            );
            findings.push(invalid("address-type", "addressType", message));
        }
    }
    None
}

/// Each address must be of the slice's family, and spelt in the one way that all consumers parse alike.
fn check_addresses(
    slice: &ReviewedSlice<'_>,
    family: Option<AddressType>,
    findings: &mut Vec<Finding>,
) -> IndexedAddresses {
    let mut addresses = Vec::new();
    for (number, endpoint) in slice.endpoints.iter().enumerate() {
        let count = endpoint.addresses.len();
        if count == 0 {
            let message = "an endpoint needs an address; add one, or remove the endpoint";
            findings.push(Finding::deny(
                "no-address",
                CauseType::FieldValueRequired,
                format!("endpoints[{number}].addresses"),
                message,
            ));
        }
        if count > MAX_ADDRESSES {
            let message =
                format!("an endpoint may have {MAX_ADDRESSES} addresses, this one has {count}");
            findings.push(Finding::deny(
                "too-many-addresses",
                CauseType::FieldValueTooMany,
                format!("endpoints[{number}].addresses"),
                message,
            ));
        }
        let Some(family) = family else { continue };
        for (place, address) in endpoint.addresses.iter().enumerate() {
            match read_address(address, family) {
                Ok(address) => addresses.push((address, (number, place))),
                Err(message) => {
                    let field = format!("endpoints[{number}].addresses[{place}]");
                    findings.push(invalid("address-family", field, message));
                }
            }
        }
    }
    IndexedAddresses::new(addresses)
}

fn read_address(text: &str, family: AddressType) -> Result<IpAddr, String> {
    let (name, shown) = (family.as_str(), shorten(text));
    if let Some(address) = ip::parse_canonical(text) {
        let other = ip::address_type(&address);
        let message = || {
            format!(
                "`{shown}` is an {} address in an {name} slice; put it into a slice of its own family",
                other.as_str()
            )
        };
        return if other == family {
            Ok(address)
        } else {
            Err(message())
        };
    }
    Err(match ip::parse(text) {
        Some(address) if ip::address_type(&address) == family => format!(
            "`{shown}` is not in canonical form, and consumers read it differently; write `{address}`"
        ),
        Some(address) => format!(
            "`{shown}` means the {} address {address}; put that into a slice of its own family",
            ip::address_type(&address).as_str()
        ),
        None => format!(
            "`{shown}` is not an {name} address; write one like `{}`",
            if family == AddressType::IPv4 {
                "10.0.0.1"
            } else {
                "fd00::1"
            }
        ),
    })
}

/// Combinations of conditions that no endpoint can have. Each is reported once, because a slice may hold a thousand.
fn check_conditions(slice: &ReviewedSlice<'_>) -> Option<Finding> {
    let contradiction = |conditions: &ReviewedConditions| {
        let is_ready = conditions.ready != Some(false);
        match (is_ready, conditions.serving, conditions.terminating) {
            (true, _, Some(true)) => Some("a terminating endpoint is not ready"),
            (true, Some(false), _) => Some("a ready endpoint is serving"),
            _ => None,
        }
    };
    let contradictions = slice.endpoints.iter().enumerate();
    let mut contradictions = contradictions
        .filter_map(|(number, endpoint)| Some((number, contradiction(&endpoint.conditions)?)));
    let (number, why) = contradictions.next()?;
    let others = match contradictions.count() {
        0 => String::new(),
        1 => "; so does another".into(),
        more => format!("; so do {more} others"),
    };
    let message = format!("the conditions contradict each other: {why}{others}");
    Some(Finding::warn(
        "conditions",
        CauseType::FieldValueInvalid,
        format!("endpoints[{number}].conditions"),
        message,
    ))
}

/// What is wrong with ports, independently of the Service.
fn check_ports(slice: &ReviewedSlice<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: SortedMap<&str, usize> = SortedMap::default();
    for (number, port) in slice.ports.iter().enumerate() {
        let field = |name: &str| format!("ports[{number}].{name}");
        let (name, protocol) = port_name(port);
        if let Some(first) = seen.get(name) {
            let message = format!(
                "the port name `{}` is already used by ports[{first}]; give each port its own name",
                shorten(name)
            );
            findings.push(Finding::deny(
                "duplicate-port",
                CauseType::FieldValueDuplicate,
                field("name"),
                message,
            ));
        } else {
            seen.insert(name, number);
        }
        if !matches!(protocol, "TCP" | "UDP" | "SCTP") {
            let message = format!(
                "`{}` is not a protocol; write TCP, UDP or SCTP",
                shorten(protocol)
            );
            findings.push(invalid("port-protocol", field("protocol"), message));
        }
        if let Some(protocol) = port.app_protocol.as_deref()
            && !dns::is_qualified_name(protocol)
        {
            let message = format!(
                "the API server refuses the application protocol `{}`; write a name such as http or example.com/name, or remove the field",
                shorten(protocol)
            );
            findings.push(invalid("app-protocol", field("appProtocol"), message));
        }
        match port.port {
            Some(1..=65535) => {}
            Some(other) => {
                let message = format!("{other} is not a port number; write one from 1 to 65535");
                findings.push(invalid("port-number", field("port"), message));
            }
            None => {
                let message = "kube-proxy ignores ports without a number; add one";
                findings.push(Finding::warn(
                    "port-number",
                    CauseType::FieldValueRequired,
                    field("port"),
                    message,
                ));
            }
        }
    }
    findings
}

/// A denial because of a value that the field cannot have.
fn invalid(rule: &'static str, field: impl Into<String>, message: String) -> Finding {
    Finding::deny(rule, CauseType::FieldValueInvalid, field, message)
}

#[cfg(test)]
mod tests;
