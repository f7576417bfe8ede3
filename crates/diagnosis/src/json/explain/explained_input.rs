//! The objects of an input, in the order in which explanations look them up.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::explain::assumed_nodes::AssumedNodes;
use crate::explain::clients::ClientPods;
use crate::explain::cluster::ClusterNodes;
use crate::explain::details::ExplanationDetails;
use crate::explain::pod_labels::PodLabels;
use crate::explain::subdomain::{self, PodsBySubdomain, by_subdomain};
use crate::explain::{Case, Explanations, explain as explain_case, orphans};
use slicewise::api::incomplete::namespaces;
use slicewise::api::{SlicesByService, Snapshot, slices_by_service};
use slicewise::membership::pods::PodsByLabel;
use slicewise::model::order::{Grouped, gathered, sort_by};
use slicewise::model::{EndpointSlice, Named as _, NamespacedName, Pod, Service, keys};
use slicewise::plan::explanation::ExplanationCode;
use slicewise::plan::request::Options;
use slicewise::plan::{Plan, belongs, plan_service};
use slicewise::reconcile::desired::StaticEndpoint;
use slicewise::topology::cache::ServiceHints;
use slicewise_traffic::routing::{Client, named_nodes};

/// What all Services of an input are explained from.
pub(super) struct ExplainedInput<'w> {
    pub(super) pods: ExplainedPods<'w>,
    pub(super) slices: SlicesByService<'w>,
    pub(super) known: SlicesOfServices<'w>,
    pub(super) endpoints: &'w [StaticEndpoint<'w>],
    pub(super) cluster: &'w ClusterNodes<'w>,
    pub(super) assumed: Option<&'w AssumedNodes<'w>>,
    pub(super) options: &'w Options<'w>,
    pub(super) hints: &'w ServiceHints,
    pub(super) details: &'w ExplanationDetails<'w>,
    pub(super) pod: Option<&'w str>,
    pub(super) is_overview: bool,
    pub(super) clients: Option<ClientPods<'w>>,
}

/// What is known of live slices.
pub(super) struct SlicesOfServices<'w> {
    /// Those that name no Service of the input, by namespace.
    unbound: Grouped<&'w str, &'w EndpointSlice<'w>>,
    /// The namespaces that have some, sorted.
    namespaces: Vec<&'w str>,
    /// Is a namespace without slices known to have none? Otherwise they may not have been fetched, as the input's warning
    /// says.
    are_all: bool,
    /// The nodes that they name, if no others are known.
    pub(super) nodes: Vec<Client<'w>>,
}

impl SlicesOfServices<'_> {
    /// Are the live slices of a namespace known?
    fn has(&self, namespace: &str) -> bool {
        self.are_all || self.namespaces.binary_search(&namespace).is_ok()
    }
}

/// What is known of the slices of a snapshot.
pub(super) fn known_of<'w>(snapshot: &'w Snapshot<'w>) -> SlicesOfServices<'w> {
    let services: Vec<&Service<'_>> = snapshot.services.iter().collect();
    let received = &snapshot.received;
    let mut known = known_slices(
        &snapshot.slices,
        &services,
        received.has_all("EndpointSlice"),
    );
    if snapshot.nodes.is_empty() && !received.has_all("Node") {
        known.nodes = named_nodes(&snapshot.slices);
    }
    known
}

/// What is known of these slices; `are_all` if there are no others.
pub(super) fn known_slices<'w>(
    slices: &'w [EndpointSlice<'w>],
    services: &[&Service<'_>],
    are_all: bool,
) -> SlicesOfServices<'w> {
    let known: BTreeSet<(&str, &str)> = gathered(services.iter().map(|one| one.full_name()));
    let mut sorted: Vec<&EndpointSlice<'_>> = slices.iter().collect();
    sort_by(&mut sorted, EndpointSlice::by_name);
    let lacks = |slice: &&EndpointSlice<'_>| {
        let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
        let service = service.map_or("", |service| service.as_str());
        !known.contains(&(slice.metadata.namespace.as_str(), service))
    };
    let unbound = sorted.into_iter().filter(lacks);
    let entry = |slice: &'w EndpointSlice<'w>| (slice.metadata.namespace.as_str(), slice);
    SlicesOfServices {
        unbound: Grouped::new(unbound.map(entry)),
        namespaces: namespaces(slices),
        are_all,
        nodes: Vec::new(),
    }
}

pub(super) fn by_service<'w>(slices: &'w [EndpointSlice<'w>]) -> SlicesByService<'w> {
    let mut slices: Vec<&EndpointSlice<'_>> = slices.iter().collect();
    sort_by(&mut slices, EndpointSlice::by_name);
    slices_by_service(slices.into_iter())
}

/// Pods by namespace and name, and by the labels that Services ask for.
pub(super) struct ExplainedPods<'w> {
    pub(super) all: Vec<&'w Pod<'w>>,
    by_label: PodsByLabel<'w>,
    by_subdomain: PodsBySubdomain<'w>,
    /// By all of their labels, if a Service selects none of them.
    labels: Option<PodLabels<'w>>,
}

impl<'w> ExplainedPods<'w> {
    pub(super) fn new<'s>(
        pods: &'w [Pod<'w>],
        services: impl Iterator<Item = &'s Service<'s>> + Clone,
    ) -> Self {
        let mut all: Vec<&Pod<'_>> = pods.iter().collect();
        // API servers list them in this order.
        if !all.is_sorted_by(|a, b| a.full_name() <= b.full_name()) {
            sort_by(&mut all, |a, b| a.full_name().cmp(&b.full_name()));
        }
        let by_label = PodsByLabel::new(all.iter().copied(), services.clone());
        let mut reconciled = services.filter(|service| service.is_reconciled());
        let selects_none = reconciled.any(|service| !by_label.has_any(service));
        let labels = selects_none.then(|| PodLabels::new(&all));
        let by_subdomain = by_subdomain(&all);
        Self {
            all,
            by_label,
            by_subdomain,
            labels,
        }
    }
}

impl ExplainedInput<'_> {
    fn slices_of(&self, service: &Service<'_>) -> Vec<&EndpointSlice<'_>> {
        let slices = self.slices.of(&service.full_name()).iter();
        slices.map(|(_, slice)| *slice).collect()
    }

    /// Explanations of what belongs to Services that are not among these, although most of the namespace are.
    pub(super) fn without_service(
        &self,
        services: &[&Service<'_>],
    ) -> Vec<(NamespacedName, Explanations)> {
        let mut told = self.orphans(services);
        let known: BTreeSet<(&str, &str)> =
            gathered(services.iter().map(|service| service.full_name()));
        let namespaces: BTreeSet<&str> = gathered(known.iter().map(|(namespace, _)| *namespace));
        let missing = self.pods.by_subdomain.groups().filter(|group| {
            let mut service = group.iter().map(|(service, _)| service);
            service
                .next()
                .is_some_and(|key| !known.contains(key) && namespaces.contains(key.0))
        });
        let mut missing = missing.peekable();
        if missing.peek().is_none() {
            return told;
        }
        // The headless Service that selects a pod says so itself.
        let headless = services.iter();
        let headless = headless.filter(|service| service.is_headless() && service.is_reconciled());
        let selected = headless.flat_map(|service| self.pods.by_label.of(service));
        let selected: BTreeSet<(&str, &str)> = gathered(selected.map(|pod| pod.full_name()));
        // They are in order, and the others are none of them.
        let orphans = told.len();
        for group in missing {
            let pods = group.iter().map(|(_, pod)| *pod);
            let pods = pods.filter(|pod| !selected.contains(&pod.full_name()));
            let pods: Vec<&Pod<'_>> = pods.collect();
            let Some(pod) = pods.first() else {
                continue;
            };
            let service = NamespacedName {
                namespace: pod.metadata.namespace.as_str().into(),
                name: pod.spec.subdomain.as_str().into(),
            };
            let more = subdomain::of_missing(&service, &pods, self.pod);
            let known = told.get(..orphans).unwrap_or_default();
            let known = known.binary_search_by(|(key, _)| key.cmp(&service)).ok();
            match known.and_then(|place| told.get_mut(place)) {
                Some((_, orphan)) => {
                    orphan.explanations.splice(0..0, more.explanations);
                    orphan.verdict = more.verdict;
                }
                None => told.push((service, more)),
            }
        }
        told
    }

    /// Explanations of slices whose Service is not among these although most Services of the namespace are.
    fn orphans(&self, services: &[&Service<'_>]) -> Vec<(NamespacedName, Explanations)> {
        let known: BTreeSet<(&str, &str)> =
            gathered(services.iter().map(|service| service.full_name()));
        let (mut there, mut missing) = (BTreeMap::new(), BTreeMap::new());
        for (namespace, _) in &known {
            *there.entry(*namespace).or_insert(0_usize) += 1;
        }
        for (namespace, _) in self.slices.keys().filter(|key| !known.contains(*key)) {
            *missing.entry(*namespace).or_insert(0_usize) += 1;
        }
        let is_likely = |namespace: &str| there.get(namespace) >= missing.get(namespace);
        let groups = self.slices.groups().filter_map(|group| {
            let ((namespace, name), _) = group.first()?;
            if known.contains(&(*namespace, *name)) || !is_likely(namespace) {
                return None;
            }
            let slices: Vec<&EndpointSlice<'_>> = group.iter().map(|(_, slice)| *slice).collect();
            let service = NamespacedName {
                namespace: (*namespace).into(),
                name: (*name).into(),
            };
            let told = orphans::explain(&service, &slices);
            Some((service, told))
        });
        groups.collect()
    }

    pub(super) fn explain(&self, service: &Service<'_>) -> Explanations {
        let selected = self.pods.by_label.of(service);
        let mut plan = plan_service(
            service,
            selected.clone(),
            self.slices_of(service),
            self.endpoints,
            self.cluster.index,
            self.options,
            self.hints.clone(),
            None,
        );
        self.explain_plan_of(service, &selected, &mut plan)
    }

    /// Explains a plan, whose new slices have names as long as that takes: copies of them would be most of its memory.
    pub(super) fn explain_plan(&self, service: &Service<'_>, plan: &mut Plan<'_>) -> Explanations {
        self.explain_plan_of(service, &self.pods.by_label.of(service), plan)
    }

    fn explain_plan_of(
        &self,
        service: &Service<'_>,
        selected: &[&Pod<'_>],
        plan: &mut Plan<'_>,
    ) -> Explanations {
        let slices = self.slices_of(service);
        let managed_by = self.options.settings().managed_by;
        let own = slices.iter().copied();
        let own = own.filter(|slice| belongs(slice, service, managed_by));
        plan.name_created(&own.collect::<Vec<_>>());
        let namespace = service.metadata.namespace.as_str();
        let unbound = self.known.unbound.of(&namespace).iter();
        let unbound: Vec<_> = unbound.map(|(_, slice)| *slice).collect();
        let told = explain_case(&Case {
            service,
            plan,
            pods: &self.pods.all,
            labels: self.pods.labels.as_ref(),
            selected,
            in_subdomain: self.pods.by_subdomain.of(&service.full_name()),
            slices: &slices,
            unbound: &unbound,
            knows_slices: self.known.has(namespace),
            endpoints: self.endpoints,
            cluster: self.cluster,
            assumed: self.assumed,
            options: self.options,
            hints: self.hints,
            details: self.details,
            pod: self.pod,
            is_overview: self.is_overview,
            clients: self.clients.as_ref(),
            named_nodes: &self.known.nodes,
        });
        plan.unname_created();
        told
    }
}

/// Was a slice without its Service meant for one that is explained?
pub(super) fn is_meant(orphan: &Explanations, told: &[(NamespacedName, Explanations)]) -> bool {
    let unbound = told.iter().flat_map(|(_, told)| &told.explanations);
    let mut unbound = unbound.filter(|told| told.code == ExplanationCode::SliceUnbound);
    let orphans = &orphan.explanations;
    unbound.any(|told| orphans.iter().any(|orphan| orphan.subject == told.subject))
}
