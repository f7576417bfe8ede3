//! The owners of the selected pods: normally a single workload.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::list;
use slicewise::model::order::sorted_unique;
use slicewise::model::{Pod, SortedMap};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::words::counted;

/// Labels that differ between revisions of the same workload.
const OF_A_REVISION: [&str; 2] = ["pod-template-hash", "controller-revision-hash"];

/// Explains that the pods belong to several workloads.
pub(super) fn explain(scene: &Scene<'_>, selected: &[&Pod<'_>]) -> Option<Explanation> {
    let workloads = workloads(scene, selected);
    if workloads.len() < 2 {
        return None;
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

/// The pods of each workload, by its name.
fn workloads<'s>(scene: &Scene<'_>, pods: &[&'s Pod<'s>]) -> Vec<(String, Vec<&'s Pod<'s>>)> {
    let mut found: SortedMap<String, Vec<&Pod<'_>>> = SortedMap::default();
    let running = pods.iter().filter(|pod| pod.may_be_endpoint());
    for &pod in running.filter(|pod| !pod.is_terminating()) {
        if let Some(name) = workload_of(scene, pod) {
            found.or_default(name).push(pod);
        }
    }
    let found = found.iter();
    found
        .map(|(name, pods)| (name.clone(), pods.clone()))
        .collect()
}

/// The owner of a pod; for a ReplicaSet, the Deployment that owns it.
fn workload_of(scene: &Scene<'_>, pod: &Pod<'_>) -> Option<String> {
    let mut owners = scene.detail(pod)?.metadata.owner_references.iter();
    let owner = owners.find(|owner| owner.controller)?;
    let hash = pod.metadata.labels.get("pod-template-hash");
    let deployment = hash
        .filter(|_| owner.kind == "ReplicaSet")
        .and_then(|hash| owner.name.strip_suffix(hash.as_str()))
        .and_then(|name| name.strip_suffix('-'));
    Some(match deployment {
        Some(name) => format!("Deployment {name}"),
        None => format!("{} {}", owner.kind, owner.name),
    })
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
    let keys = keys
        .filter(|key| !OF_A_REVISION.contains(key))
        .filter(tells);
    keys.map(ToString::to_string).collect()
}
