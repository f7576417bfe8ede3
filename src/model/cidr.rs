//! Ranges of IP addresses, such as `10.0.0.0/8` and `fd00::/8`.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::ip;

/// The addresses with a common prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    address: IpAddr,
    bits: u32,
}

impl Cidr {
    /// Parses a range; a single address is a range of one. `None` for anything else, including a range with bits beyond
    /// its prefix, which is most likely a mistake.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => {
                let is_plain = bits.bytes().all(|byte| byte.is_ascii_digit());
                let is_plain = is_plain && (bits == "0" || !bits.starts_with('0'));
                (address, Some(bits.parse().ok().filter(|_| is_plain)?))
            }
            None => (text, None),
        };
        let address = ip::parse_canonical(address)?;
        let width = width(&address);
        let range = Self {
            address,
            bits: bits.unwrap_or(width),
        };
        let is_first = range.bits <= width && value(&address) & !range.mask() == 0;
        is_first.then_some(range)
    }

    /// Is the address in it?
    pub fn contains(&self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4()
            && value(&self.address) == value(&address) & self.mask()
    }

    /// The prefix length.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Its first address.
    pub const fn first(&self) -> IpAddr {
        self.address
    }

    /// Its last address.
    pub fn last(&self) -> IpAddr {
        let last = value(&self.address) | !self.mask();
        match self.address {
            // The mask of an IPv4 range leaves more bits than such an address has.
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::from_bits(last as u32)),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::from_bits(last)),
        }
    }

    fn mask(&self) -> u128 {
        let free = width(&self.address).saturating_sub(self.bits);
        u128::MAX.checked_shl(free).unwrap_or_default()
    }
}

fn width(address: &IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn value(address: &IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(range: &str, address: &str, expected: bool) {
        let range = Cidr::parse(range).unwrap();
        assert_eq!(range.contains(address.parse().unwrap()), expected);
    }

    #[test]
    fn an_address_is_in_a_range_of_its_family() {
        check("10.0.0.0/8", "10.255.0.1", true);
        check("10.0.0.0/8", "11.0.0.0", false);
        check("0.0.0.0/0", "255.255.255.255", true);
        check("0.0.0.0/0", "::1", false);
        check("::/0", "::1", true);
        check("::/0", "1.2.3.4", false);
        check("192.168.1.7", "192.168.1.7", true);
        check("192.168.1.7/32", "192.168.1.6", false);
        check("fd00::/8", "fdff::1", true);
        check("fe80::/10", "fec0::", false);
        check("2001:db8::1", "2001:db8::1", true);
    }

    #[test]
    fn the_ends_of_a_range() {
        for (range, first, last) in [
            ("10.0.0.0/8", "10.0.0.0", "10.255.255.255"),
            ("0.0.0.0/0", "0.0.0.0", "255.255.255.255"),
            ("192.168.1.7", "192.168.1.7", "192.168.1.7"),
            (
                "fe80::/10",
                "fe80::",
                "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            ),
            ("::/0", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("::1", "::1", "::1"),
        ] {
            let range = Cidr::parse(range).unwrap();
            let ends = [range.first(), range.last()].map(|end| end.to_string());
            assert_eq!(ends, [first, last]);
        }
    }

    #[test]
    fn what_is_no_range() {
        for text in [
            "",
            "/",
            "10.0.0.0/",
            "10.0.0.0/33",
            "10.0.0.0/+8",
            "10.0.0.0/08",
            "10.0.0.1/8",
            "10.0.0/8",
            "::/129",
            "fe80::%1/10",
            "::ffff:10.0.0.0/104",
            "010.0.0.0/8",
            "web",
            "10.0.0.0/8/8",
        ] {
            assert_eq!(Cidr::parse(text), None, "{text}");
        }
    }
}
