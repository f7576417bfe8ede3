//! The sources of the questions.

use serde_json::Value;

use super::{Sample, samples};

#[test]
fn issues_are_named() {
    for sample in samples() {
        let issues = sample.envelope["issues"].as_array().unwrap();
        for issue in issues {
            let (repository, number) = issue.as_str().unwrap().split_once('#').unwrap();
            assert!(
                repository.contains('/') && number.parse::<u32>().is_ok(),
                "{}",
                sample.name()
            );
        }
        assert!(!issues.is_empty(), "{}", sample.name());
    }
}

/// The input has live state: slices, Endpoints, Events or Leases.
#[test]
fn many_ask_about_a_live_symptom() {
    const PROJECTS: [&str; 9] = [
        "kubernetes",
        "kubernetes-sigs",
        "cilium",
        "istio",
        "linkerd",
        "aws",
        "GoogleCloudPlatform",
        "Azure",
        "coredns",
    ];
    let holds_live = |sample: &Sample| {
        let items = sample.envelope["items"].as_array().unwrap();
        let kinds = ["EndpointSlice", "Endpoints", "Event", "Lease"];
        items
            .iter()
            .any(|item| kinds.iter().any(|kind| item["kind"] == *kind))
    };
    let is_of_project = |issue: &Value| {
        let owner = issue.as_str().unwrap().split('/').next().unwrap();
        PROJECTS.contains(&owner)
    };
    let is_asked_there = |sample: &Sample| {
        sample.envelope["issues"]
            .as_array()
            .unwrap()
            .iter()
            .any(is_of_project)
    };
    // The first questions are about what a plan would do.
    let samples = samples();
    let later = samples.iter().filter(|sample| sample.name() > "0075");
    let live = later.filter(|sample| holds_live(sample) && is_asked_there(sample));
    let count = live.count();
    assert!(count >= 40, "only {count} questions");
}
