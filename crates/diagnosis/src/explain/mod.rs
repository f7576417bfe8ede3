//! Why things are as they are, in words that people can act on.
//!
//! Every answer comes from the functions that decide: [`desired`](slicewise::reconcile::desired) evaluates a single
//! pod, [`NodeIndex`](slicewise::topology::nodes::NodeIndex) a node next to two healthy ones,
//! [`allocate`](slicewise::topology::allocation::allocate) a count of endpoints, and the planner a change of the
//! Service. No rule is implemented a second time here, so an explanation cannot contradict the plan. None of this runs
//! unless it is requested.

mod addresses;
pub mod cluster;
mod cost;
mod declared;
pub mod details;
mod difference;
mod dns;
mod events;
pub mod extras;
mod families;
mod fragments;
mod hints;
mod hints_given;
mod hints_nodes;
mod hints_off;
mod lost_nodes;
mod mirrored;
mod not_ready;
mod not_written;
pub(crate) mod orphans;
pub mod pod_detail;
mod pods;
mod policies;
mod ports;
mod restarts;
mod say;
mod scene;
mod selector;
mod service;
mod settings;
mod slices;
mod strangers;
mod targets;
mod terminating;
pub mod text;
mod traffic;
mod unseen;
mod unwritten;
mod whatif;
mod when;
mod words;
mod workloads;
mod zones;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::plan::explanation::{Explanation, Severity, Verdict};
use slicewise::words::counted;

pub(crate) use scene::{Case, is_pod, pods_of};

use scene::Scene;

/// The explanations of a Service.
pub(crate) struct Explanations {
    /// In one line.
    pub(crate) verdict: Verdict,
    /// The reasons, worst first; those of equal severity by topic.
    pub(crate) explanations: Vec<Explanation>,
}

/// Explains one Service: the Service itself, its pods, hints and slices, and what it costs.
pub(crate) fn explain(case: &Case<'_>) -> Explanations {
    let scene = Scene::new(case);
    let mut answers = Vec::new();
    service::explain(&scene, &mut answers);
    if case.service.is_reconciled() || !case.endpoints.is_empty() {
        pods::explain(&scene, &mut answers);
        lost_nodes::explain(&scene, &mut answers);
        settings::explain(&scene, &mut answers);
        hints::explain(&scene, &mut answers);
        not_written::explain(&scene, &mut answers);
        slices::explain(&scene, &mut answers);
        fragments::explain(&scene, &mut answers);
    }
    addresses::explain(&scene, &mut answers);
    targets::explain(&scene, &mut answers);
    policies::explain(&scene, &mut answers);
    answers.extend(mirrored::explain(&scene));
    answers.extend(dns::explain(&scene));
    answers.extend(dns::port(&scene));
    events::explain(&scene, &mut answers);
    strangers::explain(&scene, &mut answers);
    unseen::explain(&scene, &mut answers);
    cost::explain(&scene, &mut answers);
    worst_first(&mut answers);
    Explanations {
        verdict: verdict(&scene, &answers),
        explanations: answers,
    }
}

/// Sorts explanations by severity, otherwise keeping their order.
pub(crate) fn worst_first(answers: &mut [Explanation]) {
    answers.sort_by_key(|answer| answer.severity);
}

/// The worst explanation in one line, or that everything is fine.
fn verdict(scene: &Scene<'_>, answers: &[Explanation]) -> Verdict {
    let worst = answers.first();
    let severity = worst.map_or(Severity::Note, |worst| worst.severity);
    let text = match worst.filter(|_| severity < Severity::Note) {
        Some(worst) => {
            let others = Severity::ALL.into_iter().filter_map(|level| {
                let all = answers.iter().filter(|other| other.severity == level);
                let others = all.count() - usize::from(level == severity);
                (others > 0 && level < Severity::Note)
                    .then(|| format!("{others} {}", level.as_str()))
            });
            let others: Vec<String> = others.collect();
            if others.is_empty() {
                worst.what.clone()
            } else {
                format!("{} (Also: {}.)", worst.what, others.join(", "))
            }
        }
        None if !scene.case.service.is_reconciled() => worst.map_or_else(
            || "Nothing is wrong.".to_string(),
            |worst| worst.what.clone(),
        ),
        None => format!(
            "Nothing is wrong: {}{}.",
            counted(scene.ready_now(), "ready endpoint"),
            if scene.case.knows_slices && scene.unwritten.is_empty() {
                ", and the live slices match the plan"
            } else {
                ""
            }
        ),
    };
    Verdict { severity, text }
}
