//! Which address families a Service wants.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::{AddressType, Service, ip};

/// `spec.ipFamilies`; else the family of `clusterIP`; else, headless, both.
///
/// IPv4 comes first, the order plans list families in. Reference: `getAddressTypesForService`.
pub fn address_types(service: &Service<'_>) -> Vec<AddressType> {
    let spec = &service.spec;
    let named: Vec<_> = [AddressType::IPv4, AddressType::IPv6]
        .into_iter()
        .filter(|family| spec.ip_families.iter().any(|name| *name == family.as_str()))
        .collect();
    if !named.is_empty() {
        return named;
    }
    if service.is_headless() {
        return vec![AddressType::IPv4, AddressType::IPv6];
    }
    // A cluster IP that is none counts as IPv4, as in the reference.
    vec![
        ip::parse(&spec.cluster_ip).map_or(AddressType::IPv4, |address| ip::address_type(&address)),
    ]
}
