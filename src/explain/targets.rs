//! Endpoints that stand for pods of another namespace.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::words::list;
use super::{Scene, say};
use crate::model::EndpointSlice;
use crate::model::order::sorted_unique;
use crate::plan::explanation::{Explanation, ExplanationCode as Code};

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
            format!("Slice {} names pods of another namespace.", slice.name()),
        )
        .because(format!(
            "The slice is in namespace {own}, and targetRef is {}.",
            list(&names)
        ))
        .details("kube-proxy sends traffic to the addresses, whatever targetRef says. Those that look the pod up find none in the namespace of the slice, and leave the endpoint out or retry for ever: load balancers that register pods, and service meshes. Access to the other namespace is not checked either, for which reason admission policies may refuse such a slice.")
        .figure("endpoints", names.len())
        .fix(
            "make the Service in the namespace of the pods, with a selector",
            "the controller writes slices of the pods there",
        )
        .fix(
            "or leave targetRef out",
            "the endpoint is an address and nothing else; what registers pods still does not take it",
        ),
    )
}
