//! Services planned over pods that do not exist: what a change of pods, or of a Service, would lead to.

use alloc::vec::Vec;

use slicewise::membership::label_selector::LabelSelector;
use slicewise::model::order::{sort_by, sorted_unique};
use slicewise::model::{Families, Service, StringMap};
use slicewise::reconcile::candidate::Candidate;
use slicewise::reconcile::{Input, Settings};
use slicewise::topology::nodes::NodeIndex;

use super::Session;
use super::ids::LabelSetId;
use super::observer::ObservedPod;

/// What a pod would be if a change were made.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "what can become of a pod")]
pub enum PodToBe<'p> {
    /// What it is.
    Same,
    /// No longer there, or no longer selected.
    Gone,
    /// Replaced by a pod with these numbers for the ports of the Service.
    WithPorts(&'p [Option<i32>]),
}

/// What each pod would be if a change were made.
pub type PodsToBe<'p> = dyn Fn(&ObservedPod<'_>) -> PodToBe<'p> + 'p;

#[doc(hidden)]
impl Session {
    /// The pods of a namespace that a selector of a workload selects, sorted by name.
    pub fn pods_matching(&self, namespace: &str, selector: &LabelSelector) -> Vec<ObservedPod<'_>> {
        let sets = self
            .labels
            .selected(&self.names, namespace, &StringMap::default());
        let is_matched = |set: &LabelSetId| selector.matches(&self.labels.map(&self.names, *set));
        let sets = sets.into_iter().filter(is_matched);
        let pods = sets.flat_map(|set| self.labels.pods(set));
        let mut pods: Vec<_> = pods.filter_map(|pod| self.observed(pod)).collect();
        sort_by(&mut pods, |a, b| a.name().cmp(b.name()));
        pods
    }

    /// The Services that select any of these pods and whose slices a controller manages, sorted by name.
    pub fn services_of_pods<'s>(&'s self, pods: &[ObservedPod<'s>]) -> Vec<&'s Service<'static>> {
        let sets = sorted_unique(pods.iter().map(|pod| pod.facts.labels));
        let ids = sorted_unique(sets.into_iter().flat_map(|set| self.labels.services(set)));
        let states = ids.into_iter().filter_map(|id| self.services.state(id));
        let mut services: Vec<_> = states.map(|state| &state.service).collect();
        sort_by(&mut services, |a, b| a.metadata.name.cmp(&b.metadata.name));
        services
    }

    /// A Service, which may not exist, prepared for planning from scratch over the pods that would be, as if it had no
    /// slices yet.
    pub fn imagine<T>(
        &self,
        service: &Service<'_>,
        nodes: &NodeIndex<'_>,
        settings: Settings<'_>,
        to_be: &PodsToBe<'_>,
        then: impl FnOnce(&Input<'_>) -> T,
    ) -> T {
        let selector = service.spec.selector.as_ref();
        let selector = selector.filter(|_| service.is_reconciled());
        let pods =
            selector.map(|selector| self.selected_pods(&service.metadata.namespace, selector));
        let pods = pods.into_iter().flatten();
        let candidate = |pod: ObservedPod<'_>| {
            let mut candidate = self.candidate(service, pod.id, Families::default())?;
            match to_be(&pod) {
                PodToBe::Same => {}
                PodToBe::Gone => return None,
                PodToBe::WithPorts(ports) => candidate.ports = ports.to_vec(),
            }
            Some(candidate)
        };
        let candidates: Vec<_> = pods.filter_map(candidate).collect();
        then(&Input {
            service,
            pods: candidates.iter().map(Candidate::Kept).collect(),
            endpoints: &[],
            nodes,
            slices: Vec::new(),
            settled: None,
            settings,
        })
    }
}
