//! One Service with its plan, from the point of view of its explanations.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::assumed_nodes::AssumedNodes;
use super::clients::ClientPods;
use super::cluster::ClusterNodes;
use super::details::ExplanationDetails;
use super::effect::Effect;
use super::extras::Beside;
use super::lost_nodes::LostNodes;
use super::mirrored;
use super::pod_detail::PodDetail;
use super::pod_labels::PodLabels;
use super::unwritten::{self, Item};
use slicewise::membership::selector::matches;
use slicewise::model::{AddressType, Endpoint, EndpointSlice, Named as _, Pod, Service};
use slicewise::plan::explanation::ExplanationCode;
use slicewise::plan::request::Options;
use slicewise::plan::{Plan, belongs};
use slicewise::reconcile::candidate::Candidate;
use slicewise::reconcile::desired::{Desired, StaticEndpoint, desired};
use slicewise::reconcile::{Input, address_types};
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::NodeIndex;
use slicewise_sources::kubernetes_service;
use slicewise_sources::mirroring::MirrorPlan;
use slicewise_traffic::routing::Client;

/// One Service with its plan and its input.
pub(crate) struct Case<'a> {
    /// The Service.
    pub(crate) service: &'a Service<'a>,
    /// Its plan, whose new slices have names.
    pub(crate) plan: &'a Plan<'a>,
    /// All pods, sorted by namespace and name.
    pub(crate) pods: &'a [&'a Pod<'a>],
    /// The same by their labels, if a Service selects none of them.
    pub(crate) labels: Option<&'a PodLabels<'a>>,
    /// Those that the Service selects.
    pub(crate) selected: &'a [&'a Pod<'a>],
    /// Those that have its name as their subdomain.
    pub(crate) in_subdomain: &'a [((&'a str, &'a str), &'a Pod<'a>)],
    /// The slices that name the Service, sorted by name.
    pub(crate) slices: &'a [&'a EndpointSlice<'a>],
    /// The slices of its namespace that name no Service of the input.
    pub(crate) unbound: &'a [&'a EndpointSlice<'a>],
    /// Does the input include slices of the namespace, of any Service? If not, the live slices are unknown.
    pub(crate) knows_slices: bool,
    /// Endpoints that are not pods.
    pub(crate) endpoints: &'a [StaticEndpoint<'a>],
    /// The nodes.
    pub(crate) cluster: &'a ClusterNodes<'a>,
    /// What stands for nodes if the input has none.
    pub(crate) assumed: Option<&'a AssumedNodes<'a>>,
    /// The options of the plan.
    pub(crate) options: &'a Options<'a>,
    /// The state of hints before the plan.
    pub(crate) hints: &'a ServiceHints,
    /// What plans do not read of pods and Services.
    pub(crate) details: &'a ExplanationDetails<'a>,
    /// The pod that the question asks about, in the form that [`is_pod`] takes; it is explained even if there is no
    /// problem.
    pub(crate) pod: Option<&'a str>,
    /// Is only its verdict read if it is well, and never what writes cost?
    pub(crate) is_overview: bool,
    /// The pods that requests come from, if the question names them.
    pub(crate) clients: Option<&'a ClientPods<'a>>,
    /// The nodes that slices name, if no others are known.
    pub(crate) named_nodes: &'a [Client<'a>],
}

/// The pods of a namespace, from pods sorted by namespace.
fn pods_of<'p, 'a>(pods: &'p [&'a Pod<'a>], namespace: &str) -> &'p [&'a Pod<'a>] {
    let start = pods.partition_point(|pod| pod.metadata.namespace.as_str() < namespace);
    let rest = pods.get(start..).unwrap_or_default();
    let count = rest.partition_point(|pod| pod.metadata.namespace == *namespace);
    rest.get(..count).unwrap_or_default()
}

/// Is a pod the one that was asked about, by its bare name or as `namespace/name`?
pub(crate) fn is_pod(asked: &str, pod: (&str, &str)) -> bool {
    match asked.split_once('/') {
        Some(asked) => asked == pod,
        None => asked == pod.1,
    }
}

impl<'a> Case<'a> {
    /// Does the input have what hints depend on?
    pub(super) fn knows_hints(&self) -> bool {
        let settles =
            |assumed: &AssumedNodes<'_>| assumed.settle_hints(self.service, self.selected);
        self.assumed.is_none_or(settles)
    }

    /// The pods of the Service's namespace, sorted by name.
    pub(super) fn pods_of_namespace(&self) -> &'a [&'a Pod<'a>] {
        pods_of(self.pods, &self.service.metadata.namespace)
    }
}

/// A pod that a workload will have.
pub(super) struct TemplatePod<'a> {
    /// `Deployment cart`.
    pub(super) title: String,
    /// Labels and containers, and nothing else.
    pub(super) pod: Pod<'a>,
    pub(super) replicas: i32,
    /// Is the workload still to be applied?
    pub(super) is_manifest: bool,
}

fn templates<'a>(case: &Case<'a>) -> Vec<TemplatePod<'a>> {
    let service = case.service;
    let namespace = &service.metadata.namespace;
    let selector = service.spec.selector.as_ref();
    let Some(selector) = selector.filter(|_| service.is_reconciled()) else {
        return Vec::new();
    };
    let workloads = case.details.beside(namespace);
    let mut workloads = workloads
        .filter(|one| {
            Beside::WORKLOADS.contains(&&*one.kind)
                && matches(selector, &one.spec.template.metadata.labels)
        })
        .peekable();
    if workloads.peek().is_none() || !case.selected.is_empty() {
        return Vec::new();
    }
    let pods = workloads.map(|workload| TemplatePod {
        title: workload.title(),
        pod: workload
            .spec
            .template
            .pod(namespace, &workload.metadata.name),
        replicas: workload.spec.replicas.unwrap_or(1),
        is_manifest: workload.metadata.uid.is_empty(),
    });
    pods.collect()
}

/// A case, and what several explanations use.
pub(super) struct Scene<'a> {
    pub(super) case: &'a Case<'a>,
    /// Pods of the namespace, sorted by name.
    pub(super) pods: &'a [&'a Pod<'a>],
    /// What plans do not read of the selected pods.
    details: Vec<Option<&'a PodDetail<'a>>>,
    /// Slices of the Service and this manager, sorted by name.
    pub(super) own: Vec<&'a EndpointSlice<'a>>,
    /// The slices after the plan is written, sorted by name.
    pub(super) after: Vec<&'a EndpointSlice<'a>>,
    /// What the live slices lack.
    pub(super) unwritten: Vec<Item<'a>>,
    /// What the mirroring controller does with the Endpoints of the Service's name.
    pub(super) mirrored: Option<MirrorPlan<'a>>,
    /// Pods that workloads of the input will have; only if the selector matches no pod.
    pub(super) templates: Vec<TemplatePod<'a>>,
    /// Nodes that are not ready.
    pub(super) lost: LostNodes<'a>,
    /// Who is served.
    pub(super) effect: Option<Effect>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(case: &'a Case<'a>) -> Self {
        let settings = case.options.settings();
        let slices = case.slices.iter().copied();
        let own = slices.filter(|slice| belongs(slice, case.service, settings.managed_by));
        let own: Vec<&EndpointSlice<'_>> = own.collect();
        let after = case.plan.named_after(&own);
        let mut unwritten = if case.knows_slices && !case.plan.is_empty() {
            unwritten::items(&case.service.metadata.name, &own, &after)
        } else {
            Vec::new()
        };
        if !case.knows_hints() {
            unwritten.retain(|item| item.code != ExplanationCode::NotWrittenHint);
        }
        Self {
            case,
            pods: case.pods_of_namespace(),
            details: case.details.of_pods(case.selected),
            own,
            after,
            unwritten,
            mirrored: mirrored::plan(case),
            templates: templates(case),
            lost: LostNodes::new(case),
            effect: None,
        }
    }

    /// The plan of the mirroring controller, unless it skips the Endpoints, as for a Service with a selector.
    pub(super) fn mirror_plan(&self) -> Option<&MirrorPlan<'a>> {
        let mirrored = self.mirrored.as_ref();
        mirrored.filter(|mirrored| mirrored.skipped.is_none())
    }

    /// The nodes.
    pub(super) const fn nodes(&self) -> &'a NodeIndex<'a> {
        self.case.cluster.index
    }

    /// Is it `default/kubernetes`, which the API servers manage themselves?
    pub(super) fn is_kubernetes(&self) -> bool {
        let metadata = &self.case.service.metadata;
        metadata.namespace == kubernetes_service::NAMESPACE
            && metadata.name == kubernetes_service::NAME
    }

    /// The number of ready endpoints: in the live slices if they are known, otherwise after the plan is written.
    pub(super) fn ready_now(&self) -> usize {
        let slices: Vec<&EndpointSlice<'_>> = if self.case.knows_slices {
            self.case.slices.to_vec()
        } else {
            self.after.clone()
        };
        let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
        endpoints.filter(|endpoint| endpoint.is_ready()).count()
    }

    /// Does any live slice have a ready endpoint?
    pub(super) fn is_any_served(&self) -> bool {
        let mut endpoints = self.case.slices.iter().flat_map(|slice| &slice.endpoints);
        endpoints.any(Endpoint::is_ready)
    }

    /// The number of ready endpoints in its controller's live slices.
    pub(super) fn ready_of_own(&self) -> usize {
        let endpoints = self.own.iter().flat_map(|slice| &slice.endpoints);
        endpoints.filter(|endpoint| endpoint.is_ready()).count()
    }

    /// Will the next sync remove all of the endpoints, because the selector matches no pod?
    pub(super) fn removes_all(&self) -> bool {
        self.case.knows_slices
            && self.case.service.is_reconciled()
            && !self.case.pods.is_empty()
            && self.case.selected.is_empty()
            && self.case.endpoints.is_empty()
            && self.ready_of_own() > 0
    }

    /// Is a difference of that kind not written yet?
    pub(super) fn lacks(&self, code: ExplanationCode, family: AddressType) -> bool {
        let mut items = self.unwritten.iter();
        items.any(|item| item.code == code && item.family == family.as_str())
    }

    /// Is the slice one that the plan creates?
    pub(super) fn is_new(&self, slice: &EndpointSlice<'_>) -> bool {
        !self.own.iter().any(|own| own.name() == slice.name())
    }

    /// The endpoints of a family after the plan is written.
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
        let name = pod.full_name();
        let selected = self.case.selected;
        let place = selected.binary_search_by(|one| one.full_name().cmp(&name));
        match place.ok().and_then(|place| self.details.get(place)) {
            Some(detail) => *detail,
            None => self.case.details.pod(name),
        }
    }

    /// Is this the pod that the question asks about?
    pub(super) fn asks_about(&self, pod: &Pod<'_>) -> bool {
        let asked = self.case.pod;
        asked.is_some_and(|asked| is_pod(asked, pod.full_name()))
    }

    /// The desired endpoints of a list of pods, by the rules of plans.
    pub(super) fn desired_of<'s>(&'s self, pods: &[&'s Pod<'s>]) -> Desired<'s> {
        let settings = self.case.options.settings();
        let mut input = Input::new(self.case.service, self.nodes(), settings);
        input.pods = pods.iter().copied().map(Candidate::Read).collect();
        desired(&input, &address_types(self.case.service))
    }

    /// Names the family, if the Service has several.
    pub(super) fn of_family(&self, family: AddressType) -> String {
        if self.case.plan.hints.len() > 1 {
            format!(" {}", family.as_str())
        } else {
            String::new()
        }
    }

    /// The number of slices that are not created because the Service is being deleted.
    pub(super) fn held_back(&self) -> usize {
        let families = self.case.plan.figures.families().iter();
        families.map(|family| family.held_back).sum()
    }
}
