//! Workloads of the input whose pods a selector nearly matches, before any of them exists: a chart that is checked.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::extras::Beside;
use super::misses::{Miss, mended, misses};
use super::say;
use super::scene::Scene;
use super::words::{list, pairs};
use slicewise::model::Text;
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
    let lacking = |one: &&&Beside<'_>| {
        let labels = &one.spec.template.metadata.labels;
        let lacks = |(key, value): &(&Text<'_>, &Text<'_>)| labels.get(*key) != Some(*value);
        selector.iter().filter(lacks).count()
    };
    let nearest = workloads.iter().min_by_key(lacking)?;
    let misses = misses(selector, &nearest.spec.template.metadata.labels);
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
    let words: Vec<String> = misses.iter().map(Miss::in_words).collect();
    let because = format!("The template of {title} {}.", list(&words));
    let fixes = mended(service, selector, &misses, |_| {
        format!("the pods of {title}")
    });
    Some(explanation.because(because).fixes(fixes))
}
