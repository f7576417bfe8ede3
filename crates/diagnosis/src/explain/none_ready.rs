//! None of the selected pods is a ready endpoint: how many are not, and for which reason.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scene::Scene;
use super::service::traffic_left;
use super::words::list;
use super::{not_ready, say};
use crate::edited::with_fields;
use slicewise::model::Pod;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Fix};
use slicewise::words::counted;

/// Explains that none of the selected pods is a ready endpoint, if so.
pub(super) fn explain(scene: &Scene<'_>, selected: &[&Pod<'_>]) -> Option<Explanation> {
    let wanted = scene.desired_of(selected);
    let endpoints = || {
        let groups = wanted.groups.values();
        groups.flat_map(|group| group.endpoints.ipv4.iter().chain(&group.endpoints.ipv6))
    };
    let is_any_ready = endpoints().any(|endpoint| endpoint.ready == Some(true));
    if is_any_ready || scene.lost.is_only_cause(selected) {
        return None;
    }
    let (severity, traffic) = traffic_left(scene);
    let states: Vec<&str> = selected.iter().map(|pod| state_of(scene, pod)).collect();
    let number = |state: &str| states.iter().filter(|other| **other == state).count();
    let words: Vec<String> = STATES
        .iter()
        .filter(|state| number(state) > 0)
        .map(|state| format!("{} {state}", number(state)))
        .collect();
    let message = format!(
        "The selector matches {}, but {} a ready endpoint: {}. {traffic} Each pod has its own explanation.",
        counted(selected.len(), "pod"),
        if selected.len() == 1 {
            "it is not"
        } else {
            "none of them is"
        },
        list(&words)
    );
    Some(
        say::service(
            Code::NoReadyEndpoint,
            scene.case.service,
            "None of the selected pods is a ready endpoint.",
        )
        .because(format!(
            "Of {}: {}.{}{}",
            counted(selected.len(), "selected pod"),
            list(&words),
            first_reason(scene, selected, &states),
            if scene.case.service.is_headless() {
                " DNS leaves out pods that are not ready."
            } else {
                ""
            },
        ))
        .details(message)
        .fixes(peers(scene, number(NOT_READY)))
        .severity(severity)
        .figure("selected", selected.len())
        .figure("finished", number(FINISHED))
        .figure("withoutAddress", number(WITHOUT_ADDRESS))
        .figure("terminating", number(TERMINATING)),
    )
}

/// Why the first of the pods that are not ready is not.
fn first_reason(scene: &Scene<'_>, selected: &[&Pod<'_>], states: &[&str]) -> String {
    let mut pods = selected.iter().zip(states);
    let Some((pod, _)) = pods.find(|(_, state)| **state == NOT_READY) else {
        return String::new();
    };
    let (why, _) = not_ready::why(scene, pod);
    format!(" Pod {}: {why}.", pod.metadata.name)
}

/// Pods that find each other through a headless Service before they are ready.
fn peers(scene: &Scene<'_>, waiting: usize) -> Option<Fix> {
    let service = scene.case.service;
    (waiting > 0 && service.is_headless() && !service.spec.publish_not_ready_addresses).then(|| {
        say::fix(
            "if the pods look each other up here to become ready: set spec.publishNotReadyAddresses: true",
            "DNS answers with pods that are not ready, so that they need not wait for each other",
        )
        .by([with_fields(service, &[("publishNotReadyAddresses", true)])])
    })
}

const FINISHED: &str = "finished";
const WITHOUT_ADDRESS: &str = "without an address";
const TERMINATING: &str = "being deleted";
const WITHOUT_NODE: &str = "left out because the node is unknown";
const OF_OTHER_FAMILY: &str = "without an address of the Service's family";
const NOT_READY: &str = "not ready";
/// What prevents a pod from being a ready endpoint, in the order of the text.
const STATES: [&str; 6] = [
    FINISHED,
    WITHOUT_ADDRESS,
    TERMINATING,
    WITHOUT_NODE,
    OF_OTHER_FAMILY,
    NOT_READY,
];

fn state_of(scene: &Scene<'_>, pod: &Pod<'_>) -> &'static str {
    if pod.is_terminal() {
        return FINISHED;
    }
    if !pod.may_be_endpoint() {
        return WITHOUT_ADDRESS;
    }
    if pod.is_terminating() {
        return TERMINATING;
    }
    let wanted = scene.desired_of(&[pod]);
    let mut groups = wanted.groups.values();
    if !wanted.missing_nodes.is_empty() {
        WITHOUT_NODE
    } else if groups.all(|group| group.endpoints.ipv4.is_empty() && group.endpoints.ipv6.is_empty())
    {
        OF_OTHER_FAMILY
    } else {
        NOT_READY
    }
}
