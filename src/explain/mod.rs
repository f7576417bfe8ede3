//! Why things are as they are, in words a person can act on.
//!
//! Every answer comes from the functions that decide: a pod is put to [`desired`](crate::reconcile::desired) by
//! itself, a node to [`NodeIndex`] beside two that are well, a count of endpoints to
//! [`allocate`](crate::topology::allocation::allocate), and a change of the Service to the planner. No rule is written
//! down here a second time, so that an explanation cannot say something else than the plan does. Nothing here runs
//! unless it is asked for.

mod addresses;
pub mod cluster;
mod cost;
mod declared;
pub mod details;
mod difference;
mod dns;
mod events;
pub mod extras;
mod fragments;
mod hints;
mod hints_given;
mod hints_nodes;
mod hints_off;
mod lost_nodes;
mod mirrored;
mod not_ready;
mod not_written;
pub mod orphans;
mod pods;
mod policies;
mod ports;
mod restarts;
mod say;
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

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::kubernetes_service;
use crate::model::{
    AddressType, Endpoint, EndpointSlice, Named as _, NamespacedName, Pod, Service,
};
use crate::plan::explanation::{Explanation, ExplanationCode, Severity, Verdict};
use crate::plan::request::Options;
use crate::plan::{Plan, belongs};
use crate::reconcile::desired::StaticEndpoint;
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;

use cluster::Cluster;
use details::{Details, PodDetail};
use unwritten::Item;
use words::count;

/// One Service with its plan and what that was made from.
pub struct Case<'a> {
    /// The Service.
    pub service: &'a Service<'a>,
    /// Its plan.
    pub plan: &'a Plan<'a>,
    /// All pods there are, by namespace and name.
    pub pods: &'a [&'a Pod<'a>],
    /// The slices that name the Service, by name.
    pub slices: &'a [&'a EndpointSlice<'a>],
    /// Does the input hold slices, of whatever Service? If not, nothing is known of what stands.
    pub knows_slices: bool,
    /// Endpoints that are not pods.
    pub endpoints: &'a [StaticEndpoint<'a>],
    /// The nodes.
    pub cluster: &'a Cluster<'a>,
    /// The options of the plan.
    pub options: &'a Options<'a>,
    /// What was remembered of hints before the plan.
    pub hints: &'a ServiceHints,
    /// What plans do not read of pods and Services.
    pub details: &'a Details<'a>,
    /// The pod that is asked about, as [`is_pod`] takes it, which is then explained whatever there is to say of it.
    pub pod: Option<&'a str>,
}

/// The pods of a namespace, of pods that are in the order of their namespaces.
pub fn pods_of<'p, 'a>(pods: &'p [&'a Pod<'a>], namespace: &str) -> &'p [&'a Pod<'a>] {
    let start = pods.partition_point(|pod| pod.metadata.namespace.as_str() < namespace);
    let rest = pods.get(start..).unwrap_or_default();
    let count = rest.partition_point(|pod| pod.metadata.namespace == *namespace);
    rest.get(..count).unwrap_or_default()
}

/// Is a pod the one that is asked about, by its name alone or as `namespace/name`?
pub fn is_pod(asked: &str, pod: (&str, &str)) -> bool {
    match asked.split_once('/') {
        Some(asked) => asked == pod,
        None => asked == pod.1,
    }
}

impl<'a> Case<'a> {
    /// The pods of the Service's namespace, by name.
    fn pods_of_namespace(&self) -> &'a [&'a Pod<'a>] {
        pods_of(self.pods, &self.service.metadata.namespace)
    }
}

/// What is to be said of a Service.
#[non_exhaustive]
pub struct Told {
    /// In one line.
    pub verdict: Verdict,
    /// The reasons, the worst first; of equal severity by topic.
    pub explanations: Vec<Explanation>,
}

/// Explains one Service: itself, its pods, hints, slices, and what it costs.
pub fn explain(case: &Case<'_>) -> Told {
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
    Told {
        verdict: verdict(&scene, &answers),
        explanations: answers,
    }
}

/// Sorts explanations by how bad they are, and leaves their order as it is otherwise.
pub fn worst_first(answers: &mut [Explanation]) {
    answers.sort_by_key(|answer| answer.severity);
}

/// The worst explanation in one line; or that all is well.
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
            count(scene.ready_now(), "ready endpoint"),
            if scene.case.knows_slices && scene.unwritten.is_empty() {
                ", and the live slices match the plan"
            } else {
                ""
            }
        ),
    };
    Verdict { severity, text }
}

/// A case, and what several answers look at.
struct Scene<'a> {
    case: &'a Case<'a>,
    /// Pods of the namespace, by name.
    pods: &'a [&'a Pod<'a>],
    /// Slices of the Service and this manager, by name.
    own: Vec<EndpointSlice<'a>>,
    /// Those there are once the plan is written, by name.
    after: Vec<EndpointSlice<'a>>,
    /// What the live ones do not say yet.
    unwritten: Vec<Item>,
}

impl<'a> Scene<'a> {
    fn new(case: &'a Case<'a>) -> Self {
        let settings = case.options.settings();
        let own: Vec<EndpointSlice<'a>> = case
            .slices
            .iter()
            .filter(|slice| belongs(slice, case.service, settings.managed_by))
            .map(|slice| (*slice).clone())
            .collect();
        let after = case.plan.slices_after(&own);
        let unwritten = if case.knows_slices && !case.plan.is_empty() {
            unwritten::items(&own, &after)
        } else {
            Vec::new()
        };
        Self {
            case,
            pods: case.pods_of_namespace(),
            own,
            after,
            unwritten,
        }
    }

    /// The nodes.
    const fn nodes(&self) -> &'a NodeIndex<'a> {
        self.case.cluster.index
    }

    /// Is it `default/kubernetes`, which the API servers keep themselves?
    fn is_kubernetes(&self) -> bool {
        let metadata = &self.case.service.metadata;
        metadata.namespace == kubernetes_service::NAMESPACE
            && metadata.name == kubernetes_service::NAME
    }

    /// How many endpoints are ready: in the live slices if they are known, else once the plan is written.
    fn ready_now(&self) -> usize {
        let slices: Vec<&EndpointSlice<'_>> = if self.case.knows_slices {
            self.case.slices.to_vec()
        } else {
            self.after.iter().collect()
        };
        let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
        endpoints.filter(|endpoint| endpoint.is_ready()).count()
    }

    /// How many slices are not created because the Service is being deleted.
    fn held_back(&self) -> usize {
        let families = self.case.plan.figures.families().iter();
        families.map(|family| family.held_back).sum()
    }

    /// Is something of that kind still to be written?
    fn lacks(&self, code: ExplanationCode, family: AddressType) -> bool {
        let mut items = self.unwritten.iter();
        items.any(|item| item.code == code && item.family == family.as_str())
    }

    /// Is the slice one that the plan creates?
    fn is_new(&self, slice: &EndpointSlice<'_>) -> bool {
        !self.own.iter().any(|own| own.name() == slice.name())
    }

    /// Endpoints of a family once the plan is written.
    fn endpoints(&self, family: AddressType) -> impl Iterator<Item = &Endpoint<'a>> {
        self.after
            .iter()
            .filter(move |slice| slice.address_type == family.as_str())
            .flat_map(|slice| &slice.endpoints)
    }

    /// The ready ones among them.
    fn ready(&self, family: AddressType) -> Vec<&Endpoint<'a>> {
        self.endpoints(family)
            .filter(|endpoint| endpoint.is_ready())
            .collect()
    }

    /// What plans do not read of a pod.
    fn detail(&self, pod: &Pod<'_>) -> Option<&'a PodDetail<'a>> {
        self.case.details.pod(&NamespacedName::of(pod))
    }

    /// Is it this pod that is asked about?
    fn asks_about(&self, pod: &Pod<'_>) -> bool {
        let asked = self.case.pod;
        asked.is_some_and(|asked| is_pod(asked, pod.full_name()))
    }
}
