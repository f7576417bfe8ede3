//! Workloads of the input whose pods a selector nearly matches, before any of them exists: a chart that is checked.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::extras::Beside;
use super::misses::{Miss, matching, misses};
use super::say;
use super::scene::Scene;
use super::words::{list, pairs};
use crate::edited::EditedService;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::words::counted;

/// Explains a selector that matches no pod, in a namespace without pods, by the templates of its workloads.
pub(super) fn explain(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let selector = service.spec.selector.as_ref()?;
    if !scene.pods.is_empty() {
        return None;
    }
    let namespace = &service.metadata.namespace;
    let workloads = scene.case.details.beside(namespace);
    let workloads: Vec<&Beside<'_>> = workloads
        .filter(|one| Beside::WORKLOADS.contains(&&*one.kind))
        .collect();
    let missed = workloads.iter().map(|one| {
        let labels = &one.spec.template.metadata.labels;
        (misses(selector, labels), *one)
    });
    let (misses, nearest) = missed.min_by_key(|(misses, _)| misses.len())?;
    let title = nearest.title();
    let explanation = say::service(
        Code::SelectsNothing,
        service,
        "The selector matches the pods of no workload.",
    );
    // Of a single workload, the keys are telling enough.
    let is_meant = workloads.len() == 1 && misses.iter().all(|miss| miss.found.is_some());
    let is_near = misses.len() < selector.len() || misses.iter().all(Miss::is_slip);
    if !is_near && !is_meant {
        let because = format!(
            "None of {} gives its pods labels close to {}.",
            counted(workloads.len(), "workload"),
            pairs(selector)
        );
        return Some(explanation.because(because));
    }
    let mended = matching(selector, &misses);
    let words: Vec<String> = misses.iter().map(Miss::in_words).collect();
    let missing = misses
        .iter()
        .map(|miss| format!("{}={}", miss.key, miss.wanted));
    let missing: Vec<String> = missing.collect();
    let because = format!("The template of {title} {}.", list(&words));
    Some(
        explanation
            .because(because)
            .fixes([say::fix(
                format!("set the selector to {}", pairs(&mended)),
                format!("it matches the pods of {title}"),
            )
            .by([EditedService::new(service).selecting(mended).change])])
            .fix(
                format!("or label the pods {} in their template", missing.join(" ")),
                "the unchanged selector matches them",
            ),
    )
}
