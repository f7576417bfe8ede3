//! The DNS names of a headless Service.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::words::{count, list};
use super::{Scene, say};
use crate::model::order::sorted_unique;
use crate::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains which names resolve, and to how many addresses.
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    if !service.is_headless() {
        return None;
    }
    let slices = scene.seen();
    let endpoints = || slices.iter().flat_map(|slice| &slice.endpoints);
    // DNS answers with what is ready; an absent condition is.
    let ready = endpoints().filter(|endpoint| endpoint.conditions.ready.unwrap_or(true));
    let addresses = sorted_unique(ready.flat_map(|endpoint| endpoint.addresses.iter().cloned()));
    let names = sorted_unique(
        endpoints()
            .filter(|endpoint| endpoint.conditions.ready.unwrap_or(true))
            .map(|endpoint| endpoint.hostname())
            .filter(|hostname| !hostname.is_empty()),
    );
    let (name, namespace) = (&service.metadata.name, &service.metadata.namespace);
    let own: Vec<String> = names
        .iter()
        .map(|hostname| format!("{hostname}.{name}.{namespace}.svc"))
        .collect();
    let because = if own.is_empty() {
        "No endpoint has a hostname, so that no pod has a name of its own.".into()
    } else {
        format!("Pods have names of their own: {}.", list(&own))
    };
    let what = format!(
        "{name}.{namespace}.svc resolves to {}.",
        count(addresses.len(), "address")
    );
    Some(
        say::service(Code::HeadlessNames, service, what)
            .because(because)
            .details("A headless Service has no cluster IP, and kube-proxy does nothing for it: clients get the addresses of its ready endpoints from DNS, all of them at once, and choose themselves; hints, policies and affinity are not looked at. An endpoint has a name of its own if its pod has spec.hostname and spec.subdomain is the Service's name, as the pods of a StatefulSet do. Names of endpoints that are not ready resolve only with publishNotReadyAddresses. CoreDNS and clients keep answers for some seconds (5 to 30 by default), those that a pod is not found as well.")
            .figure("addresses", addresses.len())
            .figure("hostnames", names.as_slice()),
    )
}
