//! Both routes give the same plan.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

use super::super::cluster::request;
use super::noise::{after, among_others};
use super::requests;
use super::routes::{all_at_once, check, known_plan};

#[test]
fn on_requests_written_by_hand() {
    for (name, request) in requests::all() {
        check(name, &request);
    }
}

/// The requests of one file in the corpus: a single one, or a history.
fn steps(case: &Value) -> Vec<Value> {
    match (&case["request"], &case["history"]) {
        (Value::Null, history) => history.as_array().expect("a request or a history").clone(),
        (request, _) => vec![request.clone()],
    }
}

#[test]
fn on_every_case_of_the_corpus() {
    let folder = crate::suite::from_root("pkg-tests/differential/corpus");
    // The corpus is not part of the published crate; the hand-written requests always are.
    let mut cases = 0;
    let files = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path());
    for file in files.filter(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    }) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let case: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        cases += 1;
        let mut state = json!(null);
        for (number, mut step) in steps(&case).into_iter().enumerate() {
            if step["state"].is_null() {
                step["state"] = state;
            }
            let (_, plan) = check(&format!("{name}, step {number}"), &step);
            state = plan["state"].clone();
        }
    }
    assert!(cases > 0 || !folder.exists(), "the corpus is empty");
}

#[test]
fn on_every_service_of_a_cluster() {
    let file = crate::suite::from_root("samples/cluster-at-rest.json");
    let list: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let of_kind = |kind: &str| -> Vec<Value> {
        let items = list["items"].as_array().unwrap();
        items
            .iter()
            .filter(|item| item["kind"] == kind)
            .cloned()
            .collect()
    };
    let (pods, nodes, slices) = (of_kind("Pod"), of_kind("Node"), of_kind("EndpointSlice"));
    let services = of_kind("Service");
    assert!(services.len() > 3, "the sample has lost its Services");
    for service in services {
        let name = service["metadata"]["name"].to_string();
        let request = json!({"service": service, "pods": pods, "nodes": nodes, "slices": slices});
        check(&name, &request);
        // With its current slices there is little to write; without them, everything.
        check(
            &name,
            &json!({"service": service, "pods": pods, "nodes": nodes}),
        );
    }
}

#[test]
fn on_a_whole_cluster_at_once() {
    let file = crate::suite::from_root("samples/cluster-at-rest.json");
    let text = std::fs::read(file).unwrap();
    for max in [1, 100] {
        let options = json!({"maxEndpointsPerSlice": max}).to_string();
        let by_json = crate::api::plan_snapshot(&text, options.as_bytes()).unwrap();
        let by_json: Value = serde_json::from_slice(&by_json).unwrap();
        let by_json: Vec<Value> = by_json["plans"]
            .as_array()
            .unwrap()
            .iter()
            .map(known_plan)
            .collect();
        let by_types = all_at_once(&serde_json::from_slice(&text).unwrap(), &options);
        assert!(by_types.len() > 3);
        assert_eq!(by_types, by_json);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(20_261_121), ..ProptestConfig::default() })]

    #[test]
    fn on_random_clusters_and_their_second_sync(first in request(), second in request()) {
        let first = among_others(first);
        let (plan, _) = check("first sync", &first);
        let mut then = after(&first, &plan);
        check("nothing has changed", &then);
        then["pods"] = second["pods"].clone();
        then["nodes"] = second["nodes"].clone();
        then["service"]["spec"] = second["service"]["spec"].clone();
        check("everything has changed", &then);
    }
}
