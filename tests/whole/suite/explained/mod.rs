//! Explanations over random clusters: differences between live slices and the plan are named, and nothing else is; and
//! claims about traffic agree with the traffic.

mod claims;
mod disturbed;
mod overview;

use std::str::FromStr;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

use super::cluster;
use super::properties::applied;
use super::wanted::list;
use crate::api;

/// The same cases each time. `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=7` tries more, and different, ones.
fn config(cases: u32, seed: u64) -> ProptestConfig {
    fn given<T: FromStr>(name: &str) -> Option<T> {
        std::env::var_os(name)?.to_str()?.parse().ok()
    }
    ProptestConfig {
        cases: given("PROPTEST_CASES").unwrap_or(cases),
        rng_seed: RngSeed::Fixed(given("PROPTEST_RNG_SEED").unwrap_or(seed)),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn explain(request: &Value) -> Vec<Value> {
    let bytes = api::explain(request.to_string().as_bytes(), b"").unwrap();
    let answer: Value = serde_json::from_slice(&bytes).unwrap();
    answer["services"][0]["explanations"]
        .as_array()
        .unwrap()
        .clone()
}

fn plan(request: &Value) -> Value {
    serde_json::from_slice(&api::plan(request.to_string().as_bytes()).unwrap()).unwrap()
}

/// The first explanation with a code.
fn find<'e>(explanations: &'e [Value], code: &str) -> Option<&'e Value> {
    explanations.iter().find(|told| told["code"] == code)
}

/// The codes which say that something is not written.
fn not_written(explanations: &[Value]) -> Vec<&str> {
    let codes = explanations
        .iter()
        .map(|told| told["code"].as_str().unwrap());
    codes
        .filter(|code| code.starts_with("NotWritten"))
        .collect()
}

/// A random cluster of pods.
fn request() -> impl Strategy<Value = Value> {
    cluster::request().prop_map(|mut request| {
        let fields = request.as_object_mut().unwrap();
        fields.remove("endpoints");
        fields.remove("triggerTime");
        request
    })
}

/// A random cluster whose plan has been written until nothing is left to do.
fn settled() -> impl Strategy<Value = Value> {
    request().prop_map(|mut request| {
        request["slices"] = json!([]);
        for _ in 0..3 {
            request = applied(&request, &plan(&request));
        }
        request
    })
}

/// The slices after the plan is written.
fn planned(request: &Value) -> Vec<Value> {
    list(&applied(request, &plan(request))["slices"]).to_vec()
}

/// The plan computes hints for endpoints that no slice will have: those are not mentioned.
#[test]
fn hints_of_what_is_held_back_are_not_explained() {
    let node = |name: &str, zone: &str| {
        json!({"metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}}})
    };
    let pod = json!({
        "metadata": {"namespace": "shop", "name": "cart-1", "labels": {"app": "cart"}}, "spec": {"nodeName": "a"},
        "status": {"phase": "Running", "podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]},
    });
    let mut request = json!({
        "service": {"metadata": {"namespace": "shop", "name": "cart", "annotations": {"service.kubernetes.io/topology-mode": "Auto"}},
            "spec": {"selector": {"app": "cart"}, "clusterIP": "10.96.0.1", "ports": [{"port": 80}]}},
        "pods": [pod], "nodes": [node("a", "a"), node("b", "b")],
    });
    let too_few = |request: &Value| find(&explain(request), "HintsTooFewEndpoints").is_some();
    assert!(too_few(&request));
    request["service"]["metadata"]["deletionTimestamp"] = "2026-03-02T10:00:00Z".into();
    assert!(find(&explain(&request), "ServiceBeingDeleted").is_some());
    assert!(!too_few(&request));
}
