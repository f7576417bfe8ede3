//! The owners of the selected pods: normally a single workload.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use super::misses::is_of_a_revision;
use super::say;
use super::scene::Scene;
use super::traffic::{self, From};
use super::words::{list, sentence};
use crate::edited::EditedService;
use slicewise::model::order::{gathered, sorted_unique};
use slicewise::model::{AddressType, Pod, SortedMap, Text};
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Fix, Severity};
use slicewise::words::{counted, percent};
use slicewise_traffic::routing::EndpointLoad;

/// Explains that the pods belong to several workloads.
pub(super) fn explain(scene: &Scene<'_>, selected: &[&Pod<'_>]) -> Option<Explanation> {
    let workloads = workloads(scene, selected);
    if workloads.len() < 2 {
        return None;
    }
    if let Some(job) = of_job(scene, &workloads) {
        return Some(job);
    }
    let words: Vec<String> = workloads
        .iter()
        .map(|(name, pods)| format!("{name} ({})", counted(pods.len(), "pod")))
        .collect();
    let names: Vec<&str> = workloads.iter().map(|(name, _)| name.as_str()).collect();
    let labels = telling(&workloads);
    let explanation = say::service(
        Code::SelectsSeveralWorkloads,
        scene.case.service,
        format!(
            "The selector matches pods of {}.",
            counted(workloads.len(), "workload")
        ),
    )
    .because(format!("{}.", list(&words)))
    .details("Each pod gets its share of the traffic, whatever its owner. For a canary, or while one workload replaces another, this is intended; otherwise the selector is too broad, and some requests reach the wrong pods.")
    .figure("workloads", names.as_slice());
    Some(match labels.first() {
        Some(label) => explanation.fix(
            format!("if only one is intended: add its label {label} to the selector"),
            "the other pods are no longer endpoints of the Service",
        ),
        None => explanation.fix(
            "if only one is intended: give its pods a distinct label, and add it to the selector",
            "the other pods are no longer endpoints of the Service",
        ),
    })
}

/// The pods of a Job beside those of a workload that serves: they are ready as soon as they run.
fn of_job(scene: &Scene<'_>, workloads: &[(String, Vec<&Pod<'_>>)]) -> Option<Explanation> {
    let is_job = |name: &str| name.starts_with("Job ");
    let (name, pods) = workloads.iter().find(|(name, _)| is_job(name))?;
    let (others, serving) = workloads.iter().find(|(name, _)| !is_job(name))?;
    let first = pods.first()?;
    let is_used = |pod: &&Pod<'_>| {
        let wanted = scene.desired_of(&[*pod]);
        let ports = wanted.groups.values().any(|group| !group.ports.is_empty());
        pod.is_ready() && ports
    };
    let is_ready =
        |(_, pods): &(String, Vec<&Pod<'_>>)| pods.iter().filter(|pod| is_used(pod)).count();
    let all: usize = workloads.iter().map(is_ready).sum();
    let used = pods.iter().filter(|pod| is_used(pod)).count();
    let label = serving.first().and_then(|pod| {
        let mut labels = pod.metadata.labels.iter();
        let lacks = |(key, value): &(&Text<'_>, &Text<'_>)| {
            !is_of_a_revision(key)
                && serving
                    .iter()
                    .all(|pod| pod.metadata.labels.get(key.as_str()) == Some(*value))
                && !pods
                    .iter()
                    .any(|pod| pod.metadata.labels.get(key.as_str()) == Some(*value))
        };
        labels.find(lacks)
    });
    let (what, severity) = match used {
        0 => (
            format!(
                "Pod {} of {name} is an endpoint without a port, and gets no traffic.",
                first.metadata.name
            ),
            Severity::Risk,
        ),
        used => {
            let share = share(scene, pods).unwrap_or_else(|| used as f64 / all.max(1) as f64);
            let what = format!(
                "{} of the requests go to {name}, which the selector matches.",
                percent(share, 0)
            );
            (what, Severity::Degraded)
        }
    };
    let why = match used {
        0 => {
            "it matches the selector but has no port of the Service's name, so it has a slice of its own without ports; kube-proxy ignores that, some other readers do not."
        }
        _ => {
            "a pod of a Job is ready as soon as it runs, unless it has a readiness probe; whether it listens does not matter."
        }
    };
    Some(
        say::service(Code::SelectsSeveralWorkloads, scene.case.service, what)
            .because(match used {
                0 => sentence(why),
                _ => format!("Pod {}: {why}", first.metadata.name),
            })
            .severity(severity)
            .figure(
                "pods",
                pods.iter()
                    .map(|pod| pod.metadata.name.as_str())
                    .collect::<Vec<_>>()
                    .as_slice(),
            )
            .fixes([narrower(scene, others, label)])
            .fix(
                "or change the labels of the Job's pods that the selector asks for",
                "the selector does not match them",
            ),
    )
}

/// A selector that leaves the Job's pods out, by a label that all others have.
fn narrower(scene: &Scene<'_>, others: &str, label: Option<(&Text<'_>, &Text<'_>)>) -> Fix {
    let effect = "the Job's pods are no endpoints; another label on them alone would not help, because a selector matches pods with more labels";
    match label {
        Some((key, value)) => say::fix(
            format!(
                "add {key}={value} to the selector: the pods of {others} have it, the Job's do not"
            ),
            effect,
        )
        .by(selecting_also(scene, key, value)),
        None => say::fix(
            format!(
                "give the pods of {others} a label that the Job's pods lack, and add it to the selector"
            ),
            effect,
        ),
    }
}

/// The Service with one more pair in its selector.
fn selecting_also(scene: &Scene<'_>, key: &str, value: &str) -> Option<SuggestedChange> {
    let service = scene.case.service;
    let mut selector = service.spec.selector.clone()?;
    selector.insert(key.to_string().into(), value.to_string().into());
    Some(EditedService::new(service).selecting(selector).change)
}

/// The share of the requests that goes to these pods, on the port of which they get most; `None` if kube-proxy sends
/// them none.
fn share(scene: &Scene<'_>, pods: &[&Pod<'_>]) -> Option<f64> {
    let (service, slices) = (scene.proxied()?, scene.seen());
    let own = pods
        .iter()
        .flat_map(|pod| pod.status.pod_ips.iter().map(|own| own.ip));
    let own: BTreeSet<IpAddr> = gathered(own);
    let is_own = |one: &&EndpointLoad| {
        let address = one.endpoint.parse::<SocketAddr>();
        address.is_ok_and(|address| own.contains(&address.ip()))
    };
    let families = AddressType::ALL.into_iter();
    let ports =
        families.flat_map(|family| traffic::of(scene, service, &slices, family, From::Zones).ports);
    let shares = ports.map(|port| {
        let loads = port.endpoints.iter().filter(is_own);
        loads.map(|one| one.share).sum::<f64>()
    });
    shares.reduce(f64::max).filter(|share| *share > 0.0)
}

/// The pods of each workload, by its name.
fn workloads<'s>(scene: &Scene<'_>, pods: &[&'s Pod<'s>]) -> Vec<(String, Vec<&'s Pod<'s>>)> {
    let mut owned: SortedMap<(&str, &str, &str), Vec<&Pod<'_>>> = SortedMap::default();
    let running = pods.iter().filter(|pod| pod.may_be_endpoint());
    for &pod in running.filter(|pod| !pod.is_terminating()) {
        if let Some(owner) = owner_of(scene, pod) {
            owned.or_default(owner).push(pod);
        }
    }
    let mut found: SortedMap<String, Vec<&Pod<'_>>> = SortedMap::default();
    for (owner, pods) in owned.iter() {
        found.or_default(workload(*owner)).extend(pods);
    }
    let found = found.iter();
    found
        .map(|(name, pods)| (name.clone(), pods.clone()))
        .collect()
}

/// The kind and name of a pod's owner, and the hash of its template.
fn owner_of<'s>(scene: &Scene<'s>, pod: &'s Pod<'_>) -> Option<(&'s str, &'s str, &'s str)> {
    let mut owners = scene.detail(pod)?.metadata.owner_references.iter();
    let owner = owners.find(|owner| owner.controller)?;
    let hash = pod.metadata.labels.get("pod-template-hash");
    Some((&owner.kind, &owner.name, hash.map_or("", Text::as_str)))
}

/// The name of an owner; for a ReplicaSet, of the Deployment that owns it.
fn workload((kind, name, hash): (&str, &str, &str)) -> String {
    let deployment = name
        .strip_suffix(hash)
        .filter(|_| kind == "ReplicaSet" && !hash.is_empty());
    match deployment.and_then(|name| name.strip_suffix('-')) {
        Some(name) => format!("Deployment {name}"),
        None => format!("{kind} {name}"),
    }
}

/// Labels with one value per workload, which no two workloads share.
fn telling(workloads: &[(String, Vec<&Pod<'_>>)]) -> Vec<String> {
    let of = |pods: &[&Pod<'_>], key: &str| {
        let values = pods.iter().map(|pod| {
            let value = pod.metadata.labels.get(key);
            value.map(|value| value.to_string())
        });
        sorted_unique(values)
    };
    let first = workloads.first().and_then(|(_, pods)| pods.first());
    let keys = first.into_iter().flat_map(|pod| pod.metadata.labels.iter());
    let keys = keys.map(|(key, _)| key.as_str());
    let tells = |key: &&str| {
        let values: Vec<_> = workloads.iter().map(|(_, pods)| of(pods, key)).collect();
        let all = sorted_unique(values.iter().flatten().cloned());
        values.iter().all(|values| values.len() == 1) && all.len() == workloads.len()
    };
    let keys = keys.filter(|key| !is_of_a_revision(key)).filter(tells);
    keys.map(ToString::to_string).collect()
}
