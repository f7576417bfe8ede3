//! Values that API servers of the other version refuse: what is spelt as only the older ones may accept it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;

use serde::Serialize;

use slicewise::kubernetes::{Behavior, KubernetesVersion};
use slicewise::model::{Cidr, EndpointSlice, NamespacedName, ip};
use slicewise_traffic::proxy::ProxiedService;

/// A value that is refused if it is new or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RefusedValue {
    /// The kind of the object.
    pub kind: &'static str,
    /// The namespace of the object.
    pub namespace: String,
    /// The name of the object.
    pub name: String,
    /// Where in the object, as a JSON Pointer.
    pub path: String,
    /// The value.
    pub value: String,
    /// Why, when, and what to write instead.
    pub message: String,
}

/// The values of these objects that are refused, sorted by object.
pub(crate) fn refused<'o>(
    services: impl Iterator<Item = &'o ProxiedService<'o>>,
    slices: impl Iterator<Item = &'o EndpointSlice<'o>>,
    [from, to]: [KubernetesVersion; 2],
) -> Vec<RefusedValue> {
    if !from.has(Behavior::SloppyAddresses) || to.has(Behavior::SloppyAddresses) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for service in services {
        of_service(service, &mut found);
    }
    for slice in slices {
        of_slice(slice, &mut found);
    }
    found.sort();
    found
}

fn of_service(service: &ProxiedService<'_>, found: &mut Vec<RefusedValue>) {
    let (spec, key) = (&service.spec, service.key());
    let mut check = |path: String, value: &str, canonical: Option<String>| {
        found.extend(canonical.map(|canonical| refuse("Service", &key, path, value, &canonical)));
    };
    for (list, addresses) in [
        ("clusterIPs", &spec.cluster_ips),
        ("externalIPs", &spec.external_ips),
    ] {
        for (number, address) in addresses.iter().enumerate() {
            check(
                format!("/spec/{list}/{number}"),
                address,
                sloppy_ip(address),
            );
        }
    }
    for (number, range) in spec.load_balancer_source_ranges.iter().enumerate() {
        let path = format!("/spec/loadBalancerSourceRanges/{number}");
        check(path, range, sloppy_range(range.trim()));
    }
    for (number, ingress) in service.status.load_balancer.ingress.iter().enumerate() {
        let path = format!("/status/loadBalancer/ingress/{number}/ip");
        check(path, &ingress.ip, sloppy_ip(&ingress.ip));
    }
}

/// Slices of IPv6 have always been validated strictly.
fn of_slice(slice: &EndpointSlice<'_>, found: &mut Vec<RefusedValue>) {
    if slice.address_type != "IPv4" {
        return;
    }
    let key = NamespacedName {
        namespace: slice.metadata.namespace.to_string(),
        name: slice.metadata.name.to_string(),
    };
    for (place, endpoint) in slice.endpoints.iter().enumerate() {
        for (number, address) in endpoint.addresses.iter().enumerate() {
            let path = format!("/endpoints/{place}/addresses/{number}");
            let canonical = sloppy_ip(address);
            let refused =
                |canonical: String| refuse("EndpointSlice", &key, path, address, &canonical);
            found.extend(canonical.map(refused));
        }
    }
}

fn refuse(
    kind: &'static str,
    object: &NamespacedName,
    path: String,
    value: &str,
    canonical: &str,
) -> RefusedValue {
    let message = format!(
        "a write that adds or changes it is refused, even if the feature gate StrictIPCIDRValidation was off; write `{canonical}`"
    );
    RefusedValue {
        kind,
        namespace: object.namespace.clone(),
        name: object.name.clone(),
        path,
        value: value.to_string(),
        message,
    }
}

/// How to write an address that only a lenient API server accepts; `None` if any does, or none (reference: `parseIP` of
/// `k8s.io/apimachinery/pkg/util/validation`).
fn sloppy_ip(text: &str) -> Option<String> {
    let address = ip::parse(text)?;
    (!is_strict(text)).then(|| ip::to_text(&address))
}

/// Without leading zeros, and not IPv4 in IPv6.
fn is_strict(address: &str) -> bool {
    match address.parse() {
        Ok(IpAddr::V4(_)) => true,
        Ok(IpAddr::V6(address)) => address.to_ipv4_mapped().is_none(),
        Err(_) => false,
    }
}

/// The same for a range (reference: `parseCIDR` there): nor may bits be set beyond its prefix.
fn sloppy_range(text: &str) -> Option<String> {
    let range = Cidr::parse_sloppy(text)?;
    let (address, digits) = text.split_once('/')?;
    let is_plain = digits == "0" || !digits.starts_with('0');
    let begins_there = address
        .parse()
        .is_ok_and(|address: IpAddr| address == range.first());
    let is_strict = is_plain && is_strict(address) && begins_there;
    let length = range.prefix_length();
    (!is_strict).then(|| match range.first().to_canonical() {
        first if first.is_ipv4() && range.first().is_ipv6() => {
            format!("{first}/{}", length.saturating_sub(96))
        }
        first => format!("{first}/{length}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With what validation of the reference says: leading zeros, IPv4-mapped, or bits beyond the prefix.
    #[test]
    fn what_only_lenient_servers_accept() {
        for (text, expected) in [
            ("10.0.0.1", None),
            ("010.0.0.1", Some("10.0.0.1")),
            ("10.0.0.01", Some("10.0.0.1")),
            ("::ffff:10.0.0.1", Some("10.0.0.1")),
            ("fd00::0001", None),
            ("FD00::1", None),
            // No server accepts these.
            ("10.0.0.256", None),
            ("10.0.0", None),
            ("", None),
        ] {
            assert_eq!(sloppy_ip(text).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            ("10.0.0.0/8", None),
            ("0.0.0.0/0", None),
            ("10.0.0.1/8", Some("10.0.0.0/8")),
            ("010.0.0.0/8", Some("10.0.0.0/8")),
            ("10.0.0.0/08", Some("10.0.0.0/8")),
            ("fd00::/64", None),
            ("fd00::1/64", Some("fd00::/64")),
            ("::ffff:10.0.0.0/104", Some("10.0.0.0/8")),
            ("10.0.0.0/33", None),
            ("10.0.0.0", None),
        ] {
            assert_eq!(sloppy_range(text).as_deref(), expected, "{text}");
        }
    }
}
