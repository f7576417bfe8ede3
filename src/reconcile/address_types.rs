//! The address families of a Service.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::{AddressType, Service, ip};

/// `spec.ipFamilies`; otherwise the family of `clusterIP`; otherwise, if headless, both.
///
/// IPv4 comes first, as in plans. Reference: `getAddressTypesForService`.
pub fn address_types(service: &Service<'_>) -> Vec<AddressType> {
    let spec = &service.spec;
    let named: Vec<_> = AddressType::ALL
        .into_iter()
        .filter(|family| spec.ip_families.iter().any(|name| *name == family.as_str()))
        .collect();
    if !named.is_empty() {
        return named;
    }
    if service.is_headless() {
        return vec![AddressType::IPv4, AddressType::IPv6];
    }
    // An invalid cluster IP counts as IPv4, as in the reference.
    vec![
        ip::parse(&spec.cluster_ip).map_or(AddressType::IPv4, |address| ip::address_type(&address)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(families: &Value, cluster_ip: &str, expected: &str) {
        let text = json!({"metadata": {"name": "cart"}, "spec": {"ipFamilies": families, "clusterIP": cluster_ip}}).to_string();
        let found: Vec<_> = address_types(&serde_json::from_str(&text).unwrap())
            .into_iter()
            .map(AddressType::as_str)
            .collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn the_families_named_count_whatever_the_cluster_ip() {
        check(&json!(["IPv4"]), "fd00::1", "IPv4");
        check(&json!(["IPv6"]), "None", "IPv6");
    }

    #[test]
    fn ipv4_comes_first() {
        check(&json!(["IPv6", "IPv4"]), "10.96.0.1", "IPv4 IPv6");
    }

    #[test]
    fn without_families_the_cluster_ip_tells() {
        check(&Value::Null, "10.96.0.1", "IPv4");
        check(&json!([]), "fd00::1", "IPv6");
        check(&json!([]), "no address", "IPv4");
    }

    #[test]
    fn headless_without_families_is_both() {
        check(&Value::Null, "None", "IPv4 IPv6");
        check(&Value::Null, "", "IPv4 IPv6");
    }

    #[test]
    fn unknown_families_are_none() {
        check(&json!(["ipv6"]), "10.96.0.1", "IPv4");
    }
}
