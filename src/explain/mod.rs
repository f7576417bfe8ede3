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
pub mod details;
mod difference;
mod fragments;
mod hints;
mod hints_given;
mod hints_off;
mod local_traffic;
mod not_ready;
mod pods;
mod ports;
mod say;
mod selector;
mod service;
mod settings;
mod slices;
mod strangers;
pub mod text;
mod whatif;
mod words;

use alloc::vec::Vec;

use crate::model::{AddressType, Endpoint, EndpointSlice, NamespacedName, Pod, Service};
use crate::plan::explanation::Explanation;
use crate::plan::request::Options;
use crate::plan::{Plan, belongs};
use crate::reconcile::desired::StaticEndpoint;
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;

use cluster::Cluster;
use details::{Details, PodDetail};

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
    /// Endpoints that are no pods.
    pub endpoints: &'a [StaticEndpoint<'a>],
    /// The nodes.
    pub cluster: &'a Cluster<'a>,
    /// The options of the plan.
    pub options: &'a Options<'a>,
    /// What was remembered of hints before the plan.
    pub hints: &'a ServiceHints,
    /// What plans do not read of pods and Services.
    pub details: &'a Details<'a>,
    /// The pod that is asked about, which is then explained whatever there is to say of it.
    pub pod: Option<&'a str>,
}

/// The pods of a namespace, of pods that are in the order of their namespaces.
pub fn pods_of<'p, 'a>(pods: &'p [&'a Pod<'a>], namespace: &str) -> &'p [&'a Pod<'a>] {
    let start = pods.partition_point(|pod| pod.metadata.namespace.as_str() < namespace);
    let rest = pods.get(start..).unwrap_or_default();
    let count = rest.partition_point(|pod| pod.metadata.namespace == *namespace);
    rest.get(..count).unwrap_or_default()
}

impl<'a> Case<'a> {
    /// The pods of the Service's namespace, by name.
    fn pods_of_namespace(&self) -> &'a [&'a Pod<'a>] {
        pods_of(self.pods, &self.service.metadata.namespace)
    }
}

/// Explains one Service: itself, its pods, hints, slices, and what it costs.
pub fn explain(case: &Case<'_>) -> Vec<Explanation> {
    let scene = Scene::new(case);
    let mut answers = Vec::new();
    service::explain(&scene, &mut answers);
    if case.service.is_reconciled() || !case.endpoints.is_empty() {
        pods::explain(&scene, &mut answers);
        settings::explain(&scene, &mut answers);
        hints::explain(&scene, &mut answers);
        slices::explain(&scene, &mut answers);
        fragments::explain(&scene, &mut answers);
        addresses::explain(&scene, &mut answers);
    }
    local_traffic::explain(&scene, &mut answers);
    strangers::explain(&scene, &mut answers);
    cost::explain(&scene, &mut answers);
    answers
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
        Self {
            case,
            pods: case.pods_of_namespace(),
            own,
            after,
        }
    }

    /// The nodes.
    const fn nodes(&self) -> &'a NodeIndex<'a> {
        self.case.cluster.index
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
        self.case
            .pod
            .is_some_and(|asked| pod.metadata.name == asked)
    }
}
