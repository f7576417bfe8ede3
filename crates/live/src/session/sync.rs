//! One sync: takes what is open and the pods that concern it, plans, and remembers what has been settled.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use slicewise::model::Families;
use slicewise::model::{
    AddressType, ByFamily, Endpoint, EndpointSlice, NamespacedName, Service, Timestamp,
};
use slicewise::plan::{Plan, plan_and_compare, with_patches};
use slicewise::reconcile::candidate::{Candidate, KeptCandidate};
use slicewise::reconcile::existing::ComparedSlice;
use slicewise::reconcile::{Input, SettledPart, ports};
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::NodeIndex;

use super::Session;
use super::ids::{PodId, ServiceId, SliceId};
use super::nodes::ZoneTable;
use super::pods::{EndpointFacts, Pods};
use super::services::{KnownService, ServiceState};
use super::slices::{KnownSlice, KnownSlices, SliceComparison};
use super::written_slices::{WrittenSlices, open_slices};

/// What a sync has learnt.
struct Learnt {
    hints: ServiceHints,
    /// The comparisons of the open slices.
    compared: Vec<(SliceId, SliceComparison)>,
    /// Pods left out because their Node is unknown.
    missing: BTreeSet<PodId>,
}

/// Pods to compare, with the families in which they are settled.
type Candidates = BTreeMap<PodId, Families>;

impl Session {
    /// Plans a Service over the cluster as last seen and passes the plan to `then`. The plan is the same as for a new
    /// request, with the hints state of the previous sync and the trigger time of the changes since. Both are
    /// remembered for the next sync. `None` if the Service does not exist.
    pub fn sync_with<T>(
        &mut self,
        key: &NamespacedName,
        then: impl FnOnce(Plan<'_>) -> T,
    ) -> Option<T> {
        let id = self.services.find(&key.namespace, &key.name)?;
        let state = self.services.state(id)?;
        if !state.service.is_reconciled() {
            return Some(then(Plan::nothing(&state.service, state.hints.clone())));
        }
        if state.is_dirty {
            self.start_over(id);
        }
        self.nodes.refresh(&self.names);
        let trigger_time = self.take_trigger_time(id);
        let candidates = self.candidates(id);
        let known = self.services.get(id)?;
        let state = known.state.as_deref()?;
        let (answer, learnt) = self.plan(known, state, &candidates, trigger_time, then);
        self.learn(id, &candidates, learnt);
        Some(answer)
    }

    /// Like [`Session::sync_with`], but returns the plan.
    pub fn sync(&mut self, key: &NamespacedName) -> Option<Plan<'static>> {
        self.sync_with(key, |plan| plan.into_owned())
    }

    /// The Service has changed: everything is dirty.
    fn start_over(&mut self, id: ServiceId) {
        self.open_all(id);
        let Some(known) = self.services.get(id) else {
            return;
        };
        let Some(state) = known.state.as_deref() else {
            return;
        };
        let sets = state.label_sets.iter();
        let pods = sets.flat_map(|set| self.labels.pods(set));
        let (mut pending, mut resolved) = (BTreeSet::new(), Vec::new());
        for pod in pods {
            let facts = self.pods.facts(pod);
            let facts = facts.filter(|facts| facts.may_be_endpoint());
            if let Some(ports) = facts.and_then(|facts| self.resolve_ports(id, facts)) {
                pending.insert(pod);
                resolved.push(ports);
            }
        }
        let slices = known.slices.clone();
        if let Some(state) = self.services.state_mut(id) {
            state.is_dirty = false;
            state.ports.clear();
            for ports in resolved {
                state.count_ports(ports, true);
            }
            state.open = slices.into_iter().collect();
            state.settled = Default::default();
            state.pending.ipv4 = pending.clone();
            state.pending.ipv6 = pending;
        }
    }

    fn take_trigger_time(&mut self, id: ServiceId) -> Option<Timestamp> {
        let Self {
            services,
            pods,
            names,
            labels,
            ..
        } = self;
        let known = services.get_mut(id)?;
        let namespace = &known.key.namespace;
        let is_selected = |facts: &&EndpointFacts| labels.is_selected(facts.labels, id);
        let time_of = |name: &str| {
            let pod = pods.find(names, namespace, name)?;
            pods.facts(pod).filter(is_selected)?.trigger_time()
        };
        known.state.as_deref_mut()?.take_trigger_time(time_of)
    }

    /// The pods to compare: the pending ones, and those in open slices that are not confirmed there. No other slice is
    /// then regarded as confirming any of them.
    fn candidates(&mut self, id: ServiceId) -> Candidates {
        let mut candidates = Candidates::new();
        for family in AddressType::ALL {
            let Some(state) = self.services.state(id) else {
                break;
            };
            let mut found: Vec<PodId> = state.pending.of(family).iter().copied().collect();
            let open = state.open.iter();
            let open = open.filter_map(|slice| self.slices.get(*slice));
            let open = open.filter(|slice| slice.family == Some(family));
            found.extend(open.flat_map(|slice| slice.unconfirmed()));
            while let Some(pod) = found.pop() {
                if !self.is_candidate(id, pod) {
                    continue;
                }
                let families = candidates.entry(pod).or_insert(Families {
                    ipv4: true,
                    ipv6: true,
                });
                if !families.contains(family) {
                    continue;
                }
                families.remove(family);
                let confirming = slices_confirming(&self.slices, &self.pods, id, pod, family);
                for slice in confirming.collect::<Vec<_>>() {
                    let was_settled = self.slices.get(slice).is_some_and(KnownSlice::is_settled);
                    self.doubt(slice, pod);
                    // If the slice was open before, its other unconfirmed pods are already included.
                    let slice = self.slices.get(slice).filter(|_| was_settled);
                    found.extend(slice.into_iter().flat_map(KnownSlice::unconfirmed));
                }
            }
        }
        candidates
    }

    /// A pod that the cluster has, for a plan of a Service.
    pub(super) fn candidate(
        &self,
        service: &Service<'_>,
        id: PodId,
        settled: Families,
    ) -> Option<KeptCandidate<'_>> {
        let facts = self.pods.facts(id)?;
        let ports = ports::depend_on_pod(service)
            .then(|| self.pods.resolve_ports(&self.names, service, facts));
        Some(KeptCandidate {
            pod: self.pods.pod(&self.names, id)?,
            ports: ports.unwrap_or_default(),
            settled,
        })
    }

    fn is_candidate(&self, service: ServiceId, pod: PodId) -> bool {
        let facts = self.pods.facts(pod);
        let facts = facts.filter(|facts| facts.may_be_endpoint());
        facts.is_some_and(|facts| self.labels.is_selected(facts.labels, service))
    }

    fn plan<T>(
        &self,
        known: &KnownService,
        state: &ServiceState,
        candidates: &Candidates,
        trigger_time: Option<Timestamp>,
        then: impl FnOnce(Plan<'_>) -> T,
    ) -> (T, Learnt) {
        let open = open_slices(self, state);
        let written = WrittenSlices::new(self, state, &open);
        let settled = SettledPart {
            ports: state.ports.keys().map(Vec::as_slice).collect(),
            slices: ByFamily {
                ipv4: written.groups(AddressType::IPv4),
                ipv6: written.groups(AddressType::IPv6),
            },
        };
        let zones = ZoneTable {
            nodes: &self.nodes,
            names: &self.names,
        };
        let nodes = NodeIndex::kept(&zones, self.nodes.shares(&self.names));
        let candidate =
            |(id, settled): (&PodId, &Families)| self.candidate(&state.service, *id, *settled);
        let candidates: Vec<_> = candidates.iter().filter_map(candidate).collect();
        let input = Input {
            service: &state.service,
            pods: candidates.iter().map(Candidate::Kept).collect(),
            endpoints: &[],
            nodes: &nodes,
            slices: written.open(&open),
            settled: Some(&settled),
            settings: self.options.settings(),
        };
        let (plan, compared) = plan_and_compare(&input, state.hints.clone(), trigger_time);
        let find_pod = |name: &str| self.pods.find(&self.names, &known.key.namespace, name);
        let pod_of = |endpoint: &&Endpoint<'_>| find_pod(&endpoint.target_ref.as_ref()?.name);
        let id_of = |slice: &EndpointSlice<'_>| {
            let place = open.binary_search_by(|open| open.slice.name().cmp(slice.name()));
            Some(open.get(place.ok()?)?.id)
        };
        let compared = compared
            .iter()
            .filter_map(|ComparedSlice { slice, wrong }| {
                // The pod of a mismatching endpoint may be unknown.
                let comparison = if wrong.is_empty() {
                    SliceComparison::Settled
                } else {
                    SliceComparison::Touched(wrong.iter().filter_map(pod_of).collect())
                };
                Some((id_of(slice)?, comparison))
            });
        let missing = plan.errors.iter().filter_map(|error| find_pod(&error.pod));
        let learnt = Learnt {
            hints: plan.state.hints.clone(),
            compared: compared.collect(),
            missing: missing.collect(),
        };
        let plan = with_patches(plan, |plan| self.befores(plan), &self.options);
        (then(plan), learnt)
    }

    /// The current state of the slices that a plan updates, if updates are requested as patches.
    fn befores(&self, plan: &Plan<'_>) -> Vec<EndpointSlice<'_>> {
        let namespace = plan.service.namespace.as_str();
        let ids = plan.update.iter();
        let ids = ids.filter_map(|slice| self.slices.find(namespace, slice.name()));
        let whole = |id| self.slices.part(&self.names, &self.pods, id, |_, _| true);
        ids.map(whole).collect()
    }

    /// Remembers the findings of a sync.
    fn learn(&mut self, id: ServiceId, candidates: &Candidates, learnt: Learnt) {
        let Self {
            services,
            slices,
            pods,
            ..
        } = self;
        let Some(state) = services.state_mut(id) else {
            return;
        };
        state.hints = learnt.hints;
        for (slice, comparison) in learnt.compared {
            let Some(known) = slices.get_mut(slice) else {
                continue;
            };
            let Some(family) = known.family else {
                continue;
            };
            // An empty slice only matches as long as there is no other slice.
            if known.endpoints.is_empty() {
                continue;
            }
            known.comparison = comparison;
            if known.is_settled() {
                state.open.remove(&slice);
                let group = state.settled.of_mut(family).or_default(known.ports.clone());
                group.add(slice, known.name(), known.endpoints.len(), &known.facts);
            }
        }
        for family in AddressType::ALL {
            let is_pending = |(pod, settled): (&PodId, &Families)| {
                let is_compared = !settled.contains(family);
                let facts = pods.facts(*pod);
                let is_wanted = facts.is_some_and(|facts| state.wants(facts.addresses(), family));
                let mut confirming = slices_confirming(slices, pods, id, *pod, family);
                let is_confirmed = confirming.next().is_some();
                let is_open = is_compared && !is_confirmed;
                (is_open && (is_wanted || learnt.missing.contains(pod))).then_some(*pod)
            };
            *state.pending.of_mut(family) = candidates.iter().filter_map(is_pending).collect();
        }
    }
}

/// Slices of the Service that name a pod and are regarded as confirming it.
fn slices_confirming<'s>(
    slices: &'s KnownSlices,
    pods: &'s Pods,
    service: ServiceId,
    pod: PodId,
    family: AddressType,
) -> impl Iterator<Item = SliceId> + 's {
    let confirms = move |slice: &SliceId| {
        slices.get(*slice).is_some_and(|slice| {
            let is_doubted = match &slice.comparison {
                SliceComparison::Open => true,
                SliceComparison::Touched(pods) => pods.contains(&pod),
                SliceComparison::Settled => false,
            };
            slice.service == Some(service) && slice.family == Some(family) && !is_doubted
        })
    };
    let named = pods.get(pod).into_iter();
    named.flat_map(|pod| pod.slices.iter()).filter(confirms)
}
