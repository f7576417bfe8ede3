//! Why things are as they are, in words that people can act on.
//!
//! Every answer comes from the functions that decide: [`desired`](slicewise::reconcile::desired) evaluates a single
//! pod, [`NodeIndex`](slicewise::topology::nodes::NodeIndex) a node next to two healthy ones,
//! [`allocate`](slicewise::topology::allocation::allocate) a count of endpoints, and the planner a change of the
//! Service. No rule is implemented a second time here, so an explanation cannot contradict the plan. None of this runs
//! unless it is requested.

mod addresses;
pub(crate) mod assumed_nodes;
pub(crate) mod clients;
pub mod cluster;
mod cost;
mod declared;
pub mod details;
mod difference;
mod dns;
mod effect;
mod events;
pub mod extras;
mod families;
mod fragments;
mod hints;
mod hints_followed;
mod hints_given;
mod hints_nodes;
mod hints_off;
mod ip_targets;
pub(crate) mod layout;
mod lost_nodes;
mod mirrored;
mod misses;
mod nearest_template;
mod none_ready;
mod not_ready;
mod not_written;
pub(crate) mod orphans;
pub mod pod_detail;
pub(crate) mod pod_labels;
mod pods;
mod policies;
mod ports;
mod refused;
mod restarts;
mod say;
mod scene;
mod scope;
mod selector;
mod service;
mod settings;
mod slices;
mod strangers;
pub(crate) mod subdomain;
mod targets;
mod terminating;
pub mod text;
mod traffic;
mod unbound;
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

use slicewise::model::order::sort_by;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity, Verdict};

pub(crate) use scene::{Case, is_pod};

use effect::Effect;
use scene::Scene;

/// The explanations of a Service.
pub(crate) struct Explanations {
    /// In one line.
    pub(crate) verdict: Verdict,
    /// The reasons, worst first; those of equal severity by topic.
    pub(crate) explanations: Vec<Explanation>,
    /// Does the verdict only tell who is served, and all are?
    pub(crate) is_plain: bool,
}

/// Explains one Service: the Service itself, its pods, hints and slices, and what it costs.
pub(crate) fn explain(case: &Case<'_>) -> Explanations {
    let mut scene = Scene::new(case);
    scene.effect = Effect::of(&scene);
    let mut answers = Vec::new();
    service::explain(&scene, &mut answers);
    answers.extend(refused::explain(&scene));
    unbound::explain(&scene, &mut answers);
    if case.service.is_reconciled() || !case.endpoints.is_empty() {
        pods::explain(&scene, &mut answers);
        lost_nodes::explain(&scene, &mut answers);
        settings::explain(&scene, &mut answers);
        if case.knows_hints() {
            hints::explain(&scene, &mut answers);
        }
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
    answers.extend(subdomain::explain(&scene));
    events::explain(&scene, &mut answers);
    strangers::explain(&scene, &mut answers);
    unseen::explain(&scene, &mut answers);
    if !is_short(&scene) && case.assumed.is_none() {
        cost::explain(&scene, &mut answers);
    }
    scope::explain(&scene, &mut answers);
    if !case.knows_hints() {
        // What of a slice is to be updated may be hints.
        answers.retain(|answer| answer.code != Code::SliceUpdated);
    }
    settle(&scene, &mut answers);
    worst_first(&mut answers);
    let verdict = verdict(&scene, &answers);
    if !is_short(&scene) || verdict.severity < Severity::Note {
        hints::complete(&scene, &mut answers);
    }
    let is_all = |effect: &Effect| {
        effect.severity() == Severity::Note && verdict.text == format!("{}.", effect.in_words())
    };
    Explanations {
        is_plain: verdict.severity == Severity::Note && scene.effect.as_ref().is_some_and(is_all),
        verdict,
        explanations: answers,
    }
}

/// Is what only longer answers tell left out? No verdict depends on it if all clients are served.
fn is_short(scene: &Scene<'_>) -> bool {
    let is_well = |effect: &Effect| effect.severity() == Severity::Note;
    scene.case.is_overview && scene.effect.as_ref().is_some_and(is_well)
}

/// What can leave clients without an answer, in the order of the links that a request passes: the first one that has
/// an explanation is the cause.
const CAUSES: &[Code] = &[
    Code::ServiceBeingDeleted,
    Code::TooManyPorts,
    Code::AddressRefused,
    Code::SelectsNothing,
    Code::NoReadyEndpoint,
    Code::ZoneFailed,
    Code::NodeFailed,
    Code::PortNotFound,
    Code::SliceUnbound,
    Code::HiddenFromProxy,
    Code::EndpointsNotMirrored,
    Code::EndpointsMirrored,
    Code::EventReported,
    Code::NotWrittenSlice,
    Code::NotWrittenEndpoint,
    Code::NotWrittenCondition,
    Code::NotWrittenPort,
    Code::SliceOfOtherFamily,
    Code::SliceUnusable,
    Code::NotWrittenRemoval,
    Code::LocalTrafficUnserved,
    Code::NoSelector,
    Code::KubernetesService,
];

/// May it be why clients are not served? Some only matter if something is wrong with them.
const fn is_cause(answer: &Explanation) -> bool {
    let is_always = matches!(
        answer.code,
        Code::NoSelector | Code::KubernetesService | Code::SliceOfOtherFamily
    );
    is_always || !matches!(answer.severity, Severity::Note)
}

/// Lets severities follow from the effect: what leaves nobody without an answer is not broken, and what does is.
fn settle(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let Some(effect) = &scene.effect else {
        return;
    };
    let place = match effect.severity() {
        Severity::Broken => {
            let first = CAUSES.iter().find_map(|code| {
                let is_it = |answer: &Explanation| answer.code == *code && is_cause(answer);
                answers.iter().position(is_it)
            });
            first.or_else(|| {
                answers
                    .iter()
                    .position(|one| one.severity == Severity::Degraded)
            })
        }
        Severity::Degraded => answers
            .iter()
            .position(|answer| answer.code == Code::LocalTrafficUnserved),
        _ => None,
    };
    if let Some(place) = place {
        let mut cause = answers.remove(place);
        cause.severity = effect.severity();
        let early = [Code::AddressRefused, Code::TooManyPorts, Code::SliceUnbound];
        let is_unwritten = |answer: &Explanation| answer.code.as_str().starts_with("NotWritten");
        answers.retain(|answer| {
            let is_late = early.contains(&cause.code) && is_unwritten(answer);
            let follows = match cause.code {
                Code::SliceUnbound => answer.code == Code::NoSelector,
                Code::AddressRefused => answer.code == Code::EndpointsMirrored,
                _ => false,
            };
            !is_late && !follows
        });
        // What is not written because it is refused is the detail of that.
        if cause.code == Code::EventReported {
            let refused = answers.iter_mut().filter(|answer| is_unwritten(answer));
            refused.for_each(|answer| answer.severity = Severity::Note);
        }
        answers.insert(0, cause);
    }
    if effect.severity() == Severity::Broken {
        return;
    }
    // The pod of a Job without the port has been explained with the Job.
    let is_of_job = |one: &Explanation| {
        one.code == Code::SelectsSeveralWorkloads && one.severity == Severity::Risk
    };
    if answers.iter().any(is_of_job) {
        answers.retain(|one| !matches!(one.code, Code::PodWithoutPort | Code::SeveralPortGroups));
    }
    for answer in answers {
        if answer.severity == Severity::Broken {
            answer.severity = match answer.code {
                Code::SelectsNothing if scene.removes_all() => Severity::Risk,
                Code::SelectsNothing => Severity::Note,
                Code::NoReadyEndpoint if effect.is_any_ready => Severity::Note,
                _ => Severity::Degraded,
            };
        }
    }
}

/// Sorts explanations by severity, otherwise keeping their order; of the notes, those come first that say what a
/// setting does not do.
pub(crate) fn worst_first(answers: &mut [Explanation]) {
    let is_plain = |answer: &Explanation| {
        answer.severity == Severity::Note && answer.code != Code::ScopeOfSetting
    };
    let rank = |answer: &Explanation| (answer.severity, is_plain(answer));
    sort_by(answers, |one, other| rank(one).cmp(&rank(other)));
}

/// The effect and its cause in one line.
fn verdict(scene: &Scene<'_>, answers: &[Explanation]) -> Verdict {
    let worst = answers.first();
    let severity = worst.map_or(Severity::Note, |worst| worst.severity);
    let effect = scene.effect.as_ref();
    let effect_words = effect.map(Effect::in_words);
    let is_well = effect.is_none_or(|effect| effect.severity() == Severity::Note);
    let leads = |effect: &Effect, worst: &Explanation| {
        let is_cause = severity == Severity::Broken || worst.code == Code::LocalTrafficUnserved;
        // Otherwise the effect is what a reader has to know first only if clients are served by what terminates.
        (!is_well && is_cause) || !effect.is_any_ready
    };
    let text = match (worst.filter(|_| severity < Severity::Note), effect_words) {
        (Some(worst), Some(words)) if effect.is_some_and(|effect| leads(effect, worst)) => {
            format!("{words}: {}", cause(worst))
        }
        (Some(worst), Some(words)) if lost_nodes::is_about(worst.code) => {
            match scene.lost.is_any_used() {
                true => format!("{} {}", worst.what, worst.because),
                false => format!("{words}. {} {}", worst.what, worst.because),
            }
        }
        (Some(worst), Some(words)) => {
            let scope = answers.iter().find(|one| one.code == Code::ScopeOfSetting);
            match scope.filter(|_| severity == Severity::Risk) {
                Some(scope) => format!("{words}. {} {}", scope.what, worst.what),
                None => format!("{} {} {words}.", worst.what, worst.because),
            }
        }
        (Some(worst), None) => format!("{} {}", worst.what, worst.because),
        (None, Some(words)) => {
            let mut scopes = SCOPES.iter().filter_map(|code| {
                let mut answers = answers.iter();
                answers.find(|one| {
                    one.code == *code
                        && (*code != Code::SliceOfOtherManager || one.figures.contains_key("notes"))
                })
            });
            match scopes.next().or_else(|| worst.filter(|_| !is_well)) {
                Some(said) if said.code == Code::DuplicateEndpoint => {
                    format!("{words}. {} {}", said.what, said.because)
                }
                Some(said) => format!("{words}. {}", said.what),
                None => format!("{words}."),
            }
        }
        (None, None) => match worst {
            Some(worst) => worst.what.clone(),
            None => "Nothing is wrong.".to_string(),
        },
    };
    Verdict {
        severity,
        text: text.trim().to_string(),
    }
}

/// What is set and does something else than its name says; the first is part of the verdict if nothing is wrong.
const SCOPES: &[Code] = &[
    Code::ScopeOfSetting,
    Code::SliceOfOtherManager,
    Code::DuplicateEndpoint,
    Code::NoSelector,
    Code::SelectsNothing,
];

/// An explanation as the second half of a sentence.
fn cause(explanation: &Explanation) -> String {
    let what = &explanation.what;
    let (first, rest) = what.split_once(' ').unwrap_or((what, ""));
    let first = match first {
        "The" | "It" | "Its" | "Slice" | "Slices" | "No" | "None" | "A" | "An" | "Of"
        | "Traffic" | "Every" | "All" | "Nothing" | "Zone" | "Node" => first.to_lowercase(),
        name => name.to_string(),
    };
    format!("{first} {rest} {}", explanation.because)
}
