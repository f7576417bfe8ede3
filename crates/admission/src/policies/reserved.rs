//! Addresses that lead to no pod, whoever has them.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What kind of reserved address it is, if it leads to no pod anywhere.
pub(super) fn reserved(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => reserved_v4(address),
        IpAddr::V6(address) => reserved_v6(address),
    }
}

fn reserved_v6(address: Ipv6Addr) -> Option<&'static str> {
    let [first, second, ..] = address.segments();
    if address.is_loopback() {
        Some("a loopback address")
    } else if address.is_unspecified() {
        Some("no address")
    } else if address.is_multicast() {
        Some("a multicast address")
    } else if address.is_unicast_link_local() {
        Some("a link-local address")
    } else if (first, second) == (0xfd00, 0x0ec2) || address == GOOGLE_METADATA {
        Some("an address of the cloud metadata service")
    } else {
        None
    }
}

const GOOGLE_METADATA: Ipv6Addr = Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254);

/// Of most clouds, of Alibaba's, of Azure's, and of Oracle's older ones.
const METADATA: [Ipv4Addr; 4] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];

fn reserved_v4(address: Ipv4Addr) -> Option<&'static str> {
    let [first, ..] = address.octets();
    // 240.0.0.0/4 is missing: there are clusters whose pods have such addresses.
    if address.is_loopback() {
        Some("a loopback address")
    } else if first == 0 {
        Some("no address")
    } else if METADATA.contains(&address) {
        Some("the address of the cloud metadata service")
    } else if address.is_link_local() {
        Some("a link-local address")
    } else if address.is_multicast() {
        Some("a multicast address")
    } else if address.is_broadcast() {
        Some("the broadcast address")
    } else {
        None
    }
}
