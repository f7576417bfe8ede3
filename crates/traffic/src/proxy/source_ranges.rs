//! Address ranges from which a load balancer's clients may come.

use alloc::vec::Vec;

use slicewise::model::{AddressType, Cidr, Text, ip};

/// The ranges of a family; `None` if there are none. A range of all addresses is no restriction. Invalid ranges are
/// skipped.
pub(super) fn source_ranges(texts: &[Text<'_>], family: AddressType) -> Option<Vec<Cidr>> {
    let read = texts
        .iter()
        .filter_map(|text| Cidr::parse_sloppy(text.trim()));
    let ranges: Vec<Cidr> = read
        .filter(|range| ip::address_type(&range.first().to_canonical()) == family)
        .collect();
    if ranges.iter().any(|range| range.prefix_length() == 0) {
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
                .map(|range| format!("{}/{}", range.first(), range.prefix_length()))
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
