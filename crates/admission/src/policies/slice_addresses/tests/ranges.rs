//! Ranges that are allowed or denied.

use super::*;

#[test]
fn ranges_that_are_allowed_or_denied() {
    let settings = Settings {
        allowed_cidrs: vec!["203.0.113.0/24".into(), "127.0.0.53/32".into()],
        denied_cidrs: vec![
            "10.1.1.0/24".into(),
            "203.0.0.0/16".into(),
            "203.0.113.64/28".into(),
        ],
        ..Settings::default()
    };
    check_with(
        &settings,
        &endpoints(&[
            "203.0.113.7",
            "127.0.0.53",
            "10.1.0.1",
            "10.1.1.1",
            "203.0.113.65",
        ]),
        &[
            "deny denied-range endpoints[3].addresses[0]: 10.1.1.1 is in a range that `deniedCIDRs` forbids; use the address of a pod",
            "deny denied-range endpoints[4].addresses[0]: 203.0.113.65 is in a range that `deniedCIDRs` forbids; use the address of a pod",
        ],
    );
    let all = Settings {
        allowed_cidrs: vec!["0.0.0.0/0".into(), "169.254.0.0/16".into()],
        ..Settings::default()
    };
    check_with(
        &all,
        &endpoints(&["203.0.113.7", "169.254.169.254", "127.0.0.1", "169.254.7.7"]),
        &[
            "deny reserved-address endpoints[1].addresses[0]: 169.254.169.254 is the address of the cloud metadata service, and no Service may point to it",
            "deny reserved-address endpoints[2].addresses[0]: 127.0.0.1 is a loopback address, and no Service may point to it",
        ],
    );
    let everything = Settings {
        allowed_cidrs: vec!["0.0.0.0/0".into(), "::/0".into(), "64:ff9b::/96".into()],
        ..Settings::default()
    };
    // The first address of a range says nothing of the others, and the range of everything begins with no address.
    let request = slice_create(&cart_slice(
        "by-hand",
        &endpoints(&[
            "0.0.0.0",
            "0.0.0.1",
            "::",
            "64:ff9b::127.0.0.1",
            "203.0.113.7",
            "64:ff9b::203.0.113.7",
        ]),
    ));
    let found = check(&request, &cluster(&context()), &everything);
    let fields: Vec<_> = found.findings().iter().map(|each| &*each.field).collect();
    let refused = [0, 1, 2, 3].map(|number| format!("endpoints[{number}].addresses[0]"));
    assert_eq!(fields, refused);
    let wrong = |text: &str| Settings {
        allowed_cidrs: vec!["10.0.0.0/8".into(), text.into()],
        ..Settings::default()
    };
    for text in ["10.0.0.1/8", "web", ""] {
        let (field, _) = crate::settings::PolicySettings::check(&wrong(text)).unwrap_err();
        assert_eq!(field, "allowedCIDRs/1", "{text}");
    }
}

#[test]
fn a_range_that_is_both_allowed_and_denied_is_denied() {
    let settings = Settings {
        allowed_cidrs: vec!["203.0.113.0/24".into()],
        denied_cidrs: vec!["203.0.113.0/24".into()],
        ..Settings::default()
    };
    check_with(
        &settings,
        &endpoints(&["203.0.113.7"]),
        &[
            "deny denied-range endpoints[0].addresses[0]: 203.0.113.7 is in a range that `deniedCIDRs` forbids; use the address of a pod",
        ],
    );
}

#[test]
fn what_an_address_leads_to_is_denied_and_never_allowed_by_a_range_of_another_family() {
    let judged = |allowed: &[&str], denied: &[&str], address: &str| {
        let owned = |ranges: &[&str]| ranges.iter().map(|range| (*range).into()).collect();
        let settings = Settings {
            allowed_cidrs: owned(allowed),
            denied_cidrs: owned(denied),
            ..Settings::default()
        };
        let request = slice_create(&cart_slice("by-hand", &endpoints(&[address])));
        let found = check(&request, &cluster(&context()), &settings);
        let rules = found.findings().iter().map(|finding| finding.rule.clone());
        rules.collect::<Vec<_>>()
    };
    let translated = "64:ff9b::10.96.0.1";
    let denied = &["10.96.0.0/12"];
    assert_eq!(judged(&["64:ff9b::/96"], denied, translated), ["denied-range"]);
    assert_eq!(judged(&["64:ff9b::/96", "10.96.0.1/32"], denied, translated), [""; 0]);
    assert_eq!(judged(&["10.96.0.1/32"], denied, translated), ["not-a-pod"]);
    assert_eq!(judged(&["2002::/16"], denied, "2002:a60:1::1"), ["denied-range"]);
    assert_eq!(judged(&["240.0.0.0/4"], &[], "240.0.0.1"), [""; 0]);
    assert_eq!(judged(&["0.0.0.0/0"], &[], "255.255.255.255"), ["reserved-address"]);
}
