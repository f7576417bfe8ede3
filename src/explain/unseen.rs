//! What stands in slices and clients do not get: ports that the Service does not have.

use alloc::format;
use alloc::vec::Vec;

use super::words::{either, list};
use super::{Scene, say};
use crate::model::EndpointSlice;
use crate::model::order::sorted_unique;
use crate::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains what of the live slices kube-proxy passes over.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let ports = &scene.case.service.spec.ports;
    if ports.is_empty() || scene.case.service.is_headless() {
        return;
    }
    let known = sorted_unique(ports.iter().map(|port| &*port.name));
    for slice in scene.case.slices {
        let names = slice
            .ports
            .iter()
            .map(|port| port.name.as_deref().unwrap_or_default());
        let names = sorted_unique(names);
        let is_known = names.iter().any(|name| known.binary_search(name).is_ok());
        if !names.is_empty() && !is_known && !slice.endpoints.is_empty() {
            answers.push(unknown_port(slice, &names, &known));
        }
    }
}

fn unknown_port(slice: &EndpointSlice<'_>, names: &[&str], known: &[&str]) -> Explanation {
    let quoted =
        |names: &[&str]| -> Vec<_> { names.iter().map(|name| format!("{name:?}")).collect() };
    let what = format!("No client reaches the endpoints of slice {}.", slice.name());
    say::slice(Code::HiddenFromProxy, say::names(slice), what)
        .because(format!(
            "Its ports are named {}, and those of the Service {}.",
            list(&quoted(names)),
            list(&quoted(known))
        ))
        .details("A port of a slice belongs to the Service's port of the same name, whatever its number. An empty name is a name like any other: it belongs to a Service's only port if that has no name.")
        .figure("ports", names)
        .fix(
            format!("name the port of the slice {}", either(&quoted(known))),
            "kube-proxy sends the traffic of that port to its endpoints",
        )
}
