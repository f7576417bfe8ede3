//! Slices that name a Service that is not in the input.

use alloc::format;
use alloc::vec::Vec;

use super::words::list;
use super::{Explanations, say};
use slicewise::model::{EndpointSlice, NamespacedName};
use slicewise::plan::explanation::{ExplanationCode as Code, Verdict};
use slicewise::words::counted;

/// Explains the slices of a Service that is not in the input, although others of its namespace are.
pub(crate) fn explain(service: &NamespacedName, slices: &[&EndpointSlice<'_>]) -> Explanations {
    let NamespacedName { namespace, name } = service;
    let names: Vec<&str> = slices.iter().map(|slice| slice.name()).collect();
    let what = format!(
        "{} {} Service {name}, which is not in the input.",
        counted(slices.len(), "slice"),
        if slices.len() == 1 { "names" } else { "name" },
    );
    let explanation = say::slice(
        Code::SliceOfMissingService,
        (
            namespace.as_str(),
            names.first().copied().unwrap_or_default(),
        ),
        what,
    )
    .because(format!("{}.", list(&names)))
    .details("kube-proxy and DNS ignore slices whose Service does not exist, so no client uses them. A slice created by a controller is owned by its Service, and the garbage collector deletes it with the Service; one that stays has no owner, a different owner, or a finalizer. The controllers themselves never delete slices because their Service is missing.")
    .figure("slices", names.as_slice())
    .look(
        format!("kubectl get service {name} -n {namespace}"),
        "whether it exists in the cluster; if not, nothing changes for clients when these slices are deleted, and a Service of that name created later starts without them",
    );
    Explanations {
        verdict: Verdict {
            severity: explanation.severity,
            text: explanation.what.clone(),
        },
        explanations: [explanation].into(),
        is_plain: false,
    }
}
