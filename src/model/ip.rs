//! IP addresses in Kubernetes' notation.
//!
//! Parsing is lenient, as the reference is with stored objects: octets with leading zeros are decimal
//! (`k8s.io/utils/net.ParseIPSloppy`, kubernetes/kubernetes#100895). Formatting follows Go's `net.IP.String`, which
//! agrees with RFC 5952 and writes IPv4-mapped IPv6 addresses as IPv4.

use alloc::string::{String, ToString};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::endpoint_slice::AddressType;

/// Parses an address; IPv4-mapped IPv6 becomes IPv4, as in Go.
pub fn parse(text: &str) -> Option<IpAddr> {
    if let Some(address) = parse_v4_strict(text.as_bytes()) {
        return Some(IpAddr::V4(address));
    }
    match text.bytes().find(|byte| matches!(byte, b'.' | b':'))? {
        b'.' => parse_v4(text).map(IpAddr::V4),
        _ => parse_v6(text).map(|address| IpAddr::V6(address).to_canonical()),
    }
}

/// Parses an address only if it is spelt as we would write it.
///
/// Endpoints are compared by the text of their addresses, so another spelling is another endpoint.
pub fn parse_canonical(text: &str) -> Option<IpAddr> {
    if let Some(address) = parse_v4_strict(text.as_bytes()) {
        return Some(IpAddr::V4(address));
    }
    let address: Ipv6Addr = text.parse().ok()?;
    (address.to_ipv4_mapped().is_none() && address.to_string() == text)
        .then_some(IpAddr::V6(address))
}

/// Formats an address; much faster than `to_string` for IPv4, and called once per new endpoint.
pub fn to_text(address: &IpAddr) -> String {
    let IpAddr::V4(address) = address else {
        return address.to_string();
    };
    let mut text = String::with_capacity(15);
    push_v4(&mut text, *address);
    text
}

/// Appends an address to a text.
pub(crate) fn push_text(text: &mut String, address: &IpAddr) {
    match address {
        IpAddr::V4(address) => push_v4(text, *address),
        IpAddr::V6(_) => text.push_str(&address.to_string()),
    }
}

fn push_v4(text: &mut String, address: Ipv4Addr) {
    for (place, octet) in address.octets().into_iter().enumerate() {
        if place > 0 {
            text.push('.');
        }
        if octet >= 100 {
            text.push(char::from(b'0' + octet / 100));
        }
        if octet >= 10 {
            text.push(char::from(b'0' + octet / 10 % 10));
        }
        text.push(char::from(b'0' + octet % 10));
    }
}

/// The IPv4 addresses that an IPv6 address may lead to: mapped and compatible ones (RFC 4291), 6to4 (RFC 3056), Teredo's
/// client and server (RFC 4380), ISATAP (RFC 5214), and through a NAT64 (RFC 6052).
pub(crate) fn embedded(address: IpAddr) -> [Option<Ipv4Addr>; 4] {
    let IpAddr::V6(address) = address else {
        return [None; 4];
    };
    let bits = address.to_bits();
    // The address of 32 bits that ends before so many others.
    let ending = |left: u32| Ipv4Addr::from_bits((bits >> left) as u32);
    let last = Some(ending(0));
    match address.segments() {
        // `::` and `::1` are addresses of their own.
        [0, 0, 0, 0, 0, 0, high, low] if (high, low) > (0, 1) => [last, None, None, None],
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => [last, None, None, None],
        [0x2002, ..] => [Some(ending(80)), None, None, None],
        [0x2001, 0, ..] => {
            let client = Ipv4Addr::from_bits(!(bits as u32));
            [Some(client), Some(ending(64)), None, None]
        }
        // Any length of prefix may be in use (RFC 8215), and translators skip bits 64 to 71. What would be in
        // `0.0.0.0/8` is the rest of another length.
        [0x64, 0xff9b, 1, ..] => {
            let without_gap = (bits >> 64 << 64) | (bits << 72 >> 64);
            let starting = |bit: u32| Ipv4Addr::from_bits((without_gap >> (96 - bit)) as u32);
            let at = [starting(48), starting(56), starting(64), ending(0)];
            at.map(|address| Some(address).filter(|address| address.octets()[0] != 0))
        }
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => [last, None, None, None],
        _ => [None; 4],
    }
}

/// An IPv4 address as resolvers read it (`inet_aton`): one to four parts, each decimal, octal or hexadecimal, of which
/// the last fills the rest.
pub(crate) fn parse_loosely(text: &str) -> Option<IpAddr> {
    let part = |text: &str| {
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let (digits, radix) = match (hexadecimal, text.strip_prefix('0')) {
            (Some(digits), _) => (digits, 16),
            (None, Some(digits)) if !digits.is_empty() => (digits, 8),
            _ => (text, 10),
        };
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, radix).ok().filter(|_| is_plain)
    };
    let mut parts = text.split('.');
    let mut last = part(parts.next()?)?;
    let (mut bits, mut left) = (0, 32_u32);
    for text in parts {
        left = left.checked_sub(8).filter(|left| *left > 0 && last < 256)?;
        bits |= last << left;
        last = part(text)?;
    }
    let fits = left == 32 || last >> left == 0;
    fits.then(|| Ipv4Addr::from_bits(bits | last).into())
}

/// The family of an address.
pub const fn address_type(address: &IpAddr) -> AddressType {
    match address {
        IpAddr::V4(_) => AddressType::IPv4,
        IpAddr::V6(_) => AddressType::IPv6,
    }
}

/// Dotted decimal without leading zeros; much faster than `str::parse`, and called once per existing endpoint.
fn parse_v4_strict(text: &[u8]) -> Option<Ipv4Addr> {
    let (first, rest) = octet(text)?;
    let (second, rest) = octet(rest.strip_prefix(b".")?)?;
    let (third, rest) = octet(rest.strip_prefix(b".")?)?;
    let (fourth, rest) = octet(rest.strip_prefix(b".")?)?;
    rest.is_empty()
        .then(|| Ipv4Addr::new(first, second, third, fourth))
}

/// One to three digits without a leading zero, and what follows them.
fn octet(text: &[u8]) -> Option<(u8, &[u8])> {
    let digit = |byte: u8| u16::from(byte - b'0');
    match text {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', rest @ ..] => {
            let value = digit(*a) * 100 + digit(*b) * 10 + digit(*c);
            Some((u8::try_from(value).ok()?, rest))
        }
        [a @ b'1'..=b'9', b @ b'0'..=b'9', rest @ ..] => Some(((a - b'0') * 10 + (b - b'0'), rest)),
        [a @ b'0'..=b'9', rest @ ..] => Some((a - b'0', rest)),
        _ => None,
    }
}

fn parse_v4(text: &str) -> Option<Ipv4Addr> {
    let mut octets = [0_u8; 4];
    let mut parts = text.split('.');
    for octet in &mut octets {
        let digits = parts.next()?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_start_matches('0');
        *octet = if significant.is_empty() {
            0
        } else {
            significant.parse().ok()?
        };
    }
    parts.next().is_none().then(|| Ipv4Addr::from(octets))
}

fn parse_v6(text: &str) -> Option<Ipv6Addr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    // Accepted by the reference but not by the standard parser: leading zeros in groups and in an embedded IPv4.
    let mut plain = String::with_capacity(text.len());
    for (place, group) in text.split(':').enumerate() {
        if place > 0 {
            plain.push(':');
        }
        if group.contains('.') {
            plain += &to_text(&parse_v4(group)?.into());
            continue;
        }
        let significant = group.trim_start_matches('0');
        plain += if significant.is_empty() && !group.is_empty() {
            "0"
        } else {
            significant
        };
    }
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(
            parse(text).map(|address| address.to_string()).as_deref(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn writing() {
        for octet in 0..=255 {
            let address = IpAddr::from([octet, 255 - octet, octet / 2, 7]);
            assert_eq!(to_text(&address), address.to_string());
        }
        assert_eq!(to_text(&IpAddr::from([0; 16])), "::");
    }

    #[test]
    fn sloppy_reading() {
        check("10.0.0.1", Some("10.0.0.1"));
        check("010.000.0.0001", Some("10.0.0.1"));
        check("10.0.0.256", None);
        check("10.0.0", None);
        check("10.0.0.1.2", None);
        check("10.0.0.1 ", None);
        check("10..0.1", None);
        check("", None);
        check("host", None);
        check("2001:DB8:0:0:0:0:0:1", Some("2001:db8::1"));
        check("2001:db8::00001", Some("2001:db8::1"));
        check("::ffff:10.1.2.3", Some("10.1.2.3"));
        check("::ffff:010.1.2.3", Some("10.1.2.3"));
        check("64:ff9b::192.0.2.33", Some("64:ff9b::c000:221"));
        check("::", Some("::"));
        check("1::2::3", None);
        check("fe80::1%eth0", None);
        check("12345::1", None);
    }

    #[test]
    fn canonical_reading_takes_only_our_own_spelling() {
        for text in [
            "10.0.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "2001:db8::1",
            "::1",
            "::",
        ] {
            assert_eq!(parse_canonical(text), parse(text), "{text}");
            assert!(parse_canonical(text).is_some(), "{text}");
        }
        for text in [
            "010.0.0.1",
            "10.0.0.01",
            "00.0.0.1",
            "2001:DB8::1",
            "2001:db8:0::1",
            "::ffff:10.0.0.1",
            "1.2.3",
            "1.2.3.4.",
            "256.1.1.1",
            "",
        ] {
            assert_eq!(parse_canonical(text), None, "{text}");
        }
    }
}
