//! Address ranges from which a load balancer's clients may come.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::model::{AddressType, Text, ip};

/// An address range: its first address and its prefix length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cidr {
    /// The first address.
    pub address: IpAddr,
    /// The prefix length.
    pub prefix: u32,
}

impl Cidr {
    /// Parses a range like the reference (`ParseCIDRSloppy`), even if it does not begin at its first address.
    pub fn read(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let is_v6 = address.contains(':');
        if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let bits = if is_v6 { 128 } else { 32 };
        let significant = prefix.trim_start_matches('0');
        let prefix: u32 = match significant {
            "" => 0,
            digits => digits.parse().ok()?,
        };
        if prefix > bits {
            return None;
        }
        let address = match ip::parse(address)? {
            // Written as IPv6, its prefix length counts IPv6 bits.
            IpAddr::V4(address) if is_v6 => IpAddr::V6(address.to_ipv6_mapped()),
            address => address,
        };
        Some(Self {
            address: masked(address, prefix),
            prefix,
        })
    }

    fn address_type(&self) -> AddressType {
        ip::address_type(&self.address.to_canonical())
    }
}

fn masked(address: IpAddr, prefix: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - prefix).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

/// The ranges of a family; `None` if there are none. A range of all addresses is no restriction. Invalid ranges are
/// skipped.
pub(super) fn source_ranges(texts: &[Text<'_>], family: AddressType) -> Option<Vec<Cidr>> {
    let read = texts.iter().filter_map(|text| Cidr::read(text.trim()));
    let ranges: Vec<Cidr> = read
        .filter(|range| range.address_type() == family)
        .collect();
    if ranges.iter().any(|range| range.prefix == 0) {
        return Some(Vec::new());
    }
    (!ranges.is_empty()).then_some(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], family: AddressType, expected: Option<&str>) {
        let texts: Vec<Text<'_>> = texts.iter().map(|text| (*text).into()).collect();
        let ranges = source_ranges(&texts, family).map(|ranges| {
            let shown: Vec<String> = ranges
                .iter()
                .map(|range| format!("{}/{}", range.address, range.prefix))
                .collect();
            shown.join(" ")
        });
        assert_eq!(ranges.as_deref(), expected, "{texts:?}");
    }

    #[test]
    fn ranges_are_read_as_the_reference_does() {
        use AddressType::{IPv4, IPv6};
        check(&[], IPv4, None);
        check(
            &["10.0.0.0/8", " 192.168.1.77/24\t"],
            IPv4,
            Some("10.0.0.0/8 192.168.1.0/24"),
        );
        check(&["10.0.0.0/8", "fd00::1/64"], IPv6, Some("fd00::/64"));
        check(&["fd00::/64"], IPv4, None);
        check(&["10.0.0.0/8", "0.0.0.0/0"], IPv4, Some(""));
        check(&["::/0", "fd00::/8"], IPv6, Some(""));
        check(&["010.0.0.01/032"], IPv4, Some("10.0.0.1/32"));
        for text in [
            "",
            "10.0.0.0",
            "10.0.0.0/",
            "10.0.0.0/33",
            "10.0.0.0/-1",
            "x/8",
            "10.0.0.0/8/8",
            "fd00::/129",
        ] {
            check(&[text], IPv4, None);
            check(&[text], IPv6, None);
        }
        check(&["::ffff:10.0.0.0/104"], IPv4, Some("::ffff:10.0.0.0/104"));
        check(&["::ffff:10.0.0.0/64"], IPv6, Some("::/64"));
    }
}
