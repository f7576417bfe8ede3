//! Pods that a selector does not match, including near misses.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::misses::{Miss, mended, misses};
use super::pod_labels::{AlikePods, PodLabels};
use super::say;
use super::scene::Scene;
use super::words::{list, pairs};
use slicewise::membership::selector::matches;
use slicewise::model::{Pod, StringMap};
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;

/// Explains a pod that was asked about and is not selected.
pub(super) fn not_selected(scene: &Scene<'_>, pod: &Pod<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let selector = service.spec.selector.as_ref()?;
    let misses = misses(selector, &pod.metadata.labels);
    let what: Vec<String> = misses.iter().map(Miss::in_words).collect();
    let name = &pod.metadata.name;
    let message = format!(
        "Pod {name} is not an endpoint, because the Service does not select it: it {}. The selector is {}; a pod needs every pair.",
        list(&what),
        pairs(selector)
    );
    let labels: Vec<String> = misses.iter().map(Miss::pair).collect();
    let mut labelled = SuggestedChange::patch("Pod", &pod.metadata.namespace, name);
    let is_bare = pod.metadata.labels.is_empty();
    for (place, miss) in misses.iter().enumerate() {
        labelled.set_in_map(
            "/metadata/labels",
            is_bare && place == 0,
            miss.key,
            miss.wanted,
        );
    }
    let change = format!(
        "label the pod {}, preferably in its owner's template (kubectl label --overwrite pod {name} -n {} {} for this pod only)",
        labels.join(" "),
        pod.metadata.namespace,
        labels.join(" ")
    );
    let explanation = say::pod(
        Code::PodNotSelected,
        pod,
        format!("The Service does not select Pod {name}."),
    )
    .because(format!("The pod {}.", list(&what)))
    .details(message);
    // A pod that has nothing to do with the Service is no fault of either.
    Some(
        match misses.len() < selector.len() || misses.iter().all(Miss::is_slip) {
            true => explanation.fixes([say::fix(change, "the Service selects it").by([labelled])]),
            false => explanation.severity(Severity::Note),
        },
    )
}

/// The pod exists in other namespaces only.
pub(super) fn in_other_namespace(scene: &Scene<'_>, pod: &Pod<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let selector = service.spec.selector.as_ref()?;
    let also = if matches(selector, &pod.metadata.labels) {
        ", although its labels would match"
    } else {
        ""
    };
    let message = format!(
        "Pod {} is in namespace {}, the Service in {}: a Service only selects pods in its own namespace{also}.",
        pod.metadata.name, pod.metadata.namespace, service.metadata.namespace
    );
    let change = format!(
        "create a Service with this selector in namespace {}",
        pod.metadata.namespace
    );
    let host = format!(
        "clients in other namespaces reach it as {}.{}",
        service.metadata.name, pod.metadata.namespace
    );
    Some(
        say::pod(
            Code::PodInOtherNamespace,
            pod,
            format!("The Service does not select Pod {}.", pod.metadata.name),
        )
        .because(format!(
            "The pod is in namespace {}, the Service in {}.",
            pod.metadata.namespace, service.metadata.namespace
        ))
        .details(message)
        .fix(change, host),
    )
}

/// The input has no pods, but the cluster may.
fn no_pods(scene: &Scene<'_>, selector: &StringMap<'_>) -> Explanation {
    let message = format!(
        "The input has no pods in any namespace, so the selector {} matches none, and the plan removes all endpoints.",
        pairs(selector)
    );
    say::service(Code::SelectsNothing, scene.case.service, "The selector matches no pod in the input.").because("The input has no pods at all.").details(message).look(
        "kubectl get services,pods,nodes,endpointslices -A -o json",
        "the pods, too, unless the cluster really has none: with them the answer matches the cluster",
    )
}

/// A namespace without pods.
fn no_pods_here(scene: &Scene<'_>, selector: &StringMap<'_>) -> Explanation {
    let service = scene.case.service;
    let namespace = &service.metadata.namespace;
    let elsewhere = elsewhere(scene, selector);
    let message = format!(
        "The selector {} matches no pod: namespace {namespace} has no pods at all{elsewhere}.",
        pairs(selector)
    );
    say::service(
        Code::SelectsNothing,
        service,
        "The selector matches no pod.",
    )
    .because(format!("Namespace {namespace} has no pods at all."))
    .details(message)
    .look(
        format!("kubectl describe replicaset -n {namespace}"),
        "whether their owner is scaled to zero, or its pods are refused; the controller adds pods as soon as they have an address",
    )
}

/// Slices of others, if those serve the clients.
fn others_serve(scene: &Scene<'_>, selector: &StringMap<'_>) -> Option<Explanation> {
    let effect = scene.effect.as_ref()?;
    if effect.severity() != Severity::Note
        || scene.ready_of_own() > 0
        || scene.case.slices.is_empty()
    {
        return None;
    }
    let what = "The selector matches no pod; slices of others serve the clients.";
    let explanation = say::service(Code::SelectsNothing, scene.case.service, what);
    Some(
        explanation
            .because(format!("No pod has {}.", pairs(selector)))
            .severity(Severity::Note),
    )
}

/// Explains that no pods are selected, with the nearest matches.
pub(super) fn nothing(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let selector = service.spec.selector.as_ref()?;
    let namespace = &service.metadata.namespace;
    if let Some(others) = others_serve(scene, selector) {
        return Some(others);
    }
    if scene.pods.is_empty() {
        if scene.case.pods.is_empty() {
            return Some(no_pods(scene, selector));
        }
        return Some(no_pods_here(scene, selector));
    }
    let near = nearest_pods(scene.case.labels?, namespace, selector);
    let mut message = format!(
        "The selector {} matches none of the {} in namespace {namespace}",
        pairs(selector),
        counted(scene.pods.len(), "pod")
    );
    let Some(first) = near.first() else {
        message.push_str(", and none of them nearly matches");
        message.push_str(&elsewhere(scene, selector));
        message.push('.');
        return Some(
            say::service(
                Code::SelectsNothing,
                service,
                "The selector matches no pod.",
            )
            .because(format!(
                "None of {} in namespace {namespace} is close to {}.",
                counted(scene.pods.len(), "pod"),
                pairs(selector)
            ))
            .details(message)
            .look(
                format!("kubectl get pods -n {namespace} --show-labels"),
                "the labels to compare with the selector: a pod is selected once it has every pair",
            ),
        );
    };
    let misses = misses(selector, &first.metadata.labels);
    let words: Vec<String> = misses.iter().map(Miss::in_words).collect();
    let names: Vec<&str> = near.iter().map(|pod| &*pod.metadata.name).collect();
    message.push_str(&format!(
        ". Nearest: Pod {} {}{}.",
        first.metadata.name,
        list(&words),
        if names.len() > 1 {
            format!(", and {} as close", counted(names.len() - 1, "other pod"))
        } else {
            String::new()
        }
    ));
    let fixes = mended(service, selector, &misses, |mended| {
        let here = matched(scene, mended).filter(|pod| pod.metadata.namespace == *namespace);
        counted(here.count(), "pod")
    });
    Some(
        say::service(
            Code::SelectsNothing,
            service,
            "The selector matches no pod.",
        )
        .because(format!(
            "The nearest, Pod {}, {}.",
            first.metadata.name,
            list(&words)
        ))
        .details(message)
        .figure("pods", scene.pods.len())
        .figure("nearest", names.as_slice())
        .fixes(fixes),
    )
}

/// The pods of a namespace that lack the fewest pairs; if all lack every pair, those where each of them is a slip.
fn nearest_pods<'l, 'p>(
    labels: &'l PodLabels<'p>,
    namespace: &str,
    selector: &StringMap<'_>,
) -> Vec<&'p Pod<'p>> {
    let near = labels.with_most_pairs(namespace, selector);
    let (true, Some(pair)) = (near.is_empty(), selector.iter().next()) else {
        return near.concat();
    };
    let is_slip = |alike: &AlikePods<'l, 'p>| {
        let pod = alike.first();
        pod.is_some_and(|pod| {
            misses(selector, &pod.metadata.labels)
                .iter()
                .all(Miss::is_slip)
        })
    };
    let similar = labels.with_similar(namespace, pair);
    similar
        .into_iter()
        .filter(is_slip)
        .flatten()
        .copied()
        .collect()
}

/// The pods of all namespaces that a selector matches, if the Service selects none.
fn matched<'s>(
    scene: &Scene<'s>,
    selector: &StringMap<'_>,
) -> impl Iterator<Item = &'s Pod<'s>> + use<'s> {
    let labels = scene.case.labels.into_iter();
    let matched: Vec<_> = labels.map(|labels| labels.matched(selector)).collect();
    matched.into_iter().flatten().flatten().copied()
}

/// Pods in other namespaces that would match.
fn elsewhere(scene: &Scene<'_>, selector: &StringMap<'_>) -> String {
    let would = matched(scene, selector).map(|pod| pod.metadata.namespace.as_str());
    let namespaces: Vec<&str> = slicewise::model::order::sorted_unique(would);
    if namespaces.is_empty() {
        return String::new();
    }
    format!(
        " (pods in {} would match, but a Service only selects pods in its own namespace)",
        list(&namespaces)
    )
}

#[cfg(test)]
mod tests {
    use slicewise::model::Named as _;

    use super::*;

    const KEYS: [&str; 3] = ["app", "App", "tier"];
    const VALUES: [&str; 7] = ["", "web", "wbe", "WEB", "website", "website-2", "till"];

    /// All maps of up to two labels.
    fn maps() -> Vec<String> {
        let pairs = KEYS
            .iter()
            .flat_map(|key| VALUES.map(|value| format!("\"{key}\": \"{value}\"")));
        let pairs: Vec<String> = pairs.collect();
        let mut maps = alloc::vec!["{}".to_owned()];
        for (place, one) in pairs.iter().enumerate() {
            maps.push(format!("{{{one}}}"));
            let others = pairs
                .iter()
                .skip(place / VALUES.len() * VALUES.len() + VALUES.len());
            maps.extend(others.map(|other| format!("{{{one}, {other}}}")));
        }
        maps
    }

    /// Compares each pod of the namespace with the selector.
    fn scanned<'p>(
        pods: &[&'p Pod<'p>],
        namespace: &str,
        selector: &StringMap<'_>,
    ) -> Vec<&'p Pod<'p>> {
        let here = pods
            .iter()
            .filter(|pod| pod.metadata.namespace == *namespace);
        let here: Vec<_> = here
            .map(|pod| (misses(selector, &pod.metadata.labels), *pod))
            .collect();
        let least = here.iter().map(|(misses, _)| misses.len()).min();
        let is_near = |misses: &[Miss<'_>]| {
            Some(misses.len()) == least
                && (misses.len() < selector.len() || misses.iter().all(Miss::is_slip))
        };
        let near = here.iter().filter(|(misses, _)| is_near(misses));
        near.map(|(_, pod)| *pod).collect()
    }

    #[test]
    fn the_nearest_are_found_as_by_comparing_all() {
        let maps = maps();
        for (step, namespaces) in [(1, ["a", "b"]), (5, ["a", "b"]), (17, ["b", "b"])] {
            let objects = maps.iter().enumerate().step_by(step).map(|(place, labels)| {
                let namespace = namespaces[place % 2];
                format!(
                    r#"{{"metadata": {{"namespace": "{namespace}", "name": "{place:03}", "labels": {labels}}}}}"#
                )
            });
            let objects: Vec<String> = objects.collect();
            let pods = objects
                .iter()
                .map(|json| serde_json::from_str(json).unwrap());
            let pods: Vec<Pod<'_>> = pods.collect();
            let mut sorted: Vec<&Pod<'_>> = pods.iter().collect();
            sorted.sort_by(|a, b| a.full_name().cmp(&b.full_name()));
            let labels = PodLabels::new(&sorted);
            for selector in maps.iter().skip(1) {
                let selector: StringMap<'_> = serde_json::from_str(selector).unwrap();
                for namespace in ["a", "b", "c"] {
                    let names = |pods: Vec<&Pod<'_>>| -> Vec<String> {
                        pods.iter()
                            .map(|pod| pod.metadata.name.to_string())
                            .collect()
                    };
                    let found = names(nearest_pods(&labels, namespace, &selector));
                    assert_eq!(
                        found,
                        names(scanned(&sorted, namespace, &selector)),
                        "{selector:?}"
                    );
                }
                let all = labels.matched(&selector).concat();
                let expected = sorted
                    .iter()
                    .filter(|pod| matches(&selector, &pod.metadata.labels));
                assert!(all.into_iter().eq(expected.copied()), "{selector:?}");
            }
        }
    }
}
