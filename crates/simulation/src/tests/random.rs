//! Random scenarios: each converges, no Service ever has two syncs at once, and nothing is left at the end.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

use slicewise::model::NamespacedName;

use super::{run_to_rest, scenario};
use crate::Scenario;
use crate::world::World;

const SERVICES: [&str; 3] = ["shop/cart", "shop/stock-1", "shop/stock-2"];
const NODES: [&str; 3] = ["a-1", "b-1", "c-2"];
const ERRORS: [&str; 4] = ["Conflict", "AlreadyExists", "ServerError", "Timeout"];
const EDITS: [&str; 4] = ["empty", "label", "annotate", "delete"];

fn action() -> impl Strategy<Value = Value> {
    let service = prop::sample::select(&SERVICES[..]);
    let node = prop::sample::select(&NODES[..]);
    let some = 0_u32..8;
    let what = prop_oneof![
        (service.clone(), some.clone()).prop_map(|(s, n)| json!({"scale": {"service": s, "replicas": n}})),
        (service.clone(), 0_u32..3, 0_u32..3).prop_map(|(s, surge, unavailable)| json!({"rollingUpdate": {"service": s, "maxSurge": surge, "maxUnavailable": unavailable}})),
        (service.clone(), some.clone()).prop_map(|(s, n)| json!({"unreadyPods": {"service": s, "count": n, "for": "4s"}})),
        (service.clone(), some.clone()).prop_map(|(s, n)| json!({"deletePods": {"service": s, "count": n}})),
        (service.clone(), service.clone()).prop_map(|(s, to)| json!({"relabelPods": {"service": s, "labels": {"app": to.split_once('/').unwrap().1}}})),
        (service.clone(), any::<bool>()).prop_map(|(s, on)| json!({"changeService": {"service": s, "trafficDistribution": if on { "PreferSameZone" } else { "" }}})),
        service.clone().prop_map(|s| json!({"deleteService": {"service": s}})),
        node.clone().prop_map(|n| json!({"drainNodes": {"node": n}})),
        node.clone().prop_map(|n| json!({"failNodes": {"node": n, "noticedAfter": "5s", "evictAfter": "9s"}})),
        node.clone().prop_map(|n| json!({"recoverNodes": {"node": n}})),
        node.prop_map(|n| json!({"removeNodes": {"node": n}})),
        Just(json!({"addNodes": {"zone": "b"}})),
        (service, prop::sample::select(&EDITS[..])).prop_map(|(s, edit)| json!({"editSlices": {"service": s, "edit": edit}})),
        (prop::sample::select(&ERRORS[..]), 1..5).prop_map(|(error, n)| json!({"refuseWrites": {"error": error, "next": n}})),
        Just(json!({"restartController": true})),
        Just(json!({"resync": true})),
    ];
    (what, 0_u32..40_000).prop_map(|(mut what, at)| {
        what["at"] = at.into();
        what
    })
}

fn share() -> impl Strategy<Value = String> {
    prop_oneof![2 => Just(0), 1 => 1_u32..30].prop_map(|percent| format!("{percent}%"))
}

fn with_services(actions: Vec<Value>, seed: u32) -> Value {
    let mut scenario = scenario(&Value::Array(actions));
    scenario["seed"] = seed.into();
    scenario["services"] = json!([
        {"service": "shop/cart", "replicas": 6, "jitter": "2s"},
        {"service": "shop/stock", "copies": 2, "replicas": 3, "jitter": "2s"},
    ]);
    scenario
}

/// At any moment, the traffic by the routes that are kept is that by new routes.
fn check_shares(scenario: &Value) {
    let text = scenario.to_string();
    let scenario: Scenario<'_> = serde_json::from_str(&text).unwrap();
    let service = NamespacedName {
        namespace: "shop".into(),
        name: "cart".into(),
    };
    let mut world = World::new(scenario.into_owned(), false);
    world.measured.changed = Some(BTreeSet::new());
    let mut routed = None;
    let mut goes_on = true;
    while goes_on {
        world.work();
        let changed = world.measured.changed.replace(BTreeSet::new());
        let is_own = |slice: &NamespacedName| slice.name.starts_with("cart-");
        if changed.is_some_and(|slices| slices.iter().any(is_own)) {
            routed = None;
        }
        let shares = world.shares(&service, &mut routed);
        let fresh = world.shares(&service, &mut None);
        assert_eq!(shares, fresh, "at {:?}", world.now);
        goes_on = world.advance();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, rng_seed: RngSeed::Fixed(17), ..ProptestConfig::default() })]

    #[test]
    fn kept_routes_are_those_of_the_moment(
        actions in prop::collection::vec(action(), 0..25),
        seed in any::<u32>(),
    ) {
        check_shares(&with_services(actions, seed));
    }

    #[test]
    fn every_scenario_converges_and_leaves_nothing(
        actions in prop::collection::vec(action(), 0..25),
        (seed, lag, latency) in (any::<u32>(), 0_u32..2500, 0_u32..400),
        (lost, doubled, reordered) in (share(), share(), share()),
    ) {
        let mut scenario = with_services(actions, seed);
        scenario["watches"] = json!([{"lag": lag, "jitter": "200ms", "lost": lost, "doubled": doubled, "reordered": reordered}]);
        scenario["apiServer"] = json!({"latency": latency});
        run_to_rest(&scenario);
        scenario["actions"].as_array_mut().unwrap().push(json!({"at": "45s", "deleteEverything": true}));
        let report = run_to_rest(&scenario);
        assert!(report.end.is_empty, "{:?} {:?}", report.end, report.services);
    }
}
