//! The DNS names of a headless Service.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::{list, sentence};
use crate::edited::with_ports;
use slicewise::model::endpoint_set::DesiredEndpoint;
use slicewise::model::order::sorted_unique;
use slicewise::model::{NamespacedName, Pod};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::words::counted;

/// Do clients find its endpoints in DNS? An ExternalName Service has no cluster IP either, and is an alias there.
fn is_headless(scene: &Scene<'_>) -> bool {
    let service = scene.case.service;
    service.is_headless() && service.spec.service_type != "ExternalName"
}

/// Explains which names resolve, and to how many addresses.
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    if !is_headless(scene) {
        return None;
    }
    let slices = scene.seen();
    let endpoints = || slices.iter().flat_map(|slice| &slice.endpoints);
    // DNS returns what is ready; an absent condition counts as ready.
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
        "No endpoint has a hostname, so no pod has its own name.".into()
    } else {
        format!("Pods have their own names: {}.", list(&own))
    };
    let what = format!(
        "{name}.{namespace}.svc resolves to {}.",
        counted(addresses.len(), "address")
    );
    Some(
        say::service(Code::HeadlessNames, service, what)
            .because(because)
            .details("A headless Service has no cluster IP, and kube-proxy does not handle it: clients get the addresses of all ready endpoints from DNS and choose among them; hints, policies and affinity are ignored. An endpoint has its own name if its pod has spec.hostname and its spec.subdomain is the Service's name, as with the pods of a StatefulSet. Names of endpoints that are not ready only resolve with publishNotReadyAddresses. CoreDNS and clients cache answers for some seconds (5 to 30 by default), including negative ones.")
            .figure("addresses", addresses.len())
            .figure("hostnames", names.as_slice()),
    )
}

/// Explains ports that clients might expect to be translated.
pub(super) fn port(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.proxied().filter(|_| is_headless(scene))?;
    let slices = scene.seen();
    let filled = slices.iter().filter(|slice| !slice.endpoints.is_empty());
    let others = filled.flat_map(|slice| &slice.ports).filter_map(|port| {
        let name = port.name.as_deref().unwrap_or_default();
        let number = port.port?;
        let mut ports = service.spec.ports.iter();
        let asked = ports.find(|asked| asked.name == name && asked.port != number)?;
        Some((asked.port, number))
    });
    let others = sorted_unique(others);
    let (asked, number) = others.first()?;
    let words: Vec<String> = others
        .iter()
        .map(|(asked, number)| format!("{asked} is {number} on the pods"))
        .collect();
    let what = format!("Clients of port {asked} are refused unless the pods also listen there.");
    Some(
        say::service(Code::HeadlessPort, scene.case.service, what)
            .because(format!("A headless Service does not translate ports: {}.", list(&words)))
            .details("The name of a headless Service resolves to the pods' own addresses, and nothing in between translates ports: clients connect to exactly the port they use. SRV records, and consumers of slices such as service meshes, provide the pods' port.")
            .figure("port", i64::from(*asked))
            .figure("targetPort", i64::from(*number))
            .fixes([say::fix(
                format!("let clients use port {number}, and set port: {number} to avoid confusion"),
                "clients reach the process",
            )
            .by([with_ports(scene.case.service, |port| i32::from(port.port.0) == *asked, "port", *number)])]),
    )
}

/// Why a pod that asks for its own DNS name does not get one.
pub(super) fn without_hostname(
    scene: &Scene<'_>,
    pod: &Pod<'_>,
    endpoint: &DesiredEndpoint<'_>,
) -> Option<Explanation> {
    let service = &scene.case.service;
    let (hostname, subdomain) = (&pod.spec.hostname, &pod.spec.subdomain);
    let asks_for_name = !hostname.is_empty() || !subdomain.is_empty();
    if endpoint.hostname.is_some() || !service.is_headless() || !asks_for_name {
        return None;
    }
    let name = &service.metadata.name;
    // The pod's name may be under another Service, whose own answer says so.
    let key = NamespacedName {
        namespace: service.metadata.namespace.to_string(),
        name: subdomain.to_string(),
    };
    if subdomain != name && scene.case.details.service(&key).is_some() {
        return None;
    }
    let why = match (hostname.is_empty(), subdomain == name) {
        (true, true) => "it has a subdomain but no spec.hostname".to_string(),
        (_, false) if subdomain.is_empty() => {
            "it has a spec.hostname but no spec.subdomain".to_string()
        }
        _ => format!("its spec.subdomain is {subdomain}, not the name of this Service"),
    };
    let message = format!(
        "Pod {} has no DNS name of its own under {name}, because {why}: the endpoint only gets a hostname if the pod has one and its subdomain is the Service's name.",
        pod.metadata.name
    );
    Some(say::pod(Code::PodWithoutHostname, pod, format!("Pod {} has no DNS name of its own under {name}.", pod.metadata.name)).because(format!("{}.", sentence(&why))).details(message).fix(
        format!("set spec.subdomain: {name} (a StatefulSet: spec.serviceName: {name}) and spec.hostname in the pod's template"),
        format!("new pods can be reached as HOSTNAME.{name}.{}.svc", service.metadata.namespace),
    ))
}
