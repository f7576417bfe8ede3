//! One Service with its plan, as the answers about it look at it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::cluster::Cluster;
use super::details::Details;
use super::pod_detail::PodDetail;
use super::unwritten::{self, Item};
use crate::kubernetes_service;
use crate::model::{AddressType, Endpoint, EndpointSlice, Named as _, Pod, Service};
use crate::plan::explanation::ExplanationCode;
use crate::plan::request::Options;
use crate::plan::{Plan, belongs};
use crate::reconcile::desired::{Desired, StaticEndpoint, desired};
use crate::reconcile::existing::Candidate;
use crate::reconcile::{Input, address_types};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;

/// One Service with its plan and what that was made from.
pub(crate) struct Case<'a> {
    /// The Service.
    pub(crate) service: &'a Service<'a>,
    /// Its plan, whose new slices have names.
    pub(crate) plan: &'a Plan<'a>,
    /// All pods there are, by namespace and name.
    pub(crate) pods: &'a [&'a Pod<'a>],
    /// The slices that name the Service, by name.
    pub(crate) slices: &'a [&'a EndpointSlice<'a>],
    /// Does the input hold slices, of whatever Service? If not, nothing is known of what stands.
    pub(crate) knows_slices: bool,
    /// Endpoints that are not pods.
    pub(crate) endpoints: &'a [StaticEndpoint<'a>],
    /// The nodes.
    pub(crate) cluster: &'a Cluster<'a>,
    /// The options of the plan.
    pub(crate) options: &'a Options<'a>,
    /// What was remembered of hints before the plan.
    pub(crate) hints: &'a ServiceHints,
    /// What plans do not read of pods and Services.
    pub(crate) details: &'a Details<'a>,
    /// The pod that is asked about, as [`is_pod`] takes it, which is then explained whatever there is to say of it.
    pub(crate) pod: Option<&'a str>,
}

/// The pods of a namespace, of pods that are in the order of their namespaces.
pub(crate) fn pods_of<'p, 'a>(pods: &'p [&'a Pod<'a>], namespace: &str) -> &'p [&'a Pod<'a>] {
    let start = pods.partition_point(|pod| pod.metadata.namespace.as_str() < namespace);
    let rest = pods.get(start..).unwrap_or_default();
    let count = rest.partition_point(|pod| pod.metadata.namespace == *namespace);
    rest.get(..count).unwrap_or_default()
}

/// Is a pod the one that is asked about, by its name alone or as `namespace/name`?
pub(crate) fn is_pod(asked: &str, pod: (&str, &str)) -> bool {
    match asked.split_once('/') {
        Some(asked) => asked == pod,
        None => asked == pod.1,
    }
}

impl<'a> Case<'a> {
    /// The pods of the Service's namespace, by name.
    pub(super) fn pods_of_namespace(&self) -> &'a [&'a Pod<'a>] {
        pods_of(self.pods, &self.service.metadata.namespace)
    }
}

/// A case, and what several answers look at.
pub(super) struct Scene<'a> {
    pub(super) case: &'a Case<'a>,
    /// Pods of the namespace, by name.
    pub(super) pods: &'a [&'a Pod<'a>],
    /// Slices of the Service and this manager, by name.
    pub(super) own: Vec<&'a EndpointSlice<'a>>,
    /// Those there are once the plan is written, by name.
    pub(super) after: Vec<&'a EndpointSlice<'a>>,
    /// What the live ones do not say yet.
    pub(super) unwritten: Vec<Item<'a>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(case: &'a Case<'a>) -> Self {
        let settings = case.options.settings();
        let slices = case.slices.iter().copied();
        let own = slices.filter(|slice| belongs(slice, case.service, settings.managed_by));
        let own: Vec<&EndpointSlice<'_>> = own.collect();
        let after = case.plan.named_after(&own);
        let unwritten = if case.knows_slices && !case.plan.is_empty() {
            unwritten::items(&case.service.metadata.name, &own, &after)
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
    pub(super) const fn nodes(&self) -> &'a NodeIndex<'a> {
        self.case.cluster.index
    }

    /// Is it `default/kubernetes`, which the API servers keep themselves?
    pub(super) fn is_kubernetes(&self) -> bool {
        let metadata = &self.case.service.metadata;
        metadata.namespace == kubernetes_service::NAMESPACE
            && metadata.name == kubernetes_service::NAME
    }

    /// How many endpoints are ready: in the live slices if they are known, else once the plan is written.
    pub(super) fn ready_now(&self) -> usize {
        let slices: Vec<&EndpointSlice<'_>> = if self.case.knows_slices {
            self.case.slices.to_vec()
        } else {
            self.after.clone()
        };
        let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
        endpoints.filter(|endpoint| endpoint.is_ready()).count()
    }

    /// Is something of that kind still to be written?
    pub(super) fn lacks(&self, code: ExplanationCode, family: AddressType) -> bool {
        let mut items = self.unwritten.iter();
        items.any(|item| item.code == code && item.family == family.as_str())
    }

    /// Is the slice one that the plan creates?
    pub(super) fn is_new(&self, slice: &EndpointSlice<'_>) -> bool {
        !self.own.iter().any(|own| own.name() == slice.name())
    }

    /// Endpoints of a family once the plan is written.
    pub(super) fn endpoints(&self, family: AddressType) -> impl Iterator<Item = &'a Endpoint<'a>> {
        self.after
            .iter()
            .copied()
            .filter(move |slice| slice.address_type == family.as_str())
            .flat_map(|slice| &slice.endpoints)
    }

    /// The ready ones among them.
    pub(super) fn ready(&self, family: AddressType) -> Vec<&'a Endpoint<'a>> {
        self.endpoints(family)
            .filter(|endpoint| endpoint.is_ready())
            .collect()
    }

    /// What plans do not read of a pod.
    pub(super) fn detail(&self, pod: &Pod<'_>) -> Option<&'a PodDetail<'a>> {
        self.case.details.pod(pod.full_name())
    }

    /// Is it this pod that is asked about?
    pub(super) fn asks_about(&self, pod: &Pod<'_>) -> bool {
        let asked = self.case.pod;
        asked.is_some_and(|asked| is_pod(asked, pod.full_name()))
    }

    /// The result of a list of pods, by the rules of plans.
    pub(super) fn desired_of<'s>(&'s self, pods: &[&'s Pod<'s>]) -> Desired<'s> {
        let input = Input {
            service: self.case.service,
            pods: pods.iter().copied().map(Candidate::Read).collect(),
            endpoints: &[],
            nodes: self.nodes(),
            slices: Vec::new(),
            settled: None,
            settings: self.case.options.settings(),
        };
        desired(&input, &address_types(self.case.service))
    }

    /// Which family, where the Service has several.
    pub(super) fn of_family(&self, family: AddressType) -> String {
        if self.case.plan.hints.len() > 1 {
            format!(" {}", family.as_str())
        } else {
            String::new()
        }
    }

    /// How many slices are not created because the Service is being deleted.
    pub(super) fn held_back(&self) -> usize {
        let families = self.case.plan.figures.families().iter();
        families.map(|family| family.held_back).sum()
    }
}
