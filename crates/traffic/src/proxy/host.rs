//! The address of an endpoint, and the order of endpoints: that of their names, without formatting or parsing names.

use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::net::{IpAddr, Ipv6Addr};

use slicewise::model::ip;

/// The part of an endpoint's name before its port.
///
/// For an invalid address, Go writes `<nil>`, and so do we. The order is that of the names `HOST:PORT`, in which `:`
/// sorts after the digits: `10.0.0.10:80` is before `10.0.0.1:80`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Host(Option<IpAddr>);

impl Host {
    /// Parses an address like the reference (`ParseIPSloppy`).
    pub fn read(text: &str) -> Self {
        // Nearly all are IPv4 addresses in their usual spelling, which are parsed quickly.
        let usual = (!text.contains(':')).then(|| ip::parse_canonical(text));
        Self(usual.flatten().or_else(|| ip::parse(text)))
    }

    /// The address, if it is valid.
    pub const fn address(self) -> Option<IpAddr> {
        self.0
    }

    /// The address as Go formats it, without the brackets before a port.
    pub fn ip(self) -> String {
        self.0.as_ref().map_or_else(|| "<nil>".into(), ip::to_text)
    }

    /// Names begin with a digit, `<` or `[`.
    const fn class(self) -> u8 {
        match self.0 {
            Some(IpAddr::V4(_)) => 0,
            None => 1,
            Some(IpAddr::V6(_)) => 2,
        }
    }
}

impl From<IpAddr> for Host {
    fn from(address: IpAddr) -> Self {
        Self(Some(address.to_canonical()))
    }
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => formatter.write_str("<nil>"),
            Some(IpAddr::V4(address)) => write!(formatter, "{address}"),
            Some(IpAddr::V6(address)) => write!(formatter, "[{address}]"),
        }
    }
}

impl Ord for Host {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Some(IpAddr::V4(one)), Some(IpAddr::V4(other))) => {
                compare_v4(one.octets(), other.octets())
            }
            (Some(IpAddr::V6(one)), Some(IpAddr::V6(other))) => compare_v6(&one, &other),
            _ => self.class().cmp(&other.class()),
        }
    }
}

impl PartialOrd for Host {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares octets by their rank among all octets as texts, which is computed at compile time.
fn compare_v4(one: [u8; 4], other: [u8; 4]) -> Ordering {
    for (place, (one, other)) in one.into_iter().zip(other).enumerate() {
        if one != other {
            let ranks = if place < 3 {
                &BEFORE_DOT
            } else {
                &BEFORE_COLON
            };
            let rank = |octet: u8| ranks.get(usize::from(octet));
            return rank(one).cmp(&rank(other));
        }
    }
    Ordering::Equal
}

/// The order of octets followed by `.`, which sorts before the digits.
const BEFORE_DOT: [u8; 256] = ranks(0);
/// The order of octets followed by `:`, which sorts after the digits.
const BEFORE_COLON: [u8; 256] = ranks(11);

/// The rank of each octet among all octets as texts.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn ranks(end: u32) -> [u8; 256] {
    let mut ranks = [0; 256];
    let mut one = 0;
    while one < 256 {
        let mut other = 0;
        while other < 256 {
            if decimal(other, end) < decimal(one, end) {
                ranks[one as usize] += 1;
            }
            other += 1;
        }
        one += 1;
    }
    ranks
}

/// The digits of an octet and what follows them, as one number that sorts in the same order.
const fn decimal(octet: u32, end: u32) -> u32 {
    // Zero is reserved for what sorts before all digits.
    let (hundreds, tens, ones) = (octet / 100 + 1, octet / 10 % 10 + 1, octet % 10 + 1);
    match octet {
        0..10 => ones << 24 | end << 16,
        10..100 => tens << 24 | ones << 16 | end << 8,
        _ => hundreds << 24 | tens << 16 | ones << 8 | end,
    }
}

/// Compares groups one by one if both texts have `::` at the same place, otherwise the texts.
fn compare_v6(one: &Ipv6Addr, other: &Ipv6Addr) -> Ordering {
    let (groups, others) = (one.segments(), other.segments());
    if zeros(&groups) == zeros(&others) {
        for (one, other) in groups.into_iter().zip(others) {
            if one != other {
                return hexadecimal(one).cmp(&hexadecimal(other));
            }
        }
        return Ordering::Equal;
    }
    BracketedText::of(one)
        .bytes()
        .cmp(BracketedText::of(other).bytes())
}

/// The groups that are written as `::`: the first of the longest runs of at least two zeros.
fn zeros(groups: &[u16; 8]) -> (usize, usize) {
    let (mut longest, mut run) = ((0, 0), (0, 0));
    for (place, group) in groups.iter().enumerate() {
        if *group != 0 {
            run = (place + 1, 0);
            continue;
        }
        run.1 += 1;
        if run.1 > longest.1 {
            longest = run;
        }
    }
    if longest.1 > 1 { longest } else { (0, 0) }
}

/// The digits of a group and the following `:` or `]`, which sort after the digits and before the letters.
fn hexadecimal(group: u16) -> [u8; 5] {
    const END: u8 = 11;
    let mut ranks = [0; 5];
    let length = (4 - group.leading_zeros() as usize / 4).max(1);
    for (place, rank) in ranks.iter_mut().enumerate().take(length + 1) {
        *rank = if place == length {
            END
        } else {
            let digit = (group >> (4 * (length - 1 - place))) as u8 & 0xf;
            digit + if digit > 9 { 2 } else { 1 }
        };
    }
    ranks
}

/// An IPv6 address followed by its bracket.
struct BracketedText([u8; 40], usize);

impl BracketedText {
    fn of(address: &Ipv6Addr) -> Self {
        let mut text = Self([0; 40], 0);
        // Every address fits.
        let _ = fmt::Write::write_fmt(&mut text, format_args!("{address}]"));
        text
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take(self.1)
    }
}

impl fmt::Write for BracketedText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let place = self.0.get_mut(self.1..self.1 + part.len());
        place.ok_or(fmt::Error)?.copy_from_slice(part.as_bytes());
        self.1 += part.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order is that of the names, whatever the port.
    #[track_caller]
    fn check(hosts: &[Host]) {
        for one in hosts {
            for other in hosts {
                let by_name = format!("{one}:80").cmp(&format!("{other}:80"));
                assert_eq!(one.cmp(other), by_name, "{one} and {other}");
                if one != other {
                    let by_name = format!("{one}:9").cmp(&format!("{other}:80"));
                    assert_eq!(one.cmp(other), by_name, "{one} and {other}");
                }
            }
        }
    }

    fn read(texts: &[&str]) -> Vec<Host> {
        texts.iter().map(|text| Host::read(text)).collect()
    }

    #[test]
    fn the_order_is_that_of_the_names() {
        let mut hosts: Vec<Host> = (0..=255)
            .map(|octet| Host::from(IpAddr::from([10, 0, 0, octet])))
            .collect();
        check(&hosts);
        hosts = (0..=255)
            .map(|octet| Host::from(IpAddr::from([10, octet, 0, 1])))
            .collect();
        check(&hosts);
        check(&read(&[
            "10.0.0.1",
            "100.0.0.1",
            "nonsense",
            "fd00::1",
            "::",
            "255.1.1.1",
            "0.0.0.0",
            "ff::",
        ]));
    }

    #[test]
    fn the_order_of_ipv6_is_that_of_the_names() {
        check(&read(&[
            "::",
            "::1",
            "::a",
            "1::",
            "1::1",
            "10::",
            "1:0:0:2:0:0:3:4",
            "1:0:0:2:3:0:0:4",
            "1:0:0:1:3:0:0:4",
            "1:5:6:2:3:0:0:4",
            "1:0:0:1::",
            "1:0:0:1:0:0:0:1",
            "fd00::",
            "fd00::1",
            "fd00::10",
            "fd00::1:0",
            "fd00::1a",
            "fd00::a",
            "fd00::1:2",
            "fd00:0:1::1",
            "fd00:1::1",
            "fd00:a::1",
            "fd00:10::1",
            "fd00:0:0:1:0:0:0:1",
            "fd00:1:2:3:4:5:6:7",
            "fd00:1:2:3:4:5:6:0",
            "fd00:1:2:3:4:5:0:0",
            "fd00:0:2:0:4:0:6:0",
            "a::b",
            "ab::b",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ]));
        let groups = [
            0, 1, 8, 9, 0xa, 0xf, 0x10, 0x19, 0x1f, 0xa0, 0xff, 0x100, 0xabc, 0xffff,
        ];
        let address = |group: u16| IpAddr::from([0xfd00, 1, 2, 3, 4, 5, 6, group]);
        check(&groups.map(|group| Host::from(address(group))));
    }

    #[test]
    fn addresses_are_written_as_go_does() {
        let check = |text: &str, ip: &str, name: &str| {
            let host = Host::read(text);
            assert_eq!((host.ip().as_str(), host.to_string().as_str()), (ip, name));
            assert_eq!(host.address(), ip.parse().ok());
        };
        check("010.0.0.01", "10.0.0.1", "10.0.0.1");
        check("FD00:0:0::1", "fd00::1", "[fd00::1]");
        check("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.1");
        check("web.example", "<nil>", "<nil>");
        check("", "<nil>", "<nil>");
    }
}
