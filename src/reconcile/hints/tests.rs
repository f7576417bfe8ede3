//! Each rule by itself: given otherwise unchanged slices, which ones are written, with which hints.

use serde_json::{Value, json};

use super::*;
use crate::reconcile::testing::{input, nodes, slice};

/// A ready endpoint in a zone with a hint to another; an empty text stands for none.
fn endpoint(zone: &str, hint: &str) -> Value {
    let mut endpoint =
        json!({"addresses": ["10.0.0.1"], "conditions": {"ready": true}, "nodeName": "n"});
    if !zone.is_empty() {
        endpoint["zone"] = zone.into();
    }
    if !hint.is_empty() {
        endpoint["hints"] = json!({"forZones": [{"name": hint}]});
    }
    endpoint
}

fn unready(zone: &str, hint: &str) -> Value {
    let mut endpoint = endpoint(zone, hint);
    endpoint["conditions"]["ready"] = false.into();
    endpoint
}

/// The previous state, and whether hints were assigned.
fn state(populated: bool) -> ServiceHints {
    let mut state = ServiceHints::default();
    if populated {
        state.set(
            AddressType::IPv4,
            [("a".to_owned(), 1)].into_iter().collect(),
        );
    }
    state
}

/// Slices `a`, `b`, … on two equal zones. Expected: which are written, how their hints are chosen, events, and the
/// flag.
#[track_caller]
fn check(service: &Value, endpoints: &[&[Value]], populated: bool, expected: &str) -> ServiceHints {
    let mut input = input(service, nodes(&[("a", "2"), ("b", "2")]));
    input.settings.topology_hints = service["topologyHints"] != false;
    let unchanged = ["a", "b", "c"].iter().zip(endpoints);
    let mut slices = HintedSlices {
        unchanged: unchanged
            .map(|(name, list)| Existing::Open(slice(name, list)))
            .collect(),
        ..HintedSlices::default()
    };
    let mut state = state(populated);
    let outcome = assign(&input, AddressType::IPv4, &mut slices, &mut state);
    let written = slices.update.iter().map(|draft| match &draft.hints {
        DraftHints::Redistributed(moved) => {
            let moved: String = moved
                .iter()
                .map(|(place, zone)| format!(" {place}→{zone}"))
                .collect();
            format!("{}: own{moved}", draft.name())
        }
        hints => format!("{}: {hints:?}", draft.name()),
    });
    let events = outcome
        .events
        .iter()
        .map(|event| event.reason.trim_start_matches("TopologyAwareHints"));
    let lines: Vec<_> = written.chain(events.map(str::to_owned)).collect();
    assert_eq!(lines.join("; "), expected);
    state
}

fn auto() -> Value {
    json!({"metadata": {"annotations": {"service.kubernetes.io/topology-mode": "Auto"}}})
}

fn traffic(value: &str) -> Value {
    json!({"spec": {"trafficDistribution": value}})
}

#[test]
fn without_a_rule_hints_go() {
    check(
        &json!({}),
        &[
            &[endpoint("a", "")],
            &[endpoint("a", "a")],
            &[unready("a", "a")],
        ],
        false,
        "b: Clear; c: Clear",
    );
}

#[test]
fn hints_that_were_given_are_taken_back_aloud() {
    let state = check(
        &json!({}),
        &[&[endpoint("a", "a")]],
        true,
        "a: Clear; Disabled",
    );
    assert!(state.is_empty());
}

#[test]
fn traffic_distribution_writes_what_is_wrong_only() {
    let slices: &[&[Value]] = &[
        &[endpoint("a", "a")],
        &[endpoint("a", "b")],
        &[unready("a", "b")],
    ];
    check(&traffic("PreferClose"), slices, false, "b: SameZone");
    check(
        &traffic("PreferSameNode"),
        slices,
        false,
        "a: SameZoneAndNode; b: SameZoneAndNode",
    );
    check(
        &traffic("PreferClose"),
        slices,
        true,
        "b: SameZone; Disabled",
    );
}

#[test]
fn mode_auto_leaves_hints_that_can_stand() {
    let slices: &[&[Value]] = &[&[endpoint("a", "a")], &[endpoint("b", "b")]];
    let state = check(&auto(), slices, false, "Enabled");
    assert!(state.populated);
    check(&auto(), slices, true, "");
}

#[test]
fn mode_auto_writes_slices_whose_hints_cannot_stand() {
    let fine = endpoint("b", "b");
    for wrong in ["", "elsewhere"] {
        let slices: &[&[Value]] = &[&[endpoint("a", wrong)], std::slice::from_ref(&fine)];
        check(&auto(), slices, true, "a: own");
    }
    // More hints than a zone may get, over several slices: the first keeps them, and the next is written.
    let two = [endpoint("a", "a"), endpoint("a", "a")];
    check(&auto(), &[&two, &two], true, "b: own 0→b 1→b");
}

#[test]
fn hints_of_endpoints_that_are_not_ready_are_not_looked_at() {
    check(
        &auto(),
        &[
            &[endpoint("a", "a"), unready("a", "elsewhere")],
            &[endpoint("b", "b"), unready("", "")],
        ],
        true,
        "",
    );
}

#[test]
fn mode_auto_moves_surplus_to_the_other_zone() {
    let four = ["a", "a", "a", "b"].map(|zone| endpoint(zone, ""));
    let state = check(&auto(), &[&four], true, "a: own 0→b");
    assert_eq!(
        serde_json::to_string(&state).unwrap(),
        r#"{"populated":true,"IPv4":{"a":2,"b":2}}"#
    );
}

#[test]
fn mode_auto_gives_up_on_an_endpoint_without_zone() {
    let state = check(
        &auto(),
        &[&[endpoint("a", "a"), endpoint("", "")]],
        true,
        "a: Clear; Disabled",
    );
    assert!(state.is_empty());
}

#[test]
fn mode_auto_gives_up_on_too_few_endpoints_at_every_sync() {
    check(
        &auto(),
        &[&[endpoint("a", "a")], &[unready("b", "")]],
        true,
        "a: Clear; Disabled",
    );
    check(&auto(), &[&[endpoint("a", "")]], false, "Disabled");
}

#[test]
fn without_topology_hints_mode_auto_is_no_rule_and_the_state_stays() {
    let mut service = auto();
    service["topologyHints"] = false.into();
    let state = check(&service, &[&[endpoint("a", "a")]], true, "a: Clear");
    assert!(state.populated);
}

#[test]
fn endpoints_of_any_number_of_zones_are_counted() {
    let zones: Vec<String> = (10..22).map(|number| format!("zone-{number}")).collect();
    // One of the first zone, two of the second, and so on, in any order.
    let mut endpoints = Vec::new();
    for nth in 0..zones.len() {
        endpoints.extend(zones[nth..].iter().map(|zone| endpoint(zone, "")));
    }
    endpoints.extend([unready("zone-10", ""), endpoint("", "")]);
    let draft = Draft::of(slice("a", &endpoints), AddressType::IPv4);
    let mut expected = vec![("", 1)];
    expected.extend(zones.iter().map(String::as_str).zip(1..));
    let counted = ready_by_zone([&draft].into_iter());
    assert_eq!(counted.into_iter().collect::<Vec<_>>(), expected);
}
