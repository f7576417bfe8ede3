//! One sync: what is open and the pods that concern it go in, a plan comes out, and what it settled is remembered.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::Session;
use super::nodes::Zones;
use super::pods::{Facts, PodNumber};
use super::services::{FAMILIES, KnownService, ServiceNumber, ServiceState, SettledSlices};
use super::slices::SliceNumber;
use crate::model::{EndpointSlice, NamespacedName, Pod};
use crate::plan::{Plan, plan_and_settle};
use crate::reconcile::existing::{Candidate, Families, HintFacts, Settled, SettledGroups, Source};
use crate::reconcile::{Input, SettledPart};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;

/// What a sync leaves to be remembered.
struct Learnt {
    hints: ServiceHints,
    /// Open slices that are settled now.
    settled: Vec<(SliceNumber, HintFacts)>,
    /// Pods left out because their Node is unknown.
    missing: BTreeSet<PodNumber>,
}

/// Pods to be compared, with the families in which they are settled.
type Candidates = BTreeMap<PodNumber, Families>;

/// Whole slices, each made when it is asked for first.
struct Wholes<'s> {
    session: &'s Session,
    slices: Vec<(SliceNumber, OnceCell<Box<EndpointSlice<'s>>>)>,
    none: EndpointSlice<'s>,
}

impl Source for Wholes<'_> {
    fn whole(&self, number: u32) -> &EndpointSlice<'_> {
        let Some((slice, whole)) = self.slices.get(number as usize) else {
            return &self.none;
        };
        whole.get_or_init(|| Box::new(self.session.whole_slice(*slice)))
    }
}

impl Session {
    /// Plans a Service over the cluster as last seen and hands the plan to `then`. The plan is what a fresh
    /// request would give, with the hints state of the sync before and the trigger time of what changed since.
    /// Both are remembered for the next sync. `None` where there is no such Service.
    pub fn sync_with<T>(
        &mut self,
        key: &NamespacedName,
        then: impl FnOnce(&Plan<'_>) -> T,
    ) -> Option<T> {
        let number = self.services.find(&key.namespace, &key.name)?;
        let state = self.services.state(number)?;
        if !state.service.is_reconciled() {
            return Some(then(&Plan::nothing(&state.service, state.hints.clone())));
        }
        self.nodes.refresh(&self.names);
        if state.is_dirty {
            self.start_over(number);
        }
        let trigger_time = self.take_trigger_time(number);
        let candidates = self.candidates(number);
        let known = self.services.get(number)?;
        let state = known.state.as_deref()?;
        let (answer, learnt) = self.plan(known, state, &candidates, trigger_time, then);
        self.learn(number, &candidates, learnt);
        Some(answer)
    }

    /// As [`Session::sync_with`], with the plan to keep.
    pub fn sync(&mut self, key: &NamespacedName) -> Option<Plan<'static>> {
        self.sync_with(key, |plan| plan.clone().into_owned())
    }

    pub(super) fn whole_slice(&self, number: SliceNumber) -> EndpointSlice<'_> {
        self.slices.whole(&self.names, &self.pods, number)
    }

    /// The Service has changed: everything is dirty.
    fn start_over(&mut self, number: ServiceNumber) {
        for slice in self.slices_of(number) {
            if let Some(slice) = self.slices.get_mut(slice) {
                slice.settled = None;
            }
        }
        let Some(known) = self.services.get(number) else {
            return;
        };
        let Some(state) = known.state.as_deref() else {
            return;
        };
        let sets = state.label_sets.iter();
        let pods = sets
            .filter_map(|set| self.labels.get(*set))
            .flat_map(|set| &set.pods);
        let mut pending = BTreeSet::new();
        let mut resolved = Vec::new();
        for pod in pods {
            let facts = self
                .pods
                .facts(*pod)
                .filter(|facts| facts.may_be_endpoint());
            if let Some(ports) = facts.and_then(|facts| self.resolve_ports(number, *pod, facts)) {
                pending.insert(*pod);
                resolved.push(ports);
            }
        }
        let slices = known.slices.clone();
        if let Some(state) = self.services.state_mut(number) {
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

    fn take_trigger_time(&mut self, number: ServiceNumber) -> Option<crate::model::Timestamp> {
        let Self {
            services,
            pods,
            names,
            labels,
            ..
        } = self;
        let known = services.get_mut(number)?;
        let namespace = &known.key.namespace;
        let is_selected = |facts: &&Facts| {
            let set = labels.get(facts.labels);
            set.is_some_and(|set| set.services.binary_search(&number).is_ok())
        };
        let time_of = |name: &str| {
            let pod = pods.find(names, namespace, name)?;
            pods.facts(pod).filter(is_selected)?.trigger_time()
        };
        known.state.as_deref_mut()?.take_trigger_time(time_of)
    }

    /// The pods to be compared: those that are pending, and those that open slices name. A settled slice that names
    /// one of them is opened.
    fn candidates(&mut self, number: ServiceNumber) -> Candidates {
        let mut candidates = Candidates::new();
        for family in FAMILIES {
            let Some(state) = self.services.state(number) else {
                break;
            };
            let mut found: Vec<PodNumber> = state.pending.of(family).iter().copied().collect();
            let is_of_family = |slice: &SliceNumber| {
                self.slices
                    .get(*slice)
                    .is_some_and(|slice| slice.family == Some(family))
            };
            let mut open: Vec<SliceNumber> =
                state.open.iter().copied().filter(is_of_family).collect();
            loop {
                for slice in open.drain(..) {
                    let slice = self.slices.get(slice);
                    let endpoints = slice.into_iter().flat_map(|slice| &slice.endpoints);
                    found.extend(endpoints.filter_map(super::slices::KnownEndpoint::pod));
                }
                for pod in core::mem::take(&mut found) {
                    if !self.is_candidate(number, pod) {
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
                    open.extend(self.settled_slices_naming(number, pod, family));
                }
                if open.is_empty() {
                    break;
                }
                for slice in &open {
                    self.open(*slice);
                }
            }
        }
        candidates
    }

    fn is_candidate(&self, service: ServiceNumber, pod: PodNumber) -> bool {
        let facts = self.pods.facts(pod).filter(|facts| facts.may_be_endpoint());
        let set = facts.and_then(|facts| self.labels.get(facts.labels));
        set.is_some_and(|set| set.services.binary_search(&service).is_ok())
    }

    fn settled_slices_naming(
        &self,
        service: ServiceNumber,
        pod: PodNumber,
        family: crate::model::AddressType,
    ) -> Vec<SliceNumber> {
        let is_settled = |slice: &SliceNumber| {
            self.slices.get(*slice).is_some_and(|slice| {
                slice.service == Some(service)
                    && slice.family == Some(family)
                    && slice.settled.is_some()
            })
        };
        let named = self
            .pods
            .get(pod)
            .into_iter()
            .flat_map(|pod| pod.slices.iter());
        named.filter(is_settled).collect()
    }

    fn plan<T>(
        &self,
        known: &KnownService,
        state: &ServiceState,
        candidates: &Candidates,
        trigger_time: Option<crate::model::Timestamp>,
        then: impl FnOnce(&Plan<'_>) -> T,
    ) -> (T, Learnt) {
        let pods: Vec<(PodNumber, Pod<'_>)> = candidates
            .keys()
            .filter_map(|number| Some((*number, self.whole_pod_unlabelled(*number)?)))
            .collect();
        let is_open = |number: &&SliceNumber| state.open.contains(*number);
        let open: Vec<(SliceNumber, EndpointSlice<'_>)> = known
            .slices
            .iter()
            .filter(is_open)
            .map(|number| (*number, self.whole_slice(*number)))
            .collect();
        let mut wholes = Wholes {
            session: self,
            slices: Vec::new(),
            none: EndpointSlice::default(),
        };
        let (numbered4, numbered6) = (
            wholes.number(&state.settled.ipv4),
            wholes.number(&state.settled.ipv6),
        );
        let settled = SettledPart {
            ports: state.ports.keys().map(Vec::as_slice).collect(),
            ipv4: wholes.groups(&state.settled.ipv4, numbered4),
            ipv6: wholes.groups(&state.settled.ipv6, numbered6),
        };
        let zones = Zones {
            nodes: &self.nodes,
            names: &self.names,
        };
        let nodes = NodeIndex::kept(&zones, self.nodes.shares(&self.names));
        let candidate = |(number, pod)| Candidate {
            pod,
            settled: candidates.get(number).copied().unwrap_or_default(),
        };
        let input = Input {
            service: &state.service,
            pods: pods
                .iter()
                .map(|(number, pod)| candidate((number, pod)))
                .collect(),
            endpoints: &[],
            nodes: &nodes,
            slices: open.iter().map(|(_, slice)| slice).collect(),
            settled: Some(&settled),
            settings: self.options.settings(),
        };
        let (plan, settled_now) = plan_and_settle(&input, state.hints.clone(), trigger_time);
        let number_of = |slice: &EndpointSlice<'_>| {
            let place = open.binary_search_by(|(_, other)| other.name().cmp(slice.name()));
            place
                .ok()
                .and_then(|place| open.get(place))
                .map(|(number, _)| *number)
        };
        let settled_now = settled_now
            .into_iter()
            .filter(|slice| !slice.endpoints.is_empty());
        let missing = plan.errors.iter().filter_map(|error| {
            self.pods
                .find(&self.names, &known.key.namespace, &error.pod)
        });
        let learnt = Learnt {
            hints: plan.state.hints.clone(),
            settled: settled_now
                .filter_map(|slice| Some((number_of(slice)?, HintFacts::of(slice))))
                .collect(),
            missing: missing.collect(),
        };
        (then(&plan), learnt)
    }

    fn whole_pod_unlabelled(&self, number: PodNumber) -> Option<Pod<'_>> {
        let known = self.pods.get(number)?;
        let facts = known.facts.as_ref()?;
        Some(
            self.pods
                .whole(&self.names, known, facts, Default::default()),
        )
    }

    /// Remembers what a sync found.
    fn learn(&mut self, number: ServiceNumber, candidates: &Candidates, learnt: Learnt) {
        let Self {
            services,
            slices,
            pods,
            ..
        } = self;
        let Some(known) = services.get_mut(number) else {
            return;
        };
        let Some(state) = known.state.as_deref_mut() else {
            return;
        };
        state.hints = learnt.hints;
        for family in FAMILIES {
            let is_pending = |(pod, settled): (&PodNumber, &Families)| {
                let is_compared = !settled.contains(family);
                let facts = pods.facts(*pod);
                let is_wanted =
                    facts.is_some_and(|facts| Self::has_address(&state.service, facts, family));
                (is_compared && (is_wanted || learnt.missing.contains(pod))).then_some(*pod)
            };
            *state.pending.of_mut(family) = candidates.iter().filter_map(is_pending).collect();
        }
        for (slice, facts) in learnt.settled {
            let Some(known) = slices.get_mut(slice) else {
                continue;
            };
            let Some(family) = known.family else {
                continue;
            };
            state.open.remove(&slice);
            known.settled = Some(facts);
            let named = known
                .endpoints
                .iter()
                .filter_map(super::slices::KnownEndpoint::pod);
            for pod in named {
                state.pending.of_mut(family).remove(&pod);
            }
            let (name, ports) = (
                alloc::string::String::from(known.name()),
                known.ports.clone(),
            );
            let group = state.settled.of_mut(family).or_default(ports);
            let is_before = |other: &SliceNumber| {
                slices
                    .get(*other)
                    .is_some_and(|other| other.name() < name.as_str())
            };
            let place = group.partition_point(is_before);
            group.insert(place, slice);
        }
    }
}

impl<'s> Wholes<'s> {
    /// Gives settled slices the numbers they are asked for by; the first is returned.
    fn number(&mut self, settled: &SettledSlices) -> u32 {
        let first = u32::try_from(self.slices.len()).unwrap_or(u32::MAX);
        let slices = settled.values().flatten();
        self.slices
            .extend(slices.map(|slice| (*slice, OnceCell::new())));
        first
    }

    fn groups<'a>(&'a self, settled: &'a SettledSlices, first: u32) -> SettledGroups<'a> {
        let mut number = first;
        let mut known = |slice: &SliceNumber| {
            let own = number;
            number += 1;
            let slice = self.session.slices.get(*slice)?;
            Some(Settled {
                name: slice.name(),
                len: slice.endpoints.len(),
                facts: slice.settled.as_ref()?,
                number: own,
                source: self,
            })
        };
        let groups = settled.iter();
        groups
            .map(|(ports, slices)| (ports, slices.iter().filter_map(&mut known).collect()))
            .collect()
    }
}
