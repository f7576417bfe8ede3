//! DNS names that pods ask for and do not get: a pod is HOSTNAME.SUBDOMAIN only through a headless Service that has the
//! name of its subdomain and selects it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scene::{Scene, is_pod};
use super::words::{list, pairs};
use super::{Explanations, say};
use slicewise::model::order::Grouped;
use slicewise::model::{Named as _, NamespacedName, Pod};
use slicewise::plan::explanation::{
    Explanation, ExplanationCode as Code, Severity, SubjectKind, Verdict,
};
use slicewise::plan::is_selected;
use slicewise::words::counted;

/// Pods with a subdomain that have not finished, by the Service that it names, each group in the given order.
pub(crate) type PodsBySubdomain<'p> = Grouped<(&'p str, &'p str), &'p Pod<'p>>;

pub(crate) fn by_subdomain<'p>(pods: &[&'p Pod<'p>]) -> PodsBySubdomain<'p> {
    let pods = pods.iter().copied();
    let asking = pods.filter(|pod| !pod.spec.subdomain.is_empty() && !pod.is_terminal());
    Grouped::new(asking.map(|pod| {
        let (namespace, name) = (pod.metadata.namespace.as_str(), pod.spec.subdomain.as_str());
        ((namespace, name), pod)
    }))
}

/// Explains which pods have the Service's name as their subdomain, and get no DNS names from it.
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let name = &service.metadata.name;
    let pods: Vec<&Pod<'_>> = scene
        .case
        .in_subdomain
        .iter()
        .map(|(_, pod)| *pod)
        .collect();
    let is_alias = service.spec.service_type == "ExternalName";
    if pods.is_empty() || !is_alias && !service.is_reconciled() {
        return None;
    }
    let left = pods.iter().copied();
    let left = left.filter(|pod| is_alias || !is_selected(pod, service));
    let left: Vec<&Pod<'_>> = left.collect();
    let key = NamespacedName::of(service);
    let selector = service.spec.selector.as_ref();
    let selector = selector.map_or_else(String::new, pairs);
    if !left.is_empty() {
        let why = match is_alias {
            true => format!("Service {name} is of type ExternalName"),
            false => format!("the selector of Service {name} ({selector}) does not match"),
        };
        let told = unresolved(&key, &left, scene.case.pod, (true, &why));
        let told = match is_alias {
            true => told,
            false => told.fix(
                format!("give the pods the labels {selector} in their template, or change the selector of {name}"),
                format!("pods with spec.hostname can be reached as HOSTNAME.{name}.{}.svc", key.namespace),
            ),
        };
        // That the selector matches nothing is the cause.
        return Some(match scene.case.selected.is_empty() && !is_alias {
            true => told.severity(Severity::Note),
            false => told,
        });
    }
    if service.is_headless() {
        return None;
    }
    let why = format!(
        "Service {name} has a cluster IP, while only headless Services must give their pods names (CoreDNS gives them under others, too)"
    );
    let told = unresolved(&key, &pods, scene.case.pod, (false, &why));
    Some(told.severity(Severity::Risk).fix(
        "for names in any cluster, add a headless Service (clusterIP: None) for the pods and set spec.subdomain (a StatefulSet: spec.serviceName) to its name",
        "the names of the pods are in DNS",
    ))
}

/// Explains pods whose subdomain is the name of a Service that does not exist.
pub(crate) fn of_missing(
    service: &NamespacedName,
    pods: &[&Pod<'_>],
    asked: Option<&str>,
) -> Explanations {
    let NamespacedName { namespace, name } = service;
    let why = format!("the input has no Service {name}");
    let told = unresolved(service, pods, asked, (true, &why))
        .fix(
            format!("create Service {name} in namespace {namespace} with clusterIP: None and a selector that matches the pods"),
            format!("pods with spec.hostname can be reached as HOSTNAME.{name}.{namespace}.svc"),
        )
        .look(
            format!("kubectl get service {name} -n {namespace}"),
            "whether the cluster has it although the input lacks it",
        );
    Explanations {
        verdict: Verdict {
            severity: told.severity,
            text: format!("{} {}", told.what, told.because),
        },
        explanations: [told].into(),
        is_plain: false,
    }
}

/// One answer for all pods, or for the one that the question asks about.
fn unresolved(
    service: &NamespacedName,
    pods: &[&Pod<'_>],
    asked: Option<&str>,
    (is_sure, why): (bool, &str),
) -> Explanation {
    let NamespacedName { namespace, name } = service;
    let is_asked = |pod: &&&Pod<'_>| asked.is_some_and(|asked| is_pod(asked, pod.full_name()));
    let one = pods.iter().find(is_asked).or(match pods {
        [one] => Some(one),
        _ => None,
    });
    let names: Vec<&str> = pods.iter().map(|pod| &*pod.metadata.name).collect();
    let (has, have) = if is_sure {
        ("has", "have")
    } else {
        ("may have", "may have")
    };
    let explanation = match one {
        Some(pod) => {
            let own = match pod.spec.hostname.as_str() {
                "" => "no DNS name of its own".into(),
                hostname => format!("no DNS name {hostname}.{name}.{namespace}.svc"),
            };
            let what = format!("Pod {} {has} {own}.", pod.metadata.name);
            let because = format!("Its subdomain is {name}, and {why}.");
            say::pod(Code::SubdomainUnresolved, pod, what).because(because)
        }
        None => {
            let what = format!(
                "{} {have} no DNS names under {name}.{namespace}.svc.",
                counted(names.len(), "pod")
            );
            let because = format!("Their subdomain is {name}, and {why}: {}.", list(&names));
            Explanation::new(
                Code::SubdomainUnresolved,
                SubjectKind::Service,
                (namespace, name),
                what,
            )
            .because(because)
        }
    };
    explanation
        .details("A pod has a DNS name of its own, HOSTNAME.SUBDOMAIN.NAMESPACE.svc, only if a headless Service of its namespace has the name of its spec.subdomain and selects it, and if it has a spec.hostname: the controller then writes the hostname into the Service's slices, from which DNS takes it. A StatefulSet sets both, the subdomain from its spec.serviceName, and does not create that Service. Until the pod is ready, its name only resolves with publishNotReadyAddresses.")
        .figure("subdomain", name.as_str())
        .figure("pods", names.as_slice())
}
