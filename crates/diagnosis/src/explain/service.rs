//! Explanations of the Service as a whole: it is not managed, it selects nothing, none of its pods are ready.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::Scene;
use super::traffic::{self, From};
use super::words::list;
use super::{declared, nearest_template, none_ready, ports, say, selector, workloads};
use crate::edited::with_fields;
use slicewise::model::endpoint_slice::MAX_PORTS;
use slicewise::model::{AddressType, EndpointSlice, Pod, ip};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;

/// Explains the Service.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = scene.case.service;
    if !service.is_reconciled() && scene.case.endpoints.is_empty() {
        answers.push(not_reconciled(scene));
        return;
    }
    if service.metadata.deletion_timestamp.is_some() {
        answers.push(being_deleted(scene));
    }
    let selected = scene.case.selected;
    if !scene.templates.is_empty() {
        to_be(scene, answers);
    } else if selected.is_empty() && scene.case.endpoints.is_empty() {
        let told = nearest_template::explain(scene).or_else(|| selector::nothing(scene));
        answers.extend(told.map(|mut told| {
            if scene.removes_all() {
                told.what =
                    "The selector matches no pod, so the next sync removes all endpoints.".into();
            }
            told
        }));
    } else if !selected.is_empty() {
        answers.extend(none_ready::explain(scene, selected));
        answers.extend(published(scene, selected));
        ports::explain(scene, selected, answers);
        declared::explain(scene, selected, answers);
        answers.extend(workloads::explain(scene, selected));
    }
    answers.extend(too_many_ports(scene));
}

/// Pods that do not exist yet, by the templates of their workloads.
fn to_be(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = scene.case.service;
    let Some(first) = scene.templates.first() else {
        return;
    };
    let pods: Vec<&Pod<'_>> = scene.templates.iter().map(|one| &one.pod).collect();
    ports::explain(scene, &pods, answers);
    declared::explain(scene, &pods, answers);
    let explanation = |what: String| say::service(Code::SelectsNothing, service, what);
    if first.is_manifest {
        let what = format!(
            "The pods of {} will be its endpoints, once they have addresses and are ready.",
            first.title
        );
        answers.push(explanation(what).severity(Severity::Note));
    } else if scene.templates.iter().all(|one| one.replicas == 0) {
        let what = format!(
            "{}, whose pods the selector matches, is scaled to 0.",
            first.title
        );
        answers.push(
            explanation(what).fix("scale it up", "its pods are endpoints once they are ready"),
        );
    } else {
        let what = format!(
            "The input has no pod of {}, whose pods the selector matches.",
            first.title
        );
        answers.push(explanation(what).look(
            format!(
                "kubectl describe replicaset,statefulset,daemonset -n {}",
                service.metadata.namespace
            ),
            "why it has none: a quota or an admission webhook may refuse its pods; or the input lacks them",
        ));
    }
}

/// The Service that the API servers manage.
fn of_api_servers(scene: &Scene<'_>) -> Explanation {
    let (what, because) = match scene.is_any_served() || !scene.case.knows_slices {
        true => (
            "The API servers manage this Service themselves.",
            "It is default/kubernetes, which neither has nor needs a selector.",
        ),
        false => (
            "No API server has added its address to the slices of this Service.",
            "Each adds its own unless --endpoint-reconciler-type is none; default/kubernetes neither has nor needs a selector.",
        ),
    };
    say::service(Code::KubernetesService, scene.case.service, what)
        .because(because)
        .details("Each API server adds its own address to the Endpoints and the slice of this Service, and removes it when it stops; no controller is involved, and kube-controller-manager need not run. The address of a failed server stays until its lease in etcd expires (usually 15 seconds) and another API server syncs; addresses that stay longer are renewed by a running server, or were never leased (endpoint-reconciler-type). `slicewise kubernetes-service` plans both. With a selector, the EndpointSlice controller would add slices with pods, and break every client in the cluster.")
}

fn not_reconciled(scene: &Scene<'_>) -> Explanation {
    let service = scene.case.service;
    if scene.is_kubernetes() {
        return of_api_servers(scene);
    }
    if service.spec.service_type == "ExternalName" {
        return alias(scene);
    }
    not_managed(scene)
}

/// A Service of type `ExternalName`.
fn alias(scene: &Scene<'_>) -> Explanation {
    let service = scene.case.service;
    let name = &service.metadata.name;
    let host = scene.case.details.external_name(&service.key());
    if ip::parse(host).is_some() {
        return say::service(
                Code::ExternalName,
                service,
                format!("The name of the Service does not resolve: {host} is an address, not a name."),
            )
            .because("An ExternalName is a host name: DNS answers with an alias of it, and nobody resolves an address as a name.")
            .severity(Severity::Broken)
            .fix(
                format!("set spec.type: ClusterIP, leave out externalName and selector, and create an EndpointSlice with {host}"),
                "the Service has a cluster IP, behind which kube-proxy sends to that address",
            );
    }
    let left = left_behind(
        scene,
        "Delete them by hand (kubectl delete endpointslice); connections made through them go on until one side closes them.",
    );
    let what = match host {
        "" => "The Service is a DNS alias and has no endpoints.".to_string(),
        host => format!("The Service is a DNS alias of {host} and has no endpoints."),
    };
    let message = format!(
        "Service {name} is of type ExternalName: it is only a DNS alias. No controller manages slices for it, with or without a selector; slices from before it became an ExternalName are left alone and go stale, and neither kube-proxy nor DNS uses them.{left}"
    );
    say::service(Code::ExternalName, service, what)
        .because("Its type is ExternalName; no controller manages slices for that type.")
        .details(message)
        .fixes([say::fix(
            "set spec.type: ClusterIP (and spec.externalName: null), if it should lead to pods",
            "the controller creates slices for the pods that the selector matches",
        )
        .by([with_fields(service, &[("type", "ClusterIP")])])])
}

/// A Service without a selector.
fn not_managed(scene: &Scene<'_>) -> Explanation {
    let service = scene.case.service;
    let name = &service.metadata.name;
    let left = left_behind(
        scene,
        "kube-proxy keeps using them; delete them by hand (kubectl delete endpointslice) if they are wrong.",
    );
    let details = format!(
        "Service {name} has no selector, so the controller does not manage its slices: the owner of the Service has to write them. (Another controller mirrors Endpoints written by hand into slices.) An empty selector (selector: {{}}) is stored as none: it does not select all pods. If a selector is removed, the slices stay unchanged and go stale.{left}"
    );
    let has_endpoints = scene.case.details.endpoints(&service.key()).is_some();
    let is_written = has_endpoints
        || scene
            .case
            .slices
            .iter()
            .any(|slice| !slice.endpoints.is_empty());
    let explanation = if is_written {
        say::service(
            Code::NoSelector,
            service,
            if has_endpoints {
                "It needs no selector: its Endpoints are mirrored into slices."
            } else {
                "It needs no selector: others write its slices, with the label kubernetes.io/service-name."
            },
        )
    } else {
        say::service(
            Code::NoSelector,
            service,
            if scene.case.knows_slices {
                "It has no selector, and there are neither slices nor Endpoints of it."
            } else {
                "It has no selector, and the input has neither slices nor Endpoints of it."
            },
        )
        .because("An empty selector (selector: {}) is the same as none; without one, no controller writes slices.")
    };
    let explanation = explanation.details(details);
    if is_written {
        return explanation;
    }
    explanation
        .fix(
            "set spec.selector to the labels of its pods, if it has any",
            "the controller writes slices of them",
        )
        .fix(
            format!("or write EndpointSlices by hand, with the labels kubernetes.io/service-name: {name} and endpointslice.kubernetes.io/managed-by: YOUR-NAME"),
            "kube-proxy uses them; only you change them",
        )
}

/// Slices that the controller created and no longer manages.
fn left_behind(scene: &Scene<'_>, what_to_do: &str) -> String {
    let names: Vec<&str> = scene.own.iter().map(|slice| slice.name()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(" Left behind: {}. {what_to_do}", list(&names))
}

fn being_deleted(scene: &Scene<'_>) -> Explanation {
    let service = scene.case.service;
    let held_back = scene.held_back();
    let message = format!(
        "Service {} is being deleted: its existing slices are kept up to date until it is gone, but none are created ({} held back). The garbage collector then deletes its slices.",
        service.metadata.name,
        counted(held_back, "slice")
    );
    say::service(
        Code::ServiceBeingDeleted,
        service,
        "The Service is being deleted and gets no new slices.",
    )
    .because(format!("{} held back.", counted(held_back, "slice")))
    .details(message)
    .figure("heldBack", held_back)
    .fix(
        "if it is not deleted: check who owns its finalizers (usually a load balancer's controller)",
        "it is deleted once it has none; a new Service of that name then gets its own slices",
    )
}

/// What clients get although no endpoint is ready, and how severe that is.
pub(super) fn traffic_left(scene: &Scene<'_>) -> (Severity, String) {
    let used_of = |slices: &[&EndpointSlice<'_>]| {
        let service = scene.proxied()?;
        let families = AddressType::ALL;
        let used = families
            .into_iter()
            .filter_map(|family| traffic::of(scene, service, slices, family, From::Zones).used());
        used.max()
    };
    let (now, used) = (used_of(&scene.seen()), used_of(&scene.planned()));
    let mut traffic = match used {
        Some(0) => "Connections to the Service are refused.".to_string(),
        Some(used) => format!(
            "kube-proxy falls back to {} that {} terminating but still serving.",
            counted(used, "endpoint"),
            if used == 1 { "is" } else { "are" }
        ),
        None if scene.case.service.is_headless() => {
            "Clients that ask DNS for its endpoints find none.".to_string()
        }
        None => "kube-proxy does not serve the Service.".to_string(),
    };
    if now != used {
        traffic = format!(
            "The live slices still send clients to {}. Once they are updated: {traffic}",
            counted(now.unwrap_or_default(), "endpoint")
        );
    }
    let severity = match used {
        Some(0) | None => Severity::Broken,
        Some(_) => Severity::Degraded,
    };
    (severity, traffic)
}

fn published(scene: &Scene<'_>, selected: &[&Pod<'_>]) -> Option<Explanation> {
    let service = scene.case.service;
    if !service.spec.publish_not_ready_addresses {
        return None;
    }
    let published = selected
        .iter()
        .filter(|pod| pod.may_be_endpoint() && (!pod.is_ready() || pod.is_terminating()));
    let names: Vec<&str> = published.map(|pod| &*pod.metadata.name).collect();
    if names.is_empty() {
        return None;
    }
    // Clients of a cluster IP cannot tell them apart.
    let severity = if service.is_headless() {
        Severity::Risk
    } else {
        Severity::Degraded
    };
    let message = format!(
        "publishNotReadyAddresses publishes {} as ready: true that {} not ready, or terminating: {}. Clients get them like any others, through kube-proxy or DNS.",
        counted(names.len(), "pod"),
        if names.len() == 1 { "is" } else { "are" },
        list(&names)
    );
    Some(
        say::service(Code::NotReadyPublished, service, "Pods that are not ready are published as ready.").severity(severity).because(format!("publishNotReadyAddresses is set: {}.", list(&names))).details(message)
            .figure("pods", names.as_slice())
            .fixes([say::fix(
                "set spec.publishNotReadyAddresses: false, unless peers have to find each other before they are ready; in that case give clients a second Service without it",
                "pods are only ready endpoints while their Ready condition is True",
            )
            .by([with_fields(scene.case.service, &[("publishNotReadyAddresses", false)])])]),
    )
}

fn too_many_ports(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let ports = service.spec.ports.len();
    if ports <= MAX_PORTS {
        return None;
    }
    let message = format!(
        "Service {} has {ports} ports, and the API allows at most {MAX_PORTS} in a slice: every write of its slices is refused, and the Service has no endpoints. The controller does not split ports over slices.",
        service.metadata.name
    );
    Some(
        say::service(
            Code::TooManyPorts,
            service,
            "Every write of the slices of this Service is refused.",
        )
        .because(format!(
            "It has {ports} ports, and a slice can have at most {MAX_PORTS}."
        ))
        .details(message)
        .figure("ports", ports)
        .figure("maximum", MAX_PORTS)
        .fix(
            format!(
                "split it into {} Services of at most {MAX_PORTS} ports with the same selector",
                ports.div_ceil(MAX_PORTS)
            ),
            "the API accepts the slices of each",
        )
        .fix(
            "or make it headless without ports, if clients know the ports",
            "its slices need no ports",
        ),
    )
}
