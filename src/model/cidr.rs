//! Ranges of IP addresses, such as `10.0.0.0/8` and `fd00::/8`.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::ip;

/// The addresses with a common prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    first: IpAddr,
    prefix_length: u32,
}

impl Cidr {
    /// Parses a range; a single address is a range of one. `None` for anything else, including a range with bits beyond
    /// its prefix, which is most likely a mistake.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix_length) = match text.split_once('/') {
            Some((address, digits)) => {
                let is_plain = digits == "0" || !digits.starts_with('0');
                (address, Some(parse_digits(digits).filter(|_| is_plain)?))
            }
            None => (text, None),
        };
        let address = ip::parse_canonical(address)?;
        let range = Self::around(address, prefix_length.unwrap_or_else(|| width(&address)))?;
        (range.first == address).then_some(range)
    }

    /// Parses a range like the reference (`ParseCIDRSloppy`), even if it does not begin at its first address.
    pub fn parse_sloppy(text: &str) -> Option<Self> {
        let (address, digits) = text.split_once('/')?;
        let is_v6 = address.contains(':');
        let address = match ip::parse(address)? {
            // Written as IPv6, its prefix length counts IPv6 bits.
            IpAddr::V4(address) if is_v6 => IpAddr::V6(address.to_ipv6_mapped()),
            address => address,
        };
        Self::around(address, parse_digits(digits)?)
    }

    /// The range of this length that an address is in.
    fn around(address: IpAddr, prefix_length: u32) -> Option<Self> {
        let range = Self {
            first: address,
            prefix_length,
        };
        (prefix_length <= width(&address)).then(|| Self {
            first: of_family(address, value(&address) & range.mask()),
            prefix_length,
        })
    }

    /// Is the address in it?
    pub fn contains(&self, address: IpAddr) -> bool {
        self.first.is_ipv4() == address.is_ipv4()
            && value(&self.first) == value(&address) & self.mask()
    }

    /// The number of bits that its addresses have in common.
    pub const fn prefix_length(&self) -> u32 {
        self.prefix_length
    }

    /// Its first address.
    pub const fn first(&self) -> IpAddr {
        self.first
    }

    /// Its last address.
    pub fn last(&self) -> IpAddr {
        of_family(self.first, value(&self.first) | !self.mask())
    }

    fn mask(&self) -> u128 {
        let free = width(&self.first).saturating_sub(self.prefix_length);
        u128::MAX.checked_shl(free).unwrap_or_default()
    }
}

fn parse_digits(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// An address of the family of `of`. The mask of an IPv4 range leaves more bits than such an address has.
fn of_family(of: IpAddr, value: u128) -> IpAddr {
    match of {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::from_bits(value as u32)),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::from_bits(value)),
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
    fn ranges_are_also_read_as_the_reference_does() {
        for (text, expected) in [
            ("192.168.1.77/24", Some("192.168.1.0/24")),
            ("10.0.0.7/0", Some("0.0.0.0/0")),
            ("010.0.0.01/032", Some("10.0.0.1/32")),
            ("fd00::1/64", Some("fd00::/64")),
            ("::ffff:10.0.0.0/104", Some("::ffff:10.0.0.0/104")),
            ("::ffff:10.0.0.0/64", Some("::/64")),
            ("10.0.0.0", None),
            ("10.0.0.0/", None),
            ("10.0.0.0/33", None),
            ("10.0.0.0/-1", None),
            ("10.0.0.0/4294967296", None),
            ("10.0.0.0/8/8", None),
            ("fd00::/129", None),
            ("x/8", None),
        ] {
            let range = Cidr::parse_sloppy(text);
            let shown = range.map(|range| format!("{}/{}", range.first(), range.prefix_length()));
            assert_eq!(shown.as_deref(), expected, "{text}");
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
