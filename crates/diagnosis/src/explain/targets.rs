//! Endpoints that refer to pods in another namespace.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::words::list;
use super::{Scene, say};
use slicewise::model::EndpointSlice;
use slicewise::model::order::sorted_unique;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains the slices that have such endpoints.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let slices = scene.case.slices.iter();
    answers.extend(slices.filter_map(|slice| of_slice(slice)));
}

fn of_slice(slice: &EndpointSlice<'_>) -> Option<Explanation> {
    let own = &slice.metadata.namespace;
    let targets = slice.endpoints.iter();
    let targets = targets.filter_map(|endpoint| endpoint.target_ref.as_ref());
    let elsewhere = targets.filter(|target| {
        target.kind == "Pod" && !target.namespace.is_empty() && target.namespace != *own
    });
    let names = elsewhere.map(|target| format!("{}/{}", target.namespace, target.name));
    let names: Vec<String> = sorted_unique(names);
    if names.is_empty() {
        return None;
    }
    Some(
        say::slice(
            Code::TargetElsewhere,
            say::names(slice),
            format!("Slice {} refers to pods in another namespace.", slice.name()),
        )
        .because(format!(
            "The slice is in namespace {own}, and its targetRefs name {}.",
            list(&names)
        ))
        .details("kube-proxy sends traffic to the addresses and ignores targetRef. Consumers that look up the pod, such as load balancer controllers and service meshes, expect it in the namespace of the slice: they leave the endpoint out or keep retrying. Such a slice also bypasses the boundary between namespaces, so admission policies may refuse it.")
        .figure("endpoints", names.len())
        .fix(
            "make the Service in the namespace of the pods, with a selector",
            "the controller writes slices of the pods there",
        )
        .fix(
            "or remove targetRef",
            "the endpoint is a bare address; consumers that register pods still do not use it",
        ),
    )
}
